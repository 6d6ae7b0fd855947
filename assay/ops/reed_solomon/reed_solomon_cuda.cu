// Forms of these kernels on the GPU: none yet.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"

namespace assay {

// Recording one on cuda fails with kUnsupported.
CudaEntry ReedSolomonApply::Cuda() { return {}; }

}  // namespace assay
