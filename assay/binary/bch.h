// Binary BCH codes: generator polynomials, parity and syndromes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/result.h"
#include "assay/device/device.h"
#include "assay/ops/crc/crc.h"

namespace assay::binary {

// The narrow-sense primitive code of length 2^m - 1 that corrects t errors:
// its generator is the least common multiple of the minimal polynomials of
// a, a^3, .., a^(2t - 1), where a is a root of the primitive polynomial of the
// usual tables (Lin and Costello, Error Control Coding, 2nd edition, table
// 2.7). Parity is a remainder, so encoding is the kernel of CRCs with another
// polynomial, registers that start from zero, and nothing complemented.
//
// Bits go in the order of a CRC: bit 0 of byte 0 is the first, the highest
// coefficient. A message that is not whole bytes has zeros in front; a
// shorter message is a shortened code.
class BchCode {
 public:
  // 3 <= m <= 16, t >= 1. Fails with kInvalidInput where there is no such code,
  // and with kUnsupported beyond 64 parity bits.
  static Result<BchCode> Make(int m, int t);

  int m() const { return m_; }
  int t() const { return t_; }
  // 2^m - 1 bits, parity included.
  int length() const { return (1 << m_) - 1; }
  int parity_bits() const { return generator_.width; }
  int message_bits() const { return length() - parity_bits(); }
  // For crc::Advance and RecordCrc.
  const crc::Generator& generator() const { return generator_; }
  // g(x) without its top term, bit i belongs to x^i.
  uint64_t polynomial() const { return polynomial_; }

  // The parity of a message: bit i belongs to x^(parity_bits - 1 - i).
  uint64_t Parity(std::span<const std::byte> message) const;

  // S_1, .., S_2t of a received word: the values at a, .., a^2t of what its
  // parity differs by from that of its message. All zero for a code word; an
  // error at x^e adds a^(e j) to S_j. Elements as polynomials in a.
  std::vector<uint16_t> Syndromes(uint64_t difference) const;

  // a^e.
  uint16_t PowerOfA(uint64_t e) const;

 private:
  BchCode(int m, int t) : m_(m), t_(t) {}

  int m_;
  int t_;
  uint64_t polynomial_ = 0;
  crc::Generator generator_ = {1, 1};
};

// parity[i] = the parity of message i, for `count` messages of `bytes` bytes,
// `stride` apart. Precondition: `parity` is zero. Two carry-less products for
// 16 bytes.
void RecordBchParity(Recorder& recorder, const BchCode& code,
                     const View<std::byte>& messages, uint32_t count,
                     uint64_t stride, uint64_t bytes,
                     const View<uint64_t>& parity);

}  // namespace assay::binary
