// Kernels that play the rounds of a product sum-check without the host.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// Columns as in ops/product_sumcheck: column j of `factors` (1 to 6) is
// 2^log_size elements from element j * stride on, with stride = stride_low +
// 2^32 stride_high. Transcripts: product_rounds.h.
//
// Made for a GPU whose threads hash the transcript. On the cpu these kernels
// are their meaning, one entry after the other: its provers hash on the host.
struct ProductRoundsTable {
  uint32_t factors;
  uint32_t log_size;
  uint32_t stride_low;
  uint32_t stride_high;
};

// Binds `bound` pending challenges, in place, and plays `measured` rounds from
// number `round` on. Entries beyond the new size keep stale values. Bindings:
// columns, transcript. Reads each element once and writes 2^-bound as many.
// GPUs have the forms that RecordProductRounds asks for; others do nothing
// there.
struct ProductRoundsPlay {
  static constexpr std::string_view kName = "product_rounds.play";
  static constexpr std::array kBindings = {Access::kReadWrite,
                                           Access::kReadWrite};
  struct Params {
    ProductRoundsTable table;
    uint32_t bound;
    uint32_t measured;
    uint32_t round;
    uint32_t pad;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// Columns of at most 2^this entries, once pending challenges are bound, are
// closed: they fit in the memory of one thread block.
constexpr uint32_t MostCloseLogSize(uint32_t factors) {
  return factors <= 2 ? 11 : factors <= 5 ? 10 : 9;
}

// Binds `bound` pending challenges (0 to 3), plays all rounds that are left,
// from number `round` on, and writes the last values. The columns stay as they
// are. Bindings: columns, transcript. log_size <= MostCloseLogSize + bound.
// One thread block: about 3 us a round on an H200.
struct ProductRoundsClose {
  static constexpr std::string_view kName = "product_rounds.close";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  struct Params {
    ProductRoundsTable table;
    uint32_t bound;
    uint32_t round;
    uint32_t pad[2];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// Writes the instance of a seed (docs/engines/binary.md, 2.1). Binding: the
// columns. Writes each element once, but nothing between columns.
struct ProductRoundsGenerate {
  static constexpr std::string_view kName = "product_rounds.generate";
  static constexpr std::array kBindings = {Access::kReadWrite};
  struct Params {
    ProductRoundsTable table;
    uint32_t seed_low;
    uint32_t seed_high;
    uint32_t pad[2];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// All rounds, in as few passes over the columns as pay, from a transcript
// that has begun.
void RecordProductRounds(Recorder& recorder, const RawView& columns,
                         const RawView& transcript,
                         const ProductRoundsTable& table);

}  // namespace assay
