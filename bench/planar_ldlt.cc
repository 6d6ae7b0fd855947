// Times the blocked LDL^T of the planar engine beside LAPACK's zsytrf.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/base/split_mix.h"
#include "assay/planar/blas.h"
#include "assay/planar/panels.h"

namespace assay::planar {
namespace {

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// A symmetric matrix like Z: a strong diagonal and a tail that falls slowly.
Complex Element(size_t i, size_t j) {
  if (i < j) std::swap(i, j);
  const double noise =
      static_cast<double>(SplitMix64(i, j) >> 11) * 0x1p-53 - 0.5;
  const double far = 1 + static_cast<double>(i - j);
  return {0.01 * noise / far, (i == j ? 8.0 : 1.0 / far) + 0.1 * noise / far};
}

double TimeLdlt(const Threads& threads, size_t n) {
  Panels<Complex> a(n);
  if (!a.ok()) return NAN;
  threads.For(a.count(), 1, [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
      for (size_t c = 0; c < a.width(k); ++c) {
        for (size_t r = 0; r < a.rows(k); ++r) {
          a.at(k)[c * a.rows(k) + r] = Element(a.first(k) + r, a.first(k) + c);
        }
      }
    }
  });
  const double begin = Now();
  return FactorLdlt(threads, a) ? Now() - begin : NAN;
}

double TimeSytrf(const Threads& threads, size_t n) {
  std::unique_ptr<Complex[]> a(new Complex[n * n]);
  threads.For(n, 16, [&](size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
      for (size_t i = j; i < n; ++i) a[j * n + i] = Element(i, j);
    }
  });
  const BlasThreads all(threads.count());
  const double begin = Now();
  const PivotedFactor factor(Pivoting::kBunchKaufman, n, a.get());
  return factor.ok() ? Now() - begin : NAN;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace
}  // namespace assay::planar

// planar_ldlt [RUNS [N ...]]: by default 3 runs of 4000 and 8000, in turn.
int main(int argc, char** argv) {
  using namespace assay::planar;
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
  std::vector<size_t> sizes;
  for (int i = 2; i < argc; ++i) {
    sizes.push_back(static_cast<size_t>(std::max(1, std::atoi(argv[i]))));
  }
  if (sizes.empty()) sizes = {4000, 8000};
  const assay::Threads threads(0);
  fmt::print("OpenBLAS kernels: {}, {} threads, medians of {}\n", BlasKernels(),
             threads.count(), runs);
  for (const size_t n : sizes) {
    std::vector<double> ours, theirs;
    for (int run = 0; run < runs; ++run) {
      ours.push_back(TimeLdlt(threads, n));
      theirs.push_back(TimeSytrf(threads, n));
    }
    fmt::print("N = {}: LDL^T {:.2f} s, zsytrf {:.2f} s, ratio {:.2f}\n", n,
               Median(ours), Median(theirs), Median(theirs) / Median(ours));
  }
}
