// Sizes blocks for the caches and runs both kernels over them.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/shard_blocks.h"

#include <utility>

#include "assay/base/progress.h"
#include "assay/ops/crc/crc_kernels.h"
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"

namespace assay::binary {
namespace {

// All blocks of a pass together: they stay in the caches between the kernels.
constexpr uint64_t kBlockBytes = uint64_t{4} << 20;
// Vectors want aligned shards.
constexpr uint64_t kAlign = 4096;

}  // namespace

Result<ShardBlocks> ShardBlocks::Make(Device& device, size_t shards,
                                      uint64_t shard_bytes,
                                      const reed_solomon::Matrix* rows) {
  ShardBlocks blocks(device, shards);
  blocks.stride_ = std::clamp<uint64_t>(
      kBlockBytes / shards / kAlign * kAlign, kAlign,
      (shard_bytes + kAlign - 1) / kAlign * kAlign + kAlign);
  ASSAY_ASSIGN(data, device.Allocate(blocks.stride_ * shards, "shards"));
  blocks.data_ = std::move(data);
  ASSAY_ASSIGN(registers, device.AllocateArray<uint64_t>(shards, "registers"));
  blocks.registers_ = std::move(registers);
  const std::vector<uint64_t> ones(shards, ~uint64_t{0});
  ASSAY_TRY(device.Upload(blocks.registers_.As<uint64_t>(),
                          std::span<const uint64_t>(ones)));
  if (rows == nullptr || rows->rows() == 0) return blocks;
  blocks.inputs_ = rows->columns();
  blocks.outputs_ = rows->rows();
  ASSAY_ASSIGN(matrix, device.Allocate(rows->cells().size(), "matrix"));
  blocks.matrix_ = std::move(matrix);
  ASSAY_TRY(device.Upload(blocks.matrix_.As<std::byte>(),
                          std::as_bytes(rows->cells())));
  return blocks;
}

Status ShardBlocks::Compute(uint64_t bytes) {
  Recorder recorder = device_->Record("shards");
  const View<std::byte> all = data_.As<std::byte>();
  if (outputs_ != 0) {
    const uint64_t first = inputs_ * stride_;
    RecordReedSolomon(recorder, matrix_.As<std::byte>(),
                      static_cast<uint32_t>(outputs_),
                      static_cast<uint32_t>(inputs_), bytes, {all, stride_},
                      {all.Sub(first, all.size() - first), stride_});
  }
  RecordCrc(recorder, crc::GeneratorOf(kShardCrc), all,
            static_cast<uint32_t>(shards_), stride_, bytes,
            registers_.As<uint64_t>());
  return device_->Run(std::move(recorder));
}

Result<std::vector<uint64_t>> ShardBlocks::Crcs() {
  std::vector<uint64_t> crcs(shards_);
  ASSAY_TRY(device_->Read(registers_.As<uint64_t>(), std::span(crcs)));
  for (uint64_t& crc : crcs) crc = ~crc;
  return crcs;
}

uint64_t FileCrc(const ShardHeader& header,
                 std::span<const uint64_t> data_crcs) {
  const uint64_t shard_bytes = header.ShardBytes();
  uint64_t crc = 0;
  for (const uint64_t next : data_crcs) {
    crc = crc::Combine(kShardCrc, crc, next, shard_bytes);
  }
  const uint64_t zeros = shard_bytes * data_crcs.size() - header.file_bytes;
  return crc::WithoutZeros(kShardCrc, crc, zeros);
}

uint64_t FileBytes(const ShardHeader& header, size_t shard, uint64_t offset,
                   uint64_t bytes) {
  const uint64_t begin = shard * header.ShardBytes() + offset;
  return header.file_bytes <= begin
             ? 0
             : std::min(bytes, header.file_bytes - begin);
}

Status WriteHeader(ShardHeader header, size_t index, uint64_t crc,
                   ByteSink& sink) {
  header.index = static_cast<int>(index);
  header.shard_crc = crc;
  return sink.WriteAt(0, EncodeShardHeader(header));
}

}  // namespace assay::binary
