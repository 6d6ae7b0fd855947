// Kernels of this engine over bytes that lie on a device, to be measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/base/result.h"
#include "assay/device/device.h"

namespace assay::binary {

enum class Work : uint8_t {
  kRead,  // the roof: reads and adds up, ops/xor_sum
  kGhash,
  kAes128Gcm,  // seals in place
  kAes256Gcm,
  kCrc32,
  kCrc32c,
  kCrc64,
  kReedSolomon,  // 10 data shards to 4 parity shards
};

inline constexpr std::array kWorks = {
    Work::kRead,  Work::kGhash,  Work::kAes128Gcm, Work::kAes256Gcm,
    Work::kCrc32, Work::kCrc32c, Work::kCrc64,     Work::kReedSolomon};

std::string_view NameOf(Work work);  // "AES-128-GCM"
std::string_view OpOf(Work work);    // for Runtime::Trust

// Data on a device and what the kernels need beside it. Must not outlive the
// device.
class Workload {
 public:
  // The largest power of two of bytes of data that fit a device's budget and
  // its bindings, at most `wanted`; 0 if fewer than kLeast do.
  static constexpr uint64_t kLeast = 1024;
  static uint64_t Fitting(const Device& device, uint64_t wanted);

  // Fills `bytes` of device memory, and takes a quarter more for parity.
  // Precondition: a power of two, at least kLeast. Fails with kOverBudget and
  // the device's errors.
  static Result<Workload> Make(Device& device, uint64_t bytes);

  // The most input that a work takes: half of the data for kReedSolomon.
  uint64_t Most(Work work) const;
  // Of `bytes` what is input: for kReedSolomon ten equal shards.
  static uint64_t Input(Work work, uint64_t bytes);
  // What is read and written for it at least.
  static uint64_t Moved(Work work, uint64_t bytes);

  // One dispatch over the first `bytes`, a power of two from kLeast to Most.
  void Record(Recorder& recorder, Work work, uint64_t bytes) const;

  // Runs that once and compares what it leaves with the meaning, which takes
  // some 10 ms for 64 KiB.
  Result<bool> Agrees(Work work, uint64_t bytes);

  // The constant-time form without special instructions, on one thread of the
  // host and memory of its own: kGhash and the two of AES-GCM.
  static bool HasPortable(Work work);
  static constexpr uint64_t kMostPortable = uint64_t{1} << 20;
  static void RunPortable(Work work, uint64_t bytes);

 private:
  explicit Workload(Device& device) : device_(&device) {}

  Device* device_;
  uint64_t bytes_ = 0;
  Buffer data_;
  Buffer parity_;
  Buffer rest_;  // keys and states, in slots
};

}  // namespace assay::binary
