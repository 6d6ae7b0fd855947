// Sizes that the kernel of GHASH is tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "assay/ops/ghash/ghash.h"
#include "assay/ops/ghash/ghash_kernels.h"
#include "assay/ops/op.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;

enum class Contents : uint8_t { kRandom, kOnes, kZeroKey };

ghash::Block BlockOf(const std::vector<uint32_t>& words) {
  ghash::Block block;
  std::memcpy(block.data(), words.data(), block.size());
  return block;
}

OpCase HashCase(uint64_t bytes, Contents contents = Contents::kRandom) {
  const size_t words = static_cast<size_t>(bytes + 3) / 4;
  OpCase result;
  result.name = fmt::format("{} bytes={}{}", Ghash::kName, bytes,
                            contents == Contents::kRandom ? ""
                            : contents == Contents::kOnes ? " ones"
                                                          : " zero key");
  result.buffers = {RandomResidues(1, 4), RandomResidues(2, words),
                    RandomResidues(3, 4)};
  if (contents == Contents::kOnes) {
    for (std::vector<uint32_t>& buffer : result.buffers) {
      buffer.assign(buffer.size(), 0xffffffff);
    }
  }
  if (contents == Contents::kZeroKey) result.buffers[0].assign(4, 0);
  result.record = [bytes](Recorder& recorder,
                          std::span<const View<uint32_t>> views) {
    RecordGhash(recorder, views[0].As<uint8_t>(), views[1].As<uint8_t>(),
                views[2].As<uint8_t>(), bytes);
  };
  result.meaning = [bytes](Buffers& buffers) {
    const ghash::Block hash = ghash::Hash(
        BlockOf(buffers[0]), BlockOf(buffers[2]),
        {reinterpret_cast<const uint8_t*>(buffers[1].data()), bytes});
    std::memcpy(buffers[2].data(), hash.data(), hash.size());
  };
  result.bytes = bytes + 48;
  result.operations = (bytes + 15) / 16;
  return result;
}

}  // namespace

std::vector<OpCase> GhashCases(CaseSize size) {
  if (size == CaseSize::kLarge) {
    return {HashCase(1 << 10), HashCase(1 << 14), HashCase(1 << 20),
            HashCase(1 << 26)};
  }
  std::vector<OpCase> cases;
  for (uint64_t bytes = 0; bytes <= 80; ++bytes) {
    cases.push_back(HashCase(bytes));
  }
  // Around each number of blocks up to three groups of the widest vectors.
  for (uint64_t blocks = 6; blocks <= 100; ++blocks) {
    cases.push_back(HashCase(16 * blocks + blocks % 3 * 5));
  }
  cases.push_back(HashCase(4096, Contents::kOnes));
  cases.push_back(HashCase(1000, Contents::kZeroKey));
  // Several chunks.
  for (const uint64_t bytes : {262143, 262145, 600000, 1300001}) {
    cases.push_back(HashCase(bytes));
  }
  return cases;
}

}  // namespace assay
