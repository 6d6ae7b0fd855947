// Times AES-GCM over data that lies in a device's memory.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "assay/device/open_device.h"
#include "assay/ops/seal/gcm_lanes.h"
#include "assay/ops/seal/seal_kernels.h"
#include "bench/or_exit.h"

namespace assay {
namespace {

constexpr int kRuns = 7;

using bench::OrExit;

struct Message {
  Buffer keys, state, data;
};

std::vector<uint8_t> Made(size_t bytes, uint8_t from) {
  std::vector<uint8_t> made(bytes);
  for (size_t i = 0; i < bytes; ++i) {
    made[i] = static_cast<uint8_t>(from + 151 * i + (i >> 8));
  }
  return made;
}

seal::Key KeyOf(size_t bytes) { return seal::ExpandKey(Made(bytes, 7)); }

void Place(Device& device, const seal::Key& key, const Message& message) {
  std::vector<uint8_t> keys(sizeof(key.aes.round));
  std::memcpy(keys.data(), key.aes.round, keys.size());
  keys.insert(keys.end(), key.h.begin(), key.h.end());
  OrExit(device.Upload<uint8_t>(message.keys.As<uint8_t>(), keys));
  OrExit(device.Upload<uint8_t>(message.state.As<uint8_t>(), Made(32, 3)));
}

// Seconds in kernels, for each of the runs.
std::vector<double> Run(Device& device, const seal::Key& key,
                        const Message& message, uint64_t bytes, bool decrypt,
                        int runs) {
  std::vector<double> seconds;
  const RawView data = message.data.As<uint8_t>().Sub(0, bytes).raw;
  for (int run = 0; run < runs; ++run) {
    Recorder recorder = device.Record("bench");
    recorder.Dispatch<SealGcm>(
        {message.keys.As<uint8_t>().raw, message.state.As<uint8_t>().raw, data,
         data},
        {static_cast<uint32_t>(bytes), static_cast<uint32_t>(bytes >> 32),
         static_cast<uint32_t>(key.aes.rounds), decrypt ? 1u : 0u});
    OrExit(device.Run(std::move(recorder)));
    Trace trace;
    device.CollectSpans(trace);
    double sum = 0;
    for (const Span& span : trace.spans()) {
      sum += static_cast<double>(span.duration_ns) / 1e9;
    }
    seconds.push_back(sum);
  }
  return seconds;
}

// The device's bytes and state against those of the host's vectors.
bool Agrees(Device& device, const seal::Key& key, const Message& message,
            size_t bytes, bool decrypt) {
  std::vector<uint8_t> expected = Made(bytes, 1);
  OrExit(device.Upload<uint8_t>(message.data.As<uint8_t>(), expected));
  Place(device, key, message);
  Run(device, key, message, bytes, decrypt, 1);
  seal::Stream stream, found;
  std::memcpy(&stream, Made(32, 3).data(), sizeof(stream));
  const auto crypt = decrypt ? &seal::DecryptLanes : &seal::EncryptLanes;
  crypt(key, stream, expected.data(), expected.data(), bytes);
  std::vector<uint8_t> out(bytes);
  OrExit(device.Read(message.data.As<uint8_t>(), std::span<uint8_t>(out)));
  OrExit(device.Read(message.state.As<uint8_t>(),
                     std::span(reinterpret_cast<uint8_t*>(&found), 32)));
  return out == expected && found.counter == stream.counter &&
         found.hash == stream.hash;
}

void Bench(Device& device, int most_log) {
  const size_t most = size_t{1} << most_log;
  Message message = {OrExit(device.Allocate(256, "keys")),
                     OrExit(device.Allocate(32, "state")),
                     OrExit(device.Allocate(most, "data"))};
  fmt::print("{} ({})\n", device.info().name, device.info().detail);
  for (const bool decrypt : {false, true}) {
    for (const size_t key_bytes : {16, 24, 32}) {
      const seal::Key key = KeyOf(key_bytes);
      const size_t tried = std::min<size_t>(most, (size_t{96} << 20) - 5);
      if (!Agrees(device, key, message, tried, decrypt)) {
        fmt::print("error: wrong bytes or hash with a key of {}\n", key_bytes);
        std::exit(1);
      }
      for (const int log : {10, 15, 20, 22, 24, 26, 28, 31}) {
        if (log > most_log) continue;
        const uint64_t bytes = uint64_t{1} << log;
        Place(device, key, message);
        Run(device, key, message, bytes, decrypt, 2);
        std::vector<double> times =
            Run(device, key, message, bytes, decrypt, kRuns);
        std::sort(times.begin(), times.end());
        const double median = times[times.size() / 2];
        const double rate = static_cast<double>(bytes) / median;
        fmt::print("{} aes-{} {:>11} bytes {:>10.1f} us {:>7.1f} GB/s\n",
                   decrypt ? "open" : "seal", 8 * key_bytes, bytes,
                   median * 1e6, rate / 1e9);
      }
    }
  }
}

}  // namespace
}  // namespace assay

// gcm_device [DEVICE [LOG2_OF_MOST_BYTES]]
int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "cuda";
  const int most_log = argc > 2 ? std::atoi(argv[2]) : 31;
  auto device = assay::OpenDevice(name);
  if (!device.ok()) {
    fmt::print(stderr, "error: {}\n", device.error().what);
    return 1;
  }
  assay::Bench(**device, most_log);
}
