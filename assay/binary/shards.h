// Protects a file with parity shards, and makes it again from enough of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/base/progress.h"
#include "assay/base/random_access.h"
#include "assay/base/result.h"
#include "assay/binary/shard_header.h"
#include "assay/device/device.h"

namespace assay::binary {

// Both ways take a few MiB of device memory, whatever the size of the file.

// Writes the k + m shard files of `file` to `shards`. One pass over the file.
// `progress` counts bytes of a shard. Fails with kInvalidInput for a scheme
// that does not exist, with the file's and the shards' errors (kIo), with
// kOverBudget, kCancelled.
Result<ShardHeader> Protect(Device& device, const reed_solomon::Scheme& scheme,
                            ByteSource& file, std::span<ByteSink* const> shards,
                            const Progress& progress = {});

// What became of one input.
struct ShardInput {
  enum class State : uint8_t {
    kWhole,     // its CRCs hold
    kDamaged,   // its header, its length or its CRC does not
    kRepeated,  // whole, but another input is the same shard
  };
  State state = State::kWhole;
  int index = -1;       // -1 where the header does not say
  std::string problem;  // of a damaged one
};

// What the inputs are good for.
struct RepairPlan {
  ShardHeader header;              // of the file; the index means nothing
  std::vector<ShardInput> inputs;  // in the order given
  std::vector<int> sources;        // per shard: its input, or -1
  std::vector<int> lost;           // shards without one

  // The lost shards that hold data: what makes a repair necessary.
  std::vector<int> LostData() const;
};

// Reads every input once. Inputs that are no whole shards count as missing.
// Fails with kInvalidInput where shards of two files are mixed (naming one of
// each), and with kCorrupt where fewer than k shards are whole.
Result<RepairPlan> InspectShards(Device& device,
                                 std::span<ByteSource* const> inputs,
                                 const Progress& progress = {});

// Writes the file to `file`, and shard file lost[i] to shards[i] (empty: no
// shard files). Reads k inputs once. The file's CRC is taken over what was
// written: kCorrupt where it is not that of the header.
Status RepairShards(Device& device, const RepairPlan& plan,
                    std::span<ByteSource* const> inputs, ByteSink& file,
                    std::span<ByteSink* const> shards = {},
                    const Progress& progress = {});

}  // namespace assay::binary
