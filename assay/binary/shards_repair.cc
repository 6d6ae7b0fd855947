// Finds the shards that are whole and makes the others from them.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "assay/binary/shard_blocks.h"

namespace assay::binary {
namespace {

// Reads the header of an input and looks whether its size fits.
Result<ShardHeader> ReadHeader(ByteSource& input) {
  std::vector<std::byte> bytes(
      std::min<uint64_t>(input.size(), kShardHeaderBytes));
  ASSAY_TRY(input.ReadAt(0, bytes));
  ASSAY_ASSIGN(header, DecodeShardHeader(bytes));
  const uint64_t has = input.size() - kShardHeaderBytes;
  if (has != header.ShardBytes()) {
    return Error{
        Code::kCorrupt,
        fmt::format("it holds {} bytes of its {}", has, header.ShardBytes()),
        ""};
  }
  return header;
}

// The CRC of what follows the header. One large block of one shard.
Result<uint64_t> PayloadCrc(Device& device, ByteSource& input,
                            const Progress& progress, uint64_t done,
                            uint64_t total) {
  const uint64_t size = input.size() - kShardHeaderBytes;
  ASSAY_ASSIGN(blocks, ShardBlocks::Make(device, 1, size, nullptr));
  for (uint64_t at = 0; at < size; at += blocks.stride()) {
    if (progress && !progress("check", done + at, total))
      return Cancelled("the work");
    const uint64_t bytes = std::min(blocks.stride(), size - at);
    ASSAY_TRY(blocks.Fill(0, bytes, [&](std::span<std::byte> into) {
      return input.ReadAt(kShardHeaderBytes + at, into);
    }));
    ASSAY_TRY(blocks.Compute(bytes));
  }
  ASSAY_ASSIGN(crcs, blocks.Crcs());
  return crcs[0];
}

std::string Counted(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// Says how many shards there are, how many it takes, and what is wrong.
Error TooFew(const RepairPlan& plan, std::span<ByteSource* const> inputs) {
  const auto whole =
      static_cast<size_t>(plan.header.scheme.shards()) - plan.lost.size();
  std::string damaged;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (plan.inputs[i].state != ShardInput::State::kDamaged) continue;
    damaged += fmt::format("{}{}: {}", damaged.empty() ? "" : "; ",
                           inputs[i]->name(), plan.inputs[i].problem);
  }
  return Error{
      Code::kCorrupt,
      fmt::format("{} of the {} needed {} whole{}{}", Counted(whole, "shard"),
                  plan.header.scheme.data, whole == 1 ? "is" : "are",
                  damaged.empty() ? "" : "; ", damaged),
      fmt::format("find {} more of this file",
                  Counted(static_cast<size_t>(plan.header.scheme.data) - whole,
                          "shard"))};
}

}  // namespace

std::vector<int> RepairPlan::LostData() const {
  std::vector<int> data;
  for (const int i : lost) {
    if (i < header.scheme.data) data.push_back(i);
  }
  return data;
}

Result<RepairPlan> InspectShards(Device& device,
                                 std::span<ByteSource* const> inputs,
                                 const Progress& progress) {
  RepairPlan plan;
  plan.inputs.resize(inputs.size());
  std::vector<ShardHeader> headers(inputs.size());
  int first = -1;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Result<ShardHeader> header = ReadHeader(*inputs[i]);
    ShardInput& input = plan.inputs[i];
    if (!header.ok()) {
      if (header.error().code == Code::kUnsupported) return header.error();
      input.state = ShardInput::State::kDamaged;
      input.problem = header.error().what;
      continue;
    }
    headers[i] = *header;
    input.index = header->index;
    if (first < 0) {
      first = static_cast<int>(i);
      plan.header = *header;
    } else if (!plan.header.SameFile(*header)) {
      return Error{Code::kInvalidInput,
                   fmt::format("{} and {} are shards of two files",
                               inputs[static_cast<size_t>(first)]->name(),
                               inputs[i]->name()),
                   "name the shards of one file only"};
    }
  }
  if (first < 0) {
    return Error{Code::kCorrupt,
                 inputs.empty()
                     ? "there are no shards"
                     : fmt::format("none of {} is a shard: {}: {}",
                                   Counted(inputs.size(), "input"),
                                   inputs[0]->name(), plan.inputs[0].problem),
                 "assay protect makes them"};
  }

  const auto n = static_cast<size_t>(plan.header.scheme.shards());
  const uint64_t each = plan.header.ShardBytes();
  plan.sources.assign(n, -1);
  for (size_t i = 0; i < inputs.size(); ++i) {
    ShardInput& input = plan.inputs[i];
    if (input.state != ShardInput::State::kWhole) continue;
    Result<uint64_t> crc = PayloadCrc(device, *inputs[i], progress, i * each,
                                      inputs.size() * each);
    if (!crc.ok() && crc.error().code != Code::kIo) return crc.error();
    int& source = plan.sources[static_cast<size_t>(input.index)];
    if (!crc.ok() || *crc != headers[i].shard_crc) {
      input.state = ShardInput::State::kDamaged;
      input.problem = crc.ok() ? "its CRC does not match" : crc.error().what;
    } else if (source >= 0) {
      input.state = ShardInput::State::kRepeated;
    } else {
      source = static_cast<int>(i);
    }
  }
  for (size_t s = 0; s < n; ++s) {
    if (plan.sources[s] < 0) plan.lost.push_back(static_cast<int>(s));
  }
  if (n - plan.lost.size() < static_cast<size_t>(plan.header.scheme.data)) {
    return TooFew(plan, inputs);
  }
  return plan;
}

Status RepairShards(Device& device, const RepairPlan& plan,
                    std::span<ByteSource* const> inputs, ByteSink& file,
                    std::span<ByteSink* const> shards,
                    const Progress& progress) {
  const ShardHeader& header = plan.header;
  const auto k = static_cast<size_t>(header.scheme.data);
  // Shards in the order of the blocks: k that are there, then those to make.
  std::vector<int> present;
  for (size_t s = 0; s < plan.sources.size() && present.size() < k; ++s) {
    if (plan.sources[s] >= 0) present.push_back(static_cast<int>(s));
  }
  const std::vector<int> wanted = shards.empty() ? plan.LostData() : plan.lost;
  ASSAY_ASSIGN(rows, reed_solomon::RepairRows(header.scheme, present, wanted));
  std::vector<int> order = present;
  order.insert(order.end(), wanted.begin(), wanted.end());
  const uint64_t shard_bytes = header.ShardBytes();
  ASSAY_ASSIGN(blocks,
               ShardBlocks::Make(device, order.size(), shard_bytes, &rows));

  for (uint64_t at = 0; at < shard_bytes; at += blocks.stride()) {
    if (progress && !progress("repair", at, shard_bytes))
      return Cancelled("the work");
    const uint64_t bytes = std::min(blocks.stride(), shard_bytes - at);
    for (size_t b = 0; b < k; ++b) {
      ByteSource& input = *inputs[static_cast<size_t>(
          plan.sources[static_cast<size_t>(present[b])])];
      ASSAY_TRY(blocks.Fill(b, bytes, [&](std::span<std::byte> into) {
        return input.ReadAt(kShardHeaderBytes + at, into);
      }));
    }
    ASSAY_TRY(blocks.Compute(bytes));
    for (size_t b = 0; b < order.size(); ++b) {
      const auto shard = static_cast<size_t>(order[b]);
      const uint64_t has = shard < k ? FileBytes(header, shard, at, bytes) : 0;
      const auto write = [&](std::span<const std::byte> from) -> Status {
        if (has != 0) {
          ASSAY_TRY(file.WriteAt(shard * shard_bytes + at, from.first(has)));
        }
        if (b < k || shards.empty()) return {};
        return shards[b - k]->WriteAt(kShardHeaderBytes + at, from);
      };
      ASSAY_TRY(blocks.Drain(b, bytes, write));
    }
  }
  ASSAY_ASSIGN(crcs, blocks.Crcs());
  std::vector<uint64_t> data_crcs(k);
  for (size_t b = 0; b < order.size(); ++b) {
    const auto shard = static_cast<size_t>(order[b]);
    if (shard < k) data_crcs[shard] = crcs[b];
    if (b >= k && !shards.empty()) {
      ASSAY_TRY(WriteHeader(header, shard, crcs[b], *shards[b - k]));
    }
  }
  if (FileCrc(header, data_crcs) != header.file_crc) {
    return Error{Code::kCorrupt,
                 "the repaired file does not have the CRC of the original",
                 "were the shards changed while they were read?"};
  }
  return {};
}

}  // namespace assay::binary
