// Ask the system how much memory it can give.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace assay {
namespace {

// The first number in a file; none for "max" or no file.
std::optional<uint64_t> NumberIn(const char* path) {
  std::ifstream file(path);
  uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

// What a container still lets this process take (cgroup v2, then v1).
uint64_t ContainerBytes() {
  constexpr const char* kFiles[][2] = {
      {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
       "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
  };
  for (const auto& [limit_file, usage_file] : kFiles) {
    const std::optional<uint64_t> limit = NumberIn(limit_file);
    const std::optional<uint64_t> usage = NumberIn(usage_file);
    if (limit && usage) return *limit - std::min(*limit, *usage);
  }
  return UINT64_MAX;
}

}  // namespace

uint64_t AvailableBytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    uint64_t kibibytes = 0;
    if (key == "MemAvailable:" && file >> kibibytes) {
      return std::min(kibibytes << 10, ContainerBytes());
    }
    file.ignore(256, '\n');
  }
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace assay
