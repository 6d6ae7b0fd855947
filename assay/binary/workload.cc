// One buffer of data for all kernels, and a slot for each small thing.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/workload.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "assay/base/split_mix.h"
#include "assay/ops/crc/crc_kernels.h"
#include "assay/ops/ghash/ghash.h"
#include "assay/ops/ghash/ghash_kernels.h"
#include "assay/ops/reed_solomon/reed_solomon.h"
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"
#include "assay/ops/seal/seal.h"
#include "assay/ops/seal/seal_kernels.h"
#include "assay/ops/xor_sum/xor_sum.h"
#include "assay/ops/xor_sum/xor_sum_kernels.h"

namespace assay::binary {
namespace {

constexpr reed_solomon::Scheme kScheme = {reed_solomon::Kind::kVandermonde, 10,
                                          4};
constexpr uint64_t kPiece = uint64_t{1} << 20;  // of data that does not repeat

// Small things, where every backend may bind them.
constexpr uint64_t kSlot = 512;
enum class Slot : uint8_t {
  kSum,
  kHashKey,
  kHash,
  kKeys128,
  kKeys256,
  kStream,
  kRegister32,
  kRegister64,
  kRows,
  kCount
};

View<uint8_t> SlotOf(const Buffer& rest, Slot slot, size_t bytes) {
  return rest.As<uint8_t>().Sub(kSlot * static_cast<size_t>(slot), bytes);
}

std::vector<uint8_t> RandomBytes(size_t bytes) {
  std::vector<uint64_t> words((bytes + 7) / 8);
  for (size_t i = 0; i < words.size(); ++i) words[i] = SplitMix64(1, i);
  std::vector<uint8_t> data(bytes);
  std::memcpy(data.data(), words.data(), bytes);
  return data;
}

bool IsGcm(Work work) {
  return work == Work::kAes128Gcm || work == Work::kAes256Gcm;
}

seal::Key KeyOf(Work work) {
  std::vector<uint8_t> secret(work == Work::kAes128Gcm ? 16 : 32);
  for (size_t i = 0; i < secret.size(); ++i) {
    secret[i] = static_cast<uint8_t>(SplitMix64(2, i));
  }
  return seal::ExpandKey(secret);
}

// Round keys and the hash key, as the kernel takes them.
constexpr size_t kKeyBytes = sizeof(aes::Key::round) + sizeof(seal::Block);
std::vector<uint8_t> KeysOf(Work work) {
  const seal::Key key = KeyOf(work);
  std::vector<uint8_t> bytes(kKeyBytes);
  std::memcpy(bytes.data(), key.aes.round, sizeof(key.aes.round));
  std::memcpy(bytes.data() + sizeof(key.aes.round), key.h.data(), key.h.size());
  return bytes;
}

Slot RegisterOf(Work work) {
  return work == Work::kCrc64 ? Slot::kRegister64 : Slot::kRegister32;
}

crc::Generator GeneratorOf(Work work) {
  return crc::GeneratorOf(work == Work::kCrc32    ? crc::Kind::kCrc32
                          : work == Work::kCrc32c ? crc::Kind::kCrc32c
                                                  : crc::Kind::kCrc64);
}

// Bytes of a shard.
uint64_t ShardOf(uint64_t bytes) {
  return bytes / static_cast<uint64_t>(kScheme.data) / 16 * 16;
}

template <class T>
T As(std::span<const uint8_t> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

}  // namespace

std::string_view NameOf(Work work) {
  switch (work) {
    case Work::kRead: return "read";
    case Work::kGhash: return "GHASH";
    case Work::kAes128Gcm: return "AES-128-GCM";
    case Work::kAes256Gcm: return "AES-256-GCM";
    case Work::kCrc32: return "CRC-32";
    case Work::kCrc32c: return "CRC-32C";
    case Work::kCrc64: return "CRC-64";
    case Work::kReedSolomon: return "Reed-Solomon 10+4";
  }
  return "";
}

std::string_view OpOf(Work work) {
  switch (work) {
    case Work::kRead: return "xor_sum";
    case Work::kGhash: return "ghash";
    case Work::kAes128Gcm:
    case Work::kAes256Gcm: return "seal";
    case Work::kReedSolomon: return "reed_solomon";
    default: return "crc";
  }
}

uint64_t Workload::Fitting(const Device& device, uint64_t wanted) {
  const uint64_t limit = device.budget().limit_bytes();
  const uint64_t rest = kSlot * static_cast<uint64_t>(Slot::kCount);
  uint64_t bytes = std::bit_floor(std::max<uint64_t>(wanted, 1));
  while (bytes >= kLeast && (bytes + bytes / 4 + rest > limit ||
                             bytes > device.info().max_binding_bytes)) {
    bytes /= 2;
  }
  return bytes < kLeast ? 0 : bytes;
}

Result<Workload> Workload::Make(Device& device, uint64_t bytes) {
  Workload load(device);
  load.bytes_ = bytes;
  ASSAY_ASSIGN(data, device.Allocate(bytes, "data"));
  ASSAY_ASSIGN(parity, device.Allocate(bytes / 4, "parity"));
  ASSAY_ASSIGN(rest, device.Allocate(kSlot * static_cast<size_t>(Slot::kCount),
                                     "keys and states"));
  load.data_ = std::move(data);
  load.parity_ = std::move(parity);
  load.rest_ = std::move(rest);
  const std::vector<uint8_t> piece =
      RandomBytes(static_cast<size_t>(std::min(bytes, kPiece)));
  const std::span<const uint8_t> random(piece);
  for (uint64_t at = 0; at < bytes; at += piece.size()) {
    ASSAY_TRY(
        device.Upload(load.data_.As<uint8_t>().Sub(at, piece.size()), random));
  }
  // States are random, too: no case of zeros is the fast one.
  std::vector<uint8_t> states =
      RandomBytes(kSlot * static_cast<size_t>(Slot::kCount));
  // A register of 32 bits, in two words.
  std::fill_n(
      states.begin() + static_cast<ptrdiff_t>(
                           kSlot * static_cast<size_t>(Slot::kRegister32) + 4),
      4, uint8_t{0});
  ASSAY_TRY(device.Upload(load.rest_.As<uint8_t>(),
                          std::span<const uint8_t>(states)));
  for (const auto& [slot, work] : {std::pair(Slot::kKeys128, Work::kAes128Gcm),
                                   {Slot::kKeys256, Work::kAes256Gcm}}) {
    const std::vector<uint8_t> keys = KeysOf(work);
    ASSAY_TRY(device.Upload(SlotOf(load.rest_, slot, kKeyBytes),
                            std::span<const uint8_t>(keys)));
  }
  const reed_solomon::Matrix rows = reed_solomon::ParityRows(kScheme);
  ASSAY_TRY(device.Upload(SlotOf(load.rest_, Slot::kRows, rows.cells().size()),
                          rows.cells()));
  return load;
}

uint64_t Workload::Most(Work work) const {
  return work == Work::kReedSolomon ? bytes_ / 2 : bytes_;
}

uint64_t Workload::Input(Work work, uint64_t bytes) {
  return work == Work::kReedSolomon
             ? ShardOf(bytes) * static_cast<uint64_t>(kScheme.data)
             : bytes;
}

uint64_t Workload::Moved(Work work, uint64_t bytes) {
  if (IsGcm(work)) return 2 * bytes;
  if (work != Work::kReedSolomon) return bytes;
  return ShardOf(bytes) * static_cast<uint64_t>(kScheme.shards());
}

void Workload::Record(Recorder& recorder, Work work, uint64_t bytes) const {
  const View<uint8_t> data = data_.As<uint8_t>().Sub(0, bytes);
  switch (work) {
    case Work::kRead:
      RecordXorSum(recorder, data, SlotOf(rest_, Slot::kSum, 16));
      break;
    case Work::kGhash:
      RecordGhash(recorder, SlotOf(rest_, Slot::kHashKey, 16), data,
                  SlotOf(rest_, Slot::kHash, 16), bytes);
      break;
    case Work::kAes128Gcm:
    case Work::kAes256Gcm: {
      const bool is_128 = work == Work::kAes128Gcm;
      const Slot keys = is_128 ? Slot::kKeys128 : Slot::kKeys256;
      recorder.Dispatch<SealGcm>(
          {SlotOf(rest_, keys, kKeyBytes).raw,
           SlotOf(rest_, Slot::kStream, sizeof(seal::Stream)).raw, data.raw,
           data.raw},
          {static_cast<uint32_t>(bytes), static_cast<uint32_t>(bytes >> 32),
           is_128 ? 10u : 14u, 0});
      break;
    }
    case Work::kCrc32:
    case Work::kCrc32c:
    case Work::kCrc64:
      RecordCrc(recorder, GeneratorOf(work), data.As<std::byte>(), 1, bytes,
                bytes, SlotOf(rest_, RegisterOf(work), 8).As<uint64_t>());
      break;
    case Work::kReedSolomon: {
      const uint64_t shard = ShardOf(bytes);
      const auto k = static_cast<uint32_t>(kScheme.data);
      const auto m = static_cast<uint32_t>(kScheme.parity);
      RecordReedSolomon(recorder,
                        SlotOf(rest_, Slot::kRows, k * m).As<std::byte>(), m, k,
                        shard, {data.As<std::byte>().Sub(0, k * shard), shard},
                        {parity_.As<std::byte>().Sub(0, m * shard), shard});
      break;
    }
  }
}

Result<bool> Workload::Agrees(Work work, uint64_t bytes) {
  struct Memory {
    std::vector<uint8_t> data, rest, parity;
    std::span<const uint8_t> Of(Slot slot) const {
      return std::span(rest).subspan(kSlot * static_cast<size_t>(slot), kSlot);
    }
  };
  const auto read = [&](Memory& memory) -> Status {
    memory.data.resize(bytes);
    memory.rest.resize(rest_.bytes());
    memory.parity.resize(ShardOf(bytes) *
                         static_cast<uint64_t>(kScheme.parity));
    ASSAY_TRY(device_->Read(data_.As<uint8_t>().Sub(0, bytes),
                            std::span(memory.data)));
    ASSAY_TRY(device_->Read(rest_.As<uint8_t>(), std::span(memory.rest)));
    if (work != Work::kReedSolomon) return {};
    return device_->Read(parity_.As<uint8_t>().Sub(0, memory.parity.size()),
                         std::span(memory.parity));
  };
  Memory before, after;
  ASSAY_TRY(read(before));
  Recorder recorder = device_->Record("compare");
  Record(recorder, work, bytes);
  ASSAY_TRY(device_->Run(std::move(recorder)));
  ASSAY_TRY(read(after));
  switch (work) {
    case Work::kRead:
      return xor_sum::Add(As<xor_sum::Block>(before.Of(Slot::kSum)),
                          before.data) ==
             As<xor_sum::Block>(after.Of(Slot::kSum));
    case Work::kGhash:
      return ghash::Hash(As<ghash::Block>(before.Of(Slot::kHashKey)),
                         As<ghash::Block>(before.Of(Slot::kHash)),
                         before.data) ==
             As<ghash::Block>(after.Of(Slot::kHash));
    case Work::kAes128Gcm:
    case Work::kAes256Gcm: {
      auto stream = As<seal::Stream>(before.Of(Slot::kStream));
      const auto found = As<seal::Stream>(after.Of(Slot::kStream));
      seal::Encrypt(KeyOf(work), stream, before.data, before.data);
      return stream.counter == found.counter && stream.hash == found.hash &&
             before.data == after.data;
    }
    case Work::kReedSolomon: {
      const uint64_t shard = ShardOf(bytes);
      reed_solomon::Apply(reed_solomon::ParityRows(kScheme), shard,
                          std::as_bytes(std::span(before.data)), shard,
                          std::as_writable_bytes(std::span(before.parity)),
                          shard);
      return before.parity == after.parity;
    }
    default:
      return crc::Advance(GeneratorOf(work),
                          As<uint64_t>(before.Of(RegisterOf(work))),
                          std::as_bytes(std::span(before.data))) ==
             As<uint64_t>(after.Of(RegisterOf(work)));
  }
}

bool Workload::HasPortable(Work work) {
  return work == Work::kGhash || IsGcm(work);
}

void Workload::RunPortable(Work work, uint64_t bytes) {
  static std::vector<uint8_t> data = RandomBytes(kMostPortable);
  static seal::Stream stream = {};
  const std::span<uint8_t> used = std::span(data).first(bytes);
  if (work == Work::kGhash) {
    stream.hash = ghash::Hash(As<ghash::Block>(data), stream.hash, used);
    return;
  }
  static const seal::Key key128 = KeyOf(Work::kAes128Gcm);
  static const seal::Key key256 = KeyOf(Work::kAes256Gcm);
  seal::Encrypt(work == Work::kAes128Gcm ? key128 : key256, stream, used, used);
}

}  // namespace assay::binary
