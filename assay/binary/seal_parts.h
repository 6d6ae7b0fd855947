// What opening a whole file and opening a range have in common.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "assay/binary/seal.h"

namespace assay::binary {

inline std::span<const std::byte> AsBytes(Bytes bytes) {
  return std::as_bytes(bytes);
}
inline std::span<std::byte> AsBytes(MutableBytes bytes) {
  return std::as_writable_bytes(bytes);
}

// Reads the header; an explanation where it is none.
Result<std::optional<std::string>> ReadHeader(const SealInput& in,
                                              SealHeader* header);

SealVerdict Rejected(std::string detail);
SealVerdict RejectedSegment(uint64_t segment);

}  // namespace assay::binary
