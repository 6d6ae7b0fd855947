// One opened adapter: its queue, its limits, and errors as Status.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "assay/base/result.h"
#include "assay/device/webgpu/handle.h"

namespace assay::webgpu {

// What times dispatches.
enum class Clock : uint8_t {
  kInPasses,  // the device, between the dispatches of one pass
  kAtPasses,  // the device, with a pass for each dispatch
  kHost,      // the host, from submission to completion
};

class Gpu {
 public:
  // Asks for all that the adapter can hold, and for the best clock that it has,
  // none better than `best`. Fails with kNoDevice.
  static Result<std::unique_ptr<Gpu>> Open(WGPUAdapter adapter,
                                           Clock best = Clock::kInPasses);
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  WGPUDevice device() const { return device_; }
  WGPUQueue queue() const { return queue_; }
  const WGPULimits& limits() const { return limits_; }
  Clock clock() const { return clock_; }
  double ns_per_tick() const { return ns_per_tick_; }

  // Runs `body` between error scopes. Whatever it did wrong comes back as a
  // Status: kDeviceLost, kOverBudget, else kInternal, with `what` and the
  // first lines of what the driver said.
  template <class F>
  Status Try(std::string_view what, F&& body) {
    ASSAY_TRY(Alive());
    Push();
    body();
    return Pop(what);
  }

  // kDeviceLost from the moment on that any call has found out; also what
  // happened outside of every scope, once.
  Status Alive();
  // Of these the loss alone, and nothing that is told once.
  Status Loss() const;

  // Asks the device: a few calls end the process where it is lost and nobody
  // has noticed.
  Status Probe();

  // Runs callbacks of what is done. With `submission` waits for it.
  void Poll(const WGPUSubmissionIndex* submission = nullptr);

  // Ends the device as a driver would that lost it. For tests.
  void Lose();
  // Of the calls that follow, the one after `calls` others fails with
  // kInternal, without being made. For tests.
  void FailAfter(int calls) { fails_after_ = calls; }

 private:
  Gpu() = default;
  void Push();
  Status Pop(std::string_view what);
  Error Lost() const;
  Error Translate(WGPUErrorType type, const std::string& text,
                  std::string_view what);

  WGPUDevice device_ = nullptr;
  WGPUQueue queue_ = nullptr;
  WGPULimits limits_ = WGPU_LIMITS_INIT;
  Clock clock_ = Clock::kHost;
  double ns_per_tick_ = 1;
  bool lost_ = false;
  int fails_after_ = -1;  // none
  std::string lost_because_;
  std::string uncaptured_;
};

}  // namespace assay::webgpu
