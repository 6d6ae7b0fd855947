// Writes the key's protocol buffer, base64, and the JSON around it.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/tink_keyset.h"

#include <fmt/format.h>

#include <vector>

#include "assay/base/bytes.h"
#include "assay/base/secret.h"

namespace assay::binary {
namespace {

// No table: the letters of a key must not choose addresses.
char Base64Letter(uint32_t x) {
  const auto below = [x](uint32_t bound) { return (x - bound) >> 31; };
  uint32_t letter = x + 'A';
  letter += (1 - below(26)) * ('a' - 'A' - 26);
  letter += (1 - below(52)) * (uint32_t{'0'} - 'a' - 26);
  letter += (1 - below(62)) * (uint32_t{'+'} - '0' - 10);
  letter += (1 - below(63)) * (uint32_t{'/'} - '+' - 1);
  return static_cast<char>(letter);
}

std::string Base64(std::span<const std::byte> bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      const bool there = i + j < bytes.size();
      group = group << 8 | (there ? static_cast<uint32_t>(bytes[i + j]) : 0);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += i + j <= bytes.size() ? Base64Letter(group >> (18 - 6 * j) & 63)
                                    : '=';
    }
  }
  return text;
}

// Tags of protocol buffers: the field's number, then its kind.
constexpr uint8_t Varint(int field) { return static_cast<uint8_t>(field << 3); }
constexpr uint8_t Length(int field) {
  return static_cast<uint8_t>(field << 3 | 2);
}

constexpr uint64_t kHashSha256 = 3;

}  // namespace

std::string TinkKeyset(std::span<const uint8_t, kSealKeyBytes> key,
                       SegmentSize segment) {
  // AesGcmHkdfStreamingParams: segment size, size of derived keys, hash.
  std::vector<std::byte> params;
  ByteWriter writer(&params);
  writer.U8(Varint(1));
  writer.Varint(static_cast<uint64_t>(segment));
  writer.U8(Varint(2));
  writer.Varint(kSealKeyBytes);
  writer.U8(Varint(3));
  writer.Varint(kHashSha256);
  // AesGcmHkdfStreamingKey: version 0 is not written; parameters, key.
  std::vector<std::byte> message;
  message.reserve(64);
  writer = ByteWriter(&message);
  writer.U8(Length(2));
  writer.Varint(params.size());
  for (const std::byte byte : params) writer.U8(static_cast<uint8_t>(byte));
  writer.U8(Length(3));
  writer.Varint(key.size());
  for (const uint8_t byte : key) writer.U8(byte);
  std::string value = Base64(message);
  Wipe(message.data(), message.size());
  std::string keyset = fmt::format(
      R"({{
  "primaryKeyId": 1,
  "key": [
    {{
      "keyData": {{
        "typeUrl": "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey",
        "value": "{}",
        "keyMaterialType": "SYMMETRIC"
      }},
      "status": "ENABLED",
      "keyId": 1,
      "outputPrefixType": "RAW"
    }}
  ]
}}
)",
      value);
  Wipe(value.data(), value.size());
  return keyset;
}

}  // namespace assay::binary
