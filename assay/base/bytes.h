// Little-endian numbers and varints in and out of byte strings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

// Appends to a byte string; cannot fail.
class ByteWriter {
 public:
  explicit ByteWriter(std::vector<std::byte>* bytes) : bytes_(bytes) {}

  void U8(uint8_t x) { bytes_->push_back(static_cast<std::byte>(x)); }
  void U32(uint32_t x) { LittleEndian(x, 4); }
  void U64(uint64_t x) { LittleEndian(x, 8); }
  // Unsigned LEB128, as short as it can be.
  void Varint(uint64_t x) {
    for (; x >= 0x80; x >>= 7) U8(static_cast<uint8_t>(x | 0x80));
    U8(static_cast<uint8_t>(x));
  }

 private:
  void LittleEndian(uint64_t x, int count) {
    for (int i = 0; i < count; ++i) U8(static_cast<uint8_t>(x >> (8 * i)));
  }

  std::vector<std::byte>* bytes_;
};

// Reads a byte string from its start. Each read returns false, and stays
// where it was, if the bytes do not hold what was asked for.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  size_t offset() const { return offset_; }
  size_t remaining() const { return bytes_.size() - offset_; }

  bool U8(uint8_t* x) {
    if (remaining() < 1) return false;
    *x = static_cast<uint8_t>(bytes_[offset_++]);
    return true;
  }
  bool U32(uint32_t* x) {
    uint64_t wide = 0;
    if (!LittleEndian(&wide, 4)) return false;
    *x = static_cast<uint32_t>(wide);
    return true;
  }
  bool U64(uint64_t* x) { return LittleEndian(x, 8); }

  // Unsigned LEB128 below 2^63 that is as short as it can be.
  bool Varint(uint64_t* x) {
    uint64_t value = 0;
    for (size_t i = 0; i < 9 && i < remaining(); ++i) {
      const auto byte = static_cast<uint8_t>(bytes_[offset_ + i]);
      value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
      if (byte >= 0x80) continue;
      if (byte == 0 && i > 0) return false;
      offset_ += i + 1;
      *x = value;
      return true;
    }
    return false;
  }

 private:
  bool LittleEndian(uint64_t* x, size_t count) {
    if (remaining() < count) return false;
    *x = 0;
    for (size_t i = 0; i < count; ++i) {
      *x |= static_cast<uint64_t>(bytes_[offset_++]) << (8 * i);
    }
    return true;
  }

  std::span<const std::byte> bytes_;
  size_t offset_ = 0;
};

}  // namespace assay
