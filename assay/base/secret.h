// What secrets need: a wipe that compilers keep, a comparison without branches.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace assay {

// The compiler must assume that these bytes are read here: what was written to
// them is written indeed.
inline void KeepWrites(void* bytes) {
  __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

// Overwrites bytes with zeros, also where nobody reads them again. Copies that
// the compiler made in registers or on the stack are out of its reach.
inline void Wipe(void* bytes, size_t count) {
  if (count == 0) return;
  std::memset(bytes, 0, count);
  KeepWrites(bytes);
}
template <class T>
void Wipe(T& object) {
  static_assert(std::is_trivially_copyable_v<T>);
  Wipe(&object, sizeof(object));
}

// Whether two byte strings agree. The time depends on their sizes alone.
inline bool EqualInConstantTime(std::span<const uint8_t> a,
                                std::span<const uint8_t> b) {
  if (a.size() != b.size()) return false;
  uint8_t difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  // Opaque, so that the loop is not left at the first difference.
  __asm__ __volatile__("" : "+r"(difference));
  return difference == 0;
}

}  // namespace assay
