// Times kernels on a GPU beside what its memory gives in the same run.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string_view>

#include "assay/device/open_device.h"
#include "bench/cuda_measure.h"

// cuda_bench [ghash] [crc] [reed_solomon] [sumcheck] [ntt] [whir]: by default
// all.
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
                           {"sumcheck", assay::bench::BenchSumcheck},
                           {"hash", assay::bench::BenchHash},
                           {"ntt", assay::bench::BenchNtt},
                           {"whir", assay::bench::BenchWhir}}) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i) wanted = wanted || part.name == argv[i];
    if (wanted) part.run(**device);
  }
}
