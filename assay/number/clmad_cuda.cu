// Says what the compiler of the kernels chose.
// SPDX-License-Identifier: Apache-2.0
#include "assay/number/clmad_cuda.h"

#include "assay/number/clmad.h"

namespace assay::gpu {

std::string_view CarryLessForm() {
  return ASSAY_HAS_CLMAD ? "clmad" : "emulated";
}

}  // namespace assay::gpu
