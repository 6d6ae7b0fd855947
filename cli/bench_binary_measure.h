// Times kernels and proofs of the binary engine on one device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "assay/base/progress.h"
#include "assay/runtime/runtime.h"
#include "cli/bench_binary.h"
#include "cli/bench_binary_data.h"

namespace assay::cli {

// Hears of each curve when it is complete.
using CurveSink = std::function<void(const BenchCurve&)>;

// Measures all curves of the runtime's device, called `name`, and appends
// them; what is left out is noted with the device. Each kernel is compared
// with its meaning first. Fails with kInternal where they differ, with the
// device's errors, and with kCancelled.
Status MeasureBinary(Runtime& runtime, const std::string& name,
                     const BenchBinaryArgs& args, const Progress& progress,
                     const CurveSink& sink, BenchBinaryData* data);

}  // namespace assay::cli
