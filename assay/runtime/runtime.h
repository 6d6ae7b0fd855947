// A device that has been tried before it is trusted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/base/trace.h"
#include "assay/device/open_device.h"

namespace assay {

// The outcome of one case of one op on a device.
struct CaseResult {
  std::string op;    // "ntt"
  std::string name;  // "ntt.pass log_size=5 rows=3"
  bool passed = false;
  std::string detail;  // what differed first, or which kernel is absent
  double seconds = 0;
  bool absent = false;  // a kernel of it has no form on this device
};

struct Op;

// Runs the probe's cases of `op` that fit the device's budget, up to the first
// that fails; passed if none does. A device that could not run a case is an
// error, not a verdict on its arithmetic.
Result<CaseResult> Probe(Device& device, const Op& op);

struct RuntimeOptions {
  std::string device = "auto";
  int threads = 0;
  uint64_t memory_bytes = 0;
};

class Runtime {
 public:
  // Opens a device; runs no probe yet.
  static Result<std::unique_ptr<Runtime>> Open(const RuntimeOptions& options);

  // Over a device that is open already.
  static std::unique_ptr<Runtime> Over(std::unique_ptr<Device> device);

  Device& device() { return *device_; }

  // The processor beside a device, for what is not worth the way there: opened
  // when it is first asked for, with the same number of threads. This one
  // where the device is the processor.
  Result<Runtime*> Host();

  // Probes the named ops once; later calls remember the verdict. Fails with
  // kUntrusted naming the first failed case, or with the device's error.
  Status Trust(std::initializer_list<std::string_view> ops);

  // Every case of every op, or of one op: `assay selftest`.
  std::vector<CaseResult> SelfTest(std::string_view only_op = {});

 private:
  explicit Runtime(std::unique_ptr<Device> device)
      : device_(std::move(device)) {}
  std::unique_ptr<Device> device_;
  int threads_ = 0;
  std::unique_ptr<Runtime> host_;
  std::vector<std::pair<std::string, CaseResult>> tried_;
};

}  // namespace assay
