// Plays the two modes of the duplex: observing and sampling.
// SPDX-License-Identifier: Apache-2.0
#include "assay/protocol/sha256_challenger.h"

#include <algorithm>
#include <array>

namespace assay {

Sha256Challenger::Sha256Challenger() : buffer_(Sha256Of({})) {
  hash_.Update(buffer_);
}

void Sha256Challenger::Observe(std::span<const uint8_t> bytes) {
  if (sampling_) {
    // How many samples were taken is part of the transcript.
    const std::array<uint8_t, 8> position = {static_cast<uint8_t>(position_)};
    hash_.Update(position);
    sampling_ = false;
  }
  hash_.Update(bytes);
}

void Sha256Challenger::Observe(Gf2_128 x) {
  std::array<uint8_t, 16> bytes;
  x.ToBytes(bytes);
  Observe(bytes);
}

void Sha256Challenger::Sample(std::span<uint8_t> bytes) {
  if (!sampling_) {
    sampling_ = true;
    position_ = buffer_.size();
  }
  while (!bytes.empty()) {
    if (position_ == buffer_.size()) {
      buffer_ = hash_.Finish();
      hash_.Update(buffer_);
      position_ = 0;
    }
    const size_t count = std::min(bytes.size(), buffer_.size() - position_);
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(position_), count,
                bytes.begin());
    position_ += count;
    bytes = bytes.subspan(count);
  }
}

Gf2_128 Sha256Challenger::SampleElement() {
  std::array<uint8_t, 16> bytes;
  Sample(bytes);
  return Gf2_128::FromBytes(bytes);
}

}  // namespace assay
