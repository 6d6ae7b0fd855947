// Forms of these kernels on the GPU: none yet.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/crc/crc_kernels.h"

namespace assay {

// Recording one on cuda fails with kUnsupported.
CudaEntry CrcAdvance::Cuda() { return {}; }

}  // namespace assay
