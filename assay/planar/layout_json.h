// Reads a layout from JSON and writes it, as docs/planar-layout.schema.json.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "assay/base/result.h"
#include "assay/planar/layout.h"

namespace assay::planar {

// The layout that `text` says; `file` is for messages. Masks are named but
// not read. Fails with kInvalidInput, naming file, line and key: broken JSON,
// unknown, missing or repeated keys, wrong types, and what FindFault finds.
Result<Layout> ParseLayout(std::string_view text, const std::string& file);

// ParseLayout of a file, with its masks, whose paths start at its folder.
// Fails as ParseLayout, with kIo, and as ReadMaskPng.
Result<Layout> ReadLayout(const std::string& path, uint64_t most_pixels);

// JSON that ParseLayout reads back to an equal layout, a shape a line.
std::string WriteLayout(const Layout& layout);

}  // namespace assay::planar
