// Shapes that the kernels of the transform are tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "assay/ops/ntt/ntt.h"
#include "assay/ops/ntt/ntt_kernels.h"
#include "assay/ops/op.h"
#include "assay/ops/sumcheck/planes.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;
using Views = std::span<const View<uint32_t>>;

OpCase TwiddlesCase(int log_size) {
  const uint64_t size = uint64_t{1} << log_size;
  OpCase result;
  result.name = fmt::format("{} log_size={}", NttTwiddles::kName, log_size);
  result.buffers = {RandomResidues(1, size)};
  result.record = [log_size](Recorder& recorder, Views views) {
    RecordNttTwiddles(recorder, views[0].As<BabyBear>(), log_size);
  };
  result.meaning = [log_size](Buffers& buffers) {
    BaseToWords(ntt::Twiddles(log_size), 0, buffers[0]);
  };
  result.bytes = 4 * size;
  result.operations = size;
  return result;
}

struct EncodeShape {
  int log_message;
  int log_rows;
  uint32_t columns;
  uint32_t planes = 1;
  bool reversed = false;
  uint32_t gap = 0;       // unused words after each plane
  int more_twiddles = 0;  // log2 of the twiddle table over the rows
  bool largest = false;   // every coefficient is p - 1
};

OpCase EncodeCase(const EncodeShape& shape) {
  const uint32_t blocks = shape.columns / shape.planes;
  const uint32_t stride = (blocks << shape.log_message) + shape.gap;
  const uint64_t message = uint64_t{stride} * shape.planes;
  const uint64_t codeword = uint64_t{shape.columns} << shape.log_rows;
  const int log_twiddles = shape.log_rows + shape.more_twiddles;
  std::vector<uint32_t> twiddles(size_t{1} << log_twiddles);
  BaseToWords(ntt::Twiddles(log_twiddles), 0, twiddles);

  OpCase result;
  result.name = fmt::format(
      "{} log_message={} log_rows={} columns={} planes={}{}{}{}",
      NttEncode::kName, shape.log_message, shape.log_rows, shape.columns,
      shape.planes, shape.reversed ? " reversed" : "",
      shape.gap != 0 ? " gap" : "", shape.largest ? " largest" : "");
  result.buffers = {shape.largest
                        ? std::vector<uint32_t>(message, BabyBear::kPrime - 1)
                        : RandomResidues(2, message),
                    RandomResidues(3, codeword), std::move(twiddles)};
  const NttEncode::Params params = {static_cast<uint32_t>(shape.log_message),
                                    static_cast<uint32_t>(shape.log_rows),
                                    shape.columns,
                                    shape.planes,
                                    stride,
                                    shape.reversed ? 1u : 0u,
                                    {}};
  result.record = [params](Recorder& recorder, Views views) {
    RecordNttEncode(recorder, views[0].As<BabyBear>(), views[1].As<BabyBear>(),
                    views[2].As<BabyBear>(), params);
  };
  result.meaning = [shape, stride](Buffers& buffers) {
    const std::vector<BabyBear> words = BaseFromWords(buffers[0]);
    BaseToWords(
        ntt::Encode(words, {shape.log_message, shape.log_rows, shape.columns,
                            shape.planes, stride, shape.reversed}),
        0, buffers[1]);
  };
  result.bytes = 4 * ((uint64_t{shape.columns} << shape.log_message) +
                      codeword + (uint64_t{1} << shape.log_rows));
  // Butterflies whose partner is no padding.
  result.operations = codeword / 2 * static_cast<uint64_t>(shape.log_message);
  return result;
}

// Words of a codeword; the scalar meaning of more takes long.
constexpr uint64_t kMostProbed = 1 << 14;

}  // namespace

std::vector<OpCase> NttCases(CaseSize size) {
  std::vector<OpCase> cases;
  if (size == CaseSize::kLarge) {
    cases.push_back(TwiddlesCase(20));
    for (const EncodeShape& shape : {
             EncodeShape{.log_message = 16, .log_rows = 17, .columns = 16},
             {.log_message = 16,
              .log_rows = 17,
              .columns = 16,
              .reversed = true},
             {.log_message = 12, .log_rows = 16, .columns = 64, .planes = 4},
         }) {
      cases.push_back(EncodeCase(shape));
    }
    return cases;
  }

  const auto add = [&](const EncodeShape& shape) {
    const uint64_t codeword = uint64_t{shape.columns} << shape.log_rows;
    if (size == CaseSize::kProbe && codeword > kMostProbed) return;
    cases.push_back(EncodeCase(shape));
  };
  for (const int log_size : {0, 1, 2, 3, 5, 7, 10}) {
    cases.push_back(TwiddlesCase(log_size));
  }
  for (const int log_message : {0, 1, 2, 3, 5, 7}) {
    for (const int log_rate : {0, 1, 2, 4}) {
      for (const bool reversed : {false, true}) {
        add({.log_message = log_message,
             .log_rows = log_message + log_rate,
             .columns = reversed ? 8u : 3u,
             .reversed = reversed,
             .more_twiddles = log_rate / 2});
      }
    }
  }
  // Every number of stages that a pass may have, alone and with a second one.
  for (int log_message = 6; log_message <= 16; ++log_message) {
    for (const bool reversed : {false, true}) {
      const int log_rate = log_message < 12 ? log_message % 3 : 1;
      add({.log_message = log_message,
           .log_rows = log_message + log_rate,
           .columns = log_message < 12 ? 4u : 1u,
           .reversed = reversed});
    }
  }
  for (const EncodeShape& shape : {
           // Every order of columns, planes and blocks.
           EncodeShape{.log_message = 3, .log_rows = 5, .columns = 1},
           {.log_message = 3, .log_rows = 5, .columns = 9},
           {.log_message = 3, .log_rows = 5, .columns = 64},
           {.log_message = 3, .log_rows = 4, .columns = 64, .reversed = true},
           {.log_message = 4,
            .log_rows = 6,
            .columns = 9,
            .planes = 3,
            .gap = 5},
           {.log_message = 5,
            .log_rows = 6,
            .columns = 8,
            .planes = 4,
            .gap = 3},
           {.log_message = 2,
            .log_rows = 3,
            .columns = 64,
            .planes = 4,
            .reversed = true},
           {.log_message = 5,
            .log_rows = 8,
            .columns = 64,
            .planes = 4,
            .reversed = true,
            .gap = 7},
           {.log_message = 0, .log_rows = 9, .columns = 4, .planes = 4},
           {.log_message = 3,
            .log_rows = 12,
            .columns = 8,
            .planes = 4,
            .gap = 1},
           {.log_message = 11,
            .log_rows = 11,
            .columns = 4,
            .planes = 4,
            .gap = 1},
           {.log_message = 12, .log_rows = 16, .columns = 2, .reversed = true},
           // Three passes on some devices.
           {.log_message = 18, .log_rows = 19, .columns = 1},
           {.log_message = 17,
            .log_rows = 19,
            .columns = 2,
            .planes = 2,
            .reversed = true},
           // Longer than what stays in a first cache.
           {.log_message = 12, .log_rows = 14, .columns = 1},
           {.log_message = 13, .log_rows = 14, .columns = 2, .reversed = true},
           {.log_message = 7, .log_rows = 8, .columns = 2, .largest = true},
       }) {
    add(shape);
  }
  return cases;
}

}  // namespace assay
