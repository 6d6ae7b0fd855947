// Lays the fields out and reads them back strictly.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/shard_header.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/base/bytes.h"
#include "assay/ops/crc/crc.h"

namespace assay::binary {
namespace {

constexpr std::string_view kTag = "assay/rs-shard/1";
constexpr size_t kVersionAt = 15;
constexpr size_t kCheckedBytes = 64;

Error Corrupt(std::string what) {
  return Error{Code::kCorrupt, std::move(what), ""};
}

uint64_t Crc(std::span<const std::byte> bytes) {
  return crc::Extend(crc::Kind::kCrc64, 0, bytes);
}

}  // namespace

uint64_t ShardHeader::ShardBytes() const {
  const auto k = static_cast<uint64_t>(scheme.data);
  return file_bytes / k + (file_bytes % k != 0 ? 1 : 0);
}

bool ShardHeader::SameFile(const ShardHeader& other) const {
  return scheme.kind == other.scheme.kind && scheme.data == other.scheme.data &&
         scheme.parity == other.scheme.parity &&
         file_bytes == other.file_bytes && file_crc == other.file_crc;
}

std::array<std::byte, kShardHeaderBytes> EncodeShardHeader(
    const ShardHeader& header) {
  std::vector<std::byte> bytes;
  const auto tag = std::as_bytes(std::span(kTag));
  bytes.insert(bytes.end(), tag.begin(), tag.end());
  ByteWriter writer(&bytes);
  writer.U32(static_cast<uint32_t>(header.scheme.kind));
  writer.U32(static_cast<uint32_t>(header.scheme.data));
  writer.U32(static_cast<uint32_t>(header.scheme.parity));
  writer.U32(static_cast<uint32_t>(header.index));
  writer.U64(header.file_bytes);
  writer.U64(header.ShardBytes());
  writer.U64(header.file_crc);
  writer.U64(header.shard_crc);
  writer.U64(Crc(bytes));
  std::array<std::byte, kShardHeaderBytes> result;
  std::copy(bytes.begin(), bytes.end(), result.begin());
  return result;
}

Result<ShardHeader> DecodeShardHeader(std::span<const std::byte> bytes) {
  const auto tag = std::as_bytes(std::span(kTag));
  if (bytes.size() < kShardHeaderBytes) {
    return Corrupt("it is shorter than the header of a shard");
  }
  bytes = bytes.first(kShardHeaderBytes);
  if (!std::equal(tag.begin(), tag.begin() + kVersionAt, bytes.begin())) {
    return Corrupt("it does not begin like a shard");
  }
  ByteReader check(bytes.subspan(kCheckedBytes));
  uint64_t crc = 0;
  check.U64(&crc);
  if (crc != Crc(bytes.first(kCheckedBytes))) {
    return Corrupt("the CRC of its header does not match");
  }
  if (bytes[kVersionAt] != tag[kVersionAt]) {
    return Error{Code::kUnsupported, "it is a shard of another version", ""};
  }
  ByteReader reader(bytes.subspan(kTag.size()));
  uint32_t kind = 0;
  uint32_t data = 0;
  uint32_t parity = 0;
  uint32_t index = 0;
  uint64_t shard_bytes = 0;
  ShardHeader header;
  reader.U32(&kind);
  reader.U32(&data);
  reader.U32(&parity);
  reader.U32(&index);
  reader.U64(&header.file_bytes);
  reader.U64(&shard_bytes);
  reader.U64(&header.file_crc);
  reader.U64(&header.shard_crc);
  constexpr uint32_t kMost = reed_solomon::kMostShards;
  if (kind > 1 || data > kMost || parity > kMost) {
    return Corrupt("its header names no code");
  }
  header.scheme = {static_cast<reed_solomon::Kind>(kind),
                   static_cast<int>(data), static_cast<int>(parity)};
  if (!reed_solomon::Check(header.scheme).ok()) {
    return Corrupt("its header names no code");
  }
  if (index >= data + parity) {
    return Corrupt("its header names a shard that the code does not have");
  }
  header.index = static_cast<int>(index);
  if (shard_bytes != header.ShardBytes()) {
    return Corrupt("the sizes in its header do not fit each other");
  }
  return header;
}

}  // namespace assay::binary
