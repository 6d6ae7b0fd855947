// A bar on the terminal for work that takes longer than a second.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "assay/base/progress.h"

namespace assay::cli {

// Writes to stderr, and only where that is a terminal. Erased on destruction.
// While it lives, the first Ctrl-C or SIGTERM cancels the work.
class ProgressBar {
 public:
  explicit ProgressBar(std::string_view verb);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // To hand to an engine; must not outlive the bar. Cancels the work after
  // Ctrl-C.
  Progress Sink();
  void Erase();

 private:
  bool Step(std::string_view stage, uint64_t done, uint64_t total);

  std::string verb_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace assay::cli
