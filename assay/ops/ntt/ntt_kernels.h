// Kernels of the number-theoretic transform: columns to Reed-Solomon codewords.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"
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
