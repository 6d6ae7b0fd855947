// Moves batches of segments through the cipher.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/seal.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "assay/base/progress.h"
#include "assay/base/secret.h"
#include "assay/binary/seal_parts.h"

namespace assay::binary {
namespace {

// What one thread takes at a time: segments of 1 MiB in all.
constexpr uint64_t kUnitBytes = uint64_t{1} << 20;

// Memory for one unit.
struct Room {
  std::vector<uint8_t> plain;
  std::vector<uint8_t> sealed;

  // Room from the start: a vector that grows leaves its old bytes behind.
  Room() {
    plain.reserve(kUnitBytes + 1);
    sealed.reserve(kUnitBytes + 1);
  }
  void Fit(size_t plain_size, size_t sealed_size) {
    if (plain.size() < plain_size) plain.resize(plain_size);
    if (sealed.size() < sealed_size) sealed.resize(sealed_size);
  }
  ~Room() {
    Wipe(plain.data(), plain.size());
    Wipe(sealed.data(), sealed.size());
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
};

// Consecutive segments.
struct Unit {
  uint64_t first = 0;  // segment
  uint64_t count = 0;
  size_t plain_size = 0;
  size_t sealed_size = 0;
  bool last = false;  // ends the file
  Room* room = nullptr;
  Status status;
  std::optional<uint64_t> rejected;  // the first such segment

  // A single segment is sealed and opened where it lies.
  bool in_place() const { return room->plain.empty(); }
  MutableBytes Plain() const {
    return MutableBytes(in_place() ? room->sealed : room->plain)
        .first(plain_size);
  }
  MutableBytes Sealed() const {
    return MutableBytes(room->sealed).first(sealed_size);
  }
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
        streamed_(in.file == nullptr || out.file == nullptr),
        units_((streamed_ ? 4 : 16) * static_cast<size_t>(threads.count())),
        rooms_(streamed_ ? units_.size()
                         : static_cast<size_t>(threads.count())) {
    for (Room& room : rooms_) free_.push_back(&room);
  }

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
        if (streamed_) units_[filled].room = &rooms_[filled];
        ASSAY_TRY(Fill(units_[filled++], &ended));
      }
      threads_.For(filled, 1, [&](size_t begin, size_t end) {
        for (size_t u = begin; u < end; ++u) {
          if (!streamed_) units_[u].room = TakeRoom();
          Work(cipher, units_[u]);
          if (!streamed_) GiveRoom(units_[u].room);
        }
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
        return Cancelled("the work");
      }
    }
    return {};
  }

  uint64_t done_plain() const { return done_plain_; }
  uint64_t done_sealed() const { return done_sealed_; }

 private:
  bool sealing() const { return direction_ == Direction::kSeal; }

  // Where nothing is kept between threads, each has memory of its own, which
  // stays in its cache.
  Room* TakeRoom() {
    const std::lock_guard<std::mutex> lock(mutex_);
    Room* room = free_.back();
    free_.pop_back();
    return room;
  }
  void GiveRoom(Room* room) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(room);
  }

  MutableBytes Input(const Unit& unit) const {
    return sealing() ? unit.Plain() : unit.Sealed();
  }
  // Of a rejected unit only what stands before the bad segment.
  Bytes Output(const Unit& unit) const {
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
    size_t size = 0;
    if (in_.file != nullptr) {
      const uint64_t left =
          in_.file->size() - std::min(begin, in_.file->size());
      size = static_cast<size_t>(std::min(room, left));
      unit.last = left <= room;
    } else {
      // One byte more shows whether this is the end.
      std::vector<uint8_t>& buffer = sealing() && unit_segments_ > 1
                                         ? unit.room->plain
                                         : unit.room->sealed;
      const size_t most = static_cast<size_t>(room) + 1;
      if (buffer.size() < most) buffer.resize(most);
      if (has_ahead_) buffer[size++] = ahead_;
      const auto rest =
          AsBytes(MutableBytes(buffer).subspan(size, most - size));
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
    return {};
  }

  uint64_t SegmentsIn(uint64_t bytes) const {
    return sealing() ? layout_.Segments(bytes) : layout_.SegmentsOfFile(bytes);
  }

  void Work(const SegmentCipher& cipher, Unit& unit) const {
    if (unit.rejected.has_value()) return;
    unit.room->Fit(unit_segments_ > 1 ? unit.plain_size : 0, unit.sealed_size);
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
  bool streamed_;  // in order, on one side at least
  std::vector<Unit> units_;
  std::vector<Room> rooms_;
  std::mutex mutex_;
  std::vector<Room*> free_;
  uint64_t next_ = 0;  // segment
  uint64_t done_plain_ = 0;
  uint64_t done_sealed_ = 0;
  uint8_t ahead_ = 0;
  bool has_ahead_ = false;
};

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

}  // namespace assay::binary
