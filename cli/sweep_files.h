// Says which files a sweep writes and writes those of a layout together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/layout.h"
#include "cli/sweep.h"

namespace assay::cli {

// One layout of the command line and what becomes of it.
struct SweepJob {
  std::string path;  // as it was given
  std::string name;  // of the file, without folder and .json
  std::optional<planar::Layout> layout;
  std::optional<Error> error;   // why it can not be swept
  std::vector<double> shift_m;  // --shift in metres, a port each, or empty
  // Places of outputs, empty where not asked for. Pictures: a folder.
  std::string touchstone, csv, report, trace, pictures;

  size_t ports() const { return layout->ports.size(); }
};

// Reads the layouts and gives each its places. What is wrong with one layout
// is its job's error: it can not be read, --zref or --shift does not fit its
// ports, nor the suffix or version of --out, a place can not be written. Fails
// with kInvalidInput where the command as a whole makes no sense: one file for
// several layouts, an output that is another output, a layout or a mask,
// pictures of two layouts that have the same name.
//
// A place may hold {name} and {ports}. One that is a folder, or ends in /,
// gets the layout's name: out/ is out/{name}.s{ports}p.
Result<std::vector<SweepJob>> PlanSweep(const SweepArgs& args);

// A file and all of its bytes.
using Output = std::pair<std::string, std::vector<std::byte>>;
Output TextOutput(std::string path, std::string_view text);

// All of them or none, as far as files can; none where two have one name.
// `folder`, where not empty, is
// made first if it is missing, and taken away again after a failure.
Status WriteTogether(const std::vector<Output>& outputs,
                     const std::string& folder);

}  // namespace assay::cli
