// How many workgroups share a kernel's work where WGSL walks it in strides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace assay {

// Groups of `lanes` that take an item a lane, at most 2^15 of them: beyond,
// kernels walk with a stride of the whole grid.
constexpr std::array<uint32_t, 3> WgslGroups(uint64_t items, uint32_t lanes) {
  const uint64_t groups = (items + lanes - 1) / lanes;
  return {groups > 32768 ? 32768 : static_cast<uint32_t>(groups), 1, 1};
}

}  // namespace assay
