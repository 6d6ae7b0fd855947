// Hands arbitrary bytes to the repair of shards, and damages real shards.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assay/binary/shards.h"
#include "assay/device/open_device.h"
#include "assay/ops/crc/crc.h"

namespace {

using assay::ByteSink;
using assay::ByteSource;
using assay::MemoryBytes;
using assay::binary::InspectShards;
using assay::binary::kShardHeaderBytes;
using assay::binary::Protect;
using assay::binary::RepairShards;
using assay::binary::ShardHeader;

using Bytes = std::vector<std::byte>;

assay::Device& Cpu() {
  static const std::unique_ptr<assay::Device> device =
      std::move(*assay::OpenDevice("cpu", {.threads = 1}));
  return *device;
}

uint64_t Crc(std::span<const std::byte> bytes) {
  return assay::crc::Extend(assay::crc::Kind::kCrc64, 0, bytes);
}

// Takes numbers and bytes off the input; zeros at its end.
class Script {
 public:
  explicit Script(std::span<const std::byte> bytes) : bytes_(bytes) {}
  size_t Number() {
    size_t x = 0;
    for (const std::byte byte : Take(2)) {
      x = x << 8 | static_cast<size_t>(byte);
    }
    return x;
  }
  std::span<const std::byte> Take(size_t count) {
    const auto part = bytes_.first(std::min(count, bytes_.size()));
    bytes_ = bytes_.subspan(part.size());
    return part;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

struct Outcome {
  bool repaired = false;
  ShardHeader header;
  Bytes file;
};

Outcome Repair(const std::vector<Bytes>& shards) {
  std::vector<MemoryBytes> inputs;
  for (const Bytes& shard : shards) inputs.emplace_back("shard", shard);
  std::vector<ByteSource*> pointers;
  for (MemoryBytes& input : inputs) pointers.push_back(&input);
  Outcome outcome;
  const auto plan = InspectShards(Cpu(), pointers);
  if (!plan.ok()) return outcome;
  MemoryBytes file("file");
  std::vector<MemoryBytes> made(plan->lost.size(), MemoryBytes("made"));
  std::vector<ByteSink*> sinks;
  for (MemoryBytes& sink : made) sinks.push_back(&sink);
  outcome.repaired = RepairShards(Cpu(), *plan, pointers, file, sinks).ok();
  outcome.header = plan->header;
  outcome.file = file.bytes();
  return outcome;
}

// Gives a shard the CRCs and the size that its bytes ask for, so that the
// reader is left with the rest of the header.
void Fit(Bytes& shard) {
  if (shard.size() < kShardHeaderBytes) return;
  const std::span<std::byte> all(shard);
  const auto number = [&](size_t at, uint64_t x) {
    for (size_t i = 0; i < 8; ++i) {
      shard[at + i] = static_cast<std::byte>(x >> (8 * i));
    }
  };
  constexpr std::string_view kTag = "assay/rs-shard/1";
  std::copy_n(std::as_bytes(std::span(kTag)).begin(), kTag.size(),
              shard.begin());
  const uint64_t size = shard.size() - kShardHeaderBytes;
  const auto k = static_cast<uint64_t>(shard[20]);
  number(32, size * k);
  number(40, size);
  number(56, Crc(all.subspan(kShardHeaderBytes)));
  number(64, Crc(all.first(64)));
}

// Files that anybody could name as shards.
void Read(Script& script) {
  const bool fit = script.Number() % 2 != 0;
  std::vector<Bytes> shards;
  while (!script.empty() && shards.size() < 8) {
    const auto part = script.Take(script.Number() % 512);
    Bytes shard(part.begin(), part.end());
    if (fit) Fit(shard);
    const auto header = assay::binary::DecodeShardHeader(shard);
    if (header.ok()) {
      const auto again = assay::binary::EncodeShardHeader(*header);
      if (!std::equal(again.begin(), again.end(), shard.begin())) {
        std::abort();  // two spellings of a header
      }
    }
    shards.push_back(std::move(shard));
  }
  const Outcome outcome = Repair(shards);
  if (outcome.repaired && (outcome.file.size() != outcome.header.file_bytes ||
                           Crc(outcome.file) != outcome.header.file_crc)) {
    std::abort();
  }
}

// A file's shards after changes, cuts and swaps: the file, or nothing.
void Damage(Script& script) {
  assay::reed_solomon::Scheme scheme;
  scheme.kind = static_cast<assay::reed_solomon::Kind>(script.Number() % 2);
  scheme.data = static_cast<int>(1 + script.Number() % 6);
  scheme.parity = static_cast<int>(1 + script.Number() % 4);
  const auto part = script.Take(script.Number() % 2048);
  const Bytes original(part.begin(), part.end());
  MemoryBytes file("file", original);
  const auto n = static_cast<size_t>(scheme.shards());
  std::vector<MemoryBytes> sinks(n, MemoryBytes("shard"));
  std::vector<ByteSink*> pointers;
  for (MemoryBytes& sink : sinks) pointers.push_back(&sink);
  if (!Protect(Cpu(), scheme, file, pointers).ok()) std::abort();
  std::vector<Bytes> shards;
  for (MemoryBytes& sink : sinks) shards.push_back(sink.bytes());

  std::vector<bool> touched(n);
  while (!script.empty()) {
    const size_t index = script.Number() % n;
    Bytes& shard = shards[index];
    const size_t at = script.Number();
    const auto mask = static_cast<std::byte>(script.Number() % 255 + 1);
    touched[index] = true;
    if (at % 7 == 0) {
      shard.resize(at % (shard.size() + 9));
    } else if (at % 7 == 1) {
      std::swap(shard, shards[at % n]);
      touched[at % n] = true;
    } else if (!shard.empty()) {
      shard[at % shard.size()] ^= mask;
    }
  }
  const auto whole = std::count(touched.begin(), touched.end(), false);
  const Outcome outcome = Repair(shards);
  if (outcome.repaired && outcome.file != original) std::abort();
  if (!outcome.repaired && whole >= scheme.data) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Script script(std::as_bytes(std::span(data, size)));
  if (script.Number() % 2 == 0) {
    Read(script);
  } else {
    Damage(script);
  }
  return 0;
}
