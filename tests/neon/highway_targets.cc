// The one vector target of a cross build, in the place of Highway's library.
// SPDX-License-Identifier: Apache-2.0
#include <hwy/targets.h>

namespace hwy {

int64_t SupportedTargets() { return HWY_STATIC_TARGET; }
void SetSupportedTargetsForTest(int64_t /*targets*/) {}

}  // namespace hwy
