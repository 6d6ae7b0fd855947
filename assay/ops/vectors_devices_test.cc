// Published vectors of GHASH and AES-GCM on every device there is.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/device/open_device.h"
#include "assay/hash/test_derived.h"
#include "assay/ops/aes/aes.h"
#include "assay/ops/aes/aes_kernels.h"
#include "assay/ops/ghash/ghash.h"
#include "assay/ops/ghash/ghash_kernels.h"
#include "assay/ops/seal/seal_kernels.h"

namespace assay {
namespace {

using Bytes = std::vector<uint8_t>;

nlohmann::json Vectors(const std::string& name) {
  std::ifstream file(ASSAY_TESTDATA "/binary/" + name);
  return nlohmann::json::parse(file);
}

// Bytes on a device.
class Held {
 public:
  Held(Device& device, const Bytes& bytes)
      : device_(device), size_(bytes.size()) {
    // Something where there are no bytes.
    auto buffer = device.Allocate(size_ + 1, "test");
    EXPECT_TRUE(buffer.ok());
    buffer_ = std::move(*buffer);
    EXPECT_TRUE(device.Upload(view(), std::span<const uint8_t>(bytes)).ok());
  }

  View<uint8_t> view() const { return buffer_.As<uint8_t>().Sub(0, size_); }
  RawView raw() const { return view().raw; }
  Bytes Read() const {
    Bytes bytes(size_);
    EXPECT_TRUE(device_.Read(view(), std::span<uint8_t>(bytes)).ok());
    return bytes;
  }

 private:
  Device& device_;
  size_t size_;
  Buffer buffer_;
};

Status HashOn(Device& device, const Bytes& h, const Bytes& data, Bytes& state) {
  const Held key(device, h), in(device, data), hash(device, state);
  Recorder recorder = device.Record("test");
  RecordGhash(recorder, key.view(), in.view(), hash.view(), data.size());
  ASSAY_TRY(device.Run(std::move(recorder)));
  state = hash.Read();
  return {};
}

struct GcmKeys {
  Bytes rounds_and_h;  // fifteen round keys, the hash key
  uint32_t rounds;

  explicit GcmKeys(const Bytes& key) {
    const aes::Key expanded = aes::Expand(key);
    rounds_and_h.assign(expanded.round[0], expanded.round[0] + 240);
    const aes::Block h = aes::Encrypt(expanded, {});
    rounds_and_h.insert(rounds_and_h.end(), h.begin(), h.end());
    rounds = static_cast<uint32_t>(expanded.rounds);
  }
  Bytes h() const { return {rounds_and_h.begin() + 240, rounds_and_h.end()}; }
};

// E(block), as the key stream of one block of zeros.
Status EncryptOn(Device& device, const GcmKeys& keys, Bytes& block) {
  const Held key(device, keys.rounds_and_h), counter(device, block);
  const Held stream(device, Bytes(16));
  Recorder recorder = device.Record("test");
  recorder.Dispatch<AesCtr>({key.raw(), counter.raw(), stream.raw()},
                            {16, 0, keys.rounds, 0});
  ASSAY_TRY(device.Run(std::move(recorder)));
  block = stream.Read();
  return {};
}

// `state`: the counter and the hash.
Status CryptOn(Device& device, const GcmKeys& keys, bool decrypt, Bytes& state,
               Bytes& data) {
  const Held key(device, keys.rounds_and_h), both(device, state);
  const Held in(device, data), out(device, data);
  Recorder recorder = device.Record("test");
  recorder.Dispatch<SealGcm>(
      {key.raw(), both.raw(), in.raw(), out.raw()},
      {static_cast<uint32_t>(data.size()), 0, keys.rounds, decrypt ? 1u : 0u});
  ASSAY_TRY(device.Run(std::move(recorder)));
  state = both.Read();
  data = out.Read();
  return {};
}

Bytes LengthsOf(size_t aad, size_t data) {
  const ghash::Block block = ghash::Lengths(aad, data);
  return {block.begin(), block.end()};
}

// AES-GCM with every product and every block of AES on the device.
// Returns the tag; `data` becomes ciphertext, or plaintext.
Result<Bytes> GcmOn(Device& device, const GcmKeys& keys, const Bytes& iv,
                    const Bytes& aad, bool decrypt, Bytes& data) {
  Bytes j0 = iv;
  if (iv.size() == 12) {
    j0.insert(j0.end(), {0, 0, 0, 1});
  } else {
    j0.assign(16, 0);
    ASSAY_TRY(HashOn(device, keys.h(), iv, j0));
    ASSAY_TRY(HashOn(device, keys.h(), LengthsOf(0, iv.size()), j0));
  }
  aes::Block counter;
  std::copy(j0.begin(), j0.end(), counter.begin());
  counter = aes::Advance(counter, 1);
  Bytes hash(16);
  ASSAY_TRY(HashOn(device, keys.h(), aad, hash));
  Bytes state(counter.begin(), counter.end());
  state.insert(state.end(), hash.begin(), hash.end());
  ASSAY_TRY(CryptOn(device, keys, decrypt, state, data));
  hash.assign(state.begin() + 16, state.end());
  ASSAY_TRY(HashOn(device, keys.h(), LengthsOf(aad.size(), data.size()), hash));
  ASSAY_TRY(EncryptOn(device, keys, j0));
  for (size_t i = 0; i < 16; ++i) hash[i] ^= j0[i];
  return hash;
}

// The devices of this build and machine by name.
std::vector<std::string> DeviceNames() {
  std::vector<std::string> names;
  for (const DeviceInfo& info : ListDevices()) {
    names.push_back(
        fmt::format("{}{}", BackendName(info.kind),
                    info.index == 0 ? "" : fmt::format(":{}", info.index)));
  }
  return names;
}

// Calls body with each device until one step fails. A device without a form of
// a kernel is left out; the processor has them all.
template <class Body>
void OnDevices(const Body& body) {
  const std::vector<std::string> names = DeviceNames();
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    auto device = OpenDevice(name, {});
    ASSERT_TRUE(device.ok()) << device.error().what;
    const Status status = body(**device);
    if (status.ok()) continue;
    EXPECT_EQ(status.error().code, Code::kUnsupported) << status.error().what;
    EXPECT_NE(name, "cpu") << status.error().what;
  }
}

TEST(AcrossDevices, GhashComputesThePublishedVectors) {
  const auto vectors = Vectors("ghash.json");
  ASSERT_EQ(vectors["rows"].size(), 25u);
  OnDevices([&](Device& device) -> Status {
    const auto expect = [&](const Bytes& h, const Bytes& data,
                            const nlohmann::json& hash) -> Status {
      Bytes state(16);
      ASSAY_TRY(HashOn(device, h, data, state));
      EXPECT_EQ(ToHex(state), hash.get<std::string>());
      return {};
    };
    for (const auto& row : vectors["rows"]) {
      const size_t blocks = row["blocks"];
      ASSAY_TRY(
          expect(FromHex(row["h"].get<std::string>()),
                 Derived(fmt::format("ghash/{}/data", blocks), 16 * blocks),
                 row["ghash"]));
    }
    for (const auto& row : vectors["special"]) {
      ASSAY_TRY(expect(FromHex(row["h"].get<std::string>()),
                       Derived("ghash/special", 144), row["ghash"]));
    }
    return {};
  });
}

TEST(AcrossDevices, AesGcmComputesThePublishedVectors) {
  const auto vectors = Vectors("aes_gcm.json");
  ASSERT_EQ(vectors["rows"].size(), 666u);
  OnDevices([&](Device& device) -> Status {
    for (const auto& row : vectors["rows"]) {
      const auto label = row["label"].get<std::string>();
      SCOPED_TRACE(label);
      const auto field = [&](const char* name, const char* size) {
        return Derived(label + "/" + name, row[size].get<size_t>());
      };
      const GcmKeys keys(field("key", "key_len"));
      const Bytes iv = field("iv", "iv_len"), aad = field("aad", "aad_len");
      const Bytes plain = field("pt", "pt_len");
      Bytes data = plain;
      ASSAY_ASSIGN(tag, GcmOn(device, keys, iv, aad, false, data));
      EXPECT_EQ(ToHex(tag), row["tag"].get<std::string>());
      EXPECT_EQ(ToHex(Sha256Of(data)), row["ct_sha256"].get<std::string>());
      ASSAY_ASSIGN(again, GcmOn(device, keys, iv, aad, true, data));
      EXPECT_EQ(again, tag);
      EXPECT_EQ(data, plain);
    }
    return {};
  });
}

TEST(AcrossDevices, CountersWrapInTheirLastFourBytes) {
  const auto rows = Vectors("aes_gcm.json")["counter_wrap"];
  ASSERT_FALSE(rows.empty());
  OnDevices([&](Device& device) -> Status {
    for (const auto& row : rows) {
      const auto field = [&](const char* name) {
        return FromHex(row[name].get<std::string>());
      };
      Bytes data = field("pt");
      ASSAY_ASSIGN(tag, GcmOn(device, GcmKeys(field("key")), field("iv"),
                              field("aad"), false, data));
      EXPECT_EQ(tag, field("tag"));
      EXPECT_EQ(data, field("ct"));
    }
    return {};
  });
}

}  // namespace
}  // namespace assay
