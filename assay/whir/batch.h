// Work that leaves for a device together, as one upload and one submission.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/device/device.h"

namespace assay::whir {

// Bytes that a Batch takes for `bytes` of data: places are such that every
// adapter can bind them.
constexpr uint64_t Room(uint64_t bytes) { return (bytes + 255) / 256 * 256; }

// Device memory for what is small and short-lived, allocated once a proof.
// Two buffers, since WebGPU binds none that is read and written at once.
struct ScratchSize {
  uint64_t in_bytes = 0;   // what the host sends
  uint64_t out_bytes = 0;  // what kernels leave to be read

  uint64_t total() const { return in_bytes + out_bytes; }
  ScratchSize operator+(const ScratchSize& other) const {
    return {in_bytes + other.in_bytes, out_bytes + other.out_bytes};
  }
  ScratchSize operator*(uint64_t times) const {
    return {in_bytes * times, out_bytes * times};
  }
  // Enough for either.
  ScratchSize Or(const ScratchSize& other) const {
    return {std::max(in_bytes, other.in_bytes),
            std::max(out_bytes, other.out_bytes)};
  }
};

// Ways to a device and back: each costs 5 to 100 us, whatever it carries.
struct Traffic {
  uint64_t submissions = 0;
  uint64_t waits = 0;
  uint64_t uploads = 0;

  Traffic operator+(const Traffic& other) const {
    return {submissions + other.submissions, waits + other.waits,
            uploads + other.uploads};
  }
};

class Scratch {
 public:
  Scratch() = default;
  static Result<Scratch> Make(Device& device, const ScratchSize& size);

  // Batches from now on: each kernel a submission that is waited for, to show
  // what fewer of them save.
  void SetStepwise(bool stepwise) { stepwise_ = stepwise; }
  // Without a stage a recording leaves no spans, where spans cost time.
  void SetTimed(bool timed) { timed_ = timed; }
  const Traffic& traffic() const { return traffic_; }

  explicit operator bool() const { return device_ != nullptr; }
  Device& device() const { return *device_; }

 private:
  friend class Batch;
  Device* device_ = nullptr;
  Buffer in_, out_;
  std::vector<std::byte> staged_;
  Traffic traffic_;
  bool stepwise_ = false;
  bool timed_ = true;
};

// A submission under way.
class Pending {
 public:
  Status Wait();

 private:
  friend class Batch;
  Ticket ticket_;
  Traffic* traffic_ = nullptr;
};

// One submission in the making. Data put into it is uploaded before its first
// dispatch; places in the scratch are free again for the next batch, which
// runs after this one.
class Batch {
 public:
  Batch(Scratch& scratch, std::string_view stage);

  Device& device() const { return scratch_.device(); }

  // Values that kernels of this batch read. Running out of scratch, which a
  // plan rules out, fails the submission with kInternal.
  template <class T>
  View<T> Put(std::span<const T> values) {
    return PutParts<T>({values});
  }
  // Several spans one after the other.
  template <class T>
  View<T> PutParts(std::initializer_list<std::span<const T>> parts) {
    size_t bytes = 0;
    for (const auto& part : parts) bytes += part.size_bytes();
    const View<T> view = Place(bytes).template As<T>();
    for (const auto& part : parts) Stage(std::as_bytes(part));
    return view;
  }
  // A place for `count` values that a kernel of this batch writes.
  template <class T>
  View<T> Take(size_t count) {
    return TakeBytes(count * sizeof(T)).template As<T>();
  }

  template <class K>
  void Dispatch(std::initializer_list<RawView> bindings,
                const typename K::Params& params) {
    recorder().Dispatch<K>(bindings, params);
  }
  template <class T>
  Readback<T> Read(const View<T>& view) {
    return recorder().Read(view);
  }
  // For one kernel.
  Recorder& recorder() {
    if (scratch_.stepwise_ && recorder_.size() > 0) RunStep();
    return recorder_;
  }

  // Sends it off. Nothing may be recorded afterwards.
  Result<Pending> Submit();
  // Sends it off and waits.
  Status Run();

 private:
  View<std::byte> Place(size_t bytes);
  View<std::byte> TakeBytes(size_t bytes);
  void Stage(std::span<const std::byte> bytes);
  Status Upload();
  void RunStep();

  Scratch& scratch_;
  Recorder recorder_;
  uint64_t sent_ = 0;
  uint64_t taken_ = 0;
  Status failed_;
};

}  // namespace assay::whir
