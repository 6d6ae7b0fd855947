// Streams a file through the code, a block of all shards at a time.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/shards.h"

#include <algorithm>

#include "assay/binary/shard_blocks.h"

namespace assay::binary {

Result<ShardHeader> Protect(Device& device, const reed_solomon::Scheme& scheme,
                            ByteSource& file, std::span<ByteSink* const> shards,
                            const Progress& progress) {
  ASSAY_TRY(reed_solomon::Check(scheme));
  const auto k = static_cast<size_t>(scheme.data);
  const auto n = static_cast<size_t>(scheme.shards());
  if (shards.size() != n) {
    return Error{Code::kInternal, "one sink a shard is needed", ""};
  }
  ShardHeader header;
  header.scheme = scheme;
  header.file_bytes = file.size();
  const uint64_t shard_bytes = header.ShardBytes();
  const reed_solomon::Matrix rows = reed_solomon::ParityRows(scheme);
  ASSAY_ASSIGN(blocks, ShardBlocks::Make(device, n, shard_bytes, &rows));

  for (uint64_t at = 0; at < shard_bytes; at += blocks.stride()) {
    if (progress && !progress("protect", at, shard_bytes))
      return Cancelled("the work");
    const uint64_t bytes = std::min(blocks.stride(), shard_bytes - at);
    for (size_t j = 0; j < k; ++j) {
      const uint64_t has = FileBytes(header, j, at, bytes);
      const auto read = [&](std::span<std::byte> into) -> Status {
        std::fill(into.begin() + static_cast<ptrdiff_t>(has), into.end(),
                  std::byte{0});
        if (has == 0) return {};
        return file.ReadAt(j * shard_bytes + at, into.first(has));
      };
      ASSAY_TRY(blocks.Fill(j, bytes, read));
    }
    ASSAY_TRY(blocks.Compute(bytes));
    for (size_t i = 0; i < n; ++i) {
      ASSAY_TRY(blocks.Drain(i, bytes, [&](std::span<const std::byte> from) {
        return shards[i]->WriteAt(kShardHeaderBytes + at, from);
      }));
    }
  }
  ASSAY_ASSIGN(crcs, blocks.Crcs());
  header.file_crc = FileCrc(header, std::span(crcs).first(k));
  for (size_t i = 0; i < n; ++i) {
    ASSAY_TRY(WriteHeader(header, i, crcs[i], *shards[i]));
  }
  return header;
}

}  // namespace assay::binary
