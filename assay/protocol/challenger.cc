// The duplex sponge of docs/engines/whir.md, section 3.
// SPDX-License-Identifier: Apache-2.0
#include "assay/protocol/challenger.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

constexpr int kRate = poseidon2::kRate;
static_assert(kRate == 8, "the header's buffer holds one block");

// Joins a run of one operation into a line.
void LogRun(TranscriptLog* log, char operation, BabyBear x) {
  if (log == nullptr) return;
  if (log->empty() || log->back()[0] != operation) {
    log->push_back(std::string(1, operation));
  }
  fmt::format_to(std::back_inserter(log->back()), " {}", x.Canonical());
}

}  // namespace

void DuplexChallenger::Duplex() {
  if (input_size_ > 0) {
    std::copy_n(input_.begin(), input_size_, state_.begin());
    std::fill(state_.begin() + input_size_, state_.begin() + kRate,
              BabyBear::Zero());
    state_[kRate] += BabyBear::From(static_cast<uint32_t>(input_size_));
  }
  input_size_ = 0;
  poseidon2::Permute(state_);
  output_size_ = kRate;
}

void DuplexChallenger::Absorb(BabyBear x) {
  output_size_ = 0;
  input_[input_size_++] = x;
  if (input_size_ == kRate) Duplex();
}

BabyBear DuplexChallenger::Squeeze() {
  if (input_size_ > 0 || output_size_ == 0) Duplex();
  // The peer's output is a stack: the last cell of the rate comes first.
  return state_[--output_size_];
}

void DuplexChallenger::Observe(BabyBear x) {
  LogRun(log_, 'o', x);
  Absorb(x);
}

void DuplexChallenger::Observe(std::span<const BabyBear> xs) {
  for (const BabyBear x : xs) Observe(x);
}

void DuplexChallenger::Observe(const Ext4& x) {
  for (const BabyBear c : x.c) Observe(c);
}

void DuplexChallenger::Observe(const poseidon2::Digest& digest) {
  for (const BabyBear x : digest) Observe(x);
}

BabyBear DuplexChallenger::Sample() {
  const BabyBear x = Squeeze();
  LogRun(log_, 's', x);
  return x;
}

Ext4 DuplexChallenger::SampleExt() {
  Ext4 x;
  for (BabyBear& c : x.c) c = Sample();
  return x;
}

uint32_t DuplexChallenger::SampleUniformBits(int bits) {
  if (bits == 0) return 0;
  const uint32_t mask = (uint32_t{1} << bits) - 1;
  // p less its low bits: below it every residue of 2^bits is as frequent.
  const uint32_t limit = BabyBear::kPrime & ~mask;
  uint32_t value = Squeeze().Canonical();
  while (value >= limit) value = Squeeze().Canonical();
  value &= mask;
  if (log_ != nullptr) log_->push_back(fmt::format("u {} {}", bits, value));
  return value;
}

bool DuplexChallenger::CheckWitness(int bits, BabyBear witness) {
  if (bits == 0) return witness == BabyBear::Zero();
  if (log_ != nullptr) {
    log_->push_back(fmt::format("g {} {}", bits, witness.Canonical()));
  }
  Absorb(witness);
  const uint32_t mask = bits >= 32 ? ~uint32_t{0} : (uint32_t{1} << bits) - 1;
  return (Squeeze().Canonical() & mask) == 0;
}

DuplexChallenger::GrindState DuplexChallenger::PrepareGrind() const {
  GrindState grind = {state_, input_size_};
  std::copy_n(input_.begin(), input_size_, grind.state.begin());
  std::fill(grind.state.begin() + input_size_, grind.state.begin() + kRate,
            BabyBear::Zero());
  grind.state[kRate] += BabyBear::From(static_cast<uint32_t>(input_size_ + 1));
  return grind;
}

}  // namespace assay
