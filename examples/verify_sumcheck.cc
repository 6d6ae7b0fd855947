// Verifies a sum-check over columns that it knows, with assay_verify alone.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "assay/binary/columns.h"
#include "assay/binary/proof.h"
#include "assay/binary/verify.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: verify_sumcheck FILE SEED N D\n");
    return 1;
  }
  std::ifstream stream(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto proof = assay::binary::Decode(std::as_bytes(std::span(text)));
  if (!proof.ok()) {
    return std::printf("rejected: %s\n", proof.error().what.c_str()), 2;
  }

  // The columns are known here and not taken from the file: d of them with 2^n
  // elements each, generated from a seed. FileColumns and MemoryColumns take
  // data; any class of Columns will do.
  const int n = std::atoi(argv[3]), d = std::atoi(argv[4]);
  if (n < 1 || n > 30 || d < 1 || d > assay::binary::kMaxFactors) return 1;
  const auto columns =
      assay::binary::SeedColumns(std::strtoull(argv[2], nullptr, 0), n, d);

  const auto verdict = assay::binary::Verify(*proof, *columns);
  if (!verdict.ok()) {
    return std::fprintf(stderr, "%s\n", verdict.error().what.c_str()), 1;
  }
  if (!verdict->accepted) {
    std::printf("rejected by the check of %s: %s\n", verdict->check.c_str(),
                verdict->detail.c_str());
    return 2;
  }
  std::array<uint8_t, 16> sum;
  proof->statement.sum.ToBytes(sum);
  std::printf("accepted: the sum of the products is ");
  for (const uint8_t byte : sum) std::printf("%02x", byte);
  std::printf("\n");
  return 0;
}
