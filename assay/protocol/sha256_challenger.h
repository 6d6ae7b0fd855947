// Turns a transcript into challenges by hashing it with SHA-256.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "assay/hash/sha256.h"
#include "assay/number/gf2_128.h"

namespace assay {

// A duplex by hashing (docs/engines/binary.md, section 2.4), the same as
// binius64's. Observations concatenate: nothing marks where one ends. A digest
// gives 32 bytes of samples, and after the last one the hash goes on from that
// digest. Cannot fail.
class Sha256Challenger {
 public:
  Sha256Challenger();

  // Precondition: not empty, since even then it would end the samples.
  void Observe(std::span<const uint8_t> bytes);
  void Observe(Gf2_128 x);  // its 16 bytes

  void Sample(std::span<uint8_t> bytes);
  Gf2_128 SampleElement();  // of 16 bytes, every string being an element

 private:
  Sha256 hash_;
  Sha256Hash buffer_;
  size_t position_ = 0;  // in buffer_
  bool sampling_ = true;
};

}  // namespace assay
