// Lists what this build can compute on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "assay/base/text.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace assay::cli {

int RunDevices(const DevicesArgs& args) {
  Json json = Json::array();
  std::vector<Row> rows;
  for (const DeviceInfo& info : ListDevices()) {
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
  if (args.json) {
    PrintJson({{"devices", std::move(json)}});
  } else {
    PrintRows(rows);
  }
  return kExitOk;
}

}  // namespace assay::cli
