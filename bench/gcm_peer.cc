// GHASH and AES-GCM beside the system's OpenSSL, one thread, in one run.
// SPDX-License-Identifier: Apache-2.0
//
// gcm_peer [RUNS]: prints JSON: GB/s (10^9 bytes) of each, the best of the
// runs, which alternate so that both see the same machine.
#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <vector>

#include "assay/binary/gcm.h"
#include "assay/ops/seal/gcm_lanes.h"

namespace assay {
namespace {

using Buffer = std::vector<uint8_t>;

// Seconds of one call, from calls that take some 2 ms together.
double Seconds(const std::function<void()>& call) {
  const auto time = [&](int calls) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  };
  const double once = std::max(time(1), 1e-7);
  const int calls = std::clamp(static_cast<int>(2e-3 / once), 1, 100000);
  return time(calls) / calls;
}

struct Pair {
  double ours = 0;  // GB/s
  double openssl = 0;
};

Pair Measure(size_t bytes, int runs, const std::function<void()>& ours,
             const std::function<void()>& openssl) {
  Pair best;
  for (int run = 0; run < runs; ++run) {
    const double size = static_cast<double>(bytes) * 1e-9;
    best.ours = std::max(best.ours, size / Seconds(ours));
    best.openssl = std::max(best.openssl, size / Seconds(openssl));
  }
  return best;
}

// No figure of what does not work.
void OrExit(bool worked) {
  if (worked) return;
  fmt::print(stderr, "error: a call failed, or the two answers differ\n");
  std::exit(1);
}

Pair MeasureGcm(size_t key_bytes, size_t bytes, int runs, bool decrypt) {
  const Buffer secret(key_bytes, 3);
  const Buffer iv(12, 5);
  Buffer in(bytes, 7);
  Buffer out(bytes);
  Buffer tag(16);
  const auto key = std::move(*binary::GcmKey::Create(secret));
  // What is opened must hold, or it would be wiped.
  if (decrypt) (void)binary::GcmSeal(key, iv, {}, in, in, tag);
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  const EVP_CIPHER* cipher =
      key_bytes == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
  EVP_CipherInit_ex(context, cipher, nullptr, secret.data(), iv.data(),
                    decrypt ? 0 : 1);
  const auto ours = [&] {
    if (decrypt) {
      OrExit(*binary::GcmOpen(key, iv, {}, in, tag, out));
    } else {
      OrExit(binary::GcmSeal(key, iv, {}, in, out, tag).ok());
    }
  };
  const auto openssl = [&] {
    int size = 0;
    bool done = EVP_CipherInit_ex(context, nullptr, nullptr, nullptr, iv.data(),
                                  decrypt ? 0 : 1) == 1 &&
                EVP_CipherUpdate(context, out.data(), &size, in.data(),
                                 static_cast<int>(bytes)) == 1;
    if (decrypt) {
      done = done && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, 16,
                                         tag.data()) == 1;
    }
    done = done && EVP_CipherFinal_ex(context, out.data(), &size) == 1;
    if (!decrypt) {
      done = done && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, 16,
                                         tag.data()) == 1;
    }
    OrExit(done);
  };
  // Both must come to the same before they are timed.
  ours();
  const Buffer our_out = out, our_tag = tag;
  openssl();
  OrExit(out == our_out && tag == our_tag);
  const Pair pair = Measure(bytes, runs, ours, openssl);
  EVP_CIPHER_CTX_free(context);
  return pair;
}

// OpenSSL shows its GHASH as GMAC alone: one block of AES more.
Pair MeasureGhash(size_t bytes, int runs) {
  const Buffer secret(32, 3);
  Buffer iv(12, 5);
  const Buffer in(bytes, 7);
  Buffer tag(16);
  const auto key = std::move(*binary::GcmKey::Create(secret));
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "GMAC", nullptr);
  EVP_MAC_CTX* context = EVP_MAC_CTX_new(mac);
  char cipher[] = "AES-256-GCM";
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher, 0),
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv.data(),
                                        iv.size()),
      OSSL_PARAM_construct_end()};
  EVP_MAC_init(context, secret.data(), secret.size(), params);
  seal::Block hash = {};
  const Pair pair = Measure(
      bytes, runs,
      [&] { seal::HashLanes(key.expanded(), hash, in.data(), in.size()); },
      [&] { EVP_MAC_update(context, in.data(), in.size()); });
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(mac);
  return pair;
}

std::string Row(std::string_view what, size_t bytes, const Pair& pair) {
  return fmt::format(
      R"(    {{"what": "{}", "bytes": {}, "assay_gb_s": {:.2f}, )"
      R"("openssl_gb_s": {:.2f}, "ratio": {:.2f}}})",
      what, bytes, pair.ours, pair.openssl, pair.ours / pair.openssl);
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20;
  fmt::print("{{\n  \"target\": \"{}\", \"openssl\": \"{}\", \"runs\": {},\n",
             assay::seal::LanesTarget(), OpenSSL_version(OPENSSL_VERSION),
             runs);
  fmt::print("  \"rows\": [\n");
  std::string text;
  for (const size_t bytes :
       {size_t{64}, size_t{1} << 10, size_t{1} << 12, size_t{1} << 14,
        size_t{1} << 16, size_t{1} << 18, size_t{1} << 20, size_t{1} << 24}) {
    using assay::MeasureGcm;
    using assay::Row;
    for (const std::string& row :
         {Row("GHASH", bytes, assay::MeasureGhash(bytes, runs)),
          Row("AES-128-GCM seal", bytes, MeasureGcm(16, bytes, runs, false)),
          Row("AES-256-GCM seal", bytes, MeasureGcm(32, bytes, runs, false)),
          Row("AES-256-GCM open", bytes, MeasureGcm(32, bytes, runs, true))}) {
      text += (text.empty() ? "" : ",\n") + row;
    }
  }
  fmt::print("{}\n  ]\n}}\n", text);
  return 0;
}
