// CRCs and erasure codes on a GPU beside what its memory gives.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "assay/ops/crc/crc_kernels.h"
#include "assay/ops/reed_solomon/reed_solomon.h"
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"
#include "bench/cuda_measure.h"
#include "bench/reed_solomon_forms.h"

namespace assay::bench {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

struct Code {
  const char* words;
  reed_solomon::Scheme scheme;
  uint64_t shard_bytes;
};

// `alone` may be 0: not measured.
void Row(const char* words, double bytes, double alone, double queued,
         double roof) {
  std::printf(
      "%-38s alone %9.2f, queued %9.2f us %7.3f TB/s, roof %.3f, %.1f%%\n",
      words, alone * 1e6, queued * 1e6, bytes / queued / 1e12, roof / 1e12,
      100 * bytes / queued / roof);
  std::fflush(stdout);
}

std::vector<uint64_t> Registers(Device& device, const crc::Generator& generator,
                                const Buffer& data, uint32_t streams,
                                uint64_t bytes, const Buffer& registers) {
  std::vector<uint64_t> r(streams, generator.Ones());
  cudaMemcpy(PointerOf(registers), r.data(), 8 * r.size(),
             cudaMemcpyHostToDevice);
  Recorder recorder = device.Record("compare");
  RecordCrc(recorder, generator, data.As<std::byte>(), streams, bytes, bytes,
            registers.As<uint64_t>());
  if (!device.Run(std::move(recorder)).ok()) std::exit(1);
  cudaMemcpy(r.data(), PointerOf(registers), 8 * r.size(),
             cudaMemcpyDeviceToHost);
  for (uint64_t& one : r) one ^= generator.Ones();
  return r;
}

// The CRC of all is that of its parts joined, and the meaning's where the data
// is short.
void CompareCrc(Device& device, crc::Kind kind, const Buffer& data,
                uint64_t bytes, const Buffer& registers) {
  constexpr uint32_t kParts = 1024;
  const crc::Generator generator = crc::GeneratorOf(kind);
  const uint64_t found =
      Registers(device, generator, data, 1, bytes, registers)[0];
  uint64_t joined = 0;
  for (const uint64_t part :
       Registers(device, generator, data, kParts, bytes / kParts, registers)) {
    joined = crc::Combine(kind, joined, part, bytes / kParts);
  }
  bool equal = joined == found;
  if (bytes <= kMiB) {
    std::vector<std::byte> copy(bytes);
    cudaMemcpy(copy.data(), PointerOf(data), bytes, cudaMemcpyDeviceToHost);
    equal = equal && crc::Extend(kind, 0, copy) == found;
  }
  if (equal) return;
  std::fprintf(stderr, "the CRC of %llu bytes is not that of its parts\n",
               static_cast<unsigned long long>(bytes));
  std::exit(1);
}

// Whether `out` holds what ReedSolomonApply made.
bool Same(const void* a, const void* b, size_t bytes) {
  std::vector<uint8_t> left(bytes), right(bytes);
  cudaMemcpy(left.data(), a, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(right.data(), b, bytes, cudaMemcpyDeviceToHost);
  return left == right;
}

void BenchForms(const Code& code, const reed_solomon::Matrix& rows,
                const Buffer& in, const Buffer& out, double bytes, double roof,
                Device& device) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device.info().index);
  const uint64_t stride = code.shard_bytes;
  const Buffer other = Filled(device, 4 * stride);
  const FourOutputs shards = {rows.cells().data(),
                              static_cast<uint32_t>(rows.columns()),
                              static_cast<const uint8_t*>(PointerOf(in)),
                              stride,
                              static_cast<uint8_t*>(PointerOf(other)),
                              stride,
                              stride};
  for (const bool tables : {true, false}) {
    const double seconds = MeasureLaunch([&](int) {
      (tables ? LaunchTables : LaunchShifts)(shards,
                                             properties.multiProcessorCount);
    });
    if (!Same(PointerOf(out), PointerOf(other), 4 * stride)) {
      std::fprintf(stderr, "the forms of the code differ\n");
      std::exit(1);
    }
    Row(tables ? "  the same by tables in shared memory"
               : "  the same by shifts and masks",
        bytes, 0, seconds, roof);
  }
}

}  // namespace

void BenchCrc(Device& device) {
  constexpr uint64_t kMost = 8192 * kMiB;
  const Buffer data = Filled(device, kMost);
  const Buffer registers = Filled(device, 1024 * 8);
  const auto all = data.As<std::byte>();
  const auto row = [&](const char* words, const crc::Generator& generator,
                       uint32_t streams, uint64_t bytes, uint64_t offset) {
    const Windows windows = {kMost - 16, streams * bytes};
    const Times t = Measure(device, [&](Recorder& recorder, int run) {
      const uint64_t at = windows.Offset(run) + offset;
      RecordCrc(recorder, generator, all.Sub(at, kMost - at), streams, bytes,
                bytes, registers.As<uint64_t>());
    });
    Row(words, static_cast<double>(streams * bytes), t.alone, t.queued,
        Roof(data, streams * bytes / 16 * 16));
  };
  std::printf("CRC\n");
  for (const crc::Kind kind : crc::kKinds) {
    for (const uint64_t bytes :
         {kMiB / 16, kMiB, 16 * kMiB, 256 * kMiB, 2048 * kMiB, kMost}) {
      CompareCrc(device, kind, data, bytes, registers);
      char words[64];
      std::snprintf(words, sizeof words, "%s, %llu KiB",
                    std::string(crc::NameOf(kind)).c_str(),
                    static_cast<unsigned long long>(bytes / 1024));
      row(words, crc::GeneratorOf(kind), 1, bytes, 0);
    }
  }
  // Shards: many streams, and one that begins anywhere.
  const crc::Generator generator = crc::GeneratorOf(crc::Kind::kCrc64);
  row("crc64, 14 streams of 292 KiB", generator, 14, 292 * 1024, 0);
  row("crc64, 2 GiB from byte 5 on", generator, 1, 2048 * kMiB, 5);
}

void BenchReedSolomon(Device& device) {
  using enum reed_solomon::Kind;
  std::printf("Reed-Solomon, bytes read and written\n");
  const Code codes[] = {
      {"10+4, 1 MiB", {kVandermonde, 10, 4}, kMiB},
      {"10+4, 16 MiB", {kVandermonde, 10, 4}, 16 * kMiB},
      {"10+4, 256 MiB", {kVandermonde, 10, 4}, 256 * kMiB},
      {"10+1, 256 MiB", {kVandermonde, 10, 1}, 256 * kMiB},
      {"10+2, 256 MiB", {kVandermonde, 10, 2}, 256 * kMiB},
      {"17+3, 128 MiB", {kCauchy, 17, 3}, 128 * kMiB},
      {"10+6, 256 MiB", {kCauchy, 10, 6}, 256 * kMiB},
      {"20+8, 128 MiB", {kCauchy, 20, 8}, 128 * kMiB},
      {"200+56, 16 MiB", {kCauchy, 200, 56}, 16 * kMiB},
      {"10+4, 256 MiB - 1, anywhere", {kVandermonde, 10, 4}, 256 * kMiB - 1}};
  for (const Code& code : codes) {
    const reed_solomon::Matrix rows = reed_solomon::ParityRows(code.scheme);
    const auto k = static_cast<uint32_t>(rows.columns());
    const auto m = static_cast<uint32_t>(rows.rows());
    const uint64_t stride = code.shard_bytes;
    const Buffer in = Filled(device, k * stride),
                 out = Filled(device, m * stride),
                 matrix = Filled(device, rows.cells().size());
    cudaMemcpy(PointerOf(matrix), rows.cells().data(), rows.cells().size(),
               cudaMemcpyHostToDevice);
    const Times t = Measure(device, [&](Recorder& recorder, int) {
      RecordReedSolomon(recorder, matrix.As<std::byte>(), m, k, stride,
                        {in.As<std::byte>(), stride},
                        {out.As<std::byte>(), stride});
    });
    const auto bytes = static_cast<double>((k + m) * stride);
    const double roof = Roof(in, k * stride / 16 * 16);
    Row(code.words, bytes, t.alone, t.queued, roof);
    if (m == 4 && stride % 16 == 0) {
      BenchForms(code, rows, in, out, bytes, roof, device);
    }
  }
}

}  // namespace assay::bench
