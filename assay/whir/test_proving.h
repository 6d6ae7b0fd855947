// Proves the instance of one seed on a device, for tests that compare devices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "assay/whir/instance.h"
#include "assay/whir/prove.h"

namespace assay::whir {

inline constexpr uint64_t kSeed = 17;

inline std::vector<Point> PointsOf(const Parameters& parameters) {
  if (parameters.mode == Mode::kDrawn) return {};
  return SeedPoints(kSeed, parameters.n, parameters.points);
}

inline Result<Proof> ProveOn(Runtime& runtime, const Plan& plan,
                             const ProveContext& context = {}) {
  const Parameters& parameters = plan.schedule.parameters;
  return Prove(runtime, plan, SeedEvals(kSeed, parameters.n),
               PointsOf(parameters), context);
}

// The proof as a file; a failed test and nothing where there is none.
inline std::vector<std::byte> FileOf(const Plan& plan, Result<Proof> proof) {
  EXPECT_TRUE(proof.ok()) << (proof.ok() ? "" : proof.error().what);
  if (!proof.ok()) return {};
  return Encode({plan.schedule.parameters, kSeed, std::move(*proof)});
}

}  // namespace assay::whir
