// Rounds of the sum-check of a product on vector lanes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"

#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/product_sumcheck/product_sumcheck_cpu.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/ops/product_sumcheck/nodes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

// Positions a thread takes at a time.
constexpr size_t kChunk = 2048;

struct Table {
  Gf2_128* data;
  size_t stride;
  size_t size;

  Table(const CpuArgs& args, const ProductSumcheckParams& p)
      : data(args.Get<Gf2_128>(0).data()),
        stride(p.stride_low | size_t{p.stride_high} << 32),
        size(size_t{1} << p.log_size) {}
  Gf2_128* Column(size_t j) const { return data + j * stride; }
};

Gf2_128 ElementOf(const uint32_t* words) {
  return {words[0] | uint64_t{words[1]} << 32,
          words[2] | uint64_t{words[3]} << 32};
}

// Entries that are fetched ahead: a kernel reads up to 24 streams, and the
// processor's own prefetcher starts anew at each of their pages.
constexpr size_t kAhead = 64;

// All of the next LanesG() entries, or fewer of a table that has no more.
struct Whole {
  HWY_INLINE VG Load(const Gf2_128* p) const {
    hwy::Prefetch(p + kAhead);
    return LoadG(p);
  }
  HWY_INLINE void Store(VG v, Gf2_128* p) const { StoreG(v, p); }
};
struct Some {
  size_t n;
  HWY_INLINE VG Load(const Gf2_128* p) const { return LoadSomeG(p, n); }
  HWY_INLINE void Store(VG v, Gf2_128* p) const { StoreSomeG(v, p, n); }
};

// Adds up body.Add(i, lanes, sums) over all positions and writes the sums from
// Body::kFirst on to `out`. Positions are a power of two, so that either all
// vectors are whole or there is only one.
template <class Body>
HWY_INLINE void SumChunks(const CpuArgs& args, size_t positions,
                          const Body& body) {
  using Sums = typename Body::Sums;
  Gf2_128* out = args.Get<Gf2_128>(1).data();
  const size_t lanes = LanesG();
  if (positions < lanes) {
    Sums sums;
    body.Add(0, Some{positions}, sums);
    sums.Store(Body::kFirst, out);
    return;
  }
  const size_t chunk = std::min(kChunk, positions);
  const size_t chunks = positions / chunk;
  std::vector<Gf2_128> parts(chunks * Sums::kCount);
  const auto sum = [&](size_t begin, size_t end) HWY_ATTR {
    for (size_t k = begin; k < end; ++k) {
      Sums sums;
      for (size_t i = k * chunk; i < (k + 1) * chunk; i += lanes) {
        body.Add(i, Whole(), sums);
      }
      sums.Store(Body::kFirst, &parts[k * Sums::kCount]);
    }
  };
  args.threads().For(chunks, 1, sum);
  for (size_t v = Body::kFirst; v < Sums::kCount; ++v) {
    out[v] = Gf2_128::Zero();
    for (size_t k = 0; k < chunks; ++k) out[v] += parts[k * Sums::kCount + v];
  }
}

template <int D>
struct RoundBody {
  using Sums = NodeSums<D>;
  static constexpr int kFirst = 0;
  Table table;

  template <class Lanes>
  HWY_INLINE void Add(size_t i, Lanes lanes, Sums& sums) const {
    VG lo[D];
    VG hi[D];
    ASSAY_UNROLL
    for (int j = 0; j < D; ++j) {
      const Gf2_128* column = table.Column(j) + i;
      lo[j] = lanes.Load(column);
      hi[j] = lanes.Load(column + table.size / 2);
    }
    sums.template Add<kFirst>(lo, hi);
  }
};

// Entry i bound to r.
template <class Lanes>
HWY_INLINE VG BindOne(Gf2_128* column, size_t half, Lanes lanes,
                      const ConstantG& r) {
  const VG lo = lanes.Load(column);
  ConstantSumG sum;
  sum.Add(AddG(lo, lanes.Load(column + half)), r);
  const VG bound = AddG(lo, sum.Reduce());
  lanes.Store(bound, column);
  return bound;
}

template <int D>
struct FoldBody {
  using Sums = NodeSums<D>;
  static constexpr int kFirst = 1;
  Table table;
  ConstantG r;

  template <class Lanes>
  HWY_INLINE void Add(size_t i, Lanes lanes, Sums& sums) const {
    const size_t half = table.size / 2;
    VG lo[D];
    VG hi[D];
    ASSAY_UNROLL
    for (int j = 0; j < D; ++j) {
      Gf2_128* column = table.Column(j) + i;
      lo[j] = BindOne(column, half, lanes, r);
      hi[j] = BindOne(column + half / 2, half, lanes, r);
    }
    sums.template Add<kFirst>(lo, hi);
  }
};

template <int D>
struct GridBody {
  using Sums = GridSums<D>;
  static constexpr int kFirst = 0;
  Table table;

  template <class Lanes>
  HWY_INLINE void Add(size_t i, Lanes lanes, Sums& sums) const {
    VG v[D][4];
    ASSAY_UNROLL
    for (int j = 0; j < D; ++j) {
      ASSAY_UNROLL
      for (size_t k = 0; k < 4; ++k) {
        v[j][k] = lanes.Load(table.Column(j) + k * (table.size / 4) + i);
      }
    }
    sums.template Add<kFirst>(v);
  }
};

// r, s and r s.
struct TwoConstants {
  ConstantG r, s, rs;
};

// v00 + r (v00 + v10) + s (v00 + v01) + r s (v00 + v01 + v10 + v11).
template <class Lanes>
HWY_INLINE VG BindTwo(Gf2_128* column, size_t quarter, Lanes lanes,
                      const TwoConstants& c) {
  const VG v00 = lanes.Load(column);
  const VG v01 = lanes.Load(column + quarter);
  const VG v10 = lanes.Load(column + 2 * quarter);
  const VG v11 = lanes.Load(column + 3 * quarter);
  const VG z = AddG(v00, v01);
  ConstantSumG sum;
  sum.Add(AddG(v00, v10), c.r);
  sum.Add(z, c.s);
  sum.Add(AddG(z, AddG(v10, v11)), c.rs);
  const VG bound = AddG(v00, sum.Reduce());
  lanes.Store(bound, column);
  return bound;
}

template <int D>
struct FoldGridBody {
  using Sums = GridSums<D>;
  static constexpr int kFirst = 1;
  Table table;
  TwoConstants c;

  template <class Lanes>
  HWY_INLINE void Add(size_t i, Lanes lanes, Sums& sums) const {
    const size_t quarter = table.size / 4;
    VG v[D][4];
    ASSAY_UNROLL
    for (int j = 0; j < D; ++j) {
      ASSAY_UNROLL
      for (size_t k = 0; k < 4; ++k) {
        v[j][k] =
            BindTwo(table.Column(j) + k * (quarter / 4) + i, quarter, lanes, c);
      }
    }
    sums.template Add<kFirst>(v);
  }
};

template <int D>
void RoundOf(const CpuArgs& args) {
  const Table table(args, args.Params<ProductSumcheckParams>());
  SumChunks(args, table.size / 2, RoundBody<D>{table});
}

template <int D>
void FoldOf(const CpuArgs& args) {
  const auto& p = args.Params<ProductSumcheckFold::Params>();
  const Table table(args, p.table);
  const ConstantG r = ConstantOf(ElementOf(p.r));
  if (table.size == 2) {
    for (int j = 0; j < D; ++j) BindOne(table.Column(j), 1, Some{1}, r);
    return;
  }
  SumChunks(args, table.size / 4, FoldBody<D>{table, r});
}

template <int D>
void GridOf(const CpuArgs& args) {
  const Table table(args, args.Params<ProductSumcheckParams>());
  SumChunks(args, table.size / 4, GridBody<D>{table});
}

template <int D>
void FoldGridOf(const CpuArgs& args) {
  const auto& p = args.Params<ProductSumcheckFoldGrid::Params>();
  const Table table(args, p.table);
  const Gf2_128 r = ElementOf(p.r);
  const Gf2_128 s = ElementOf(p.s);
  const TwoConstants c = {ConstantOf(r), ConstantOf(s), ConstantOf(r * s)};
  const size_t quarter = table.size / 4;
  if (quarter < 4) {
    for (int j = 0; j < D; ++j) {
      for (size_t i = 0; i < quarter; ++i) {
        BindTwo(table.Column(j) + i, quarter, Some{1}, c);
      }
    }
    return;
  }
  SumChunks(args, quarter / 4, FoldGridBody<D>{table, c});
}

}  // namespace

void ProductRound(const CpuArgs& args) {
  switch (args.Params<ProductSumcheckParams>().factors) {
    case 1: return RoundOf<1>(args);
    case 2: return RoundOf<2>(args);
    case 3: return RoundOf<3>(args);
    case 4: return RoundOf<4>(args);
    case 5: return RoundOf<5>(args);
    default: return RoundOf<6>(args);
  }
}

void ProductFold(const CpuArgs& args) {
  switch (args.Params<ProductSumcheckFold::Params>().table.factors) {
    case 1: return FoldOf<1>(args);
    case 2: return FoldOf<2>(args);
    case 3: return FoldOf<3>(args);
    case 4: return FoldOf<4>(args);
    case 5: return FoldOf<5>(args);
    default: return FoldOf<6>(args);
  }
}

void ProductGrid(const CpuArgs& args) {
  if (args.Params<ProductSumcheckParams>().factors == 1) return GridOf<1>(args);
  return GridOf<2>(args);
}

void ProductFoldGrid(const CpuArgs& args) {
  if (args.Params<ProductSumcheckFoldGrid::Params>().table.factors == 1)
    return FoldGridOf<1>(args);
  return FoldGridOf<2>(args);
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(ProductRound);
HWY_EXPORT(ProductFold);
HWY_EXPORT(ProductGrid);
HWY_EXPORT(ProductFoldGrid);

CpuEntry ProductSumcheckRound::Cpu() {
  return {
      [](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(ProductRound)(args); }};
}
CpuEntry ProductSumcheckFold::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(ProductFold)(args); }};
}
CpuEntry ProductSumcheckGrid::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(ProductGrid)(args); }};
}
CpuEntry ProductSumcheckFoldGrid::Cpu() {
  return {
      [](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(ProductFoldGrid)(args); }};
}

}  // namespace assay
#endif  // HWY_ONCE
