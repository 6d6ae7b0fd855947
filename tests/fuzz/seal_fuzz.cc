// Hands arbitrary bytes to the opener of sealed files.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "assay/binary/seal.h"

namespace {

using namespace assay;          // NOLINT
using namespace assay::binary;  // NOLINT

constexpr std::array<uint8_t, 32> kKey = {1, 2, 3};

SealOutput Into(std::vector<uint8_t>& out) {
  return {.stream = [&out](Bytes piece) {
    out.insert(out.end(), piece.begin(), piece.end());
    return Status();
  }};
}

MemoryBytes Stored(std::span<const uint8_t> bytes) {
  const auto stored = std::as_bytes(bytes);
  return MemoryBytes("fuzz", {stored.begin(), stored.end()});
}

}  // namespace

// First the bytes as a file: nothing opens but what the key sealed. Then, as a
// plaintext, sealed, damaged at a place that they choose, and opened.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Threads threads(1);
  const SealKey key = {kKey, SegmentSize::k4KB, {}};
  const std::span<const uint8_t> bytes(data, size);
  MemoryBytes file = Stored(bytes);
  std::vector<uint8_t> out;
  const auto opened = Open(key, {.file = &file}, Into(out), threads, {});
  if (!opened.ok() || opened->accepted || !out.empty()) std::abort();
  const auto range =
      OpenRange(key, file, 0, kToTheEnd, Into(out).stream, threads, {});
  if (!range.ok() || range->accepted) std::abort();

  MemoryBytes plain = Stored(bytes);
  std::vector<uint8_t> sealed;
  if (!Seal(key, SealHeader{}, {.file = &plain}, Into(sealed), threads, {})
           .ok()) {
    std::abort();
  }
  MemoryBytes whole = Stored(sealed);
  const auto good = Open(key, {.file = &whole}, Into(out), threads, {});
  if (!good.ok() || !good->accepted || !std::ranges::equal(out, bytes)) {
    std::abort();
  }
  if (size < 3) return 0;
  const size_t at = (size_t{data[0]} << 16 | data[1] << 8 | data[2]);
  sealed[at % sealed.size()] ^= static_cast<uint8_t>(data[0] | 1);
  MemoryBytes damaged = Stored(sealed);
  const auto bad = Open(key, {.file = &damaged}, Into(out), threads, {});
  if (!bad.ok() || bad->accepted) std::abort();
  return 0;
}
