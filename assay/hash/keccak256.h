// The Keccak-256 hash that seeds transcripts, with its original padding.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace assay {

using Keccak256Hash = std::array<uint8_t, 32>;

// Keccak[c=512] with the padding byte 0x01 of the 2011 submission, which is
// not that of SHA3-256. One Keccak-f[1600] for each 136 bytes; cannot fail.
Keccak256Hash Keccak256(std::span<const uint8_t> bytes);
Keccak256Hash Keccak256(std::string_view text);

}  // namespace assay
