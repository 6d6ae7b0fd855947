// How bytes are shared by threads, in whole blocks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace assay::ghash {

// `count` >= 1 chunks of `bytes_each` bytes, a multiple of 16; only the last
// may be shorter, and none is empty unless all are.
struct Chunks {
  // Worth a thread of its own: some 5 microseconds.
  static constexpr size_t kLeast = size_t{128} << 10;

  size_t bytes = 0;
  size_t bytes_each = 0;
  size_t count = 1;

  Chunks(size_t total_bytes, int threads) : bytes(total_bytes) {
    const size_t wanted =
        threads == 1 ? 1
                     : std::clamp<size_t>(bytes / kLeast, 1,
                                          4 * static_cast<size_t>(threads));
    const size_t blocks = (bytes + 15) / 16;
    bytes_each = std::max<size_t>((blocks + wanted - 1) / wanted, 1) * 16;
    count = std::max<size_t>((bytes + bytes_each - 1) / bytes_each, 1);
  }
  size_t First(size_t c) const { return c * bytes_each; }
  size_t Size(size_t c) const { return std::min(bytes_each, bytes - First(c)); }
};

}  // namespace assay::ghash
