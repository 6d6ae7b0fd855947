// Lengths and streams that the kernel of checks is tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "assay/base/split_mix.h"
#include "assay/ops/crc/crc.h"
#include "assay/ops/crc/crc_kernels.h"
#include "assay/ops/op.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;

std::vector<uint32_t> Words(uint64_t seed, size_t count) {
  std::vector<uint32_t> words(count);
  for (size_t i = 0; i < count; ++i) {
    words[i] = static_cast<uint32_t>(SplitMix64(seed, i));
  }
  return words;
}

uint64_t* Registers(std::vector<uint32_t>& words) {
  return reinterpret_cast<uint64_t*>(words.data());
}

// Streams start `offset` bytes into the buffer, `gap` bytes apart.
OpCase AdvanceCase(const crc::Generator& generator, std::string_view name,
                   uint64_t bytes, uint32_t streams, uint64_t gap,
                   size_t offset = 0) {
  const uint64_t stride = bytes + gap;
  OpCase result;
  result.name =
      fmt::format("{} {} bytes={} streams={} gap={} offset={}",
                  CrcAdvance::kName, name, bytes, streams, gap, offset);
  result.buffers = {Words(bytes + 1, (offset + streams * stride + 3) / 4),
                    Words(bytes + 2, 2 * size_t{streams})};
  uint64_t* registers = Registers(result.buffers[1]);
  for (size_t s = 0; s < streams; ++s) registers[s] &= generator.Ones();
  result.record = [=](Recorder& recorder,
                      std::span<const View<uint32_t>> views) {
    const View<std::byte> data = views[0].As<std::byte>();
    RecordCrc(recorder, generator, data.Sub(offset, data.size() - offset),
              streams, stride, bytes, views[1].As<uint64_t>());
  };
  result.meaning = [=](Buffers& buffers) {
    const auto data = std::as_bytes(std::span(buffers[0])).subspan(offset);
    uint64_t* r = Registers(buffers[1]);
    for (size_t s = 0; s < streams; ++s) {
      r[s] = crc::Advance(generator, r[s], data.subspan(s * stride, bytes));
    }
  };
  result.bytes = streams * (bytes + 16);
  result.operations = streams * bytes / 8;  // carry-less products
  return result;
}

OpCase KindCase(crc::Kind kind, uint64_t bytes, uint32_t streams = 1,
                uint64_t gap = 0, size_t offset = 0) {
  return AdvanceCase(crc::GeneratorOf(kind), crc::NameOf(kind), bytes, streams,
                     gap, offset);
}

}  // namespace

std::vector<OpCase> CrcCases(CaseSize size) {
  std::vector<OpCase> cases;
  if (size == CaseSize::kLarge) {
    for (const crc::Kind kind : crc::kKinds) {
      cases.push_back(KindCase(kind, uint64_t{1} << 26));
      cases.push_back(KindCase(kind, uint64_t{1} << 12));
    }
    cases.push_back(KindCase(crc::Kind::kCrc64, uint64_t{1} << 20, 14));
    return cases;
  }
  for (const crc::Kind kind : crc::kKinds) {
    for (const uint64_t bytes : {0, 5, 8, 16, 63, 100, 257, 1023, 1024, 1025,
                                 1039, 1536, 1600, 2047, 4099}) {
      cases.push_back(KindCase(kind, bytes));
    }
    cases.push_back(KindCase(kind, 1031, 5, 3, 1));
    cases.push_back(KindCase(kind, 0, 2, 1));
  }
  // Several chunks for several threads.
  cases.push_back(KindCase(crc::Kind::kCrc64, 200001, 1, 0, 7));
  cases.push_back(KindCase(crc::Kind::kCrc32, 80001, 2, 13));
  // Every path: the tail, single blocks, single vectors, eight of them.
  for (uint64_t bytes = 1; bytes <= 300; ++bytes) {
    const crc::Kind kind = crc::kKinds[bytes % 3];
    cases.push_back(KindCase(kind, bytes, 2, bytes % 5, bytes % 7));
  }
  // Other degrees: x^8 + x^2 + x + 1, x^3 + x + 1, and a dense one.
  for (const uint64_t bytes : {1, 5, 16, 40, 1100}) {
    cases.push_back(AdvanceCase({8, 0xe0}, "degree 8", bytes, 1, 0));
    cases.push_back(AdvanceCase({3, 6}, "degree 3", bytes, 1, 0));
    cases.push_back(
        AdvanceCase({63, ~uint64_t{0} >> 1}, "degree 63", bytes, 3, 1));
  }
  return cases;
}

}  // namespace assay
