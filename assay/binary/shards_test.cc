// Files that survive the loss and the damage of shards, or say why not.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/shards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "assay/base/split_mix.h"
#include "assay/device/open_device.h"
#include "assay/ops/crc/crc.h"

namespace assay::binary {
namespace {

using Bytes = std::vector<std::byte>;
using State = ShardInput::State;

Bytes SomeBytes(uint64_t seed, size_t count) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(SplitMix64(seed, i));
  }
  return bytes;
}

uint64_t Crc(std::span<const std::byte> bytes) {
  return crc::Extend(crc::Kind::kCrc64, 0, bytes);
}

class Shards : public testing::Test {
 protected:
  void SetUp() override {
    auto device = OpenDevice("cpu", {.threads = 2});
    ASSERT_TRUE(device.ok());
    device_ = std::move(*device);
  }

  // The shard files of `file`.
  std::vector<Bytes> Make(const Bytes& file, reed_solomon::Scheme scheme) {
    MemoryBytes source("file", file);
    const auto n = static_cast<size_t>(scheme.shards());
    std::vector<MemoryBytes> sinks(n, MemoryBytes("shard"));
    std::vector<ByteSink*> pointers;
    for (MemoryBytes& sink : sinks) pointers.push_back(&sink);
    const auto header = Protect(*device_, scheme, source, pointers);
    EXPECT_TRUE(header.ok());
    EXPECT_EQ(header.ok() ? header->file_crc : 0, Crc(file));
    std::vector<Bytes> shards;
    for (MemoryBytes& sink : sinks) shards.push_back(sink.bytes());
    return shards;
  }

  struct Outcome {
    Status status;
    RepairPlan plan;
    Bytes file;
    std::vector<Bytes> shards;  // made again
  };

  Outcome Repair(const std::vector<Bytes>& inputs, bool make_shards = false) {
    std::vector<MemoryBytes> sources;
    for (size_t i = 0; i < inputs.size(); ++i) {
      sources.emplace_back("input " + std::to_string(i), inputs[i]);
    }
    std::vector<ByteSource*> pointers;
    for (MemoryBytes& source : sources) pointers.push_back(&source);
    Outcome outcome;
    auto plan = InspectShards(*device_, pointers);
    if (!plan.ok()) {
      outcome.status = plan.error();
      return outcome;
    }
    outcome.plan = *plan;
    MemoryBytes file("file");
    std::vector<MemoryBytes> made(plan->lost.size(), MemoryBytes("made"));
    std::vector<ByteSink*> sinks;
    if (make_shards) {
      for (MemoryBytes& sink : made) sinks.push_back(&sink);
    }
    outcome.status = RepairShards(*device_, *plan, pointers, file, sinks);
    outcome.file = file.bytes();
    for (MemoryBytes& sink : made) outcome.shards.push_back(sink.bytes());
    return outcome;
  }

  void ExpectRefused(const std::vector<Bytes>& inputs, Code code,
                     const std::string& part) {
    const Outcome outcome = Repair(inputs);
    ASSERT_FALSE(outcome.status.ok()) << part;
    EXPECT_EQ(outcome.status.error().code, code);
    EXPECT_NE(outcome.status.error().what.find(part), std::string::npos)
        << outcome.status.error().what;
    EXPECT_TRUE(outcome.file.empty());
  }

  std::unique_ptr<Device> device_;
};

constexpr reed_solomon::Kind kVandermonde = reed_solomon::Kind::kVandermonde;
constexpr reed_solomon::Kind kCauchy = reed_solomon::Kind::kCauchy;

TEST_F(Shards, EveryLossThatLeavesEnoughIsRepaired) {
  for (const auto kind : {kVandermonde, kCauchy}) {
    for (const size_t size : {0, 1, 2, 3, 4, 500}) {
      const Bytes file = SomeBytes(size, size);
      const std::vector<Bytes> all = Make(file, {kind, 3, 2});
      for (unsigned mask = 0; mask < 32; ++mask) {
        if (std::popcount(mask) < 3) continue;
        std::vector<Bytes> present;
        std::vector<Bytes> absent;
        for (size_t i = 0; i < 5; ++i) {
          (((mask >> i) & 1) != 0 ? present : absent).push_back(all[i]);
        }
        const Outcome outcome = Repair(present, /*make_shards=*/true);
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.error().what;
        EXPECT_EQ(outcome.file, file);
        EXPECT_EQ(outcome.shards, absent);
        EXPECT_EQ(Repair(present).file, file);
      }
    }
  }
}

TEST_F(Shards, ManyBlocksAreStreamed) {
  const Bytes file = SomeBytes(1, 9'000'001);
  std::vector<Bytes> shards = Make(file, {kVandermonde, 10, 4});
  shards.erase(shards.begin() + 2, shards.begin() + 6);
  const Outcome outcome = Repair(shards);
  ASSERT_TRUE(outcome.status.ok());
  EXPECT_TRUE(outcome.file == file);
  EXPECT_EQ(outcome.plan.lost, (std::vector<int>{2, 3, 4, 5}));
  EXPECT_LT(device_->budget().peak_bytes(), uint64_t{8} << 20);
}

TEST_F(Shards, TheLargestCodesWork) {
  const Bytes file = SomeBytes(2, 3000);
  for (const auto& [k, m] : {std::pair(255, 1), {1, 255}, {128, 128}}) {
    std::vector<Bytes> shards = Make(file, {kCauchy, k, m});
    shards.erase(shards.begin(), shards.begin() + m);
    const Outcome outcome = Repair(shards);
    ASSERT_TRUE(outcome.status.ok());
    EXPECT_EQ(outcome.file, file);
  }
}

TEST_F(Shards, TheFormatIsWhatItsHeaderSays) {
  const Bytes file = SomeBytes(3, 10);
  const std::vector<Bytes> shards = Make(file, {kCauchy, 3, 2});
  const auto number = [](const Bytes& bytes, size_t at, size_t count) {
    uint64_t x = 0;
    for (size_t i = count; i-- > 0;) {
      x = x << 8 | static_cast<uint64_t>(bytes[at + i]);
    }
    return x;
  };
  Bytes joined;
  for (size_t i = 0; i < 5; ++i) {
    const Bytes& shard = shards[i];
    ASSERT_EQ(shard.size(), 72u + 4u);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(shard.data()), 16),
              "assay/rs-shard/1");
    EXPECT_EQ(number(shard, 16, 4), 1u);
    EXPECT_EQ(number(shard, 20, 4), 3u);
    EXPECT_EQ(number(shard, 24, 4), 2u);
    EXPECT_EQ(number(shard, 28, 4), i);
    EXPECT_EQ(number(shard, 32, 8), 10u);
    EXPECT_EQ(number(shard, 40, 8), 4u);
    EXPECT_EQ(number(shard, 48, 8), Crc(file));
    EXPECT_EQ(number(shard, 56, 8), Crc(std::span(shard).subspan(72)));
    EXPECT_EQ(number(shard, 64, 8), Crc(std::span(shard).first(64)));
    if (i < 3) joined.insert(joined.end(), shard.begin() + 72, shard.end());
  }
  Bytes padded = file;
  padded.resize(12);
  EXPECT_EQ(joined, padded);
}

TEST_F(Shards, EveryDamagedByteIsFoundAndRepaired) {
  const Bytes file = SomeBytes(4, 100);
  const std::vector<Bytes> shards = Make(file, {kVandermonde, 4, 1});
  for (size_t i = 0; i < shards[1].size(); ++i) {
    std::vector<Bytes> inputs = shards;
    inputs[1][i] ^= std::byte{0x10};
    const Outcome outcome = Repair(inputs, /*make_shards=*/true);
    // Another version is refused, not guessed at; its header has a CRC.
    ASSERT_TRUE(outcome.status.ok()) << i;
    EXPECT_EQ(outcome.file, file);
    EXPECT_EQ(outcome.plan.inputs[1].state, State::kDamaged);
    EXPECT_FALSE(outcome.plan.inputs[1].problem.empty());
    EXPECT_EQ(outcome.plan.lost, std::vector<int>{1});
    EXPECT_EQ(outcome.shards[0], shards[1]);
  }
}

TEST_F(Shards, CutAndExtendedShardsAreDamaged) {
  const Bytes file = SomeBytes(5, 100);
  const std::vector<Bytes> shards = Make(file, {kVandermonde, 4, 1});
  for (const size_t length : {0, 1, 71, 72, 73, 96, 98, 200}) {
    std::vector<Bytes> inputs = shards;
    inputs[3].resize(length);
    const Outcome outcome = Repair(inputs);
    ASSERT_TRUE(outcome.status.ok()) << length;
    EXPECT_EQ(outcome.file, file);
    EXPECT_EQ(outcome.plan.inputs[3].state, State::kDamaged);
  }
}

TEST_F(Shards, TooFewAreRefused) {
  std::vector<Bytes> shards = Make(SomeBytes(6, 100), {kCauchy, 3, 2});
  shards[0][80] ^= std::byte{1};
  shards.erase(shards.begin() + 1, shards.begin() + 3);
  ExpectRefused(shards, Code::kCorrupt, "2 shards of the 3 needed are whole");
  ExpectRefused(shards, Code::kCorrupt, "input 0: its CRC does not match");
  ExpectRefused({}, Code::kCorrupt, "no shards");
  ExpectRefused({SomeBytes(7, 500)}, Code::kCorrupt, "is a shard");
  // The same shard many times is one shard.
  ExpectRefused({shards[1], shards[1], shards[1], shards[1]}, Code::kCorrupt,
                "1 shard of the 3");
}

TEST_F(Shards, ShardsOfTwoFilesAreRefused) {
  const Bytes file = SomeBytes(8, 100);
  const std::vector<Bytes> shards = Make(file, {kCauchy, 3, 2});
  Bytes other = file;
  other[50] ^= std::byte{1};
  for (const std::vector<Bytes>& others :
       {Make(other, {kCauchy, 3, 2}), Make(file, {kVandermonde, 3, 2}),
        Make(file, {kCauchy, 3, 1}), Make(file, {kCauchy, 4, 2})}) {
    std::vector<Bytes> inputs = shards;
    inputs[1] = others[1];
    ExpectRefused(inputs, Code::kInvalidInput,
                  "input 0 and input 1 are shards of two files");
  }
}

TEST_F(Shards, ARepeatedShardStandsInForADamagedOne) {
  const Bytes file = SomeBytes(9, 100);
  std::vector<Bytes> inputs = Make(file, {kCauchy, 3, 1});
  inputs.push_back(inputs[0]);
  inputs.push_back(inputs[2]);
  inputs[0][90] ^= std::byte{1};
  const Outcome outcome = Repair(inputs);
  ASSERT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.file, file);
  EXPECT_EQ(outcome.plan.inputs[0].state, State::kDamaged);
  EXPECT_EQ(outcome.plan.inputs[4].state, State::kWhole);
  EXPECT_EQ(outcome.plan.inputs[5].state, State::kRepeated);
  EXPECT_TRUE(outcome.plan.lost.empty());
}

TEST_F(Shards, AFileThatIsNotTheHeadersIsNotHandedOver) {
  // Shards whose own CRCs hold, but which were never one file.
  std::vector<Bytes> shards = Make(SomeBytes(10, 90), {kCauchy, 3, 1});
  ShardHeader header = *DecodeShardHeader(shards[1]);
  shards[1][80] ^= std::byte{1};
  header.shard_crc = Crc(std::span(shards[1]).subspan(72));
  const auto bytes = EncodeShardHeader(header);
  std::copy(bytes.begin(), bytes.end(), shards[1].begin());
  const Outcome outcome = Repair(shards);
  ASSERT_FALSE(outcome.status.ok());
  EXPECT_EQ(outcome.status.error().code, Code::kCorrupt);
}

TEST_F(Shards, HeadersWithImpossibleFieldsAreNoShards) {
  ShardHeader good;
  good.scheme = {kCauchy, 3, 2};
  good.index = 1;
  good.file_bytes = 100;
  ASSERT_TRUE(DecodeShardHeader(EncodeShardHeader(good)).ok());
  for (const auto& change : std::vector<void (*)(ShardHeader&)>{
           [](ShardHeader& h) { h.scheme.parity = 0; },
           [](ShardHeader& h) { h.scheme.parity = 254; },
           [](ShardHeader& h) { h.scheme.parity = -1; },
           [](ShardHeader& h) { h.scheme.data = 300; },
           [](ShardHeader& h) {
             h.scheme.kind = static_cast<reed_solomon::Kind>(2);
           },
           [](ShardHeader& h) { h.index = 5; },
           [](ShardHeader& h) { h.index = -1; }}) {
    ShardHeader bad = good;
    change(bad);
    EXPECT_EQ(DecodeShardHeader(EncodeShardHeader(bad)).error().code,
              Code::kCorrupt);
  }
}

TEST_F(Shards, WorkCanBeCancelled) {
  MemoryBytes file("file", SomeBytes(11, 1000));
  std::vector<MemoryBytes> sinks(3, MemoryBytes("shard"));
  ByteSink* pointers[] = {&sinks[0], &sinks[1], &sinks[2]};
  const auto header =
      Protect(*device_, {kCauchy, 2, 1}, file, pointers,
              [](std::string_view, uint64_t, uint64_t) { return false; });
  EXPECT_EQ(header.error().code, Code::kCancelled);
}

}  // namespace
}  // namespace assay::binary
