// Forms of these kernels on the GPU: none yet.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/fold/fold_kernels.h"

namespace assay {

// Recording one on cuda fails with kUnsupported.
CudaEntry FoldBase::Cuda() { return {}; }
CudaEntry FoldEq::Cuda() { return {}; }
CudaEntry FoldSelect::Cuda() { return {}; }
CudaEntry FoldReverse::Cuda() { return {}; }

}  // namespace assay
