// Tries a device's kernels before an engine trusts them.
// SPDX-License-Identifier: Apache-2.0
#include "assay/runtime/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "assay/base/text.h"
#include "assay/ops/op_list.h"

namespace assay {
namespace {

std::vector<CaseResult> RunCases(Device& device, const Op& op) {
  std::vector<CaseResult> results;
  for (const OpCase& op_case : op.cases(CaseSize::kSmall)) {
    const CaseOutcome outcome = RunCase(device, op_case, /*compare=*/true);
    const bool absent = !outcome.status.ok() &&
                        outcome.status.error().code == Code::kUnsupported;
    results.push_back({std::string(op.name), op_case.name, outcome.passed,
                       outcome.detail, outcome.seconds, absent});
  }
  return results;
}

}  // namespace

Result<CaseResult> Probe(Device& device, const Op& op) {
  CaseResult result{std::string(op.name), {}, true, {}, 0};
  bool tried = false;
  for (const OpCase& op_case : op.cases(CaseSize::kProbe)) {
    // What is larger than all that the work may take tries nothing of it.
    if (!device.budget().Fits(BytesOf(op_case))) continue;
    tried = true;
    const CaseOutcome outcome = RunCase(device, op_case, /*compare=*/true);
    ASSAY_TRY(outcome.status);
    if (outcome.passed) continue;
    result.name = op_case.name;
    result.passed = false;
    result.detail = outcome.detail;
    break;
  }
  if (!tried) {
    return Error{
        Code::kOverBudget,
        fmt::format("{} left of {} hold no test of {}",
                    HumanBytes(device.budget().limit_bytes() -
                               device.budget().live_bytes()),
                    HumanBytes(device.budget().limit_bytes()), op.name),
        "raise --memory"};
  }
  return result;
}

Result<std::unique_ptr<Runtime>> Runtime::Open(const RuntimeOptions& options) {
  ASSAY_ASSIGN(device, OpenDevice(options.device,
                                  {options.threads, options.memory_bytes}));
  std::unique_ptr<Runtime> runtime = Over(std::move(device));
  runtime->threads_ = options.threads;
  return runtime;
}

std::unique_ptr<Runtime> Runtime::Over(std::unique_ptr<Device> device) {
  return std::unique_ptr<Runtime>(new Runtime(std::move(device)));
}

Result<Runtime*> Runtime::Host() {
  if (device_->info().kind == BackendKind::kCpu) return this;
  if (host_ == nullptr) {
    ASSAY_ASSIGN(host, Open({.device = "cpu", .threads = threads_}));
    host_ = std::move(host);
  }
  return host_.get();
}

Status Runtime::Trust(std::initializer_list<std::string_view> ops) {
  for (const std::string_view name : ops) {
    auto known = std::find_if(tried_.begin(), tried_.end(),
                              [&](const auto& t) { return t.first == name; });
    if (known == tried_.end()) {
      const Op* op = FindOp(name);
      if (op == nullptr) {
        return Error{Code::kInternal, fmt::format("no op '{}'", name), ""};
      }
      ASSAY_ASSIGN(verdict, Probe(*device_, *op));
      device_->budget().ResetPeak();
      tried_.emplace_back(std::string(name), std::move(verdict));
      known = std::prev(tried_.end());
    }
    if (!known->second.passed) {
      return Error{
          Code::kUntrusted,
          fmt::format("{} computes {} wrongly: {}", device_->info().name,
                      known->second.name, known->second.detail),
          "run `assay selftest`, or choose --device cpu"};
    }
  }
  return {};
}

std::vector<CaseResult> Runtime::SelfTest(std::string_view only_op) {
  std::vector<CaseResult> results;
  for (const Op& op : OpList()) {
    if (!only_op.empty() && op.name != only_op) continue;
    for (CaseResult& result : RunCases(*device_, op)) {
      results.push_back(std::move(result));
    }
  }
  return results;
}

}  // namespace assay
