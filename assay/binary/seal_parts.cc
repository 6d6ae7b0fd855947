// Reads headers and words rejections.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/seal_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace assay::binary {

SealVerdict Rejected(std::string detail) {
  return SealVerdict{false, std::move(detail), 0};
}
SealVerdict RejectedSegment(uint64_t segment) {
  return Rejected(fmt::format(
      "segment {} does not open: damaged, out of place, or another key, "
      "segment size or associated data",
      segment));
}

// Reads the header; an explanation where it is none.
Result<std::optional<std::string>> ReadHeader(const SealInput& in,
                                              SealHeader* header) {
  std::array<uint8_t, kSealHeaderBytes> bytes = {};
  size_t got = 0;
  if (in.file != nullptr) {
    got =
        static_cast<size_t>(std::min<uint64_t>(bytes.size(), in.file->size()));
    ASSAY_TRY(in.file->ReadAt(0, AsBytes(MutableBytes(bytes).first(got))));
  } else {
    ASSAY_ASSIGN(read, in.stream->Read(AsBytes(MutableBytes(bytes))));
    got = read;
  }
  std::optional<std::string> wrong;
  if (got < bytes.size()) {
    wrong = fmt::format("{} bytes are no sealed file: the shortest has {}", got,
                        kSealHeaderBytes + kGcmTagBytes);
  } else if (!SealHeader::FromBytes(bytes, header)) {
    wrong = fmt::format("the first byte is {}, not {}: no sealed file",
                        bytes[0], kSealHeaderBytes);
  }
  return wrong;
}

}  // namespace assay::binary
