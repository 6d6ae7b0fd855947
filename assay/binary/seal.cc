// Moves batches of segments through the cipher.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/seal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "assay/base/secret.h"

namespace assay::binary {
namespace {

// What one thread takes at a time: segments of 1 MiB in all.
constexpr uint64_t kUnitBytes = uint64_t{1} << 20;

std::span<const std::byte> AsBytes(Bytes bytes) { return std::as_bytes(bytes); }
std::span<std::byte> AsBytes(MutableBytes bytes) {
  return std::as_writable_bytes(bytes);
}

// Consecutive segments in memory.
struct Unit {
  uint64_t first = 0;  // segment
  uint64_t count = 0;
  size_t plain_size = 0;
  size_t sealed_size = 0;
  bool last = false;  // ends the file
  std::vector<uint8_t> plain;
  std::vector<uint8_t> sealed;
  Status status;
  std::optional<uint64_t> rejected;  // the first such segment

  // Room from the start: a vector that grows leaves its old bytes behind.
  Unit() {
    plain.reserve(kUnitBytes);
    sealed.reserve(kUnitBytes + 1);
  }
  ~Unit() { Wipe(plain.data(), plain.size()); }
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  MutableBytes Plain() { return MutableBytes(plain).first(plain_size); }
  MutableBytes Sealed() { return MutableBytes(sealed).first(sealed_size); }
};

enum class Direction : uint8_t { kSeal, kOpen };

// One pass over a file in either direction.
class Pass {
 public:
  Pass(Direction direction, const SealKey& key, const SealInput& in,
       const SealOutput& out, const Threads& threads, const Progress& progress)
      : direction_(direction),
        layout_(key.segment),
        in_(in),
        out_(out),
        threads_(threads),
        progress_(progress),
        unit_segments_(kUnitBytes / layout_.segment_bytes),
        units_(4 * static_cast<size_t>(threads.count())) {}

  ~Pass() { Wipe(&ahead_, 1); }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  // Stops at the segment that is rejected, if there is one.
  Status Run(const SegmentCipher& cipher, std::optional<uint64_t>* rejected) {
    const bool known = in_.file != nullptr;
    const uint64_t total = known ? in_.file->size() : in_.stream->size_hint();
    for (bool ended = false; !ended;) {
      size_t filled = 0;
      while (filled < units_.size() && !ended) {
        ASSAY_TRY(Fill(units_[filled++], &ended));
      }
      threads_.For(filled, 1, [&](size_t begin, size_t end) {
        for (size_t u = begin; u < end; ++u) Work(cipher, units_[u]);
      });
      for (size_t u = 0; u < filled; ++u) {
        Unit& unit = units_[u];
        ASSAY_TRY(unit.status);
        *rejected = unit.rejected;
        if (out_.file == nullptr) ASSAY_TRY(out_.stream(Output(unit)));
        done_plain_ += unit.plain_size;
        done_sealed_ += unit.sealed_size;
        if (rejected->has_value()) return {};
      }
      const uint64_t done = sealing() ? done_plain_ : done_sealed_;
      if (progress_ && !progress_(sealing() ? "seal" : "open", done,
                                  std::max(total, done))) {
        return Error{Code::kCancelled, "cancelled", ""};
      }
    }
    return {};
  }

  uint64_t done_plain() const { return done_plain_; }
  uint64_t done_sealed() const { return done_sealed_; }

 private:
  bool sealing() const { return direction_ == Direction::kSeal; }
  MutableBytes Input(Unit& unit) const {
    return sealing() ? unit.Plain() : unit.Sealed();
  }
  // Of a rejected unit only what stands before the bad segment.
  Bytes Output(Unit& unit) const {
    return sealing() ? unit.Sealed() : unit.Plain();
  }
  uint64_t Offset(bool plain, uint64_t segment) const {
    return plain ? layout_.PlainOffset(segment) : layout_.SealedOffset(segment);
  }

  // Decides which segments the next unit has; reads them from a stream.
  Status Fill(Unit& unit, bool* ended) {
    unit.first = next_;
    unit.count = unit_segments_;
    unit.status = {};
    unit.rejected.reset();
    const uint64_t begin = Offset(sealing(), unit.first);
    const uint64_t room = Offset(sealing(), unit.first + unit.count) - begin;
    std::vector<uint8_t>& buffer = sealing() ? unit.plain : unit.sealed;
    size_t size = 0;
    if (in_.file != nullptr) {
      const uint64_t left =
          in_.file->size() - std::min(begin, in_.file->size());
      size = static_cast<size_t>(std::min(room, left));
      unit.last = left <= room;
      buffer.resize(std::max<size_t>(buffer.size(), size));
    } else {
      // One byte more shows whether this is the end.
      buffer.resize(static_cast<size_t>(room) + 1);
      if (has_ahead_) buffer[size++] = ahead_;
      const auto rest = AsBytes(MutableBytes(buffer).subspan(size));
      ASSAY_ASSIGN(got, in_.stream->Read(rest));
      size += got;
      unit.last = size <= room;
      has_ahead_ = !unit.last;
      if (has_ahead_) ahead_ = buffer[--size];
    }
    *ended = unit.last;
    if (unit.last) {
      const uint64_t segments = SegmentsIn(begin + size);
      if (segments == 0) {
        // What is left holds no tag.
        unit.rejected = (begin + size - 1) / layout_.segment_bytes;
        size = 0;
      }
      unit.count = segments == 0 ? 0 : segments - unit.first;
    }
    next_ += unit.count;
    if (next_ > kMaxSegments) {
      return Error{Code::kInvalidInput, "more than 2^32 segments of this size",
                   "larger segments, --segment 1MB, hold more"};
    }
    const size_t tags = static_cast<size_t>(unit.count) * kGcmTagBytes;
    unit.plain_size = sealing() ? size : size - tags;
    unit.sealed_size = sealing() ? size + tags : size;
    unit.plain.resize(std::max(unit.plain.size(), unit.plain_size));
    unit.sealed.resize(std::max(unit.sealed.size(), unit.sealed_size));
    return {};
  }

  uint64_t SegmentsIn(uint64_t bytes) const {
    return sealing() ? layout_.Segments(bytes) : layout_.SegmentsOfFile(bytes);
  }

  void Work(const SegmentCipher& cipher, Unit& unit) const {
    if (unit.rejected.has_value()) return;
    if (in_.file != nullptr) {
      unit.status =
          in_.file->ReadAt(Offset(sealing(), unit.first), AsBytes(Input(unit)));
    }
    if (unit.status.ok()) Crypt(cipher, unit);
    if (unit.status.ok() && out_.file != nullptr) {
      unit.status = out_.file->WriteAt(Offset(!sealing(), unit.first),
                                       AsBytes(Output(unit)));
    }
  }

  void Crypt(const SegmentCipher& cipher, Unit& unit) const {
    MutableBytes plain = unit.Plain();
    MutableBytes sealed = unit.Sealed();
    for (uint64_t i = unit.first; i < unit.first + unit.count; ++i) {
      const bool last = unit.last && i + 1 == unit.first + unit.count;
      const size_t size = static_cast<size_t>(
          std::min<uint64_t>(plain.size(), layout_.PlainBytes(i)));
      const MutableBytes from = plain.first(size);
      const MutableBytes to = sealed.first(size + kGcmTagBytes);
      if (sealing()) {
        cipher.Seal(i, last, from, to);
      } else if (!cipher.Open(i, last, to, from)) {
        unit.rejected = i;
        unit.plain_size -= plain.size();
        return;
      }
      plain = plain.subspan(from.size());
      sealed = sealed.subspan(to.size());
    }
  }

  Direction direction_;
  SealLayout layout_;
  SealInput in_;
  SealOutput out_;
  const Threads& threads_;
  const Progress& progress_;
  uint64_t unit_segments_;
  std::vector<Unit> units_;
  uint64_t next_ = 0;  // segment
  uint64_t done_plain_ = 0;
  uint64_t done_sealed_ = 0;
  uint8_t ahead_ = 0;
  bool has_ahead_ = false;
};

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

}  // namespace

Result<uint64_t> Seal(const SealKey& key, const SealHeader& header,
                      const SealInput& in, const SealOutput& out,
                      const Threads& threads, const Progress& progress) {
  const auto bytes = header.ToBytes();
  if (out.file != nullptr) {
    ASSAY_TRY(out.file->WriteAt(0, AsBytes(Bytes(bytes))));
  } else {
    ASSAY_TRY(out.stream(bytes));
  }
  const SegmentCipher cipher(key.bytes, header, key.aad);
  Pass pass(Direction::kSeal, key, in, out, threads, progress);
  std::optional<uint64_t> rejected;
  ASSAY_TRY(pass.Run(cipher, &rejected));
  return kSealHeaderBytes + pass.done_sealed();
}

Result<SealVerdict> Open(const SealKey& key, const SealInput& in,
                         const SealOutput& out, const Threads& threads,
                         const Progress& progress) {
  SealHeader header;
  ASSAY_ASSIGN(wrong, ReadHeader(in, &header));
  if (wrong.has_value()) return Rejected(*wrong);
  const SegmentCipher cipher(key.bytes, header, key.aad);
  Pass pass(Direction::kOpen, key, in, out, threads, progress);
  std::optional<uint64_t> rejected;
  ASSAY_TRY(pass.Run(cipher, &rejected));
  if (rejected.has_value()) return RejectedSegment(*rejected);
  return SealVerdict{true, "", pass.done_plain()};
}

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
  std::vector<Unit> units(batch);
  const auto open = [&](uint64_t segment, Unit& unit) {
    const uint64_t begin = layout.SealedOffset(segment);
    unit.sealed_size = static_cast<size_t>(
        std::min(in.size(), layout.SealedOffset(segment + 1)) - begin);
    unit.plain_size = unit.sealed_size - kGcmTagBytes;
    unit.sealed.resize(std::max(unit.sealed.size(), unit.sealed_size));
    unit.plain.resize(std::max(unit.plain.size(), unit.plain_size));
    unit.rejected.reset();
    unit.status = in.ReadAt(begin, AsBytes(unit.Sealed()));
    if (unit.status.ok() && !cipher.Open(segment, segment + 1 == segments,
                                         unit.Sealed(), unit.Plain())) {
      unit.rejected = segment;
    }
  };
  // The size is to be believed once the last segment opens as the last.
  open(segments - 1, units[0]);
  ASSAY_TRY(units[0].status);
  if (units[0].rejected.has_value()) return RejectedSegment(segments - 1);
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
      for (size_t u = first; u < last; ++u) open(next + u, units[u]);
    });
    for (size_t u = 0; u < count; ++u) {
      ASSAY_TRY(units[u].status);
      if (units[u].rejected.has_value()) return RejectedSegment(next + u);
      const uint64_t offset = layout.PlainOffset(next + u);
      const uint64_t a = std::max(from, offset) - offset;
      const uint64_t b = std::min(to - offset, uint64_t{units[u].plain_size});
      ASSAY_TRY(out(units[u].Plain().subspan(static_cast<size_t>(a),
                                             static_cast<size_t>(b - a))));
    }
    next += count;
    if (progress && !progress("open", next, end)) {
      return Error{Code::kCancelled, "cancelled", ""};
    }
  }
  return SealVerdict{true, "", to - from};
}

}  // namespace assay::binary
