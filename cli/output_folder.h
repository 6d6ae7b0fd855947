// A folder for results that is gone again where nothing was put into it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "assay/base/result.h"

namespace assay::cli {

class OutputFolder {
 public:
  explicit OutputFolder(std::string path) : path_(std::move(path)) {}
  // Takes away what Make made, as far as it is empty.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  // Makes the folder, and those that it is in. Fails with kIo.
  Status Make();

 private:
  std::string path_;
  std::filesystem::path made_;  // the first that was not there
};

}  // namespace assay::cli
