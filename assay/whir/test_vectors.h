// What the tests of this room read from testdata/whir.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assay/whir/proof.h"
#include "assay/whir/soundness.h"
#include "assay/whir/verify.h"

namespace assay::whir {

// Proofs of the peer with a trace beside them.
inline constexpr const char* kTracedProofs[] = {
    "n7_f4_one_round", "n8_f2_given",      "n8_f2_drawn_2pt", "n9_f3_jb",
    "n9_f3_ud",        "n10_f4_r2_suffix", "n12_f4_3pt",      "n12_f4_red3",
    "n12_f5_partial",  "n16_f4_jb90",      "n16_f4_jb100",    "n16_f4_cb90"};

// Proofs with at most nine variables, some with rounds, both orders and
// modes, all regimes, with and without grinding.
inline constexpr const char* kSmallProofs[] = {
    "n7_f4_one_round", "n8_f2_given", "n8_f2_drawn_2pt", "n9_f3_jb",
    "n9_f3_ud",        "n8_f1_jb",    "n9_f1_ud_suffix", "n9_f2_fold_grind"};

inline std::vector<std::byte> ReadProofBytes(const std::string& name) {
  std::ifstream file(ASSAY_TESTDATA "/whir/proof_" + name + ".bin",
                     std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(text.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(text[i]);
  }
  return bytes;
}

inline nlohmann::json ReadVectors(const std::string& name) {
  std::ifstream file(ASSAY_TESTDATA "/whir/" + name);
  EXPECT_TRUE(file.good()) << name;
  return nlohmann::json::parse(file);
}

// The statement's points: by the header's seed, or none.
inline std::vector<Point> HeaderPoints(const ProofFile& file) {
  if (file.parameters.mode == Mode::kDrawn) return {};
  return SeedPoints(file.seed, file.parameters.n, file.parameters.points);
}

// Reads and verifies a file by its own header, as policy `any` does.
inline Verdict VerifyFile(const std::vector<std::byte>& bytes) {
  const Result<ProofFile> file = Decode(bytes);
  if (!file.ok()) return {false, "reader", file.error().what};
  const Status canonical = CheckCanonicalHeader(*file);
  if (!canonical.ok()) return {false, "header", canonical.error().what};
  const Result<Schedule> schedule = Derive(file->parameters);
  if (!schedule.ok()) return {false, "parameters", schedule.error().what};
  return Verify(*schedule, HeaderPoints(*file), file->proof);
}

}  // namespace assay::whir
