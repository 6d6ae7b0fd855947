// The 80 bytes of a statement.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace assay::binary {
namespace {

constexpr std::string_view kTag = "assay/sumcheck/1";
constexpr size_t kSumOffset = 32;
constexpr size_t kContextOffset = 48;

// n and d as the two halves of an element: u64le each.
constexpr size_t kSizesOffset = 16;

Error Corrupt(std::string what) {
  return Error{Code::kCorrupt, std::move(what), ""};
}

}  // namespace

std::array<uint8_t, kStatementBytes> EncodeStatement(
    const Statement& statement) {
  std::array<uint8_t, kStatementBytes> bytes = {};
  const auto element = [&](size_t offset) {
    return std::span<uint8_t, 16>(bytes.data() + offset, 16);
  };
  std::copy(kTag.begin(), kTag.end(), bytes.begin());
  Gf2_128{static_cast<uint64_t>(statement.n),
          static_cast<uint64_t>(statement.d)}
      .ToBytes(element(kSizesOffset));
  statement.sum.ToBytes(element(kSumOffset));
  std::copy(statement.context.begin(), statement.context.end(),
            bytes.begin() + kContextOffset);
  return bytes;
}

Result<Statement> DecodeStatement(std::span<const uint8_t> bytes) {
  if (bytes.size() < kStatementBytes) {
    return Corrupt(fmt::format("{} bytes are no statement of {}", bytes.size(),
                               kStatementBytes));
  }
  if (!std::equal(kTag.begin(), kTag.end(), bytes.begin())) {
    return Corrupt(fmt::format("the file does not begin with {}", kTag));
  }
  const auto element = [&](size_t offset) {
    return Gf2_128::FromBytes(
        std::span<const uint8_t, 16>(bytes.data() + offset, 16));
  };
  const Gf2_128 sizes = element(kSizesOffset);
  if (sizes.low < 1 || sizes.low > kMaxVariables) {
    return Corrupt(
        fmt::format("n is {}, not 1 to {}", sizes.low, kMaxVariables));
  }
  if (sizes.high < 1 || sizes.high > kMaxFactors) {
    return Corrupt(
        fmt::format("d is {}, not 1 to {}", sizes.high, kMaxFactors));
  }
  Statement statement;
  statement.n = static_cast<int>(sizes.low);
  statement.d = static_cast<int>(sizes.high);
  statement.sum = element(kSumOffset);
  std::copy_n(bytes.begin() + kContextOffset, statement.context.size(),
              statement.context.begin());
  return statement;
}

}  // namespace assay::binary
