// Statement, round messages and values one after the other.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/proof.h"

#include <fmt/format.h>

namespace assay::binary {

std::vector<std::byte> Encode(const Proof& proof) {
  std::vector<std::byte> bytes;
  const auto append = [&](std::span<const uint8_t> part) {
    const auto raw = std::as_bytes(part);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  };
  append(EncodeStatement(proof.statement));
  for (const auto* elements : {&proof.messages, &proof.values}) {
    for (const Gf2_128& x : *elements) {
      std::array<uint8_t, 16> element;
      x.ToBytes(element);
      append(element);
    }
  }
  return bytes;
}

Result<Proof> Decode(std::span<const std::byte> bytes) {
  const std::span<const uint8_t> raw(
      reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  Proof proof;
  ASSAY_ASSIGN(statement, DecodeStatement(raw));
  proof.statement = statement;
  const auto d = static_cast<size_t>(statement.d);
  const size_t messages = d * static_cast<size_t>(statement.n);
  const size_t expected = kStatementBytes + 16 * (messages + d);
  if (bytes.size() != expected) {
    return Error{Code::kCorrupt,
                 fmt::format("n={}, d={} takes {} bytes, not {}", statement.n,
                             d, expected, bytes.size()),
                 ""};
  }
  for (size_t offset = kStatementBytes; offset < expected; offset += 16) {
    auto& part =
        proof.messages.size() < messages ? proof.messages : proof.values;
    part.push_back(Gf2_128::FromBytes(
        std::span<const uint8_t, 16>(raw.data() + offset, 16)));
  }
  return proof;
}

}  // namespace assay::binary
