// Records transform, leaves and tree, and gathers what queries open.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/commitment.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "assay/ops/merkle/merkle.h"
#include "assay/ops/merkle/merkle_kernels.h"
#include "assay/ops/ntt/ntt_kernels.h"

namespace assay::whir {

uint64_t CodeShape::TreeBytes() const { return 4 * MerkleTreeWords(log_rows); }

Result<Commitment> Commitment::Make(Batch& batch, const CodeShape& shape,
                                    const View<BabyBear>& table,
                                    uint32_t plane_stride, bool reversed,
                                    const View<BabyBear>& twiddles) {
  Commitment made;
  made.shape_ = shape;
  Device& device = batch.device();
  ASSAY_ASSIGN(codeword, device.Allocate(shape.CodewordBytes(), "codeword"));
  ASSAY_ASSIGN(tree, device.Allocate(shape.TreeBytes(), "tree"));
  const View<BabyBear> words = codeword.As<BabyBear>();
  const View<BabyBear> digests = tree.As<BabyBear>();
  const uint32_t log_rows = static_cast<uint32_t>(shape.log_rows);

  RecordNttEncode(batch.recorder(), table, words, twiddles,
                  {.log_message = static_cast<uint32_t>(shape.log_message),
                   .log_rows = log_rows,
                   .columns = shape.Columns(),
                   .planes = shape.extension ? 4u : 1u,
                   .plane_stride = plane_stride,
                   .reversed = reversed ? 1u : 0u,
                   .pad = {}});
  batch.Dispatch<MerkleLeaves>({words.raw, digests.raw},
                               {log_rows, shape.Columns(), {}});
  batch.Dispatch<MerkleTree>({digests.raw}, {log_rows, {}});
  made.root_ = batch.Read(digests.Sub(digests.size() - 8, 8));
  made.codeword_ = std::move(codeword);
  made.tree_ = std::move(tree);
  return made;
}

Digest Commitment::Root() const {
  Digest root;
  std::copy(root_->values().begin(), root_->values().end(), root.begin());
  return root;
}

ScratchSize Commitment::OpenScratch(const CodeShape& shape,
                                    uint64_t positions) {
  // For each position at most log_rows siblings with their places.
  const uint64_t siblings = positions * static_cast<uint64_t>(shape.log_rows);
  return {Room(sizeof(uint32_t) * positions) +
              Room(sizeof(merkle::NodePosition) * siblings),
          Room(sizeof(BabyBear) * positions * shape.Columns()) +
              Room(sizeof(Digest) * siblings)};
}

PendingOpening Commitment::Open(Batch& batch,
                                std::span<const uint32_t> positions) const {
  const std::vector<merkle::NodePosition> nodes =
      merkle::SiblingPositions(shape_.log_rows, positions);
  const uint32_t log_rows = static_cast<uint32_t>(shape_.log_rows);
  const uint32_t count = static_cast<uint32_t>(positions.size());
  const uint32_t node_count = static_cast<uint32_t>(nodes.size());

  PendingOpening opening;
  opening.extension_ = shape_.extension;
  opening.columns_ = shape_.Columns();
  const View<uint32_t> places = batch.Put(positions);
  const View<BabyBear> rows =
      batch.Take<BabyBear>(size_t{count} * opening.columns_);
  batch.Dispatch<MerkleRows>(
      {codeword_.As<BabyBear>().raw, places.raw, rows.raw},
      {log_rows, opening.columns_, count, 0});
  if (nodes.empty()) {
    opening.rows_ = batch.Read(rows);
    return opening;
  }
  const View<merkle::NodePosition> list =
      batch.Put(std::span<const merkle::NodePosition>(nodes));
  const View<Digest> digests = batch.Take<Digest>(node_count);
  batch.Dispatch<MerkleNodes>({tree_.As<BabyBear>().raw, list.raw, digests.raw},
                              {log_rows, node_count, {}});
  opening.rows_ = batch.Read(rows);
  opening.siblings_ = batch.Read(digests);
  return opening;
}

Opening PendingOpening::Take() const {
  Opening opening;
  opening.extension = extension_;
  opening.row_elements = columns_;
  opening.rows = rows_->values();
  if (siblings_.has_value()) opening.siblings = siblings_->values();
  return opening;
}

}  // namespace assay::whir
