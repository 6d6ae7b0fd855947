// Times the kernels of a WHIR proof on one device at the sizes of n = 24.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/device/open_device.h"
#include "assay/ops/fold/fold_kernels.h"
#include "assay/ops/grind/grind_kernels.h"
#include "assay/ops/merkle/merkle_kernels.h"
#include "assay/ops/ntt/ntt_kernels.h"
#include "assay/ops/op.h"
#include "assay/ops/poseidon2/poseidon2_kernels.h"
#include "assay/ops/sumcheck/sumcheck_kernels.h"
#include "bench/or_exit.h"

namespace assay {
namespace {

using bench::OrExit;

// Runs recordings by themselves and prints the median of what the device's
// clock says.
class Bench {
 public:
  Bench(Device& device, int runs, std::string_view only)
      : device_(device), runs_(runs), only_(only) {}

  // A buffer of residues; all of one size are the same.
  RawView Words(uint64_t words) {
    Buffer buffer = OrExit(device_.AllocateArray<uint32_t>(words, "bench"));
    const std::vector<uint32_t> some =
        RandomResidues(words, std::min<uint64_t>(words, uint64_t{1} << 16));
    for (uint64_t at = 0; at < words; at += some.size()) {
      const uint64_t count = std::min<uint64_t>(some.size(), words - at);
      OrExit(device_.Upload(buffer.As<uint32_t>().Sub(at, count),
                            std::span(some).first(count)));
    }
    buffers_.push_back(std::move(buffer));
    return buffers_.back().As<uint32_t>().raw;
  }

  // `permutations` may be 0: then only time and bandwidth are shown.
  template <class K>
  void Time(std::string_view what, std::initializer_list<RawView> views,
            const typename K::Params& params, uint64_t bytes,
            uint64_t permutations = 0) {
    if (K::kName.find(only_) == std::string_view::npos) return;
    std::vector<double> seconds;
    for (int run = -1; run < runs_; ++run) {
      Recorder recorder = device_.Record("bench");
      recorder.Dispatch<K>(views, params);
      OrExit(device_.Run(std::move(recorder)));
      Trace trace;
      device_.CollectSpans(trace);
      double sum = 0;
      for (const Span& span : trace.spans()) {
        sum += static_cast<double>(span.duration_ns) / 1e9;
      }
      if (run >= 0) seconds.push_back(sum);
    }
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    fmt::print("{:18} {:34} {:9.1f} us {:7.0f} GB/s", K::kName, what,
               median * 1e6, static_cast<double>(bytes) / median / 1e9);
    if (permutations != 0) {
      fmt::print(" {:6.2f} G permutations/s",
                 static_cast<double>(permutations) / median / 1e9);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }

  void Free() { buffers_.clear(); }

 private:
  Device& device_;
  int runs_;
  std::string_view only_;
  std::vector<Buffer> buffers_;
};

void Hashes(Bench& bench, uint32_t log_rows) {
  const uint64_t rows = uint64_t{1} << log_rows;
  bench.Time<Poseidon2Permute>(
      fmt::format("2^{} states", log_rows), {bench.Words(16 * rows)},
      {static_cast<uint32_t>(rows), {}}, 128 * rows, rows);
  for (const auto& [log_less, columns] : {std::pair{0u, 16u}, {1u, 64u}}) {
    const uint32_t log_leaves = log_rows - log_less;
    const uint64_t leaves = uint64_t{1} << log_leaves;
    const RawView tree =
        bench.Words(MerkleTreeWords(static_cast<int>(log_leaves)));
    bench.Time<MerkleLeaves>(fmt::format("2^{} x {}", log_leaves, columns),
                             {bench.Words(leaves * columns), tree},
                             {log_leaves, columns, {}},
                             leaves * (4 * columns + 32), leaves * columns / 8);
    bench.Time<MerkleTree>(fmt::format("2^{} leaves", log_leaves), {tree},
                           {log_leaves, {}}, 96 * leaves, leaves);
    bench.Free();
  }
  const RawView small = bench.Words(MerkleTreeWords(12));
  bench.Time<MerkleTree>("2^12 leaves", {small}, {12, {}}, 96 << 12, 1 << 12);
  // No witness of 30 bits among them: all are tried.
  bench.Time<Grind>("2^22 candidates", {bench.Words(16), bench.Words(1)},
                    {3, 30, 0, 1u << 22}, 0, 1 << 22);
  bench.Time<Grind>("16 bits", {bench.Words(16), bench.Words(1)},
                    {3, 16, 0, 1u << 22}, 0);
  bench.Free();
}

void Transforms(Bench& bench, uint32_t log_rows) {
  const RawView twiddles = bench.Words(uint64_t{1} << log_rows);
  bench.Time<NttTwiddles>(fmt::format("2^{}", log_rows), {twiddles},
                          {log_rows, {}}, uint64_t{4} << log_rows);
  const auto encode = [&](uint32_t log_message, uint32_t log_size,
                          uint32_t columns, uint32_t planes, bool reversed) {
    const uint64_t words = uint64_t{columns} << log_message;
    const uint64_t out = uint64_t{columns} << log_size;
    bench.Time<NttEncode>(
        fmt::format("{} x 2^{} to 2^{}{}", columns, log_message, log_size,
                    reversed ? " reversed" : ""),
        {bench.Words(words), bench.Words(out), twiddles},
        {log_message,
         log_size,
         columns,
         planes,
         static_cast<uint32_t>(words / planes),
         reversed ? 1u : 0u,
         {}},
        4 * (words + out));
  };
  encode(log_rows - 1, log_rows, 16, 1, false);
  encode(log_rows - 1, log_rows, 16, 1, true);
  encode(log_rows - 5, log_rows - 1, 64, 4, false);
  encode(8, 12, 64, 4, false);
  bench.Free();
}

void Sums(Bench& bench, uint32_t log_size) {
  const uint64_t size = uint64_t{1} << log_size;
  const RawView base = bench.Words(16 * size);
  const RawView f = bench.Words(4 * size), w = bench.Words(4 * size);
  const RawView low = bench.Words(4 << 10);
  const RawView high = bench.Words(4 * (size >> 10));
  const RawView out = bench.Words(64), message = bench.Words(8);
  const uint32_t stride = static_cast<uint32_t>(size);
  const std::string tables = fmt::format("2^{}", log_size);
  bench.Time<SumcheckPartial>(fmt::format("16 blocks of 2^{}", log_size),
                              {base, low, high, out},
                              {16, 10, log_size - 10, 0}, 64 * size);
  bench.Time<SumcheckEvaluate>(tables, {f, low, high, message},
                               {stride, 10, log_size - 10, 0}, 16 * size);
  for (const uint32_t log : {log_size, log_size / 2}) {
    const std::string entries = fmt::format("2^{}", log);
    bench.Time<SumcheckRound>(entries, {f, w, message},
                              {stride, stride, log, 0}, uint64_t{32} << log);
    bench.Time<SumcheckFold>(entries, {f, w, message},
                             {stride, stride, log, 0, {1, 2, 3, 4}},
                             uint64_t{48} << log);
  }
  bench.Time<FoldBase>(fmt::format("16 blocks of 2^{}", log_size),
                       {base, out, f}, {4, log_size, stride, 0}, 80 * size);
  bench.Time<FoldEq>(tables, {low, high, w}, {10, log_size - 10, stride, 1},
                     32 * size);
  bench.Time<FoldSelect>(fmt::format("100 powers, 2^{}", log_size),
                         {bench.Words(100), bench.Words(400), w},
                         {100, log_size, stride, 0}, 32 * size);
  bench.Time<FoldReverse>(fmt::format("2^{}", log_size + 4), {base},
                          {log_size + 4, {}}, 128 * size);
  bench.Free();
}

}  // namespace
}  // namespace assay

// whir_kernels DEVICE [N [RUNS [PART OF A KERNEL'S NAME]]]
int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "auto";
  const int n = argc > 2 ? std::atoi(argv[2]) : 24;
  const int runs = argc > 3 ? std::atoi(argv[3]) : 15;
  if (n < 16 || n > 26 || runs < 1) {
    fmt::print(stderr, "usage: whir_kernels DEVICE [16..26 [RUNS [KERNEL]]]\n");
    return 1;
  }
  const auto device = assay::OpenDevice(name, {});
  if (!device.ok()) {
    fmt::print(stderr, "error: {}\n", device.error().what);
    return 1;
  }
  fmt::print("{} ({}), n={}\n", (*device)->info().name,
             (*device)->info().detail, n);
  assay::Bench bench(**device, runs, argc > 4 ? argv[4] : "");
  const auto log_rows = static_cast<uint32_t>(n - 3);
  assay::Transforms(bench, log_rows);
  assay::Hashes(bench, log_rows);
  assay::Sums(bench, log_rows - 1);
  return 0;
}
