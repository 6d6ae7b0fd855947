// Renders and packs the seeds of sub-protocols.
// SPDX-License-Identifier: Apache-2.0
#include "assay/protocol/domain_separator.h"

#include <fmt/format.h>

#include <string_view>

#include "assay/hash/keccak256.h"

namespace assay {
namespace {

constexpr size_t kNameEnd = 63;  // version byte and name

std::string_view HierarchyName(SeedStep::Hierarchy hierarchy) {
  switch (hierarchy) {
    case SeedStep::Hierarchy::kAtomic: return "Atomic";
    case SeedStep::Hierarchy::kBegin: return "Begin";
    case SeedStep::Hierarchy::kEnd: return "End";
  }
  return "";
}

std::string_view KindName(SeedStep::Kind kind) {
  switch (kind) {
    case SeedStep::Kind::kMessage: return "Message";
    case SeedStep::Kind::kChallenge: return "Challenge";
    case SeedStep::Kind::kPow: return "Pow";
    case SeedStep::Kind::kProtocol: return "Protocol";
  }
  return "";
}

std::string BigEndian(uint64_t x, int bytes) {
  std::string result;
  for (int i = bytes - 1; i >= 0; --i) {
    result.push_back(static_cast<char>(x >> (8 * i)));
  }
  return result;
}

}  // namespace

std::string FixedLength(uint64_t count) {
  return fmt::format("Fixed({})", count);
}

std::string UniformBitsType(int bits) {
  return fmt::format("UniformBits({})", bits);
}

std::string BigEndian4(uint32_t x) { return BigEndian(x, 4); }
std::string BigEndian8(uint64_t x) { return BigEndian(x, 8); }

std::string RenderSteps(std::span<const SeedStep> steps) {
  const size_t last = steps.empty() ? 0 : steps.size() - 1;
  const int digits = static_cast<int>(fmt::formatted_size("{}", last));
  std::string text = fmt::format(
      "Plonky3 Fiat-Shamir Transcript ({} interactions)\n", steps.size());
  size_t depth = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const SeedStep& step = steps[i];
    if (step.hierarchy == SeedStep::Hierarchy::kEnd && depth > 0) --depth;
    text += fmt::format("{:0{}} {}{} {} {} {} {} {}\n", i, digits,
                        std::string(2 * depth, ' '),
                        HierarchyName(step.hierarchy), KindName(step.kind),
                        step.label.size(), step.label, step.length, step.type);
    if (step.hierarchy == SeedStep::Hierarchy::kBegin) ++depth;
  }
  return text;
}

std::string SeedBytes(const DomainSeparator& separator) {
  std::string bytes(1, static_cast<char>(separator.version));
  bytes += separator.name.substr(0, kNameEnd - 1);
  const size_t name_size = bytes.size() - 1;
  bytes.resize(kNameEnd, '\0');
  bytes.push_back(static_cast<char>(name_size));
  for (const uint8_t byte : Keccak256(RenderSteps(separator.steps))) {
    bytes.push_back(static_cast<char>(byte));
  }
  std::string label;
  for (const std::string& chunk : separator.chunks) {
    label += BigEndian4(static_cast<uint32_t>(chunk.size()));
    label += chunk;
  }
  bytes += BigEndian4(static_cast<uint32_t>(label.size()));
  bytes += label;
  bytes.push_back(static_cast<char>(0x80));
  return bytes;
}

std::vector<BabyBear> SeedElements(const DomainSeparator& separator) {
  const std::string bytes = SeedBytes(separator);
  std::vector<BabyBear> elements;
  elements.reserve(1 + (bytes.size() + 2) / 3);
  elements.push_back(BabyBear::From64(bytes.size()));
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t value = 0;
    for (size_t j = 0; j < 3 && i + j < bytes.size(); ++j) {
      value |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[i + j]))
               << (8 * j);
    }
    elements.push_back(BabyBear::From(value));
  }
  return elements;
}

}  // namespace assay
