// Times the kernels of WHIR's tables on a GPU: transforms, folds, weights.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "assay/number/ext4.h"
#include "assay/ops/fold/fold_kernels.h"
#include "assay/ops/ntt/ntt_kernels.h"
#include "assay/ops/sumcheck/sumcheck_kernels.h"
#include "bench/cuda_measure.h"
#include "bench/ntt_ladder.h"

namespace assay::bench {
namespace {

__global__ void ToResidues(uint32_t* words, size_t count) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += step) {
    words[i] %= BabyBear::kPrime;
  }
}

Buffer Residues(Device& device, size_t count) {
  Buffer buffer = Filled(device, 4 * count);
  ToResidues<<<132 * 8, 256>>>(static_cast<uint32_t*>(PointerOf(buffer)),
                               count);
  cudaDeviceSynchronize();
  return buffer;
}

View<BabyBear> WordsOf(const Buffer& buffer) { return buffer.As<BabyBear>(); }

std::vector<BabyBear> ReadBack(Device& device, const View<BabyBear>& view) {
  std::vector<BabyBear> values(view.raw.bytes / 4);
  const Status read = device.Read(view, std::span<BabyBear>(values));
  if (!read.ok()) {
    std::fprintf(stderr, "%s\n", read.error().what.c_str());
    std::exit(1);
  }
  return values;
}

// Whether some values of the last column are those of its polynomial.
bool SpotCheck(Device& device, const Buffer& message, const Buffer& codeword,
               const NttEncode::Params& p) {
  const size_t size = size_t{1} << p.log_message;
  const size_t rows = size_t{1} << p.log_rows;
  const size_t column = p.columns - 1;
  const auto x = ReadBack(device, WordsOf(message).Sub(column * size, size));
  const BabyBear g = BabyBear::TwoAdicGenerator(static_cast<int>(p.log_rows));
  for (const size_t k : {size_t{1}, rows / 3, rows - 2}) {
    const BabyBear at = g.Pow(k);
    BabyBear value;
    for (size_t n = size; n-- > 0;) value = value * at + x[n];
    if (ReadBack(device, WordsOf(codeword).Sub(column * rows + k, 1))[0] !=
        value) {
      return false;
    }
  }
  return true;
}

void BenchTransform(Device& device, uint32_t columns, uint32_t log_rows,
                    uint32_t log_rate) {
  const NttEncode::Params p = {
      log_rows - log_rate, log_rows, columns, 1, 0, 0, {}};
  const Buffer message = Residues(device, size_t{columns} << p.log_message);
  const Buffer codeword = Residues(device, size_t{columns} << log_rows);
  const Buffer twiddles = Residues(device, size_t{1} << log_rows);
  const Times twiddle_times = Measure(device, [&](Recorder& r, int /*run*/) {
    RecordNttTwiddles(r, WordsOf(twiddles), static_cast<int>(log_rows));
  });
  const Times times = Measure(device, [&](Recorder& r, int /*run*/) {
    RecordNttEncode(r, WordsOf(message), WordsOf(codeword), WordsOf(twiddles),
                    p);
  });
  const double bytes = 4.0 * columns *
                       static_cast<double>((size_t{1} << p.log_message) +
                                           (size_t{1} << log_rows));
  std::printf(
      "%4u x 2^%u, message 2^%u: %.4f ms alone, %.4f ms queued, "
      "%.0f GB/s; twiddles %.4f ms; values %s\n",
      columns, log_rows, p.log_message, times.alone * 1e3, times.queued * 1e3,
      bytes / times.queued / 1e9, twiddle_times.queued * 1e3,
      SpotCheck(device, message, codeword, p) ? "hold" : "DIFFER");
  std::fflush(stdout);
}

__global__ void CountDifferences(const uint32_t* a, const uint32_t* b,
                                 size_t count, unsigned* differences) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += step) {
    if (a[i] != b[i]) atomicAdd(differences, 1u);
  }
}

// Other forms of the transform beside ntt.encode, whose values they must have.
void BenchLadder(Device& device, uint32_t columns, uint32_t log_size) {
  const size_t words = size_t{columns} << log_size;
  const Buffer message = Residues(device, words);
  const Buffer expected = Residues(device, words);
  const Buffer codeword = Residues(device, words);
  const Buffer scratch = Residues(device, words);
  const Buffer twiddles = Residues(device, size_t{1} << log_size);
  const Buffer differences = Residues(device, 4);
  (void)Measure(device, [&](Recorder& r, int /*run*/) {
    RecordNttTwiddles(r, WordsOf(twiddles), static_cast<int>(log_size));
  });
  const Times times = Measure(device, [&](Recorder& r, int /*run*/) {
    RecordNttEncode(r, WordsOf(message), WordsOf(expected), WordsOf(twiddles),
                    {log_size, log_size, columns, 1, 0, 0, {}});
  });
  std::printf("ladder, %u x 2^%u\n    %-24s %.4f ms\n", columns, log_size,
              "ntt.encode", times.queued * 1e3);
  const auto words_of = [](const Buffer& buffer) {
    return static_cast<uint32_t*>(PointerOf(buffer));
  };
  const LadderData data = {columns,           log_size,
                           words_of(message), words_of(codeword),
                           words_of(scratch), words_of(twiddles)};
  struct Form {
    const char* name;
    void (*run)(const LadderData&);
  };
  for (const Form& form :
       {Form{"radix-2 DIF", RadixTwo},
        {"radix-16 DIF", [](const LadderData& d) { RadixFrequency(d, 4); }},
        {"radix-32 DIF", [](const LadderData& d) { RadixFrequency(d, 5); }},
        {"radix-16 Stockham", RadixStockham},
        {"four-step", FourStep}}) {
    cudaMemset(words_of(differences), 0, 4);
    const double seconds = MeasureLaunch([&](int /*run*/) { form.run(data); });
    CountDifferences<<<132 * 8, 256>>>(words_of(codeword), words_of(expected),
                                       words, words_of(differences));
    unsigned wrong = 0;
    cudaMemcpy(&wrong, words_of(differences), 4, cudaMemcpyDeviceToHost);
    std::printf("    %-24s %.4f ms, %s\n", form.name, seconds * 1e3,
                wrong == 0 ? "equal" : "DIFFERENT");
  }
  std::fflush(stdout);
}

void Line(const std::string& name, const Times& times, double bytes) {
  std::printf("%-44s %9.2f us alone, %9.2f us queued, %5.0f GB/s\n",
              name.c_str(), times.alone * 1e6, times.queued * 1e6,
              bytes / times.queued / 1e9);
  std::fflush(stdout);
}

// Kernels over the base table of 2^n words, folded by 2^4.
void BenchBase(Device& device, uint32_t n) {
  const uint32_t log_size = n - 4, log_low = 10, log_high = log_size - log_low;
  const Buffer table = Residues(device, size_t{1} << n);
  const Buffer low = Residues(device, size_t{4} << log_low);
  const Buffer high = Residues(device, size_t{4} << log_high);
  const Buffer weights = Residues(device, 64);
  const Buffer out = Residues(device, size_t{4} << log_size);
  const double bytes = 4.0 * static_cast<double>(size_t{1} << n);
  const std::string size = " n=" + std::to_string(n);
  Line("sumcheck.partial" + size,
       Measure(device,
               [&](Recorder& r, int /*run*/) {
                 r.Dispatch<SumcheckPartial>(
                     {WordsOf(table).raw, WordsOf(low).raw, WordsOf(high).raw,
                      WordsOf(out).Sub(0, 64).raw},
                     {16, log_low, log_high, 0});
               }),
       bytes);
  Line("fold.base" + size,
       Measure(device,
               [&](Recorder& r, int /*run*/) {
                 r.Dispatch<FoldBase>({WordsOf(table).raw, WordsOf(weights).raw,
                                       WordsOf(out).raw},
                                      {4, log_size, 1u << log_size, 0});
               }),
       bytes * 1.25);
  Line("fold.reverse" + size,
       Measure(device,
               [&](Recorder& r, int /*run*/) {
                 r.Dispatch<FoldReverse>({WordsOf(table).raw}, {n, {}});
               }),
       bytes * 2);
}

// Kernels over extension tables of 2^log_size entries.
void BenchExtension(Device& device, uint32_t log_size) {
  const size_t size = size_t{1} << log_size;
  const uint32_t stride = 1u << log_size;
  const uint32_t log_low = log_size < 10 ? log_size : 10;
  const uint32_t log_high = log_size - log_low;
  const Buffer f = Residues(device, 4 * size), w = Residues(device, 4 * size);
  const Buffer low = Residues(device, size_t{4} << log_low);
  const Buffer high = Residues(device, size_t{4} << log_high);
  const Buffer out = Residues(device, 8);
  const double bytes = 16.0 * static_cast<double>(size);
  const std::string name = " log_size=" + std::to_string(log_size);
  Line("sumcheck.round" + name,
       Measure(device,
               [&](Recorder& r, int /*run*/) {
                 r.Dispatch<SumcheckRound>(
                     {WordsOf(f).raw, WordsOf(w).raw, WordsOf(out).raw},
                     {stride, stride, log_size, 0});
               }),
       2 * bytes);
  Line("sumcheck.fold" + name,
       Measure(device,
               [&](Recorder& r, int /*run*/) {
                 r.Dispatch<SumcheckFold>(
                     {WordsOf(f).raw, WordsOf(w).raw, WordsOf(out).raw},
                     {stride, stride, log_size, 0, {1, 2, 3, 4}});
               }),
       3 * bytes);
  Line("sumcheck.evaluate" + name,
       Measure(device,
               [&](Recorder& r, int /*run*/) {
                 r.Dispatch<SumcheckEvaluate>(
                     {WordsOf(f).raw, WordsOf(low).raw, WordsOf(high).raw,
                      WordsOf(out).Sub(0, 4).raw},
                     {stride, log_low, log_high, 0});
               }),
       bytes);
  for (const uint32_t accumulate : {0u, 1u}) {
    Line((accumulate != 0 ? "weights.eq, added," : "weights.eq") + name,
         Measure(device,
                 [&](Recorder& r, int /*run*/) {
                   r.Dispatch<FoldEq>(
                       {WordsOf(low).raw, WordsOf(high).raw, WordsOf(w).raw},
                       {log_low, log_high, stride, accumulate});
                 }),
         (1 + accumulate) * bytes);
  }
  for (const uint32_t count : {30u, 90u}) {
    const Buffer y = Residues(device, count);
    const Buffer coefficients = Residues(device, size_t{4} * count);
    Line("weights.select of " + std::to_string(count) + name,
         Measure(device,
                 [&](Recorder& r, int /*run*/) {
                   r.Dispatch<FoldSelect>(
                       {WordsOf(y).raw, WordsOf(coefficients).raw,
                        WordsOf(w).raw},
                       {count, log_size, stride, 0});
                 }),
         2 * bytes);
  }
}

}  // namespace

void BenchNtt(Device& device) {
  std::printf("ntt.encode: columns x rows\n");
  struct Shape {
    uint32_t columns, log_rows;
  };
  for (const uint32_t log_rate : {1u, 0u}) {
    for (const Shape& shape : {Shape{256, 17},
                               {32, 20},
                               {16, 21},
                               {8, 22},
                               {2, 24},
                               {1, 24},
                               {1, 26}}) {
      BenchTransform(device, shape.columns, shape.log_rows, log_rate);
    }
  }
  // The commitments of a proof with n = 24, fold 4, and of its first with less.
  BenchTransform(device, 16, 17, 1);
  BenchTransform(device, 16, 19, 1);
  BenchTransform(device, 64, 20, 4);
  BenchTransform(device, 64, 19, 7);
  BenchTransform(device, 64, 18, 10);
  BenchTransform(device, 64, 17, 13);
  BenchLadder(device, 16, 21);
  BenchLadder(device, 256, 17);
}

void BenchWhir(Device& device) {
  std::printf("tables of WHIR\n");
  for (const uint32_t n : {20u, 22u, 24u, 27u}) BenchBase(device, n);
  for (const uint32_t log_size : {4u, 8u, 10u, 12u, 14u, 16u, 18u, 20u, 23u}) {
    BenchExtension(device, log_size);
  }
}

}  // namespace assay::bench
