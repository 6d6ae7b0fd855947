// Sizes that the kernel of AES is tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "assay/ops/aes/aes.h"
#include "assay/ops/aes/aes_kernels.h"
#include "assay/ops/op.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;

// `number`: where the counter starts.
OpCase CtrCase(size_t key_bytes, uint64_t bytes, uint32_t number = 2) {
  OpCase result;
  result.name = fmt::format("{} key={} bytes={}{}", AesCtr::kName, key_bytes,
                            bytes, number == 2 ? "" : " wraps");
  result.buffers = {std::vector<uint32_t>(60), RandomResidues(2, 4),
                    RandomResidues(3, static_cast<size_t>(bytes + 3) / 4)};
  const std::vector<uint32_t> secret = RandomResidues(1, key_bytes / 4);
  const aes::Key key =
      aes::Expand({reinterpret_cast<const uint8_t*>(secret.data()), key_bytes});
  std::memcpy(result.buffers[0].data(), key.round, sizeof(key.round));
  auto* counter = reinterpret_cast<uint8_t*>(result.buffers[1].data());
  for (int i = 0; i < 4; ++i) {
    counter[12 + i] = static_cast<uint8_t>(number >> (24 - 8 * i));
  }
  const auto rounds = static_cast<uint32_t>(key.rounds);
  result.record = [=](Recorder& recorder,
                      std::span<const View<uint32_t>> views) {
    recorder.Dispatch<AesCtr>({views[0].raw, views[1].raw, views[2].raw},
                              {static_cast<uint32_t>(bytes),
                               static_cast<uint32_t>(bytes >> 32), rounds, 0});
  };
  result.meaning = [=](Buffers& buffers) {
    aes::Block block;
    std::memcpy(block.data(), buffers[1].data(), block.size());
    auto* data = reinterpret_cast<uint8_t*>(buffers[2].data());
    block = aes::Ctr(key, block, {data, bytes}, {data, bytes});
    std::memcpy(buffers[1].data(), block.data(), block.size());
  };
  result.bytes = 2 * bytes + 256;
  result.operations = (bytes + 15) / 16 * rounds;
  return result;
}

}  // namespace

std::vector<OpCase> AesCases(CaseSize size) {
  if (size == CaseSize::kLarge) {
    return {CtrCase(16, 1 << 20), CtrCase(32, 1 << 14), CtrCase(32, 1 << 20),
            CtrCase(32, 1 << 26)};
  }
  std::vector<OpCase> cases;
  for (const size_t key_bytes : {16, 24, 32}) {
    for (const uint64_t bytes : {0, 1, 15, 16, 17, 64, 100, 127, 128, 129, 255,
                                 256, 400, 511, 512, 513, 1024, 1500}) {
      cases.push_back(CtrCase(key_bytes, bytes));
    }
    for (const uint32_t number : {0xffffffffu, 0xfffffffdu, 0xffffffe1u}) {
      cases.push_back(CtrCase(key_bytes, 1024 + (number & 15), number));
    }
  }
  cases.push_back(CtrCase(32, 150001));
  return cases;
}

}  // namespace assay
