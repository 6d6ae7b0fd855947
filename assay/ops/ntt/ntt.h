// What the transform and the encoding of columns compute.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/number/babybear.h"

namespace assay::ntt {

// Coefficients to values: x[i] becomes sum_j x[j] g^(ij) for the generator g
// of order |x|, natural order in and out. Precondition: |x| is a power of two
// of at most 2^27. |x| / 2 log |x| products.
void Transform(std::span<BabyBear> x);

// Values to coefficients: undoes Transform.
void Inverse(std::span<BabyBear> x);

// 2^log_size words: entry h + j is g^j for the generator g of order 2h, for
// each power of two h and j < h; entry 0 is one.
std::vector<BabyBear> Twiddles(int log_size);

// Where the columns of a message lie: in `planes` tables, plane_stride
// elements apart. Column q comes from plane q % planes, block q / planes of
// 2^log_message coefficients. With `reversed` a block holds its coefficients
// in bit-reversed order and block b stands at the place of b with its bits
// reversed. Preconditions: planes divides columns; with `reversed` the
// quotient is a power of two.
struct Layout {
  int log_message = 0;
  int log_rows = 0;
  uint32_t columns = 1;
  uint32_t planes = 1;
  size_t plane_stride = 0;
  bool reversed = false;
};

// Reed-Solomon codewords, one column after the other: each the transform of
// the column's coefficients followed by zeros up to 2^log_rows
// (docs/engines/whir.md, section 6).
std::vector<BabyBear> Encode(std::span<const BabyBear> message,
                             const Layout& layout);

}  // namespace assay::ntt
