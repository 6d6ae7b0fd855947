// Forms of these kernels on the GPU: none yet.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/ntt/ntt_kernels.h"

namespace assay {

// Recording one on cuda fails with kUnsupported.
CudaEntry NttTwiddles::Cuda() { return {}; }
CudaEntry NttEncode::Cuda() { return {}; }

}  // namespace assay
