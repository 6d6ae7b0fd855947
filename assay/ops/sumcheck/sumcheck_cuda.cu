// Forms of these kernels on the GPU: none yet.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/sumcheck/sumcheck_kernels.h"

namespace assay {

// Recording one on cuda fails with kUnsupported.
CudaEntry SumcheckPartial::Cuda() { return {}; }
CudaEntry SumcheckEvaluate::Cuda() { return {}; }
CudaEntry SumcheckRound::Cuda() { return {}; }
CudaEntry SumcheckFold::Cuda() { return {}; }

}  // namespace assay
