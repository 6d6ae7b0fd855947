// Sizes that the fused kernel of AES-GCM is tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "assay/ops/op.h"
#include "assay/ops/seal/seal.h"
#include "assay/ops/seal/seal_kernels.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;

struct Shape {
  size_t key_bytes = 32;
  uint64_t bytes = 0;
  bool decrypt = false;
  bool in_place = false;
  uint32_t number = 2;  // where the counter starts
};

seal::Key KeyOf(size_t bytes) {
  const std::vector<uint32_t> secret = RandomResidues(bytes, bytes / 4);
  return seal::ExpandKey(
      {reinterpret_cast<const uint8_t*>(secret.data()), bytes});
}

OpCase GcmCase(const Shape& shape) {
  const seal::Key key = KeyOf(shape.key_bytes);
  const size_t words = static_cast<size_t>(shape.bytes + 3) / 4;
  OpCase result;
  result.name = fmt::format(
      "{} key={} bytes={} {}{}{}", SealGcm::kName, shape.key_bytes, shape.bytes,
      shape.decrypt ? "decrypt" : "encrypt", shape.in_place ? " in place" : "",
      shape.number == 2 ? "" : " wraps");
  // Keys, counter and hash, input and, unless in place, output.
  result.buffers = {std::vector<uint32_t>(64), RandomResidues(1, 8),
                    RandomResidues(2, words)};
  if (!shape.in_place) result.buffers.push_back(RandomResidues(3, words));
  auto* keys = reinterpret_cast<uint8_t*>(result.buffers[0].data());
  std::memcpy(keys, key.aes.round, sizeof(key.aes.round));
  std::memcpy(keys + sizeof(key.aes.round), key.h.data(), key.h.size());
  auto* counter = reinterpret_cast<uint8_t*>(result.buffers[1].data());
  for (int i = 0; i < 4; ++i) {
    counter[12 + i] = static_cast<uint8_t>(shape.number >> (24 - 8 * i));
  }
  const auto rounds = static_cast<uint32_t>(key.aes.rounds);
  result.record = [shape, rounds](Recorder& recorder,
                                  std::span<const View<uint32_t>> views) {
    recorder.Dispatch<SealGcm>(
        {views[0].raw, views[1].raw, views[2].raw, views.back().raw},
        {static_cast<uint32_t>(shape.bytes),
         static_cast<uint32_t>(shape.bytes >> 32), rounds,
         shape.decrypt ? 1u : 0u});
  };
  result.meaning = [shape, key](Buffers& buffers) {
    seal::Stream stream;
    std::memcpy(&stream, buffers[1].data(), sizeof(stream));
    const size_t size = static_cast<size_t>(shape.bytes);
    const auto crypt = shape.decrypt ? &seal::Decrypt : &seal::Encrypt;
    crypt(key, stream,
          {reinterpret_cast<const uint8_t*>(buffers[2].data()), size},
          {reinterpret_cast<uint8_t*>(buffers.back().data()), size});
    std::memcpy(buffers[1].data(), &stream, sizeof(stream));
  };
  result.bytes = 2 * shape.bytes + 288;
  result.operations = (shape.bytes + 15) / 16 * (rounds + 1);
  return result;
}

}  // namespace

std::vector<OpCase> SealCases(CaseSize size) {
  if (size == CaseSize::kLarge) {
    return {GcmCase({.key_bytes = 16, .bytes = 1 << 20}),
            GcmCase({.bytes = 1 << 14}), GcmCase({.bytes = 1 << 20}),
            GcmCase({.bytes = 1 << 20, .decrypt = true}),
            GcmCase({.bytes = 1 << 26})};
  }
  std::vector<OpCase> cases;
  // Around one to four groups of every vector width, and their tails.
  for (const bool decrypt : {false, true}) {
    for (const size_t key_bytes : {16, 24, 32}) {
      for (const uint64_t bytes :
           {0,    1,    16,   31,   64,   128,  130,  255,  256,  257,
            300,  384,  511,  512,  513,  528,  560,  575,  576,  1023,
            1024, 1025, 1040, 1088, 1100, 1535, 1536, 1600, 2047, 2100}) {
        cases.push_back(GcmCase({key_bytes, bytes, decrypt}));
      }
      cases.push_back(GcmCase({key_bytes, 1777, decrypt, true}));
      cases.push_back(GcmCase({key_bytes, 1600, decrypt, true, 0xffffffd0}));
      cases.push_back(GcmCase({key_bytes, 700, decrypt, false, 0xffffffff}));
    }
    // Several chunks.
    cases.push_back(GcmCase({32, 600001, decrypt}));
    cases.push_back(GcmCase({16, 400000, decrypt, true, 0xfffffff0}));
    // The upper half of the counter changes, too, and all of it wraps.
    cases.push_back(GcmCase({24, 1200005, decrypt, false, 0xffff8003}));
  }
  return cases;
}

}  // namespace assay
