// AES-GCM: seals bytes under a key, and opens them only if nothing was changed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "assay/base/result.h"
#include "assay/device/device.h"
#include "assay/ops/seal/seal.h"

// NIST SP 800-38D with keys of 16, 24 and 32 bytes, IVs of any length but
// none, and tags of 12 to 16 bytes (docs/engines/binary.md, section 3).
//
// What the caller owes:
// - An IV is used once under a key. Two messages with the same one give away
//   the sum of their plaintexts and, to forgers, the hash key.
// - With random IVs of 12 bytes at most 2^32 messages are sealed under a key.
// - GCM commits to no key: a message may open under two. Where that matters,
//   bind the key by other means.
// - A tag of t bytes is guessed once in 2^(8t) tries, and tries for long
//   messages count more: take 16 bytes unless the format says otherwise.
//
// Time and memory accesses depend on lengths, IVs and alignment alone, never
// on keys or data. In host memory one thread works, with AES-NI, VAES,
// PCLMULQDQ or ARM's instructions where the processor has them; in a device's
// memory, its kernels do.
namespace assay::binary {

inline constexpr uint64_t kMaxGcmDataBytes = (uint64_t{1} << 36) - 32;
inline constexpr uint64_t kMaxGcmAadBytes = (uint64_t{1} << 61) - 1;
inline constexpr size_t kGcmTagBytes = 16;
inline constexpr size_t kLeastGcmTagBytes = 12;

using Bytes = std::span<const uint8_t>;
using MutableBytes = std::span<uint8_t>;

// An expanded key; its memory is wiped at its end. Any number of threads may
// use it at once. Some 5 microseconds to make.
class GcmKey {
 public:
  // Fails with kInvalidInput unless the key has 16, 24 or 32 bytes.
  static Result<GcmKey> Create(Bytes key);

  const seal::Key& expanded() const { return *key_; }

 private:
  struct WipingDelete {
    void operator()(seal::Key* key) const;
  };
  explicit GcmKey(Bytes key);
  std::unique_ptr<seal::Key, WipingDelete> key_;
};

// Seals a message. `out` has the plaintext's size and may be the same bytes;
// `tag` has 12 to 16. Fails with kInvalidInput, and writes nothing, on an
// empty IV, a tag of another size, or lengths beyond the limits above.
Status GcmSeal(const GcmKey& key, Bytes iv, Bytes aad, Bytes plain,
               MutableBytes out, MutableBytes tag);

// Opens a message: true, and `out` is the plaintext, if the tag holds;
// otherwise false, and `out` is zeros. Fails as GcmSeal does.
Result<bool> GcmOpen(const GcmKey& key, Bytes iv, Bytes aad, Bytes sealed,
                     Bytes tag, MutableBytes out);

// The same where the message lies in a device's memory, as what other kernels
// made or will use: one submission, by which the data is read and written once
// (twice where GcmOpen rejects), and 32 bytes come back. Both views are of
// `device` and equally long; they are the same bytes or have none in common.
// Views begin at any byte, on WebGPU at a multiple of 4; a GPU is fastest where
// both begin at a multiple of 16, WebGPU at one of 256: elsewhere, and in
// place, it works on copies, which are overwritten before anybody else has
// them.
//
// The round keys and the hash key go to the device and are overwritten there
// before the call returns, also where it fails. Copies in a driver's buffers
// are out of reach, as is host memory that uploads and read-backs pass through.
// Additional data is hashed on the host. What a device computes is trusted: try
// it first, by Runtime::Trust({"seal", "zero"}).
//
// They fail as the forms above do, with kInvalidInput also on views of unequal
// length or at a byte that the device does not bind, and with the device's
// errors. `out` then holds what it held where nothing ran on the device, and
// otherwise no plaintext that was not verified (zeros, after GcmOpen), unless
// the device is lost.
Status GcmSeal(Device& device, const GcmKey& key, Bytes iv, Bytes aad,
               const View<std::byte>& plain, const View<std::byte>& out,
               MutableBytes tag);
// Until the call returns, `out` may hold plaintext whose tag does not hold.
// Nothing else of this process that goes through `device` can see it: a device
// serves one thread, and this call waits.
Result<bool> GcmOpen(Device& device, const GcmKey& key, Bytes iv, Bytes aad,
                     const View<std::byte>& sealed, Bytes tag,
                     const View<std::byte>& out);

// What sealing and opening piece by piece have in common.
class GcmStream {
 public:
  GcmStream(const GcmStream&) = delete;
  GcmStream& operator=(const GcmStream&) = delete;
  GcmStream(GcmStream&& other) noexcept;
  GcmStream& operator=(GcmStream&&) = delete;

  // The additional data in any pieces, before the first piece of the message.
  // Fails with kInvalidInput afterwards, or beyond the limit. After Finish
  // everything does: two tags of one stream give the hash key away.
  Status Aad(Bytes piece);

 protected:
  enum class Direction : uint8_t { kEncrypt, kDecrypt };
  GcmStream(const GcmKey& key, Bytes iv);
  ~GcmStream();
  static Status CheckIv(Bytes iv);
  // Of one call for a whole message.
  static Status CheckMessage(Bytes iv, uint64_t aad, uint64_t in, uint64_t out,
                             size_t tag);
  Status Crypt(Direction direction, Bytes in, MutableBytes out);
  // The 16 bytes of the tag, once: fails with kInvalidInput afterwards.
  Result<seal::Block> Tag();

  // For data that is processed elsewhere: where its first block begins, and
  // where the message then stands. Precondition: no data came before, and
  // sizes are within the limits.
  const seal::Stream& BeginData();
  void EndData(const seal::Stream& stream, uint64_t bytes);

 private:
  void FillBlock();
  void CryptSome(Direction direction, Bytes in, uint8_t* out);

  const seal::Key* key_;
  seal::Stream stream_;
  seal::Block mask_;   // E(J0), which hides the hash
  seal::Block block_;  // of AAD or ciphertext, not yet hashed
  seal::Block pad_;    // key stream of that block
  size_t filled_ = 0;  // bytes of block_
  uint64_t aad_bytes_ = 0;
  uint64_t data_bytes_ = 0;
  bool in_data_ = false;
  bool finished_ = false;
};

// Seals a message in any pieces: each leaves as soon as it comes. The key must
// outlive the object.
class GcmSealer : public GcmStream {
 public:
  static Result<GcmSealer> Begin(const GcmKey& key, Bytes iv);

  // Equal sizes; the bytes may be the same. Fails, and writes nothing, beyond
  // the limit of 2^36 - 32 bytes.
  Status Update(Bytes plain, MutableBytes out) {
    return Crypt(Direction::kEncrypt, plain, out);
  }
  // The tag, 12 to 16 bytes of it. Once, at the end.
  Status Finish(MutableBytes tag);

 private:
  using GcmStream::GcmStream;
};

// Opens a message in any pieces. No byte of the plaintext leaves before the
// tag holds, so all of it is kept in memory until then: for large files see
// seal.h. The key must outlive the object.
class GcmOpener : public GcmStream {
 public:
  static Result<GcmOpener> Begin(const GcmKey& key, Bytes iv);
  GcmOpener(GcmOpener&&) noexcept = default;
  ~GcmOpener();

  Status Update(Bytes sealed);
  // True, and `plain` is the message, if the tag holds; otherwise false, and
  // `plain` is empty. Once, at the end.
  Result<bool> Finish(Bytes tag, std::vector<uint8_t>* plain);

 private:
  using GcmStream::GcmStream;
  std::vector<uint8_t> plain_;
};

}  // namespace assay::binary
