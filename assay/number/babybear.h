// The prime field of p = 15 * 2^27 + 1 in Montgomery form, for host and CUDA.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif

namespace assay {

// One element: x is held as x * 2^32 mod p, always below p. The residue is
// also the wire form (docs/engines/whir.md, section 1). Not constant-time.
struct BabyBear {
  static constexpr uint32_t kPrime = 0x78000001;
  static constexpr uint32_t kInverse = 0x88000001;     // p^-1 mod 2^32
  static constexpr uint32_t kRSquared = 1172168163;    // 2^64 mod p
  static constexpr uint32_t kOneResidue = 0x0ffffffe;  // 2^32 mod p
  static constexpr uint32_t kGenerator = 31;
  static constexpr int kTwoAdicity = 27;

  uint32_t residue = 0;

  // x * 2^-32 mod p for x < 2^32 * p.
  ASSAY_HD static constexpr uint32_t Reduce(uint64_t x) {
    const uint32_t q = static_cast<uint32_t>(x) * kInverse;
    const uint32_t high = static_cast<uint32_t>(x >> 32);
    const uint32_t qp =
        static_cast<uint32_t>((static_cast<uint64_t>(q) * kPrime) >> 32);
    return high - qp + (high < qp ? kPrime : 0);
  }

  ASSAY_HD static constexpr BabyBear FromResidue(uint32_t residue) {
    return BabyBear{residue};
  }
  // Any 32-bit integer, taken mod p.
  ASSAY_HD static constexpr BabyBear From(uint32_t x) {
    return BabyBear{Reduce(static_cast<uint64_t>(x) * kRSquared)};
  }
  ASSAY_HD static constexpr BabyBear From64(uint64_t x) {
    return From(static_cast<uint32_t>(x % kPrime));
  }
  ASSAY_HD static constexpr BabyBear Zero() { return BabyBear{0}; }
  ASSAY_HD static constexpr BabyBear One() { return BabyBear{kOneResidue}; }

  // The value in [0, p).
  ASSAY_HD constexpr uint32_t Canonical() const { return Reduce(residue); }

  ASSAY_HD friend constexpr BabyBear operator+(BabyBear a, BabyBear b) {
    const uint32_t sum = a.residue + b.residue;
    return BabyBear{sum >= kPrime ? sum - kPrime : sum};
  }
  ASSAY_HD friend constexpr BabyBear operator-(BabyBear a, BabyBear b) {
    const uint32_t difference = a.residue - b.residue;
    return BabyBear{a.residue < b.residue ? difference + kPrime : difference};
  }
  ASSAY_HD constexpr BabyBear operator-() const { return Zero() - *this; }
  ASSAY_HD friend constexpr BabyBear operator*(BabyBear a, BabyBear b) {
    return BabyBear{Reduce(static_cast<uint64_t>(a.residue) * b.residue)};
  }
  ASSAY_HD constexpr BabyBear& operator+=(BabyBear b) {
    return *this = *this + b;
  }
  ASSAY_HD constexpr BabyBear& operator-=(BabyBear b) {
    return *this = *this - b;
  }
  ASSAY_HD constexpr BabyBear& operator*=(BabyBear b) {
    return *this = *this * b;
  }
  ASSAY_HD friend constexpr bool operator==(BabyBear a, BabyBear b) {
    return a.residue == b.residue;
  }

  // this^e; 0^0 = 1. At most 128 multiplications.
  ASSAY_HD constexpr BabyBear Pow(uint64_t e) const {
    BabyBear result = One();
    BabyBear base = *this;
    for (; e != 0; e >>= 1) {
      if (e & 1) result *= base;
      base *= base;
    }
    return result;
  }
  // The inverse; 0 for 0.
  ASSAY_HD constexpr BabyBear Inverse() const { return Pow(kPrime - 2); }

  // A generator of the subgroup of order 2^log_size, 0 <= log_size <= 27.
  ASSAY_HD static constexpr BabyBear TwoAdicGenerator(int log_size) {
    BabyBear g = From(0x1a427a41);
    for (int i = kTwoAdicity; i > log_size; --i) g *= g;
    return g;
  }
};

static_assert(BabyBear::kPrime * BabyBear::kInverse == 1);
static_assert(BabyBear::From(1) == BabyBear::One());
static_assert(sizeof(BabyBear) == 4);

}  // namespace assay
