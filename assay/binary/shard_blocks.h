// Blocks of several shards on a device, made from each other and checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/random_access.h"
#include "assay/binary/shard_header.h"
#include "assay/device/device.h"
#include "assay/ops/crc/crc.h"

namespace assay::binary {

inline constexpr crc::Kind kShardCrc = crc::Kind::kCrc64;

// ShardBlocks of several shards at the same offset, and a matrix that makes the
// later ones from the first ones.
class ShardBlocks {
 public:
  // `rows` (may be empty): makes rows.rows() shards from rows.columns().
  static Result<ShardBlocks> Make(Device& device, size_t shards,
                                  uint64_t shard_bytes,
                                  const reed_solomon::Matrix* rows);

  uint64_t stride() const { return stride_; }

  // Fills the first bytes of a block through `read` (a span of them).
  template <class Read>
  Status Fill(size_t shard, uint64_t bytes, const Read& read) {
    const View<std::byte> view =
        data_.As<std::byte>().Sub(shard * stride_, bytes);
    if (std::byte* host = data_.host_data(); host != nullptr) {
      return read(std::span(host + shard * stride_, bytes));
    }
    staging_.resize(bytes);
    ASSAY_TRY(read(std::span(staging_)));
    return device_->Upload(view, std::span<const std::byte>(staging_));
  }

  // Hands the first bytes of a block to `write`.
  template <class Write>
  Status Drain(size_t shard, uint64_t bytes, const Write& write) {
    const View<std::byte> view =
        data_.As<std::byte>().Sub(shard * stride_, bytes);
    if (std::byte* host = data_.host_data(); host != nullptr) {
      return write(std::span<const std::byte>(host + shard * stride_, bytes));
    }
    staging_.resize(bytes);
    ASSAY_TRY(device_->Read(view, std::span(staging_)));
    return write(std::span<const std::byte>(staging_));
  }

  // Makes the later shards of this block and advances all registers.
  Status Compute(uint64_t bytes);

  // The CRC of each shard so far.
  Result<std::vector<uint64_t>> Crcs();

 private:
  ShardBlocks(Device& device, size_t shards)
      : device_(&device), shards_(shards) {}

  Device* device_;
  size_t shards_;
  size_t inputs_ = 0;
  size_t outputs_ = 0;
  uint64_t stride_ = 0;
  Buffer data_;
  Buffer registers_;
  Buffer matrix_;
  std::vector<std::byte> staging_;  // where the host sees no device memory
};

// The CRC of the file from those of its data shards, which end in zeros.
uint64_t FileCrc(const ShardHeader& header,
                 std::span<const uint64_t> data_crcs);

// How many of a data shard's `bytes` at `offset` are the file's.
uint64_t FileBytes(const ShardHeader& header, size_t shard, uint64_t offset,
                   uint64_t bytes);

// Writes the header of shard `index`, whose CRC is `crc`.
Status WriteHeader(ShardHeader header, size_t index, uint64_t crc,
                   ByteSink& sink);

}  // namespace assay::binary
