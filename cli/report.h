// Writes a page about one proof that needs no other file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/runtime/report.h"
#include "assay/whir/verify.h"
#include "cli/output.h"

namespace assay::cli {

// Everything in it is text for people; it is escaped here.
struct ReportPage {
  std::string title;
  std::string claim;  // what is proven, one sentence
  std::vector<std::string> values;
  bool checked = false;
  whir::Verdict verdict;                  // where checked
  std::optional<whir::Verdict> tampered;  // of a copy with one bit changed
  std::string tampered_bit;               // "bit 3 of byte 4711"
  bool proven = true;                     // the regime's bound
  std::string soundness;                  // in words
  std::vector<Row> parameters;
  std::vector<Row> figures;  // sizes and times
  std::vector<Step> steps;   // the picture
};

std::string ReportHtml(const ReportPage& page);

}  // namespace assay::cli
