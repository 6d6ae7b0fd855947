// Transforms of a grid, one a vector lane, for each vector target.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/toeplitz/lane_passes.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/toeplitz/lane_passes_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay::toeplitz {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// A complex number in each lane.
struct C {
  V re, im;
};
HWY_INLINE C operator+(C a, C b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
HWY_INLINE C operator-(C a, C b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
HWY_INLINE C Times(C a, V re, V im) {
  return {hn::NegMulAdd(a.im, im, hn::Mul(a.re, re)),
          hn::MulAdd(a.im, re, hn::Mul(a.re, im))};
}
// -j a.
HWY_INLINE C Turn(C a) { return {a.im, hn::Neg(a.re)}; }
HWY_INLINE C Scale(C a, V s) { return {hn::Mul(a.re, s), hn::Mul(a.im, s)}; }

// Planes of real and imaginary parts, Lanes() of each index side by side.
struct Planes {
  double* re;
  double* im;
};

HWY_INLINE C LoadC(Planes x, size_t at) {
  const D d;
  return {hn::Load(d, x.re + at), hn::Load(d, x.im + at)};
}
HWY_INLINE void StoreC(C value, Planes y, size_t at) {
  const D d;
  hn::Store(value.re, d, y.re + at);
  hn::Store(value.im, d, y.im + at);
}

// The stages of one radix differ in the small transform only: `Small` turns
// r values in place.
template <size_t kRadix, class Small>
HWY_INLINE void RunStage(const FftPlan& plan, const FftPlan::Stage& stage,
                         Planes x, Planes y, const Small& small) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  const size_t s = stage.stride, m = stage.groups;
  const double* twiddle = plan.twiddles.data() + stage.twiddles;
  for (size_t p = 0; p < m; ++p, twiddle += 2 * (kRadix - 1)) {
    V wr[kRadix], wi[kRadix];
    for (size_t k = 1; k < kRadix; ++k) {
      wr[k] = hn::Set(d, twiddle[2 * k - 2]);
      wi[k] = hn::Set(d, twiddle[2 * k - 1]);
    }
    for (size_t q = 0; q < s; ++q) {
      C a[kRadix];
      for (size_t k = 0; k < kRadix; ++k) {
        a[k] = LoadC(x, (q + s * (p + m * k)) * lanes);
      }
      small(a);
      const size_t to = q + s * kRadix * p;
      StoreC(a[0], y, to * lanes);
      for (size_t k = 1; k < kRadix; ++k) {
        StoreC(p == 0 ? a[k] : Times(a[k], wr[k], wi[k]), y,
               (to + s * k) * lanes);
      }
    }
  }
}

HWY_INLINE void Small2(C* a) {
  const C sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}

HWY_INLINE void Small3(C* a) {
  const D d;
  const V half = hn::Set(d, 0.5), root = hn::Set(d, 0.86602540378443864676);
  const C sum = a[1] + a[2];
  const C turned = Scale(Turn(a[1] - a[2]), root);
  const C middle = a[0] - Scale(sum, half);
  a[0] = a[0] + sum;
  a[1] = middle + turned;
  a[2] = middle - turned;
}

HWY_INLINE void Small4(C* a) {
  const C s02 = a[0] + a[2], d02 = a[0] - a[2];
  const C s13 = a[1] + a[3], d13 = Turn(a[1] - a[3]);
  a[0] = s02 + s13;
  a[1] = d02 + d13;
  a[2] = s02 - s13;
  a[3] = d02 - d13;
}

HWY_INLINE void Small5(C* a) {
  const D d;
  // cos and sin of 2 pi / 5 and 4 pi / 5.
  const V c1 = hn::Set(d, 0.30901699437494742410);
  const V c2 = hn::Set(d, -0.80901699437494742410);
  const V s1 = hn::Set(d, 0.95105651629515357212);
  const V s2 = hn::Set(d, 0.58778525229247312917);
  const C p14 = a[1] + a[4], m14 = Turn(a[1] - a[4]);
  const C p23 = a[2] + a[3], m23 = Turn(a[2] - a[3]);
  const C m1 = a[0] + Scale(p14, c1) + Scale(p23, c2);
  const C m2 = a[0] + Scale(p14, c2) + Scale(p23, c1);
  const C t1 = Scale(m14, s1) + Scale(m23, s2);
  const C t2 = Scale(m14, s2) - Scale(m23, s1);
  a[0] = a[0] + p14 + p23;
  a[1] = m1 + t1;
  a[2] = m2 + t2;
  a[3] = m2 - t2;
  a[4] = m1 - t1;
}

// The transform of each lane. Returns where the result is: x or y.
Planes Transform(const FftPlan& plan, Planes x, Planes y) {
  for (const FftPlan::Stage& stage : plan.stages) {
    switch (stage.radix) {
      case 2: RunStage<2>(plan, stage, x, y, Small2); break;
      case 3: RunStage<3>(plan, stage, x, y, Small3); break;
      case 4: RunStage<4>(plan, stage, x, y, Small4); break;
      default: RunStage<5>(plan, stage, x, y, Small5); break;
    }
    std::swap(x, y);
  }
  return x;
}

// Room for two sets of planes, kept by each thread. Aligned by hand: the
// library's allocator would have to be linked where only headers are.
inline constexpr size_t kRoomBytes = 64;

struct Room {
  std::unique_ptr<double[]> data;
  double* aligned = nullptr;
  size_t size = 0;

  Planes At(size_t count, size_t which) {
    const size_t plane = count * hn::Lanes(D());
    if (size < 4 * plane) {
      constexpr size_t kAlign = kRoomBytes / sizeof(double);
      data.reset(new double[4 * plane + kAlign]);
      const auto at = reinterpret_cast<uintptr_t>(data.get());
      aligned = data.get() + (kRoomBytes - at % kRoomBytes) / sizeof(double);
      size = 4 * plane;
    }
    return {aligned + 2 * which * plane, aligned + (2 * which + 1) * plane};
  }
};

Room& MyRoom() {
  thread_local Room room;
  return room;
}

size_t LaneCount() { return hn::Lanes(D()); }

void DoTransformLanes(const FftPlan& plan, double* re, double* im) {
  Room& room = MyRoom();
  const size_t size = plan.n * hn::Lanes(D());
  const Planes x = room.At(plan.n, 0), y = room.At(plan.n, 1);
  std::copy_n(re, size, x.re);
  std::copy_n(im, size, x.im);
  const Planes z = Transform(plan, x, y);
  std::copy_n(z.re, size, re);
  std::copy_n(z.im, size, im);
}

// Work of a product: blocks of columns, in them rows, in them `lanes` real
// and `lanes` imaginary parts.
HWY_INLINE double* WorkAt(const LaneGrid& grid, double* work, size_t block,
                          size_t row, size_t lanes) {
  return work + (block * grid.nx + row) * 2 * lanes;
}

void DoForwardRows(const LaneGrid& grid, const LaneProduct& product,
                   size_t block) {
  const size_t lanes = hn::Lanes(D());
  const size_t i0 = block * lanes, rows = std::min(lanes, grid.nx - i0);
  const size_t blocks = (grid.ay + lanes - 1) / lanes;
  if (product.first[i0] == product.first[i0 + rows]) {
    for (size_t b = 0; b < blocks; ++b) {
      std::fill_n(WorkAt(grid, product.work, b, i0, lanes), rows * 2 * lanes,
                  0.0);
    }
    return;
  }
  Room& room = MyRoom();
  const size_t longest = std::max(grid.ax, grid.ay);
  const Planes x = room.At(longest, 0), y = room.At(longest, 1);
  std::fill_n(x.re, grid.ay * lanes, 0.0);
  std::fill_n(x.im, grid.ay * lanes, 0.0);
  for (size_t l = 0; l < rows; ++l) {
    const size_t row = (i0 + l) * grid.ny;
    for (size_t k = product.first[i0 + l]; k < product.first[i0 + l + 1]; ++k) {
      const size_t at = (product.at[k] - row) * lanes + l;
      x.re[at] = product.x[k].real();
      x.im[at] = product.x[k].imag();
    }
  }
  const Planes z = Transform(*grid.along_y, x, y);
  for (size_t b = 0; b < blocks; ++b) {
    const size_t width = std::min(lanes, grid.ay - b * lanes);
    const double* re = z.re + b * lanes * lanes;
    const double* im = z.im + b * lanes * lanes;
    for (size_t l = 0; l < rows; ++l) {
      double* out = WorkAt(grid, product.work, b, i0 + l, lanes);
      for (size_t c = 0; c < width; ++c) {
        out[c] = re[c * lanes + l];
        out[lanes + c] = im[c * lanes + l];
      }
      for (size_t c = width; c < lanes; ++c) out[c] = out[lanes + c] = 0;
    }
  }
}

void DoFilterColumns(const LaneGrid& grid, const LaneProduct& product,
                     size_t block) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  Room& room = MyRoom();
  const size_t longest = std::max(grid.ax, grid.ay);
  const Planes x = room.At(longest, 0), y = room.At(longest, 1);
  double* work = WorkAt(grid, product.work, block, 0, lanes);
  for (size_t i = 0; i < grid.nx; ++i) {
    hn::Store(hn::LoadU(d, work + 2 * i * lanes), d, x.re + i * lanes);
    hn::Store(hn::LoadU(d, work + (2 * i + 1) * lanes), d, x.im + i * lanes);
  }
  std::fill(x.re + grid.nx * lanes, x.re + grid.ax * lanes, 0.0);
  std::fill(x.im + grid.nx * lanes, x.im + grid.ax * lanes, 0.0);
  const Planes z = Transform(*grid.along_x, x, y);
  const auto filter = [&](size_t i, size_t mirrored) {
    const size_t at = mirrored * grid.spectrum_stride + block * lanes;
    const V re = hn::LoadU(d, product.spectrum + at);
    const C a = LoadC(z, i * lanes);
    const C b = product.spectrum_imag
                    ? Times(a, re, hn::LoadU(d, product.spectrum_imag + at))
                    : Scale(a, re);
    StoreC(b, z, i * lanes);
  };
  for (size_t i = 0; i < grid.ax; ++i) filter(i, std::min(i, grid.ax - i));
  // Backward is forward with real and imaginary parts exchanged.
  const Planes from = {z.im, z.re};
  const Planes to = z.re == x.re ? Planes{y.im, y.re} : Planes{x.im, x.re};
  const Planes out = Transform(*grid.along_x, from, to);
  for (size_t i = 0; i < grid.nx; ++i) {
    hn::StoreU(hn::Load(d, out.im + i * lanes), d, work + 2 * i * lanes);
    hn::StoreU(hn::Load(d, out.re + i * lanes), d, work + (2 * i + 1) * lanes);
  }
}

void DoBackwardRows(const LaneGrid& grid, const LaneProduct& product,
                    size_t block) {
  const size_t lanes = hn::Lanes(D());
  const size_t i0 = block * lanes, rows = std::min(lanes, grid.nx - i0);
  const size_t blocks = (grid.ay + lanes - 1) / lanes;
  if (product.first[i0] == product.first[i0 + rows]) return;
  Room& room = MyRoom();
  const size_t longest = std::max(grid.ax, grid.ay);
  const Planes x = room.At(longest, 0), y = room.At(longest, 1);
  if (rows < lanes) {
    std::fill_n(x.re, grid.ay * lanes, 0.0);
    std::fill_n(x.im, grid.ay * lanes, 0.0);
  }
  for (size_t b = 0; b < blocks; ++b) {
    const size_t width = std::min(lanes, grid.ay - b * lanes);
    double* re = x.re + b * lanes * lanes;
    double* im = x.im + b * lanes * lanes;
    for (size_t l = 0; l < rows; ++l) {
      const double* in = WorkAt(grid, product.work, b, i0 + l, lanes);
      for (size_t c = 0; c < width; ++c) {
        re[c * lanes + l] = in[c];
        im[c * lanes + l] = in[lanes + c];
      }
    }
  }
  const Planes z =
      Transform(*grid.along_y, Planes{x.im, x.re}, Planes{y.im, y.re});
  const double scale =
      1 / (static_cast<double>(grid.ax) * static_cast<double>(grid.ay));
  for (size_t l = 0; l < rows; ++l) {
    const size_t row = (i0 + l) * grid.ny;
    for (size_t k = product.first[i0 + l]; k < product.first[i0 + l + 1]; ++k) {
      const size_t at = (product.at[k] - row) * lanes + l;
      product.y[k] = {scale * z.im[at], scale * z.re[at]};
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace assay::toeplitz
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::toeplitz {

HWY_EXPORT(LaneCount);
HWY_EXPORT(DoTransformLanes);
HWY_EXPORT(DoForwardRows);
HWY_EXPORT(DoFilterColumns);
HWY_EXPORT(DoBackwardRows);

size_t Lanes() { return HWY_DYNAMIC_DISPATCH(LaneCount)(); }

size_t RowBlocks(const LaneGrid& grid) {
  return (grid.nx + Lanes() - 1) / Lanes();
}

size_t ColumnBlocks(const LaneGrid& grid) {
  return (grid.ay + Lanes() - 1) / Lanes();
}

size_t WorkSize(const LaneGrid& grid) {
  return ColumnBlocks(grid) * grid.nx * 2 * Lanes();
}

void TransformLanes(const FftPlan& plan, std::vector<double>& re,
                    std::vector<double>& im) {
  HWY_DYNAMIC_DISPATCH(DoTransformLanes)(plan, re.data(), im.data());
}

void ForwardRows(const LaneGrid& grid, const LaneProduct& product,
                 size_t block) {
  HWY_DYNAMIC_DISPATCH(DoForwardRows)(grid, product, block);
}

void FilterColumns(const LaneGrid& grid, const LaneProduct& product,
                   size_t block) {
  HWY_DYNAMIC_DISPATCH(DoFilterColumns)(grid, product, block);
}

void BackwardRows(const LaneGrid& grid, const LaneProduct& product,
                  size_t block) {
  HWY_DYNAMIC_DISPATCH(DoBackwardRows)(grid, product, block);
}

}  // namespace assay::toeplitz
#endif  // HWY_ONCE
