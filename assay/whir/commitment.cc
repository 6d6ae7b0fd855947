// Records transform, leaves and tree, and gathers what queries open.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/commitment.h"

#include <algorithm>
#include <vector>

#include "assay/ops/merkle/merkle.h"
#include "assay/ops/merkle/merkle_kernels.h"
#include "assay/ops/ntt/ntt_kernels.h"

namespace assay::whir {

uint64_t CodeShape::TreeBytes() const { return 4 * MerkleTreeWords(log_rows); }

Result<Commitment> Commitment::Make(Device& device, const CodeShape& shape,
                                    const View<BabyBear>& table,
                                    uint32_t plane_stride, bool reversed,
                                    const View<BabyBear>& twiddles,
                                    std::string_view stage) {
  Commitment made;
  made.shape_ = shape;
  ASSAY_ASSIGN(codeword, device.Allocate(shape.CodewordBytes(), "codeword"));
  ASSAY_ASSIGN(tree, device.Allocate(shape.TreeBytes(), "tree"));
  const View<BabyBear> words = codeword.As<BabyBear>();
  const View<BabyBear> digests = tree.As<BabyBear>();
  const uint32_t log_rows = static_cast<uint32_t>(shape.log_rows);

  Recorder recorder = device.Record(stage);
  RecordNttEncode(recorder, table, words, twiddles,
                  {.log_message = static_cast<uint32_t>(shape.log_message),
                   .log_rows = log_rows,
                   .columns = shape.Columns(),
                   .planes = shape.extension ? 4u : 1u,
                   .plane_stride = plane_stride,
                   .reversed = reversed ? 1u : 0u,
                   .pad = {}});
  recorder.Dispatch<MerkleLeaves>({words.raw, digests.raw},
                                  {log_rows, shape.Columns(), {}});
  recorder.Dispatch<MerkleTree>({digests.raw}, {log_rows, {}});
  const Readback<BabyBear> root =
      recorder.Read(digests.Sub(digests.size() - 8, 8));
  ASSAY_TRY(device.Run(std::move(recorder)));
  std::copy(root.values().begin(), root.values().end(), made.root_.begin());
  made.codeword_ = std::move(codeword);
  made.tree_ = std::move(tree);
  return made;
}

uint64_t Commitment::OpenBytes(const CodeShape& shape, uint64_t positions) {
  // Positions, rows, and for each position at most log_rows siblings with
  // their places.
  const uint64_t siblings = positions * static_cast<uint64_t>(shape.log_rows);
  return 4 * positions * (1 + uint64_t{shape.Columns()}) +
         siblings * (sizeof(Digest) + sizeof(merkle::NodePosition));
}

Result<Opening> Commitment::Open(Device& device,
                                 std::span<const uint32_t> positions,
                                 std::string_view stage) const {
  const std::vector<merkle::NodePosition> nodes =
      merkle::SiblingPositions(shape_.log_rows, positions);
  const uint32_t log_rows = static_cast<uint32_t>(shape_.log_rows);
  const uint32_t columns = shape_.Columns();
  const uint32_t count = static_cast<uint32_t>(positions.size());
  const uint32_t node_count = static_cast<uint32_t>(nodes.size());

  ASSAY_ASSIGN(places, device.AllocateArray<uint32_t>(count, "openings"));
  ASSAY_ASSIGN(rows, device.AllocateArray<BabyBear>(size_t{count} * columns,
                                                    "openings"));
  ASSAY_TRY(device.Upload(places.As<uint32_t>(), positions));
  Recorder recorder = device.Record(stage);
  recorder.Dispatch<MerkleRows>(
      {codeword_.As<BabyBear>().raw, places.As<uint32_t>().raw,
       rows.As<BabyBear>().raw},
      {log_rows, columns, count, 0});
  const Readback<BabyBear> row_words = recorder.Read(rows.As<BabyBear>());

  Opening opening;
  opening.extension = shape_.extension;
  opening.row_elements = columns;
  if (nodes.empty()) {
    ASSAY_TRY(device.Run(std::move(recorder)));
  } else {
    ASSAY_ASSIGN(list, device.AllocateArray<merkle::NodePosition>(node_count,
                                                                  "openings"));
    ASSAY_ASSIGN(digests, device.AllocateArray<Digest>(node_count, "openings"));
    ASSAY_TRY(device.Upload(list.As<merkle::NodePosition>(),
                            std::span<const merkle::NodePosition>(nodes)));
    recorder.Dispatch<MerkleNodes>(
        {tree_.As<BabyBear>().raw, list.As<merkle::NodePosition>().raw,
         digests.As<Digest>().raw},
        {log_rows, node_count, {}});
    const Readback<Digest> siblings = recorder.Read(digests.As<Digest>());
    ASSAY_TRY(device.Run(std::move(recorder)));
    opening.siblings = siblings.values();
  }
  opening.rows = row_words.values();
  return opening;
}

}  // namespace assay::whir
