// Seals and opens files of any size, segment by segment on all threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "assay/base/input_stream.h"
#include "assay/base/parallel.h"
#include "assay/base/progress.h"
#include "assay/base/random_access.h"
#include "assay/base/result.h"
#include "assay/binary/seal_format.h"

// The format is that of seal_format.h; the header of gcm.h says what GCM
// itself owes and is owed. Memory: at most 8 MiB a thread, whatever the size.
//
// What a sealed file promises: who lacks the key learns its size and no more,
// and whatever is not the whole file that was sealed under this key and these
// associated data, with these segments, does not open.
//
// What the caller owes:
// - A key is 32 random bytes (base/random.h, `assay keygen`), not a password.
//   Any number of files may be sealed under it, each with a header of its own:
//   SealHeader::Random.
// - Pieces that reach a stream are authentic, each in its place, but only the
//   verdict says that the file is complete: a reader that acts on pieces acts
//   on a beginning.
// - An older sealed file in the place of a newer one opens. Where that matters,
//   bind a version or a name by the associated data.
// - As with GCM, a file may be made that opens under two keys.
// - Keys and plaintext are wiped from the memory used here; not from that of
//   the caller, nor from pages that the system has swapped out.
namespace assay::binary {

// What both sides must know.
struct SealKey {
  std::span<const uint8_t, kSealKeyBytes> bytes;
  SegmentSize segment = SegmentSize::k1MB;
  Bytes aad;
};

// One of the two: bytes at any offset, which threads read side by side, or a
// stream.
struct SealInput {
  ByteSource* file = nullptr;
  InputStream* stream = nullptr;
};
struct SealOutput {
  ByteSink* file = nullptr;
  std::function<Status(Bytes)> stream;
};

// The answer of an opening. Where it is a rejection, a stream got an authentic
// beginning at most; a file may hold authentic pieces from anywhere with holes
// between them, and should not be kept.
struct SealVerdict {
  bool accepted = false;
  std::string detail;  // why it was rejected
  uint64_t plain_bytes = 0;
};

// Seals a plaintext; returns the size of the file. Fails with kIo,
// kCancelled, and kInvalidInput beyond 2^32 segments.
Result<uint64_t> Seal(const SealKey& key, const SealHeader& header,
                      const SealInput& in, const SealOutput& out,
                      const Threads& threads, const Progress& progress);

// Opens a file. Bytes leave only after the tag of their segment holds.
Result<SealVerdict> Open(const SealKey& key, const SealInput& in,
                         const SealOutput& out, const Threads& threads,
                         const Progress& progress);

// The bytes [from, to) of the plaintext, up to its end if `to` is kToTheEnd.
// Reads and opens the segments that hold them, and the last, which alone shows
// that the file is complete. Fails with kInvalidInput if the plaintext has no
// such range.
inline constexpr uint64_t kToTheEnd = std::numeric_limits<uint64_t>::max();
Result<SealVerdict> OpenRange(const SealKey& key, ByteSource& in, uint64_t from,
                              uint64_t to,
                              const std::function<Status(Bytes)>& out,
                              const Threads& threads, const Progress& progress);

}  // namespace assay::binary
