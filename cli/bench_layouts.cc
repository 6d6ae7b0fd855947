// Layouts that planar benches sweep, made in code.
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_layouts.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "assay/base/split_mix.h"

namespace assay::cli {
namespace {

constexpr double kPixel = 0.5;  // mm

// Ports of `port` pixels in the middle of the west and the east side.
planar::Layout Board(int nx, int ny, int port) {
  planar::Layout layout;
  layout.substrate = {4.4, 0, 1.6};
  layout.conductor = planar::LayoutConductor{5.8e7, 0.035, 0, false};
  layout.dx = layout.dy = kPixel;
  const double low = (ny - port) / 2 * kPixel;
  planar::Layout::Port west;
  west.from = low;
  west.to = low + port * kPixel;
  planar::Layout::Port east = west;
  east.at = nx * kPixel;
  layout.ports = {west, east};
  return layout;
}

planar::Layout Sheet(int nx, int ny, int port) {
  planar::Layout layout = Board(nx, ny, port);
  layout.metal = {{planar::Rect{0, nx * kPixel, 0, ny * kPixel}, false}};
  return layout;
}

// Blocks of 4 x 4 pixels are metal or not; a strip joins the ports, and of the
// rest stays what hangs together with it.
planar::Layout Blocks(int n, double fill) {
  planar::Layout layout = Board(n, n, 6);
  const auto size = static_cast<size_t>(n);
  const auto at = [size](int i, int j) {
    return static_cast<size_t>(i) * size + static_cast<size_t>(j);
  };
  const uint64_t side = size / 4 + 1;
  std::vector<uint8_t> drawn(at(n - 1, n - 1) + 1), kept(drawn.size());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const uint64_t block =
          static_cast<uint64_t>(i) / 4 * side + static_cast<uint64_t>(j) / 4;
      const double unit =
          static_cast<double>(SplitMix64(1, block) >> 11) * 0x1p-53;
      drawn[at(i, j)] =
          unit < fill || (j >= (n - 6) / 2 && j < (n - 6) / 2 + 6);
    }
  }
  std::vector<std::pair<int, int>> reached = {{0, n / 2}};
  kept[at(0, n / 2)] = 1;
  while (!reached.empty()) {
    const auto [i, j] = reached.back();
    reached.pop_back();
    constexpr int kSteps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (const auto& [di, dj] : kSteps) {
      const int k = i + di, l = j + dj;
      if (k < 0 || l < 0 || k >= n || l >= n) continue;
      if (!drawn[at(k, l)] || kept[at(k, l)]) continue;
      kept[at(k, l)] = 1;
      reached.emplace_back(k, l);
    }
  }
  planar::PixelMask mask;
  mask.nx = mask.ny = n;
  mask.metal.resize(kept.size());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) mask.metal[at(j, i)] = kept[at(i, j)];
  }
  layout.metal = {{std::move(mask), false}};
  return layout;
}

}  // namespace

std::vector<BenchCase> BenchCases() {
  std::vector<BenchCase> cases;
  cases.push_back({"seed", "sheet of the seed's size", Sheet(39, 28, 20), 0.1e9,
                   6e9, 21, "the seed, on an M1's GPU: 2.1 s"});
  cases.push_back({"sheet", "full sheet, 38 mm", Sheet(76, 76, 6), 0.1e9, 6e9,
                   41,
                   "a model in numpy: 2.9 s; the seed, its own case: 123 s"});
  cases.push_back({"large", "full sheet, 112 mm", Sheet(224, 224, 6), 0.1e9,
                   2e9, 41, "a model in numpy: 41.5 s"});
  cases.push_back({"blocks", "random blocks, 160 mm", Blocks(320, 0.6), 0.1e9,
                   3e9, 41, "a model in numpy: more than 200 s"});
  return cases;
}

std::vector<BenchCase> GrowthCases() {
  std::vector<BenchCase> cases;
  for (const int n : {23, 36, 50, 76, 112, 158, 224, 300, 354}) {
    cases.push_back({fmt::format("{} x {}", n, n), "full sheet", Sheet(n, n, 6),
                     0.1e9, 1e9, 11, ""});
  }
  return cases;
}

}  // namespace assay::cli
