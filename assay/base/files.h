// Reads and writes whole files, so that no half-written one remains.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"

namespace assay {

// The bytes of a file of at most `limit_bytes`. Fails with kIo (the text names
// the path and the system's reason), and with kInvalidInput if the file is
// larger.
Result<std::vector<std::byte>> ReadFile(const std::string& path,
                                        uint64_t limit_bytes);

// Replaces the file at once: writes a file beside it, syncs it, renames it.
// Whoever looks sees the old bytes or the new ones; after a failure (kIo) the
// old ones. What exists and is no regular file (a pipe, /dev/null) is written
// to directly; a directory is refused.
Status WriteFile(const std::string& path, std::span<const std::byte> bytes);
Status WriteFile(const std::string& path, std::string_view text);

// Fails as WriteFile would for a path that can not be written (missing or
// unwritable folder, directory), before any work is spent on the bytes.
Status CheckWritable(const std::string& path);

}  // namespace assay
