// Verifies a proof file by parameters of its own, with assay_verify alone.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "assay/whir/proof.h"
#include "assay/whir/soundness.h"
#include "assay/whir/verify.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: verify_proof FILE\n"), 1;
  std::ifstream stream(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};

  // What is to be proven is known here and not taken from the file: 2^16
  // values, 90 proven bits, opened at two points that everybody can compute.
  assay::whir::Parameters trusted;
  trusted.n = 16;
  trusted.points = 2;
  const auto points = assay::whir::SeedPoints(7, trusted.n, trusted.points);
  const auto schedule = assay::whir::Derive(trusted);
  const auto file = assay::whir::Decode(std::as_bytes(std::span(text)));
  if (!schedule.ok() || !file.ok()) {
    const auto& error = schedule.ok() ? file.error() : schedule.error();
    return std::fprintf(stderr, "error: %s\n", error.what.c_str()), 1;
  }
  const auto verdict = assay::whir::Verify(*schedule, points, file->proof);
  if (!verdict.accepted) {
    std::printf("rejected by the check of %s: %s\n", verdict.check.c_str(),
                verdict.detail.c_str());
    return 2;
  }
  for (const assay::Ext4& value : file->proof.evals) {
    std::printf("accepted: f = %u + %u X + %u X^2 + %u X^3\n",
                value.c[0].Canonical(), value.c[1].Canonical(),
                value.c[2].Canonical(), value.c[3].Canonical());
  }
  return 0;
}
