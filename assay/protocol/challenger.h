// A duplex sponge that turns a transcript into challenges.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/number/ext4.h"
#include "assay/ops/poseidon2/poseidon2.h"

namespace assay {

// Lines of a transcript, canonical values: "o v ..." observed, "s v ..."
// sampled base elements, "u b v" uniform b-bit draw, "g b w" proof of work
// with witness w. A run of observes makes one line, and so does a run of
// samples; draws and proofs of work of 0 bits leave no line.
using TranscriptLog = std::vector<std::string>;

// Poseidon2 duplex challenger, width 16, rate 8 (docs/engines/whir.md,
// section 3).
class DuplexChallenger {
 public:
  explicit DuplexChallenger(TranscriptLog* log = nullptr) : log_(log) {}

  void Observe(BabyBear x);
  void Observe(std::span<const BabyBear> xs);
  void Observe(const Ext4& x);
  void Observe(const poseidon2::Digest& digest);

  BabyBear Sample();
  Ext4 SampleExt();
  // Uniform in [0, 2^bits), bits <= 27; 0 bits draw nothing.
  uint32_t SampleUniformBits(int bits);

  // Absorbs a witness and tells whether its low `bits` bits vanish. With
  // bits = 0 absorbs nothing and asks for a zero witness.
  bool CheckWitness(int bits, BabyBear witness);

  // The state a proof-of-work search starts from: a candidate w goes to cell
  // `position`, and w is a witness iff the low bits of the canonical value of
  // Permute(state)[7] vanish.
  struct GrindState {
    poseidon2::State state;
    int position;
  };
  GrindState PrepareGrind() const;

 private:
  void Duplex();
  void Absorb(BabyBear x);
  BabyBear Squeeze();

  poseidon2::State state_ = {};
  std::array<BabyBear, 8> input_ = {};
  int input_size_ = 0;
  int output_size_ = 0;  // cells state_[0..output_size_) are still unread
  TranscriptLog* log_;
};

}  // namespace assay
