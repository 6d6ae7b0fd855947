// Ask the system how much memory it can give.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <string_view>

namespace assay {

// Bytes that this process can take without swapping, within the limit of the
// container that it may run in. All memory where the system does not say.
uint64_t AvailableBytes();

// What is left under a container's limit: its use counts files that were read
// and can be dropped, `cache` of them.
uint64_t RoomInContainer(uint64_t limit, uint64_t usage, uint64_t cache);

// The number beside `name` in lines of names and numbers; 0 where it is not.
uint64_t NumberOf(std::istream& statistics, std::string_view name);

}  // namespace assay
