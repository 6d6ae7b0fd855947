// CRCs and erasure codes against Intel's ISA-L on random cases.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <isa-l/crc.h>
#include <isa-l/crc64.h>
#include <isa-l/erasure_code.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "assay/device/open_device.h"
#include "assay/ops/crc/crc_kernels.h"
#include "assay/ops/reed_solomon/reed_solomon.h"
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"

namespace assay {
namespace {

using Buffer = std::vector<uint8_t>;

Buffer RandomBuffer(std::mt19937_64& random, size_t count) {
  Buffer bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

std::unique_ptr<Device> Cpu(int threads) {
  auto device = OpenDevice("cpu", {.threads = threads});
  EXPECT_TRUE(device.ok());
  return std::move(*device);
}

uint64_t CrcByIsal(crc::Kind kind, uint64_t crc, Buffer& bytes, size_t from,
                   size_t count) {
  uint8_t* data = bytes.data() + from;
  switch (kind) {
    case crc::Kind::kCrc32:
      return crc32_gzip_refl(static_cast<uint32_t>(crc), data, count);
    case crc::Kind::kCrc32c:
      // Raw registers, unlike the others.
      return ~crc32_iscsi(data, static_cast<int>(count),
                          ~static_cast<uint32_t>(crc)) &
             0xffffffff;
    case crc::Kind::kCrc64: return crc64_ecma_refl(crc, data, count);
  }
  return 0;
}

// The CRC of `bytes` in two parts, the second goes on from the first.
uint64_t CrcByKernel(Device& device, crc::Kind kind, const Buffer& bytes,
                     size_t split) {
  auto data = device.Allocate(bytes.size() + 1, "data");
  auto registers = device.AllocateArray<uint64_t>(1, "register");
  EXPECT_TRUE(data.ok() && registers.ok());
  const crc::Generator generator = crc::GeneratorOf(kind);
  uint64_t r = generator.Ones();
  const View<std::byte> all = data->As<std::byte>();
  const View<uint64_t> view = registers->As<uint64_t>();
  EXPECT_TRUE(
      device.Upload(all.Sub(0, bytes.size()), std::as_bytes(std::span(bytes)))
          .ok());
  EXPECT_TRUE(device.Upload(view, std::span<const uint64_t>(&r, 1)).ok());
  Recorder recorder = device.Record("crc");
  RecordCrc(recorder, generator, all, 1, 0, split, view);
  RecordCrc(recorder, generator, all.Sub(split, bytes.size() - split), 1, 0,
            bytes.size() - split, view);
  EXPECT_TRUE(device.Run(std::move(recorder)).ok());
  EXPECT_TRUE(device.Read(view, std::span(&r, 1)).ok());
  return r ^ generator.Ones();
}

TEST(Isal, CrcsAgreeOnRandomLengthsAndSplits) {
  std::mt19937_64 random(1);
  for (const int threads : {1, 2}) {
    const std::unique_ptr<Device> device = Cpu(threads);
    for (int i = 0; i < 3000; ++i) {
      const size_t most = i % 100 == 0 ? 400'000 : i % 3 == 0 ? 9000 : 300;
      Buffer bytes = RandomBuffer(random, random() % (most + 1));
      const size_t split = random() % (bytes.size() + 1);
      for (const crc::Kind kind : crc::kKinds) {
        const uint64_t all = CrcByIsal(kind, 0, bytes, 0, bytes.size());
        ASSERT_EQ(CrcByKernel(*device, kind, bytes, split), all)
            << crc::NameOf(kind) << " " << bytes.size() << " " << split;
        const uint64_t a = CrcByIsal(kind, 0, bytes, 0, split);
        const uint64_t b =
            CrcByIsal(kind, 0, bytes, split, bytes.size() - split);
        ASSERT_EQ(crc::Combine(kind, a, b, bytes.size() - split), all);
      }
    }
  }
}

// One shard after the other.
std::vector<uint8_t*> Pointers(Buffer& bytes, size_t length) {
  std::vector<uint8_t*> pointers;
  for (size_t i = 0; i * length < bytes.size(); ++i) {
    pointers.push_back(&bytes[i * length]);
  }
  return pointers;
}

Buffer ApplyByIsal(const Buffer& rows, size_t outputs, size_t inputs,
                   size_t length, Buffer& in) {
  const int k = static_cast<int>(inputs);
  const int m = static_cast<int>(outputs);
  Buffer tables(32 * inputs * outputs);
  Buffer cells = rows;
  ec_init_tables(k, m, cells.data(), tables.data());
  Buffer out(outputs * length);
  ec_encode_data(static_cast<int>(length), k, m, tables.data(),
                 Pointers(in, length).data(), Pointers(out, length).data());
  return out;
}

Buffer ApplyByKernel(Device& device, const reed_solomon::Matrix& rows,
                     size_t length, const Buffer& in) {
  auto cells = device.Allocate(rows.cells().size(), "rows");
  auto from = device.Allocate(in.size(), "in");
  auto to = device.Allocate(rows.rows() * length, "out");
  EXPECT_TRUE(cells.ok() && from.ok() && to.ok());
  EXPECT_TRUE(
      device.Upload(cells->As<std::byte>(), std::as_bytes(rows.cells())).ok());
  EXPECT_TRUE(
      device.Upload(from->As<std::byte>(), std::as_bytes(std::span(in))).ok());
  Recorder recorder = device.Record("shards");
  RecordReedSolomon(
      recorder, cells->As<std::byte>(), static_cast<uint32_t>(rows.rows()),
      static_cast<uint32_t>(rows.columns()), length,
      {from->As<std::byte>(), length}, {to->As<std::byte>(), length});
  EXPECT_TRUE(device.Run(std::move(recorder)).ok());
  Buffer out(rows.rows() * length);
  EXPECT_TRUE(
      device.Read(to->As<std::byte>(), std::as_writable_bytes(std::span(out)))
          .ok());
  return out;
}

TEST(Isal, ParityAndRepairAgreeOnRandomCodes) {
  std::mt19937_64 random(2);
  const std::unique_ptr<Device> device = Cpu(2);
  for (int i = 0; i < 300; ++i) {
    const auto k = static_cast<int>(1 + random() % 40);
    const auto m = static_cast<int>(1 + random() % 20);
    const auto size_k = static_cast<size_t>(k);
    const size_t size_n = size_k + static_cast<size_t>(m);
    const reed_solomon::Scheme scheme = {reed_solomon::Kind::kCauchy, k, m};
    Buffer matrix(size_n * size_k);
    gf_gen_cauchy1_matrix(matrix.data(), k + m, k);
    const reed_solomon::Matrix ours = reed_solomon::Generator(scheme);
    ASSERT_TRUE(std::equal(matrix.begin(), matrix.end(), ours.cells().begin(),
                           ours.cells().end()));

    const size_t length = 64 + random() % 3000;  // ISA-L wants 64 at least
    Buffer data = RandomBuffer(random, size_k * length);
    const reed_solomon::Matrix parity = reed_solomon::ParityRows(scheme);
    const Buffer cells(parity.cells().begin(), parity.cells().end());
    const Buffer encoded =
        ApplyByIsal(cells, static_cast<size_t>(m), size_k, length, data);
    ASSERT_EQ(ApplyByKernel(*device, parity, length, data), encoded);

    // Any k of ISA-L's shards give the others, by our inverse and by theirs.
    Buffer shards = data;
    shards.insert(shards.end(), encoded.begin(), encoded.end());
    std::vector<int> order(size_n);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const std::span<const int> all(order);
    const auto take = [&](std::span<const int> indices) {
      Buffer some;
      for (const int index : indices) {
        const uint8_t* shard = &shards[static_cast<size_t>(index) * length];
        some.insert(some.end(), shard, shard + length);
      }
      return some;
    };
    Buffer present = take(all.first(size_k));
    const auto rows = reed_solomon::RepairRows(scheme, all.first(size_k),
                                               all.subspan(size_k));
    ASSERT_TRUE(rows.ok());
    ASSERT_EQ(ApplyByKernel(*device, *rows, length, present),
              take(all.subspan(size_k)));
    Buffer square;
    for (const int index : all.first(size_k)) {
      const uint8_t* row = &matrix[static_cast<size_t>(index) * size_k];
      square.insert(square.end(), row, row + k);
    }
    Buffer inverse(square.size());
    ASSERT_EQ(gf_invert_matrix(square.data(), inverse.data(), k), 0);
    ASSERT_EQ(ApplyByIsal(inverse, size_k, size_k, length, present), data);
  }
}

}  // namespace
}  // namespace assay
