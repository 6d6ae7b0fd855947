// Forms of these kernels on the GPU: none yet.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/merkle/merkle_kernels.h"

namespace assay {

// Recording one on cuda fails with kUnsupported.
CudaEntry MerkleLeaves::Cuda() { return {}; }
CudaEntry MerkleTree::Cuda() { return {}; }
CudaEntry MerkleRows::Cuda() { return {}; }
CudaEntry MerkleNodes::Cuda() { return {}; }

}  // namespace assay
