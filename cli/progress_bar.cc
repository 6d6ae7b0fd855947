// Draws one line over and over.
// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/host.h"
#include "cli/output.h"

namespace assay::cli {
namespace {

constexpr uint64_t kWidth = 30;
constexpr auto kDelay = std::chrono::seconds(1);

}  // namespace

ProgressBar::ProgressBar(std::string_view verb)
    : verb_(verb),
      terminal_(isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()) {
  CatchInterrupts();
}

ProgressBar::~ProgressBar() {
  Erase();
  ReleaseInterrupts();
}

Progress ProgressBar::Sink() {
  return [this](std::string_view stage, uint64_t done, uint64_t total) {
    return Step(stage, done, total);
  };
}

bool ProgressBar::Step(std::string_view stage, uint64_t done, uint64_t total) {
  if (terminal_ && total > 0 &&
      std::chrono::steady_clock::now() - begin_ > kDelay) {
    done = std::min(done, total);
    const uint64_t filled = done * kWidth / total;
    Complain(fmt::format("\r\033[K{} [{:#<{}}{:.<{}}] {}/{} {}", verb_, "",
                         filled, "", kWidth - filled, done, total, stage));
    std::fflush(stderr);
    shown_ = true;
  }
  return !Interrupted();
}

void ProgressBar::Erase() {
  if (!shown_) return;
  Complain("\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace assay::cli
