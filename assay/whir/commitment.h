// A committed table on a device: its codeword, its tree and their openings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "assay/base/result.h"
#include "assay/device/device.h"
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

class Commitment {
 public:
  // Encodes the table (planes `plane_stride` words apart; bit-reversed where
  // `reversed`), hashes it and reads the root back, in one submission.
  static Result<Commitment> Make(Device& device, const CodeShape& shape,
                                 const View<BabyBear>& table,
                                 uint32_t plane_stride, bool reversed,
                                 const View<BabyBear>& twiddles,
                                 std::string_view stage);

  const Digest& root() const { return root_; }
  // The rows at `positions`, in this order, and the pruned siblings.
  Result<Opening> Open(Device& device, std::span<const uint32_t> positions,
                       std::string_view stage) const;
  // Device bytes that Open takes for a while.
  static uint64_t OpenBytes(const CodeShape& shape, uint64_t positions);

 private:
  CodeShape shape_;
  Buffer codeword_;
  Buffer tree_;
  Digest root_;
};

}  // namespace assay::whir
