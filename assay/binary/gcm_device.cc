// Seals and opens messages that lie in a device's memory.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "assay/base/secret.h"
#include "assay/binary/gcm.h"
#include "assay/ops/seal/seal_kernels.h"
#include "assay/ops/zero/zero_kernels.h"

namespace assay::binary {
namespace {

// Round keys and hash key as the kernel binds them.
using Keys =
    std::array<std::byte, sizeof(aes::Key::round) + sizeof(seal::Block)>;

// A buffer that is overwritten before it is given back. It holds what one
// binding takes and no more: a backend may bind parts of a buffer as copies.
template <class T>
class SecretBuffer {
 public:
  static Result<SecretBuffer> Make(Device& device, const T& secret) {
    ASSAY_ASSIGN(buffer, device.Allocate(sizeof(T), "gcm keys"));
    SecretBuffer made(device, std::move(buffer));
    ASSAY_TRY(device.Upload<std::byte>(made.view(),
                                       std::as_bytes(std::span(&secret, 1))));
    return made;
  }
  SecretBuffer(SecretBuffer&&) noexcept = default;
  SecretBuffer& operator=(SecretBuffer&&) = delete;
  ~SecretBuffer() {
    if (!buffer_) return;
    const std::array<std::byte, sizeof(T)> zeros = {};
    // A device that is lost keeps nothing.
    (void)device_->Upload<std::byte>(buffer_.As<std::byte>(), zeros);
  }

  Status Read(T& to) const {
    return device_->Read<std::byte>(view(),
                                    std::as_writable_bytes(std::span(&to, 1)));
  }
  View<std::byte> view() const { return buffer_.As<std::byte>(); }

 private:
  SecretBuffer(Device& device, Buffer buffer)
      : device_(&device), buffer_(std::move(buffer)) {}
  Device* device_;
  Buffer buffer_;
};

Keys KeysOf(const seal::Key& key) {
  Keys keys;
  std::memcpy(keys.data(), key.aes.round, sizeof(key.aes.round));
  std::memcpy(keys.data() + sizeof(key.aes.round), key.h.data(), 16);
  return keys;
}

// In pieces of what a kernel can bind; most devices need one.
size_t PieceBytes(const Device& device) {
  constexpr uint64_t kAligned = 4096;
  const uint64_t most = std::min<uint64_t>(device.info().max_binding_bytes,
                                           kMaxGcmDataBytes + kAligned);
  return static_cast<size_t>(most / kAligned * kAligned);
}

// Whether the device can bind them where they begin.
Status CheckViews(const Device& device, const View<std::byte>& in,
                  const View<std::byte>& out) {
  const size_t alignment = device.info().view_alignment;
  for (const View<std::byte>& view : {in, out}) {
    if (view.raw.offset % alignment == 0) continue;
    return Error{Code::kInvalidInput,
                 fmt::format("a message begins at byte {} of its buffer",
                             view.raw.offset),
                 fmt::format("this device takes multiples of {}", alignment)};
  }
  return {};
}

Status Zero(Device& device, const View<std::byte>& view) {
  Recorder recorder = device.Record("gcm wipe");
  const size_t piece = PieceBytes(device);
  for (size_t done = 0; done < view.size(); done += piece) {
    RecordZero(recorder, view.Sub(done, std::min(piece, view.size() - done)));
  }
  return device.Run(std::move(recorder));
}

// A message whose data a device passes over.
class OnDevice : public GcmStream {
 public:
  using GcmStream::CheckMessage;
  OnDevice(const GcmKey& key, Bytes iv) : GcmStream(key, iv), key_(&key) {}
  ~OnDevice() = default;
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  Result<seal::Block> Run(Device& device, bool decrypt, Bytes aad,
                          const View<std::byte>& in,
                          const View<std::byte>& out) {
    ASSAY_TRY(Aad(aad));
    const seal::Stream& begin = BeginData();
    if (in.size() == 0) return Tag();
    Keys words = KeysOf(key_->expanded());
    Result<SecretBuffer<Keys>> made = SecretBuffer<Keys>::Make(device, words);
    Wipe(words);
    ASSAY_TRY(made);
    const SecretBuffer<Keys>& keys = *made;
    ASSAY_ASSIGN(stream, SecretBuffer<seal::Stream>::Make(device, begin));
    Recorder recorder = device.Record(decrypt ? "gcm open" : "gcm seal");
    // No device decrypts that could not overwrite what it decrypted: all
    // kernels of a recording are there before the first one runs.
    if (decrypt) recorder.Dispatch<ZeroBytes>({stream.view().raw}, {});
    const size_t piece = PieceBytes(device);
    for (size_t done = 0; done < in.size(); done += piece) {
      const uint64_t bytes = std::min(piece, in.size() - done);
      recorder.Dispatch<SealGcm>(
          {keys.view().raw, stream.view().raw, in.Sub(done, bytes).raw,
           out.Sub(done, bytes).raw},
          {static_cast<uint32_t>(bytes), static_cast<uint32_t>(bytes >> 32),
           static_cast<uint32_t>(key_->expanded().aes.rounds),
           decrypt ? 1u : 0u});
    }
    Ticket ticket = device.Submit(std::move(recorder));
    began_ = ticket.Began();
    ASSAY_TRY(ticket.Wait());
    seal::Stream end;
    const Status read = stream.Read(end);
    EndData(end, in.size());
    Wipe(end);
    ASSAY_TRY(read);
    return Tag();
  }

  // Whether something may have been written to `out`.
  bool began() const { return began_; }

 private:
  const GcmKey* key_;
  bool began_ = false;
};

}  // namespace

Status GcmSeal(Device& device, const GcmKey& key, Bytes iv, Bytes aad,
               const View<std::byte>& plain, const View<std::byte>& out,
               MutableBytes tag) {
  ASSAY_TRY(OnDevice::CheckMessage(iv, aad.size(), plain.size(), out.size(),
                                   tag.size()));
  ASSAY_TRY(CheckViews(device, plain, out));
  ASSAY_ASSIGN(whole, OnDevice(key, iv).Run(device, false, aad, plain, out));
  std::copy_n(whole.begin(), tag.size(), tag.begin());
  return {};
}

Result<bool> GcmOpen(Device& device, const GcmKey& key, Bytes iv, Bytes aad,
                     const View<std::byte>& sealed, Bytes tag,
                     const View<std::byte>& out) {
  ASSAY_TRY(OnDevice::CheckMessage(iv, aad.size(), sealed.size(), out.size(),
                                   tag.size()));
  ASSAY_TRY(CheckViews(device, sealed, out));
  OnDevice opener(key, iv);
  Result<seal::Block> expected = opener.Run(device, true, aad, sealed, out);
  const bool accepted =
      expected.ok() &&
      EqualInConstantTime(Bytes(*expected).first(tag.size()), tag);
  if (expected.ok()) Wipe(*expected);
  if (accepted) return true;
  Status wiped;
  if (opener.began()) wiped = Zero(device, out);
  if (!expected.ok()) return expected.error();
  ASSAY_TRY(wiped);
  return false;
}

}  // namespace assay::binary
