// Runs a test on each vector target that this build and machine share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace assay {

// Calls body() with each target in turn as the only one to dispatch to, and
// asks `running` which target a dispatch then reached.
template <class Body>
void ForEachTarget(int64_t (*running)(), const Body& body) {
  const std::vector<int64_t> targets = hwy::SupportedAndGeneratedTargets();
  ASSERT_FALSE(targets.empty());
  std::string ran;
  for (const int64_t target : targets) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    EXPECT_EQ(running(), target);
    body();
    hwy::SetSupportedTargetsForTest(0);
    ran += std::string(" ") + hwy::TargetName(target);
  }
  std::printf("targets:%s\n", ran.c_str());
}

}  // namespace assay
