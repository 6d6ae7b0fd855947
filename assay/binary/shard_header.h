// The first bytes of a shard file say which part of which file it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "assay/base/result.h"
#include "assay/ops/reed_solomon/reed_solomon.h"

namespace assay::binary {

// A shard file is a header of 72 bytes and the shard. All numbers are
// little-endian, all CRCs are CRC-64/XZ.
//
// | offset | size | content                                             |
// |--------|------|-----------------------------------------------------|
// |      0 |   16 | ASCII `assay/rs-shard/1`                            |
// |     16 |    4 | matrix: 0 vandermonde, 1 cauchy                     |
// |     20 |    4 | k, data shards                                      |
// |     24 |    4 | m, parity shards                                    |
// |     28 |    4 | index of this shard, below k + m                    |
// |     32 |    8 | bytes of the file                                   |
// |     40 |    8 | S, bytes of each shard: ceil(bytes of the file / k) |
// |     48 |    8 | file id: the CRC of the file                        |
// |     56 |    8 | the CRC of this shard                               |
// |     64 |    8 | the CRC of the 64 bytes above                       |
// |     72 |    S | the shard                                           |
//
// Data shard j holds bytes [jS, (j + 1) S) of the file, zeros where it has
// ended; parity shard i is row k + i of the matrix times the data shards
// (docs/engines/binary.md, section 6). So the data shards without their
// headers, one after the other, are the file and fewer than k zeros.
//
// Shards belong together if matrix, k, m, size and id agree. CRCs find
// accidents, not forgers.
struct ShardHeader {
  reed_solomon::Scheme scheme;
  int index = 0;
  uint64_t file_bytes = 0;
  uint64_t file_crc = 0;
  uint64_t shard_crc = 0;

  uint64_t ShardBytes() const;
  // What all shards of a file agree in.
  bool SameFile(const ShardHeader& other) const;
};

inline constexpr size_t kShardHeaderBytes = 72;

std::array<std::byte, kShardHeaderBytes> EncodeShardHeader(
    const ShardHeader& header);

// Reads a header; there is one spelling of each. Fails with kCorrupt, and with
// kUnsupported for a later version of the format.
Result<ShardHeader> DecodeShardHeader(std::span<const std::byte> bytes);

}  // namespace assay::binary
