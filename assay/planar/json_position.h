// Finds the line of a key in JSON text, for error messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace assay::planar {

// The line, from 1, of `offset` in `text`.
size_t LineOfOffset(std::string_view text, size_t offset);

// The line of the value that `key`, such as "ports[1].from", leads to in
// valid JSON; where the key leads nowhere, that of the innermost one found.
size_t LineOfKey(std::string_view text, std::string_view key);

}  // namespace assay::planar
