// The sum, byte by byte.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/xor_sum/xor_sum.h"

namespace assay::xor_sum {

Block Add(Block sum, std::span<const uint8_t> bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) sum[i % sum.size()] ^= bytes[i];
  return sum;
}

}  // namespace assay::xor_sum
