// Lists what this build can compute on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assay/base/text.h"
#include "cli/output.h"
#include "cli/verbs.h"
#if defined(ASSAY_CUDA)
#include "assay/number/clmad.h"
#endif

namespace assay::cli {
namespace {

// What a backend of this build does that its devices do not say: the row or
// the member of the answer that stands for it.
struct BackendFact {
  std::string name;     // "cuda"
  std::string what;     // "carry-less products by clmad"
  std::string problem;  // why it has no device here; empty: it has
};

std::vector<BackendFact> BackendFacts(
    [[maybe_unused]] const std::vector<DeviceInfo>& devices) {
  std::vector<BackendFact> facts;
#if defined(ASSAY_CUDA)
  BackendFact cuda = {
      "cuda", fmt::format("carry-less products: {}", gpu::CarryLessForm()), ""};
  if (std::none_of(devices.begin(), devices.end(), [](const DeviceInfo& info) {
        return info.kind == BackendKind::kCuda;
      })) {
    const auto device = OpenDevice("cuda");
    cuda.problem = device.ok() ? "no device listed" : device.error().what;
  }
  facts.push_back(std::move(cuda));
#endif
  return facts;
}

}  // namespace

int RunDevices(const DevicesArgs& args) {
  Json json = Json::array();
  std::vector<Row> rows;
  const std::vector<DeviceInfo> devices = ListDevices();
  for (const DeviceInfo& info : devices) {
    // The first device of a backend answers to the backend's name alone.
    std::string name(BackendName(info.kind));
    if (info.index != 0) name += fmt::format(":{}", info.index);
    rows.emplace_back(name,
                      fmt::format("{}, {}, {} free", info.name, info.detail,
                                  HumanBytes(info.memory_bytes)));
    json.push_back({{"device", name},
                    {"name", info.name},
                    {"detail", info.detail},
                    {"memory_bytes", info.memory_bytes},
                    {"lanes", info.lanes},
                    {"threads", info.threads},
                    {"unified_memory", info.unified_memory}});
  }
  Json backends = Json::array();
  for (const BackendFact& fact : BackendFacts(devices)) {
    rows.emplace_back(fact.name,
                      fact.problem.empty()
                          ? fact.what
                          : fmt::format("{} ({})", fact.problem, fact.what));
    backends.push_back({{"backend", fact.name},
                        {"what", fact.what},
                        {"problem", fact.problem}});
  }
  if (args.json) {
    PrintJson(
        {{"devices", std::move(json)}, {"backends", std::move(backends)}});
  } else {
    PrintRows(rows);
  }
  return kExitOk;
}

}  // namespace assay::cli
