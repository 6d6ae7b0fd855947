// Times CRCs and erasure codes beside Intel's ISA-L, turn by turn in one run.
// SPDX-License-Identifier: Apache-2.0
//
// shards_peer [RUNS]: one JSON document, medians of RUNS (31) in GB/s of data,
// one thread. Both sides read the same bytes, and their answers must agree.
#include <fmt/format.h>
#include <isa-l/crc.h>
#include <isa-l/crc64.h>
#include <isa-l/erasure_code.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/base/split_mix.h"
#include "assay/device/open_device.h"
#include "assay/ops/crc/crc_kernels.h"
#include "assay/ops/reed_solomon/reed_solomon.h"
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"

namespace {

using assay::Buffer;
using assay::Device;
using assay::Recorder;
using assay::View;

constexpr size_t kMostBytes = size_t{1} << 26;
// Small sizes are repeated until they take as long as a clock can tell.
constexpr size_t kBytesARun = size_t{1} << 24;

int runs = 31;
bool first_row = true;

[[noreturn]] void Stop(std::string_view what) {
  fmt::print(stderr, "error: {}\n", what);
  std::exit(1);
}

double Seconds(const std::function<void()>& work, size_t times) {
  const auto begin = std::chrono::steady_clock::now();
  for (size_t i = 0; i < times; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
             .count() /
         static_cast<double>(times);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// One row: who is faster at `bytes` of data.
void Compare(const std::string& name, size_t bytes,
             const std::function<void()>& ours,
             const std::function<void()>& theirs) {
  const size_t times = std::max<size_t>(1, kBytesARun / bytes);
  std::vector<double> our_times;
  std::vector<double> their_times;
  for (int i = 0; i < runs; ++i) {
    our_times.push_back(Seconds(ours, times));
    their_times.push_back(Seconds(theirs, times));
  }
  const auto rate = [&](const std::vector<double>& times_taken) {
    return static_cast<double>(bytes) / Median(times_taken) * 1e-9;
  };
  fmt::print(
      "{}    {{\"name\": \"{}\", \"bytes\": {}, \"assay_gb_s\": {:.2f}, "
      "\"isal_gb_s\": {:.2f}, \"ratio\": {:.3f}}}",
      first_row ? "" : ",\n", name, bytes, rate(our_times), rate(their_times),
      rate(our_times) / rate(their_times));
  first_row = false;
}

Buffer Allocate(Device& device, size_t bytes) {
  auto buffer = device.Allocate(bytes, "bench");
  if (!buffer.ok()) Stop(buffer.error().what);
  return std::move(*buffer);
}

void Run(Device& device, Recorder recorder) {
  const assay::Status status = device.Run(std::move(recorder));
  if (!status.ok()) Stop(status.error().what);
}

void CompareCrcs(Device& device, Buffer& data) {
  namespace crc = assay::crc;
  auto* bytes = reinterpret_cast<unsigned char*>(data.host_data());
  Buffer result = Allocate(device, sizeof(uint64_t));
  const View<uint64_t> view = result.As<uint64_t>();
  auto* r = reinterpret_cast<uint64_t*>(result.host_data());
  for (const size_t size :
       {size_t{4096}, size_t{65536}, size_t{1} << 20, kMostBytes}) {
    for (const crc::Kind kind : crc::kKinds) {
      const crc::Generator generator = crc::GeneratorOf(kind);
      uint64_t found = 0;
      uint64_t expected = 0;
      const auto ours = [&] {
        *r = generator.Ones();
        Recorder recorder = device.Record("crc");
        RecordCrc(recorder, generator, data.As<std::byte>(), 1, 0, size, view);
        Run(device, std::move(recorder));
        found = *r ^ generator.Ones();
      };
      const auto theirs = [&] {
        switch (kind) {
          case crc::Kind::kCrc32:
            expected = crc32_gzip_refl(0, bytes, size);
            break;
          case crc::Kind::kCrc32c:
            expected =
                ~crc32_iscsi(bytes, static_cast<int>(size), ~0u) & 0xffffffff;
            break;
          case crc::Kind::kCrc64:
            expected = crc64_ecma_refl(0, bytes, size);
            break;
        }
      };
      Compare(std::string(crc::NameOf(kind)), size, ours, theirs);
      if (found != expected) Stop("the CRCs differ");
    }
  }
}

void CompareCodes(Device& device, Buffer& data) {
  namespace reed_solomon = assay::reed_solomon;
  for (const auto& [k, m] : {std::pair(6, 3), {10, 4}, {17, 3}, {50, 20}}) {
    const auto inputs = static_cast<size_t>(k);
    const auto outputs = static_cast<size_t>(m);
    const auto rows =
        reed_solomon::ParityRows({reed_solomon::Kind::kCauchy, k, m});
    Buffer cells = Allocate(device, rows.cells().size());
    std::memcpy(cells.host_data(), rows.cells().data(), rows.cells().size());
    for (const size_t size : {size_t{1} << 18, size_t{1} << 22, kMostBytes}) {
      const size_t length = size / inputs / 4096 * 4096;
      if (length == 0) continue;
      Buffer out = Allocate(device, outputs * length);
      std::memset(out.host_data(), 1, outputs * length);
      std::vector<unsigned char> expected(outputs * length);
      std::vector<unsigned char> tables(32 * inputs * outputs);
      std::vector<unsigned char> matrix(rows.cells().begin(),
                                        rows.cells().end());
      ec_init_tables(k, m, matrix.data(), tables.data());
      std::vector<unsigned char*> from;
      std::vector<unsigned char*> to;
      for (size_t j = 0; j < inputs; ++j) {
        from.push_back(reinterpret_cast<unsigned char*>(data.host_data()) +
                       j * length);
      }
      for (size_t i = 0; i < outputs; ++i) {
        to.push_back(&expected[i * length]);
      }
      const auto ours = [&] {
        Recorder recorder = device.Record("shards");
        RecordReedSolomon(
            recorder, cells.As<std::byte>(), static_cast<uint32_t>(outputs),
            static_cast<uint32_t>(inputs), length,
            {data.As<std::byte>(), length}, {out.As<std::byte>(), length});
        Run(device, std::move(recorder));
      };
      const auto theirs = [&] {
        ec_encode_data(static_cast<int>(length), k, m, tables.data(),
                       from.data(), to.data());
      };
      Compare(fmt::format("reed_solomon {}+{}", k, m), inputs * length, ours,
              theirs);
      if (std::memcmp(out.host_data(), expected.data(), expected.size()) != 0) {
        Stop("the parity differs");
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) runs = std::max(1, std::atoi(argv[1]));
  auto device = assay::OpenDevice("cpu", {.threads = 1});
  if (!device.ok()) Stop(device.error().what);
  Buffer data = Allocate(**device, kMostBytes);
  auto* words = reinterpret_cast<uint64_t*>(data.host_data());
  for (size_t i = 0; i < kMostBytes / 8; ++i) {
    words[i] = assay::SplitMix64(1, i);
  }
  fmt::print("{{\n  \"device\": \"{}, {}\",\n  \"runs\": {},\n  \"rows\": [\n",
             (*device)->info().name, (*device)->info().detail, runs);
  CompareCrcs(**device, data);
  CompareCodes(**device, data);
  fmt::print("\n  ]\n}}\n");
  return 0;
}
