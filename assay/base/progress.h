// Tells a caller how far a long computation has come.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "assay/base/result.h"

namespace assay {

// Called between submissions with done <= total. Returning false cancels:
// the engine then fails with kCancelled. Empty means: no reports.
using Progress =
    std::function<bool(std::string_view stage, uint64_t done, uint64_t total)>;

// What an engine then fails with: "the proof was cancelled".
inline Error Cancelled(std::string_view what) {
  return {Code::kCancelled, std::string(what) + " was cancelled", ""};
}

}  // namespace assay
