// Says how this build multiplies without carries on NVIDIA GPUs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace assay::gpu {

// "clmad" where the compiler of the kernels has the instruction (CUDA 13.3),
// else "emulated": the same values, several times slower. Only in builds with
// the cuda backend.
std::string_view CarryLessForm();

}  // namespace assay::gpu
