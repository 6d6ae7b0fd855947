// The arithmetic of number/gf2_128.wgsl against the host's.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/device/open_device.h"
#include "assay/number/gf2_128.h"
#include "assay/number/gf2_128_reflected.h"
#include "assay/ops/ghash/ghash_kernels.h"

namespace assay {
namespace {

// What the kernel makes of a pair a, b, in this order.
enum Result : size_t {
  kProduct,
  kLow,   // of the product, not reduced
  kHigh,  //
  kReduced,
  kSquare,
  kTimesX,
  kReversed,
  kReflectedProduct,
  kReflectedReduced,
  kResults
};

// The text of a kernel that includes all of the arithmetic, and an entry.
struct Arithmetic {
  static constexpr std::string_view kName = "test.arithmetic";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  struct Params {
    uint32_t pairs;
    uint32_t pad[3];
  };
  static CpuEntry Cpu() { return {}; }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() {
    static const std::string text = std::string(Ghash::Wgsl()) + R"(
struct Pairs { count: u32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(0) var<storage, read> pairs: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;
@group(0) @binding(2) var<uniform> size: Pairs;
@compute @workgroup_size(64)
fn test_arithmetic(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= size.count) { return; }
  let a = pairs[2u * id.x];
  let b = pairs[2u * id.x + 1u];
  let wide = mul_wide(a, b);
  let at = 9u * id.x;
  results[at] = mul(a, b);
  results[at + 1u] = wide.low;
  results[at + 2u] = wide.high;
  results[at + 3u] = reduce(Wide(a, b));
  results[at + 4u] = square(a);
  results[at + 5u] = times_x(a);
  results[at + 6u] = reverse(a);
  results[at + 7u] = mul_reflected(reverse(a), key_of(reverse(b)));
  results[at + 8u] = reduce_reflected(Wide(a, b));
}
)";
    return text;
  }
};

// Edges, every power of x, and random elements.
std::vector<Gf2_128> Elements() {
  constexpr uint64_t kAll = ~uint64_t{0};
  std::vector<Gf2_128> elements = {{0, 0},
                                   {0, kAll},
                                   {kAll, 0},
                                   {kAll, kAll},
                                   {0x5555555555555555, 0},
                                   {0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa}};
  for (int i = 0; i < 128; ++i) {
    elements.push_back(Gf2_128::From(2).Pow(static_cast<uint64_t>(i)));
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 66; ++i) elements.push_back({random(), random()});
  return elements;
}

using Pair = std::array<Gf2_128, 2>;
using Pairs = std::vector<Pair>;
using Row = std::array<Gf2_128, kResults>;

Pairs AllPairs(const std::vector<Gf2_128>& elements) {
  Pairs pairs;
  for (const Gf2_128 a : elements) {
    for (const Gf2_128 b : elements) pairs.push_back({a, b});
  }
  return pairs;
}

// What the device makes of them, a row a pair.
std::vector<Row> RowsOf(const Pairs& pairs) {
  std::vector<Row> rows(pairs.size());
  const auto run = [&]() -> Status {
    ASSAY_ASSIGN(device, OpenDevice("webgpu", {}));
    ASSAY_ASSIGN(from, device->AllocateArray<Pair>(pairs.size(), "pairs"));
    ASSAY_ASSIGN(to, device->AllocateArray<Row>(pairs.size(), "rows"));
    const auto operands = from.As<Pair>();
    ASSAY_TRY(device->Upload(operands, std::span(pairs)));
    Recorder recorder = device->Record("field");
    recorder.Dispatch<Arithmetic>(
        {operands.raw, to.As<Row>().raw},
        {static_cast<uint32_t>(pairs.size()), {}},
        {static_cast<uint32_t>((pairs.size() + 63) / 64), 1, 1});
    ASSAY_TRY(device->Run(std::move(recorder)));
    return device->Read(to.As<Row>(), std::span(rows));
  };
  const Status status = run();
  EXPECT_TRUE(status.ok()) << status.error().what;
  return rows;
}

TEST(WebGpuField, EveryOperationIsTheHosts) {
  const Pairs pairs = AllPairs(Elements());
  const std::vector<Row> rows = RowsOf(pairs);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    const Row& found = rows[i];
    const Word256 wide = clmul::Schoolbook(a.word(), b.word());
    const Word256 both = {a.low, a.high, b.low, b.high};
    ASSERT_EQ(found[kProduct], a * b);
    ASSERT_EQ(found[kLow], (Gf2_128{wide.w0, wide.w1}));
    ASSERT_EQ(found[kHigh], (Gf2_128{wide.w2, wide.w3}));
    ASSERT_EQ(found[kReduced], Gf2_128::From(clmul::Reduce(both)));
    ASSERT_EQ(found[kSquare], a.Square());
    ASSERT_EQ(found[kTimesX], a.TimesX());
    ASSERT_EQ(found[kReversed].word(), reflected::Reverse(a.word()));
    ASSERT_EQ(found[kReflectedProduct].word(),
              reflected::Reverse((a * b).word()));
    ASSERT_EQ(found[kReflectedReduced].word(), reflected::Reduce(both));
  }
}

Gf2_128 FromHex(const std::string& text) {
  std::array<uint8_t, 16> bytes;
  for (size_t i = 0; i < 16; ++i) {
    bytes[i] =
        static_cast<uint8_t>(std::stoul(text.substr(2 * i, 2), nullptr, 16));
  }
  return Gf2_128::FromBytes(bytes);
}

TEST(WebGpuField, VectorsOfProductsAndSquares) {
  std::ifstream file(ASSAY_TESTDATA "/binary/field128.json");
  const auto vectors = nlohmann::json::parse(file)["rows"];
  ASSERT_EQ(vectors.size(), 256u);
  Pairs pairs;
  for (const auto& vector : vectors) {
    pairs.push_back({FromHex(vector["a"]), FromHex(vector["b"])});
  }
  const std::vector<Row> rows = RowsOf(pairs);
  for (size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(rows[i][kProduct], FromHex(vectors[i]["ab"]));
    EXPECT_EQ(rows[i][kSquare], FromHex(vectors[i]["a2"]));
  }
}

// Without the host's products: only the device's, and sums.
TEST(WebGpuField, LawsHoldAmongItsOwnProducts) {
  std::vector<Gf2_128> elements = Elements();
  elements.erase(elements.begin() + 9, elements.begin() + 130);
  const size_t count = elements.size();
  const Pairs pairs = AllPairs(elements);
  const std::vector<Row> rows = RowsOf(pairs);
  // (a b) c, a (b c), a (b + c) and (a + b)^2 for each a, b and its successor.
  Pairs further;
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < count; ++j) {
      const size_t k = (j + 1) % count;
      const Gf2_128 a = elements[i], b = elements[j], c = elements[k];
      further.push_back({rows[i * count + j][kProduct], c});
      further.push_back({a, rows[j * count + k][kProduct]});
      further.push_back({a, b + c});
      further.push_back({a + b, a + b});
    }
  }
  const std::vector<Row> more = RowsOf(further);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < count; ++j) {
      const size_t k = (j + 1) % count;
      const auto product = [&](size_t x, size_t y) {
        return rows[x * count + y][kProduct];
      };
      const Row* four = &more[4 * (i * count + j)];
      EXPECT_EQ(product(i, j), product(j, i));
      EXPECT_EQ(four[0][kProduct], four[1][kProduct]);
      EXPECT_EQ(four[2][kProduct], product(i, j) + product(i, k));
      EXPECT_EQ(four[3][kSquare], product(i, i) + product(j, j));
      EXPECT_EQ(four[3][kSquare], four[3][kProduct]);
    }
  }
}

}  // namespace
}  // namespace assay
