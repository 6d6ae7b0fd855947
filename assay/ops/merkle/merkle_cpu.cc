// Merkle trees on vector lanes: sixteen rows or nodes at a time.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/merkle/merkle_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/merkle/merkle_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/ops/poseidon2/poseidon2_wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// Vectors of rows a thread takes at a time.
constexpr size_t kGrain = 16;

void Leaves(const CpuArgs& args) {
  const auto& p = args.Params<MerkleLeaves::Params>();
  const BabyBear* matrix = args.Get<BabyBear>(0).data();
  BabyBear* digests = args.Get<BabyBear>(1).data();
  const size_t rows = size_t{1} << p.log_rows;
  const size_t lanes = hn::Lanes(DF());
  args.threads().For(
      (rows + lanes - 1) / lanes, kGrain, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) {
          const size_t first = v * lanes;
          const size_t n = std::min(lanes, rows - first);
          PoseidonStates states;
          states.Clear();
          for (size_t c = 0; c < p.columns; c += 8) {
            const size_t cells = std::min<size_t>(8, p.columns - c);
            for (size_t i = 0; i < cells; ++i) {
              states.Set(static_cast<int>(i),
                         LoadSome(matrix + (c + i) * rows + first, n));
            }
            states.Permute();
          }
          for (size_t i = 0; i < 8; ++i) {
            StoreSome(states.Get(static_cast<int>(i)),
                      digests + i * rows + first, n);
          }
        }
      });
}

// Elements 2i and 2i + 1 for n lanes i.
HWY_INLINE void LoadPairs(const BabyBear* p, size_t n, VF* even, VF* odd) {
  const DF d;
#if HWY_TARGET != HWY_SCALAR
  if (n == hn::Lanes(d)) {
    hn::LoadInterleaved2(d, reinterpret_cast<const uint32_t*>(p), *even, *odd);
    return;
  }
#endif
  HWY_ALIGN uint32_t e[HWY_MAX_BYTES / 4] = {};
  HWY_ALIGN uint32_t o[HWY_MAX_BYTES / 4] = {};
  for (size_t i = 0; i < n; ++i) {
    e[i] = p[2 * i].residue;
    o[i] = p[2 * i + 1].residue;
  }
  *even = hn::Load(d, e);
  *odd = hn::Load(d, o);
}

// Parents [first, last) of the layer of `size` digests at `layer`.
void Parents(BabyBear* layer, size_t size, size_t first, size_t last) {
  const size_t lanes = hn::Lanes(DF());
  BabyBear* parents = layer + 8 * size;
  for (size_t begin = first; begin < last; begin += lanes) {
    const size_t n = std::min(lanes, last - begin);
    PoseidonStates states;
    for (size_t i = 0; i < 8; ++i) {
      VF left, right;
      LoadPairs(layer + i * size + 2 * begin, n, &left, &right);
      states.Set(static_cast<int>(i), left);
      states.Set(static_cast<int>(8 + i), right);
    }
    states.Permute();
    for (size_t i = 0; i < 8; ++i) {
      StoreSome(states.Get(static_cast<int>(i)),
                parents + i * (size / 2) + begin, n);
    }
  }
}

void Tree(const CpuArgs& args) {
  const auto& p = args.Params<MerkleTree::Params>();
  BabyBear* leaves = args.Get<BabyBear>(0).data();
  // A thread takes subtrees of 2^10 leaves up to a vector of nodes: layers
  // stay in its cache, and threads meet once.
  constexpr uint32_t kLogSubtree = 10;
  constexpr size_t kTopNodes = 16;
  size_t size = size_t{1} << p.log_leaves;
  size_t subtrees = size >> std::min(kLogSubtree, p.log_leaves);
  args.threads().For(subtrees, 1, [&](size_t begin, size_t end) {
    for (size_t t = begin; t < end; ++t) {
      BabyBear* layer = leaves;
      for (size_t n = size; n / subtrees > kTopNodes; n /= 2) {
        const size_t count = n / 2 / subtrees;
        Parents(layer, n, t * count, (t + 1) * count);
        layer += 8 * n;
      }
    }
  });
  BabyBear* layer = leaves;
  for (; size > 1; size /= 2) {
    if (size / subtrees <= kTopNodes) {
      args.threads().For(size / 2, 16 * kGrain, [&](size_t begin, size_t end) {
        Parents(layer, size, begin, end);
      });
    }
    layer += 8 * size;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(Leaves);
HWY_EXPORT(Tree);

CpuEntry MerkleLeaves::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Leaves)(args); }};
}
CpuEntry MerkleTree::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Tree)(args); }};
}

CpuEntry MerkleRows::Cpu() {
  return {[](const CpuArgs& args) {
    const auto& p = args.Params<MerkleRows::Params>();
    const uint32_t* matrix = args.Get<uint32_t>(0).data();
    const uint32_t* indices = args.Get<uint32_t>(1).data();
    uint32_t* rows = args.Get<uint32_t>(2).data();
    for (size_t i = 0; i < p.count; ++i) {
      for (size_t c = 0; c < p.columns; ++c) {
        rows[i * p.columns + c] = matrix[(c << p.log_rows) + indices[i]];
      }
    }
  }};
}

CpuEntry MerkleNodes::Cpu() {
  return {[](const CpuArgs& args) {
    const auto& p = args.Params<MerkleNodes::Params>();
    const uint32_t* tree = args.Get<uint32_t>(0).data();
    const uint32_t* nodes = args.Get<uint32_t>(1).data();
    uint32_t* digests = args.Get<uint32_t>(2).data();
    for (size_t i = 0; i < p.count; ++i) {
      const uint32_t level = nodes[2 * i];
      const size_t index = nodes[2 * i + 1];
      const size_t size = size_t{1} << (p.log_leaves - level);
      // Layers below hold 2 (leaves - size) digests.
      const size_t layer = 8 * 2 * ((size_t{1} << p.log_leaves) - size);
      for (size_t j = 0; j < 8; ++j) {
        digests[8 * i + j] = tree[layer + j * size + index];
      }
    }
  }};
}

}  // namespace assay
#endif  // HWY_ONCE
