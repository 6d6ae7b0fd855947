// Forms of these kernels on the GPU: none yet.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/poseidon2/poseidon2_kernels.h"

namespace assay {

// Recording one on cuda fails with kUnsupported.
CudaEntry Poseidon2Permute::Cuda() { return {}; }

}  // namespace assay
