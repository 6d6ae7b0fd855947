// How much each kernel of a proof has to do, and what a device can do at most.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/device/device.h"
#include "assay/whir/plan.h"

namespace assay::whir {

// All dispatches of a kernel in one proof. Bytes: each input and output once;
// products of base elements: 564 a permutation, 16 a product of the extension.
// Searches of witnesses count what they try on average.
struct KernelWork {
  std::string_view kernel;
  uint64_t bytes = 0;
  uint64_t products = 0;
};

// The kernels that run on the device by the plan's placement, in the order of
// the proof; those of openings, which are small, are left out.
std::vector<KernelWork> WorkOf(const Plan& plan);

// What the device does when it does nothing else.
struct Roofs {
  double bytes_per_s = 0;     // reading memory
  double products_per_s = 0;  // in Poseidon2 permutations of registers' worth
};

// Reads at most 1 GiB, and permutes 2^20 states, some times over; a second or
// less. Fails with the device's errors.
Result<Roofs> MeasureRoofs(Device& device);

}  // namespace assay::whir
