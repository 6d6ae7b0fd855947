// What adding up blocks over GF(2) computes: their XOR.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

// The least that can be done with data that is read once. Its kernel is the
// roof beside which the binary engine's kernels are measured: no kernel that
// reads as much can be faster.
namespace assay::xor_sum {

using Block = std::array<uint8_t, 16>;

// sum ^ all blocks of `bytes`. Precondition: a multiple of 16 bytes.
Block Add(Block sum, std::span<const uint8_t> bytes);

}  // namespace assay::xor_sum
