// Hands arbitrary bytes to the proof reader and what it reads to the verifier.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "assay/whir/proof.h"
#include "assay/whir/soundness.h"
#include "assay/whir/verify.h"

namespace {

using assay::whir::Mode;
using assay::whir::Parameters;
using assay::whir::Point;
using assay::whir::ProofFile;

// Larger instances take longer and reach no other line.
constexpr int kMostVariables = 12;
constexpr int kMostPoints = 16;

// A reader that accepts two spellings of a proof would be no strict one.
void CheckOneSpelling(const ProofFile& file, std::span<const std::byte> bytes) {
  const std::vector<std::byte> again = assay::whir::Encode(file);
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) {
    std::abort();
  }
}

void VerifyByHeader(const ProofFile& file) {
  const Parameters& parameters = file.parameters;
  if (parameters.n > kMostVariables || parameters.points > kMostPoints) {
    return;
  }
  const auto schedule = assay::whir::Derive(parameters);
  if (!schedule.ok()) return;
  std::vector<Point> points;
  if (parameters.mode == Mode::kGiven) {
    points =
        assay::whir::SeedPoints(file.seed, parameters.n, parameters.points);
  }
  const auto verdict = assay::whir::Verify(*schedule, points, file.proof);
  if (verdict.accepted == !verdict.check.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto file = assay::whir::Decode(bytes);
  if (!file.ok()) return 0;
  CheckOneSpelling(*file, bytes);
  if (!assay::whir::CheckCanonicalHeader(*file).ok()) return 0;
  VerifyByHeader(*file);
  return 0;
}
