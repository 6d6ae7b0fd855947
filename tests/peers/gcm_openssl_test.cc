// AES-GCM against OpenSSL on random cases.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <memory>
#include <random>
#include <vector>

#include "assay/binary/gcm.h"

namespace assay::binary {
namespace {

using Buffer = std::vector<uint8_t>;

struct Case {
  Buffer key, iv, aad, plain;
};

// OpenSSL's ciphertext and, after it, its tag of 16 bytes.
Buffer SealByOpenssl(const Case& c) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(
      EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
  const EVP_CIPHER* cipher = c.key.size() == 16   ? EVP_aes_128_gcm()
                             : c.key.size() == 24 ? EVP_aes_192_gcm()
                                                  : EVP_aes_256_gcm();
  Buffer out(c.plain.size() + 16);
  int size = 0;
  EXPECT_EQ(
      EVP_EncryptInit_ex(context.get(), cipher, nullptr, nullptr, nullptr), 1);
  EXPECT_EQ(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_IVLEN,
                                static_cast<int>(c.iv.size()), nullptr),
            1);
  EXPECT_EQ(EVP_EncryptInit_ex(context.get(), nullptr, nullptr, c.key.data(),
                               c.iv.data()),
            1);
  if (!c.aad.empty()) {
    EXPECT_EQ(EVP_EncryptUpdate(context.get(), nullptr, &size, c.aad.data(),
                                static_cast<int>(c.aad.size())),
              1);
  }
  if (!c.plain.empty()) {
    EXPECT_EQ(
        EVP_EncryptUpdate(context.get(), out.data(), &size, c.plain.data(),
                          static_cast<int>(c.plain.size())),
        1);
  }
  EXPECT_EQ(EVP_EncryptFinal_ex(context.get(), out.data(), &size), 1);
  EXPECT_EQ(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, 16,
                                out.data() + c.plain.size()),
            1);
  return out;
}

// Ours, in random pieces; then opened, whole and in pieces.
Buffer SealByAssay(const Case& c, std::mt19937_64& random) {
  const Result<GcmKey> key = GcmKey::Create(c.key);
  Result<GcmSealer> sealer = GcmSealer::Begin(*key, c.iv);
  const auto pieces = [&](size_t size, const auto& take) {
    for (size_t done = 0; done < size;) {
      const size_t now =
          std::min<size_t>(size - done, 1 + random() % (size + 1));
      take(done, now);
      done += now;
    }
  };
  pieces(c.aad.size(), [&](size_t first, size_t count) {
    EXPECT_TRUE(sealer->Aad(Bytes(c.aad).subspan(first, count)).ok());
  });
  Buffer out(c.plain.size() + 16);
  pieces(c.plain.size(), [&](size_t first, size_t count) {
    EXPECT_TRUE(sealer
                    ->Update(Bytes(c.plain).subspan(first, count),
                             MutableBytes(out).subspan(first, count))
                    .ok());
  });
  EXPECT_TRUE(sealer->Finish(MutableBytes(out).last(16)).ok());

  Buffer plain(c.plain.size());
  const Result<bool> opened =
      GcmOpen(*key, c.iv, c.aad, Bytes(out).first(c.plain.size()),
              Bytes(out).last(16), plain);
  EXPECT_TRUE(opened.ok() && *opened);
  EXPECT_EQ(plain, c.plain);
  Result<GcmOpener> opener = GcmOpener::Begin(*key, c.iv);
  EXPECT_TRUE(opener->Aad(c.aad).ok());
  pieces(c.plain.size(), [&](size_t first, size_t count) {
    EXPECT_TRUE(opener->Update(Bytes(out).subspan(first, count)).ok());
  });
  EXPECT_TRUE(*opener->Finish(Bytes(out).last(16), &plain));
  EXPECT_EQ(plain, c.plain);
  return out;
}

Buffer Random(std::mt19937_64& random, size_t size) {
  Buffer bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

// Every length up to 600, IVs of 12 bytes and of other lengths.
TEST(GcmPeer, OpensslSealsTheSameBytes) {
  std::mt19937_64 random(1);
  for (size_t i = 0; i < 20000; ++i) {
    const size_t size = i <= 600 ? i : random() % (i % 100 == 0 ? 9000 : 700);
    const size_t iv = random() % 2 == 0 ? 12 : 1 + random() % 128;
    const Case c = {Random(random, 16 + 8 * (random() % 3)), Random(random, iv),
                    Random(random, random() % (i % 50 == 0 ? 3000 : 80)),
                    Random(random, size)};
    ASSERT_EQ(SealByAssay(c, random), SealByOpenssl(c)) << i;
  }
}

// IVs of 16 bytes such that the counter of the message starts just below
// 2^32: about one in 4096 random ones does, within 2^20.
TEST(GcmPeer, OpensslWrapsTheCounterAtTheSamePlace) {
  std::mt19937_64 random(2);
  const Buffer key = Random(random, 32);
  const Result<GcmKey> expanded = GcmKey::Create(key);
  int found = 0;
  for (int i = 0; found < 8 && i < 200000; ++i) {
    const Buffer iv = Random(random, 16);
    seal::Block j0 = ghash::Hash(expanded->expanded().h, {}, iv);
    j0 = ghash::Hash(expanded->expanded().h, j0, ghash::Lengths(0, iv.size()));
    if (j0[12] != 0xff || j0[13] < 0xf8) continue;
    ++found;
    const uint32_t number =
        uint32_t{j0[12]} << 24 | uint32_t{j0[13]} << 16 | j0[14] << 8 | j0[15];
    const size_t until = size_t{16} * (0u - number);
    const Case c = {key, iv, {}, Random(random, until + 1000)};
    ASSERT_EQ(SealByAssay(c, random), SealByOpenssl(c)) << i;
  }
  EXPECT_EQ(found, 8);
}

}  // namespace
}  // namespace assay::binary
