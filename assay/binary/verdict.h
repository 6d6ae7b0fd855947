// What a verifier of this engine answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace assay::binary {

// `check` names the test that failed, empty where accepted.
struct Verdict {
  bool accepted = false;
  std::string check;   // short name, e.g. "values"
  std::string detail;  // one sentence
};

}  // namespace assay::binary
