// Tables of elements as the words that devices hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/number/ext4.h"

namespace assay {

// The words of a device's buffer as elements, and back from `first` on.
inline std::vector<BabyBear> BaseFromWords(std::span<const uint32_t> words) {
  std::vector<BabyBear> elements;
  elements.reserve(words.size());
  for (const uint32_t word : words) {
    elements.push_back(BabyBear::FromResidue(word));
  }
  return elements;
}
inline void BaseToWords(std::span<const BabyBear> elements, size_t first,
                        std::vector<uint32_t>& words) {
  for (size_t i = 0; i < elements.size(); ++i) {
    words[first + i] = elements[i].residue;
  }
}

// Extension elements of four neighbouring words.
inline std::vector<Ext4> ExtFromWords(std::span<const uint32_t> words) {
  std::vector<Ext4> elements(words.size() / 4);
  for (size_t i = 0; i < words.size(); ++i) {
    elements[i / 4].c[i % 4] = BabyBear::FromResidue(words[i]);
  }
  return elements;
}
inline void ExtToWords(std::span<const Ext4> elements, size_t first,
                       std::vector<uint32_t>& words) {
  for (size_t i = 0; i < elements.size(); ++i) {
    for (size_t l = 0; l < 4; ++l) {
      words[first + 4 * i + l] = elements[i].c[l].residue;
    }
  }
}

// The first `size` entries of four planes, `stride` words apart: word i of
// plane l is coefficient l of entry i.
inline std::vector<Ext4> ExtFromPlanes(std::span<const uint32_t> words,
                                       size_t stride, size_t size) {
  std::vector<Ext4> elements(size);
  for (size_t l = 0; l < 4; ++l) {
    for (size_t i = 0; i < size; ++i) {
      elements[i].c[l] = BabyBear::FromResidue(words[l * stride + i]);
    }
  }
  return elements;
}
inline void ExtToPlanes(std::span<const Ext4> elements, size_t stride,
                        std::vector<uint32_t>& words) {
  for (size_t l = 0; l < 4; ++l) {
    for (size_t i = 0; i < elements.size(); ++i) {
      words[l * stride + i] = elements[i].c[l].residue;
    }
  }
}

}  // namespace assay
