// What the operating system tells about this process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "assay/base/result.h"

namespace assay::cli {

// Processor time of all threads so far.
double ProcessCpuMs();

// Most memory this process has held; 0 where the system does not say.
uint64_t PeakResidentBytes();
// Starts counting anew, where the system lets us (Linux).
void ResetPeakResident();

// A seed from the operating system, never 0.
Result<uint64_t> RandomSeed();

// From now on Ctrl-C, SIGTERM and a lost terminal (SIGHUP) ask for a clean end;
// a second one ends at once.
void CatchInterrupts();
void ReleaseInterrupts();
bool Interrupted();

// Makes a write beyond the file size limit an error instead of an end.
void IgnoreFileSizeSignal();

}  // namespace assay::cli
