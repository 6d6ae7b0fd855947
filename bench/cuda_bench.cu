// Times kernels on a GPU beside what its memory gives in the same run.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <string_view>

#include "assay/device/open_device.h"
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"
#include "bench/cuda_measure.h"

namespace assay {
namespace {

using bench::Measure;
using bench::Times;

// All rounds with challenges that do not depend on the messages: what the
// kernels take. One submission a proof.
void BenchSumcheck(Device& device) {
  std::printf("sum-check kernels: n, d, rounds a pass, host ms, kernels ms\n");
  for (const uint32_t n : {16u, 20u, 24u, 28u}) {
    for (const uint32_t d : {2u, 3u, 4u}) {
      const uint64_t size = uint64_t{1} << n, stride = size + 64;
      auto table = device.Allocate(stride * d * 16, "columns");
      auto out = device.Allocate(16 * 64, "out");
      if (!table.ok() || !out.ok()) continue;
      cudaMemset(
          reinterpret_cast<void*>(table->As<uint8_t>().raw.buffer.handle), 0x5a,
          stride * d * 16);
      for (const bool two : {false, true}) {
        if (two && d > kMostGridFactors) continue;
        const Times t = Measure(device, [&](Recorder& recorder, int) {
          ProductSumcheckParams p = {d, n, static_cast<uint32_t>(stride),
                                     static_cast<uint32_t>(stride >> 32)};
          const RawView columns = table->As<uint8_t>().raw;
          const RawView sums = out->As<uint8_t>().raw;
          if (!two) {
            recorder.Dispatch<ProductSumcheckRound>({columns, sums}, p);
            for (; p.log_size >= 1; --p.log_size) {
              recorder.Dispatch<ProductSumcheckFold>(
                  {columns, sums}, {p, {1, 2, 3, p.log_size}});
            }
            return;
          }
          recorder.Dispatch<ProductSumcheckGrid>({columns, sums}, p);
          for (; p.log_size >= 2; p.log_size -= 2) {
            recorder.Dispatch<ProductSumcheckFoldGrid>(
                {columns, sums},
                {p, {1, 2, 3, p.log_size}, {4, 5, 6, p.log_size}});
          }
        });
        std::printf("%u %u %d %.3f %.3f\n", n, d, two ? 2 : 1, t.host * 1e3,
                    t.alone * 1e3);
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace
}  // namespace assay

// cuda_bench [ghash] [crc] [reed_solomon] [sumcheck]: by default all.
int main(int argc, char** argv) {
  auto device = assay::OpenDevice("cuda", {});
  if (!device.ok()) {
    std::fprintf(stderr, "%s\n", device.error().what.c_str());
    return 1;
  }
  std::printf("%s, %s\n", (*device)->info().name.c_str(),
              (*device)->info().detail.c_str());
  struct Part {
    std::string_view name;
    void (*run)(assay::Device&);
  };
  for (const Part& part : {Part{"ghash", assay::bench::BenchGhash},
                           {"crc", assay::bench::BenchCrc},
                           {"reed_solomon", assay::bench::BenchReedSolomon},
                           {"sumcheck", assay::BenchSumcheck}}) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i) wanted = wanted || part.name == argv[i];
    if (wanted) part.run(**device);
  }
}
