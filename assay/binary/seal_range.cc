// Opens the segments that hold a range of the plaintext.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "assay/base/progress.h"
#include "assay/base/secret.h"
#include "assay/binary/seal.h"
#include "assay/binary/seal_parts.h"

namespace assay::binary {
namespace {

// One segment, opened where it lies.
struct Segment {
  std::vector<uint8_t> bytes;
  bool opened = false;
  Status status;

  Segment() = default;
  ~Segment() { Wipe(bytes.data(), bytes.size()); }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  MutableBytes Plain() {
    return MutableBytes(bytes).first(bytes.size() - kGcmTagBytes);
  }
};

}  // namespace

Result<SealVerdict> OpenRange(const SealKey& key, ByteSource& in, uint64_t from,
                              uint64_t to,
                              const std::function<Status(Bytes)>& out,
                              const Threads& threads,
                              const Progress& progress) {
  SealHeader header;
  ASSAY_ASSIGN(wrong, ReadHeader({.file = &in}, &header));
  if (wrong.has_value()) return Rejected(*wrong);
  const SealLayout layout(key.segment);
  const uint64_t segments = layout.SegmentsOfFile(in.size());
  if (segments == 0 || segments > kMaxSegments) {
    return Rejected(
        fmt::format("{} bytes are the size of no file with "
                    "segments of {}",
                    in.size(), layout.segment_bytes));
  }
  const SegmentCipher cipher(key.bytes, header, key.aad);

  const size_t batch = 4 * static_cast<size_t>(threads.count());
  std::vector<Segment> pieces(batch);
  const auto open = [&](uint64_t segment, Segment& piece) {
    const uint64_t begin = layout.SealedOffset(segment);
    piece.bytes.reserve(static_cast<size_t>(layout.segment_bytes));
    piece.bytes.resize(static_cast<size_t>(
        std::min(in.size(), layout.SealedOffset(segment + 1)) - begin));
    const MutableBytes bytes = piece.bytes;
    piece.status = in.ReadAt(begin, AsBytes(bytes));
    piece.opened =
        piece.status.ok() &&
        cipher.Open(segment, segment + 1 == segments, bytes, piece.Plain());
  };
  // The size is to be believed once the last segment opens as the last.
  open(segments - 1, pieces[0]);
  ASSAY_TRY(pieces[0].status);
  if (!pieces[0].opened) return RejectedSegment(segments - 1);
  const uint64_t total = in.size() - kSealHeaderBytes - segments * kGcmTagBytes;
  if (to == kToTheEnd) to = total;
  if (from > to || to > total) {
    return Error{
        Code::kInvalidInput,
        fmt::format("there are no bytes {} to {} of {}", from, to, total),
        "--range A:B, the bytes from A up to but not with B"};
  }

  const uint64_t end = from == to ? 0 : layout.SegmentOf(to - 1) + 1;
  uint64_t next = from == to ? 0 : layout.SegmentOf(from);
  while (next < end) {
    const size_t count =
        static_cast<size_t>(std::min<uint64_t>(batch, end - next));
    threads.For(count, 1, [&](size_t first, size_t last) {
      for (size_t u = first; u < last; ++u) open(next + u, pieces[u]);
    });
    for (size_t u = 0; u < count; ++u) {
      ASSAY_TRY(pieces[u].status);
      if (!pieces[u].opened) return RejectedSegment(next + u);
      const uint64_t offset = layout.PlainOffset(next + u);
      const uint64_t a = std::max(from, offset) - offset;
      const uint64_t b =
          std::min(to - offset, uint64_t{pieces[u].Plain().size()});
      ASSAY_TRY(out(pieces[u].Plain().subspan(static_cast<size_t>(a),
                                              static_cast<size_t>(b - a))));
    }
    next += count;
    if (progress && !progress("open", next, end)) {
      return Cancelled("the work");
    }
  }
  return SealVerdict{true, "", to - from};
}

}  // namespace assay::binary
