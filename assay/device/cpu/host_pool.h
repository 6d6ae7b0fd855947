// Keeps large host blocks for the next buffer of their size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "assay/base/result.h"

namespace assay {

// Fresh memory is cleared by the kernel page by page, which can cost more
// than the work on it; a proof that follows another finds its blocks ready.
// Blocks in use and kept never exceed the most that was ever in use.
class HostPool {
 public:
  HostPool() = default;
  ~HostPool();
  HostPool(const HostPool&) = delete;
  HostPool& operator=(const HostPool&) = delete;

  // At least `bytes`, 64-byte aligned, contents undefined. Fails with
  // kOverBudget.
  Result<std::byte*> Take(size_t bytes);
  void Give(std::byte* data, size_t bytes);
  // Returns what is kept to the system.
  void Trim();

 private:
  struct Block {
    std::byte* data;
    size_t bytes;  // rounded
  };

  std::vector<Block> kept_;
  size_t kept_bytes_ = 0;
  size_t live_bytes_ = 0;
  size_t most_bytes_ = 0;  // the most ever live
};

}  // namespace assay
