// A committed table on a device: its codeword, its tree and their openings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "assay/base/result.h"
#include "assay/device/device.h"
#include "assay/whir/batch.h"
#include "assay/whir/proof.h"

namespace assay::whir {

// The shape of one commitment.
struct CodeShape {
  int log_message = 0;  // log2 of the coefficients in a column
  int log_rows = 0;     // log2 of the codeword's rows
  int log_width = 0;    // columns before flattening: 2^log_width
  bool extension = false;

  uint32_t Columns() const { return (extension ? 4u : 1u) << log_width; }
  uint64_t CodewordBytes() const {
    return (uint64_t{4} * Columns()) << log_rows;
  }
  uint64_t TreeBytes() const;
};

// Rows and siblings on their way to the host.
class PendingOpening {
 public:
  // Precondition: the batch that opened has been waited for.
  Opening Take() const;

 private:
  friend class Commitment;
  bool extension_ = false;
  uint32_t columns_ = 0;
  std::optional<Readback<BabyBear>> rows_;
  std::optional<Readback<Digest>> siblings_;  // none: no sibling is missing
};

class Commitment {
 public:
  // Encodes the table (planes `plane_stride` words apart; bit-reversed where
  // `reversed`), hashes it and reads the root back, all in the batch.
  static Result<Commitment> Make(Batch& batch, const CodeShape& shape,
                                 const View<BabyBear>& table,
                                 uint32_t plane_stride, bool reversed,
                                 const View<BabyBear>& twiddles);

  // Precondition: that batch has been waited for.
  Digest Root() const;
  // The rows at `positions`, in this order, and the pruned siblings.
  PendingOpening Open(Batch& batch, std::span<const uint32_t> positions) const;
  // Scratch for that.
  static ScratchSize OpenScratch(const CodeShape& shape, uint64_t positions);

 private:
  CodeShape shape_;
  Buffer codeword_;
  Buffer tree_;
  std::optional<Readback<BabyBear>> root_;
};

}  // namespace assay::whir
