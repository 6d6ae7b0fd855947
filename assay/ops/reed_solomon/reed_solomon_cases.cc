// Codes and lengths that the kernel of shards is tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "assay/base/split_mix.h"
#include "assay/ops/op.h"
#include "assay/ops/reed_solomon/reed_solomon.h"
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;
using reed_solomon::Matrix;

std::vector<uint32_t> Words(uint64_t seed, size_t bytes) {
  std::vector<uint32_t> words((bytes + 3) / 4);
  for (size_t i = 0; i < words.size(); ++i) {
    words[i] = static_cast<uint32_t>(SplitMix64(seed, i));
  }
  return words;
}

// Shards are `gap` bytes further apart than they are long, and start `offset`
// bytes into their buffers.
OpCase ApplyCase(const Matrix& rows, std::string_view what, uint64_t bytes,
                 uint64_t gap = 0, size_t offset = 0) {
  const uint64_t stride = bytes + gap;
  const auto outputs = static_cast<uint32_t>(rows.rows());
  const auto inputs = static_cast<uint32_t>(rows.columns());
  OpCase result;
  result.name = fmt::format("{} {} {}x{} bytes={} gap={} offset={}",
                            ReedSolomonApply::kName, what, outputs, inputs,
                            bytes, gap, offset);
  std::vector<uint32_t> cells((rows.cells().size() + 3) / 4);
  std::memcpy(cells.data(), rows.cells().data(), rows.cells().size());
  result.buffers = {std::move(cells), Words(1, offset + inputs * stride),
                    Words(2, offset + outputs * stride)};
  result.record = [=](Recorder& recorder,
                      std::span<const View<uint32_t>> views) {
    const auto from = [&](size_t i) {
      const View<std::byte> all = views[i].As<std::byte>();
      return ShardView{all.Sub(offset, all.size() - offset), stride};
    };
    RecordReedSolomon(recorder, views[0].As<std::byte>(), outputs, inputs,
                      bytes, from(1), from(2));
  };
  result.meaning = [=](Buffers& buffers) {
    reed_solomon::Apply(
        rows, bytes, std::as_bytes(std::span(buffers[1])).subspan(offset),
        stride, std::as_writable_bytes(std::span(buffers[2])).subspan(offset),
        stride);
  };
  result.bytes = (inputs + outputs) * bytes + rows.cells().size();
  result.operations = uint64_t{inputs} * outputs * bytes;
  return result;
}

OpCase ParityCase(reed_solomon::Kind kind, int k, int m, uint64_t bytes,
                  uint64_t gap = 0, size_t offset = 0) {
  return ApplyCase(reed_solomon::ParityRows({kind, k, m}),
                   reed_solomon::NameOf(kind), bytes, gap, offset);
}

// Each coefficient once.
Matrix AllCoefficients() {
  Matrix rows(16, 16);
  for (size_t r = 0; r < 16; ++r) {
    for (size_t c = 0; c < 16; ++c) {
      rows.At(r, c) = static_cast<uint8_t>(16 * r + c);
    }
  }
  return rows;
}

Matrix ManyInputs() {
  Matrix rows(2, 300);
  for (size_t c = 0; c < 300; ++c) {
    rows.At(0, c) = static_cast<uint8_t>(c + 1);
    rows.At(1, c) = static_cast<uint8_t>(7 * c);
  }
  return rows;
}

// The first `lost` data shards from the others and parity.
OpCase RepairCase(reed_solomon::Kind kind, int k, int m, int lost,
                  uint64_t bytes) {
  std::vector<int> present(static_cast<size_t>(k));
  std::iota(present.begin(), present.end(), lost);
  std::vector<int> wanted(static_cast<size_t>(lost));
  std::iota(wanted.begin(), wanted.end(), 0);
  return ApplyCase(*reed_solomon::RepairRows({kind, k, m}, present, wanted),
                   "repair", bytes);
}

}  // namespace

std::vector<OpCase> ReedSolomonCases(CaseSize size) {
  using enum reed_solomon::Kind;
  if (size == CaseSize::kLarge) {
    constexpr uint64_t kBytes = (uint64_t{1} << 26) / 10;
    return {ParityCase(kVandermonde, 10, 4, kBytes),
            ParityCase(kVandermonde, 10, 4, 65536),
            ParityCase(kCauchy, 17, 3, 1 << 20),
            ParityCase(kCauchy, 200, 56, 1 << 16),
            RepairCase(kCauchy, 10, 4, 1, 1 << 20)};
  }
  std::vector<OpCase> cases;
  for (const uint64_t bytes :
       {0, 1, 15, 16, 17, 31, 32, 63, 64, 65, 127, 128, 129, 193, 1000, 5000}) {
    cases.push_back(ParityCase(kVandermonde, 3, 2, bytes));
  }
  // One to nine outputs: all sizes of a group.
  for (int m = 1; m <= 9; ++m) {
    cases.push_back(ParityCase(kCauchy, 5, m, 200, 3, 1));
  }
  cases.push_back(ApplyCase(AllCoefficients(), "every coefficient", 512));
  cases.push_back(ParityCase(kVandermonde, 1, 1, 300));
  cases.push_back(ParityCase(kCauchy, 255, 1, 150, 7));
  cases.push_back(ParityCase(kVandermonde, 1, 255, 150, 1));
  cases.push_back(ParityCase(kCauchy, 128, 128, 70));
  cases.push_back(ParityCase(kVandermonde, 50, 20, 130));
  // Outputs that go past the cache.
  cases.push_back(ParityCase(kCauchy, 2, 9, 240001, 63));
  // Several tiles.
  cases.push_back(ParityCase(kCauchy, 2, 1, 140007, 5, 3));
  // More inputs than codes have, and shards that end within a vector.
  cases.push_back(ApplyCase(ManyInputs(), "many inputs", 100));
  cases.push_back(ApplyCase(ManyInputs(), "many inputs", 112));
  cases.push_back(ParityCase(kCauchy, 10, 4, 5000, 8));
  cases.push_back(RepairCase(kVandermonde, 6, 3, 3, 100));
  cases.push_back(RepairCase(kCauchy, 6, 3, 2, 100));
  return cases;
}

}  // namespace assay
