// The seed by which each sub-protocol marks its place in a transcript.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/number/babybear.h"

namespace assay {

// One line of the rendered protocol: hierarchy, kind, label, length, type
// (docs/engines/whir.md, section 4).
struct SeedStep {
  enum class Hierarchy : uint8_t { kAtomic, kBegin, kEnd };
  enum class Kind : uint8_t { kMessage, kChallenge, kPow, kProtocol };

  Hierarchy hierarchy = Hierarchy::kAtomic;
  Kind kind = Kind::kMessage;
  std::string label;
  std::string length;  // "None", "Scalar" or FixedLength(m)
  std::string type;    // kMarker, kOpaque, UniformBits(w) or an algebra tag
};

inline constexpr char kMarkerType[] = "Marker";
inline constexpr char kOpaqueType[] = "Opaque";
inline constexpr char kScalarLength[] = "Scalar";
inline constexpr char kNoLength[] = "None";
// The base field and its extension: "Algebra(p^d;H)" where H is the
// Keccak-256 of the basis' name.
inline constexpr char kBaseType[] =
    "Algebra(2013265921^1;"
    "cfa353fe66eeeae7600254a68073d57125abac3820fde7a3e32c84482b826469)";
inline constexpr char kExtensionType[] =
    "Algebra(2013265921^4;"
    "a31559f97eacd63de762fb78f0de2204c31e4445522c8e285fc45d814b83063d)";
std::string FixedLength(uint64_t count);
std::string UniformBitsType(int bits);

// What a seed is made of.
struct DomainSeparator {
  uint8_t version = 1;
  std::string name;  // at most 62 bytes
  std::vector<SeedStep> steps;
  std::vector<std::string> chunks;  // bytes
};

// `x` as bytes, most significant first.
std::string BigEndian4(uint32_t x);
std::string BigEndian8(uint64_t x);

// The text whose hash stands for the steps: a heading, then a line a step.
std::string RenderSteps(std::span<const SeedStep> steps);

// version, name in 62 bytes, its length, hash of the text, length and bytes
// of the chunks, 0x80.
std::string SeedBytes(const DomainSeparator& separator);

// What a transcript absorbs: the number of bytes, then three bytes an
// element, least significant first. Linear, and one hash of the steps' text.
std::vector<BabyBear> SeedElements(const DomainSeparator& separator);

}  // namespace assay
