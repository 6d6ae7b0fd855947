// Laws of the grid's page: every mode is drawn, ratios and roofs are right.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "cli/bench.h"

namespace assay::cli {
namespace {

GridCell Cell(const std::string& mode, double ms) {
  GridCell cell;
  cell.mode = mode;
  cell.figures.emplace();
  cell.figures->prove_ms = ms;
  cell.figures->proof_bytes = 2048;
  cell.figures->traffic = {.submissions = 27, .waits = 26, .uploads = 16};
  // 1 ms: 2e9 bytes a second and 3e9 products.
  cell.figures->kernels = {{"ntt.encode", "cuda", 1.0, 4, 2000000, 3000000},
                           {"openings.rows", "cuda", 0.5, 4, 0, 0}};
  return cell;
}

GridResult At(int n, double cpu_ms) {
  GridResult result;
  result.row = {n, 4, 1, 0};
  result.cells = {Cell("cpu", cpu_ms), Cell("gpu", 4), Cell("fused", 2)};
  GridCell none;
  none.mode = "grind";
  none.error = Error{Code::kOverBudget, "too <large>", ""};
  result.cells.push_back(none);
  return result;
}

GridData Data() {
  GridData data;
  data.host = "a processor";
  data.device = "a GPU";
  data.runs = 3;
  data.roofs = {4e9, 12e9};
  data.results = {At(20, 30), At(22, 90)};
  return data;
}

bool Has(const std::string& page, std::string_view text) {
  return page.find(text) != std::string::npos;
}

TEST(GridPage, TheFastestModeIsComparedWithTheProcessor) {
  const GridResult result = At(20, 30);
  ASSERT_NE(result.Best(), nullptr);
  EXPECT_EQ(result.Best()->mode, "fused");
  EXPECT_DOUBLE_EQ(result.SpeedUp(), 15);
  GridResult alone = result;
  alone.cells.resize(1);
  EXPECT_EQ(alone.Best(), nullptr);
  EXPECT_EQ(alone.SpeedUp(), 0);
}

TEST(GridPage, EveryModeAndRatioStandsThere) {
  const std::string page = GridPage(Data());
  for (const char* text :
       {"a processor", "a GPU", "Proving, fold 4, rate 1", "n=22, fold 4",
        ">15.00<", ">45.00<", "<th>grind</th>", "27 submissions"}) {
    EXPECT_TRUE(Has(page, text)) << text;
  }
  EXPECT_FALSE(Has(page, "Proving, fold 3"));
}

TEST(GridPage, KernelsStandBesideTheRoofs) {
  const std::string page = GridPage(Data());
  // 2 of 4 GB/s, 3 of 12 G products/s.
  EXPECT_TRUE(Has(page, "<td>2.0</td><td>50 %</td>"));
  EXPECT_TRUE(Has(page, "<td>3.0</td><td>25 %</td>"));
  EXPECT_TRUE(Has(page, "openings.rows"));
}

TEST(GridPage, WhatWasNotMeasuredSaysWhyInText) {
  GridData data = Data();
  data.results.resize(1);
  for (GridCell& cell : data.results[0].cells) {
    cell.figures.reset();
    cell.error = Error{Code::kOverBudget, "too <large>", ""};
  }
  const std::string page = GridPage(data);
  EXPECT_TRUE(Has(page, "too &lt;large&gt;"));
  EXPECT_FALSE(Has(page, "<large>"));
}

}  // namespace
}  // namespace assay::cli
