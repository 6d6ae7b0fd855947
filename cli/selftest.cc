// Tries every case of every kernel on this machine.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "assay/base/text.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace assay::cli {
namespace {

Json ToJson(const DeviceInfo& info, const std::vector<CaseResult>& cases) {
  Json json;
  json["device"] = info.name;
  json["backend"] = std::string(BackendName(info.kind));
  size_t passed = 0, absent = 0;
  Json list = Json::array();
  for (const CaseResult& c : cases) {
    passed += c.passed ? 1 : 0;
    absent += c.absent ? 1 : 0;
    list.push_back({{"op", c.op},
                    {"name", c.name},
                    {"passed", c.passed},
                    {"absent", c.absent},
                    {"detail", c.detail},
                    {"case_ms", RoundMs(c.seconds * 1e3)}});
  }
  json["passed"] = passed;
  json["absent"] = absent;
  json["failed"] = cases.size() - passed - absent;
  json["cases"] = std::move(list);
  return json;
}

// One line an operation, and one a failed case.
void PrintCases(const DeviceInfo& info, const std::vector<CaseResult>& cases) {
  struct Sum {
    size_t passed = 0;
    size_t absent = 0;
    size_t total = 0;
    double seconds = 0;
  };
  std::map<std::string, Sum> by_op;
  for (const CaseResult& c : cases) {
    Sum& sum = by_op[c.op];
    sum.total += 1;
    sum.passed += c.passed ? 1 : 0;
    sum.absent += c.absent ? 1 : 0;
    sum.seconds += c.seconds;
  }
  std::vector<Row> rows = {{"device", info.name + ", " + info.detail}};
  for (const auto& [op, sum] : by_op) {
    std::string text;
    if (sum.absent < sum.total) {
      text = fmt::format("{} of {} cases passed in {}", sum.passed,
                         sum.total - sum.absent, HumanTime(sum.seconds));
    }
    if (sum.absent > 0) {
      text +=
          fmt::format("{}{} cases absent: no {} form", text.empty() ? "" : ", ",
                      sum.absent, BackendName(info.kind));
    }
    rows.emplace_back(op, text);
  }
  for (const CaseResult& c : cases) {
    if (c.passed || c.absent) continue;
    rows.emplace_back("FAILED", fmt::format("{}: {}", c.name, c.detail));
  }
  PrintRows(rows);
}

}  // namespace

int RunSelfTest(const SelfTestArgs& args) {
  Result<std::unique_ptr<Runtime>> runtime = Runtime::Open(args.runtime);
  if (!runtime.ok()) return Fail(runtime.error());
  const std::vector<CaseResult> cases = (*runtime)->SelfTest(args.op);
  if (cases.empty()) {
    return Fail({Code::kInvalidInput,
                 fmt::format("there is no operation \"{}\"", args.op),
                 "assay selftest without a name tries all of them"});
  }
  const DeviceInfo& info = (*runtime)->device().info();
  if (args.json) {
    PrintJson(ToJson(info, cases));
  } else {
    PrintCases(info, cases);
  }
  const auto failed =
      std::count_if(cases.begin(), cases.end(),
                    [](const CaseResult& c) { return !c.passed && !c.absent; });
  if (failed == 0 &&
      std::all_of(cases.begin(), cases.end(),
                  [](const CaseResult& c) { return c.absent; })) {
    return Fail({Code::kUnsupported,
                 fmt::format("nothing of {} has a {} form yet",
                             args.op.empty() ? "this build" : args.op,
                             BackendName(info.kind)),
                 "--device cpu"});
  }
  if (failed == 0) return kExitOk;
  return Fail({Code::kUntrusted,
               fmt::format("{} of {} cases failed", failed, cases.size()),
               "proofs made on this device can not be trusted"});
}

}  // namespace assay::cli
