// Ask the system how much memory it can give.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

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
  struct Files {
    const char *limit, *usage, *statistics, *cache;
  };
  constexpr Files kFiles[] = {
      {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
       "/sys/fs/cgroup/memory.stat", "inactive_file"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
       "/sys/fs/cgroup/memory/memory.usage_in_bytes",
       "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file"},
  };
  for (const Files& files : kFiles) {
    const std::optional<uint64_t> limit = NumberIn(files.limit);
    const std::optional<uint64_t> usage = NumberIn(files.usage);
    if (!limit || !usage) continue;
    std::ifstream statistics(files.statistics);
    return RoomInContainer(*limit, *usage, NumberOf(statistics, files.cache));
  }
  return UINT64_MAX;
}

}  // namespace

uint64_t NumberOf(std::istream& statistics, std::string_view name) {
  std::string key;
  for (uint64_t number = 0; statistics >> key >> number;) {
    if (key == name) return number;
  }
  return 0;
}

uint64_t RoomInContainer(uint64_t limit, uint64_t usage, uint64_t cache) {
  usage -= std::min(usage, cache);
  return limit - std::min(limit, usage);
}

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
