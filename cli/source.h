// Where the values of a polynomial come from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/number/babybear.h"
#include "cli/output.h"

namespace assay::cli {

// Exactly one of the three, with the number of variables that follows from
// it.
struct Source {
  enum class Kind : uint8_t {
    kSeed,   // the deterministic instance of a seed (docs/engines/whir.md,
             // section 12)
    kEvals,  // little-endian u32 below p, a power of two of them
    kInput,  // any bytes, three to an element, zero-padded
  };
  Kind kind = Kind::kSeed;
  uint64_t seed = 0;
  std::string path;
  uint64_t file_bytes = 0;
  int n = 0;
};

// What the flags say; empty text and 0 mean that a flag was not given.
struct SourceFlags {
  std::string seed;
  int n = 0;
  std::string evals;
  std::string input;
};

// Checks the flags and looks at the file's size, without reading it. Fails
// with kInvalidInput or kIo.
Result<Source> FindSource(const SourceFlags& flags);

// The 2^n values. Fails where the file has changed or holds a value >= p.
Result<std::vector<BabyBear>> LoadSource(const Source& source);

// Bytes three to an element, little-endian: element i is b[3i] + 2^8 b[3i+1]
// + 2^16 b[3i+2], with zeros after the end. Precondition: 3 * 2^n bytes are
// enough.
std::vector<BabyBear> PackBytes(std::span<const std::byte> bytes, int n);

// For the statement: kind, file, byte length, packing.
Json SourceJson(const Source& source);
// "README.md, 4713 bytes, three to an element".
std::string SourceWords(const Source& source);

}  // namespace assay::cli
