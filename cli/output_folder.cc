// Remembers the first folder that was missing, and removes from the last on.
// SPDX-License-Identifier: Apache-2.0
#include "cli/output_folder.h"

#include <fmt/format.h>

#include <system_error>

namespace assay::cli {

namespace fs = std::filesystem;

OutputFolder::~OutputFolder() {
  std::error_code reason;  // one that is not empty stays
  fs::path last = fs::path(path_).lexically_normal();
  if (!last.has_filename()) last = last.parent_path();
  while (!made_.empty()) {
    if (!fs::remove(last, reason) || last == made_) return;
    last = last.parent_path();
  }
}

Status OutputFolder::Make() {
  std::error_code reason;
  fs::path first = fs::path(path_).lexically_normal();
  if (!first.has_filename()) first = first.parent_path();
  fs::path missing;
  while (!first.empty() && !fs::exists(first, reason) && !reason) {
    missing = first;
    first = first.parent_path();
  }
  reason.clear();
  fs::create_directories(path_, reason);
  if (reason || !fs::is_directory(path_)) {
    return Error{Code::kIo,
                 fmt::format("cannot make the folder {}: {}", path_,
                             reason ? reason.message() : "it is a file"),
                 ""};
  }
  made_ = missing;
  return {};
}

}  // namespace assay::cli
