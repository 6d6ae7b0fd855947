// Kernels of the number-theoretic transform: columns to Reed-Solomon codewords.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"
#include "assay/device/wgsl_groups.h"
#include "assay/number/babybear.h"

namespace assay {

// Fills a table of 2^log_size words: entry h + j is g^j for a generator g of
// order 2h, for h = 1, 2, 4, ..., 2^log_size / 2 and j < h; entry 0 is unused
// (one). One multiplication a word.
struct NttTwiddles {
  static constexpr std::string_view kName = "ntt.twiddles";
  static constexpr std::array kBindings = {Access::kReadWrite};
  struct Params {
    uint32_t log_size;
    uint32_t pad[3];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  static WgslPlan PlanWgsl(const Params& p) {
    return {{{"ntt_twiddles", WgslGroups(uint64_t{1} << p.log_size, 256)}}};
  }
};

// Encodes columns: column q of the codeword is the transform, natural order
// out, of 2^log_message coefficients followed by zeros up to 2^log_rows.
// Codeword: column-major, 2^log_rows words each.
// Message: `planes` tables, plane_stride words apart; column q comes from
// plane q % planes, block q / planes of 2^log_message words. With `reversed`
// a block holds its coefficients in bit-reversed order and block b stands at
// the place of b with its bits reversed (the layout of a bit-reversed table).
// Twiddles: NttTwiddles of log_size >= log_rows.
struct NttEncode {
  static constexpr std::string_view kName = "ntt.encode";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite,
                                           Access::kRead};
  struct Params {
    uint32_t log_message;
    uint32_t log_rows;
    uint32_t columns;
    uint32_t planes;
    uint32_t plane_stride;
    uint32_t reversed;
    uint32_t pad[2];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  // Tiles of 2^12 words: one pass for codewords that fit into one, two passes
  // up to 2^18 entries, three beyond.
  static WgslPlan PlanWgsl(const Params& p) {
    const uint64_t words = uint64_t{p.columns} << p.log_rows;
    if (p.log_rows < 4) {
      return {{{"ntt_encode_short", WgslGroups(words, 256)}}};
    }
    const uint32_t tiles = p.log_rows <= 12 ? 1 : 1u << (p.log_rows - 12);
    const std::array<uint32_t, 3> groups = {tiles, p.columns, 1};
    WgslPlan plan = {{{"ntt_encode", groups}}};
    if (p.log_rows > 12) plan.passes.push_back({"ntt_encode_second", groups});
    if (p.log_rows > 18) plan.passes.push_back({"ntt_encode_third", groups});
    return plan;
  }
};

inline void RecordNttTwiddles(Recorder& recorder,
                              const View<BabyBear>& twiddles, int log_size) {
  recorder.Dispatch<NttTwiddles>({twiddles.raw},
                                 {static_cast<uint32_t>(log_size), {}});
}

inline void RecordNttEncode(Recorder& recorder, const View<BabyBear>& message,
                            const View<BabyBear>& codeword,
                            const View<BabyBear>& twiddles,
                            const NttEncode::Params& params) {
  recorder.Dispatch<NttEncode>({message.raw, codeword.raw, twiddles.raw},
                               params);
}

}  // namespace assay
