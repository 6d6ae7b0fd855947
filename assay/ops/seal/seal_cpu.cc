// AES-GCM's pass over data on vector lanes and several threads.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "assay/base/secret.h"
#include "assay/ops/ghash/chunks.h"
#include "assay/ops/seal/gcm_lanes.h"
#include "assay/ops/seal/seal_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/seal/seal_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/ops/seal/seal-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// None of these moves the counter: their callers do.
int64_t SealTarget() { return HWY_TARGET; }

void SealHash(const seal::Key& key, seal::Block& hash, const uint8_t* data,
              size_t bytes) {
  GhashBytes(key.powers, hash, data, bytes);
}

#if !ASSAY_AES_LANES

void SealEncrypt(const seal::Key& key, seal::Stream& stream, const uint8_t* in,
                 uint8_t* out, size_t bytes) {
  const seal::Block counter = stream.counter;
  seal::Encrypt(key, stream, {in, bytes}, {out, bytes});
  stream.counter = counter;
}
void SealDecrypt(const seal::Key& key, seal::Stream& stream, const uint8_t* in,
                 uint8_t* out, size_t bytes) {
  const seal::Block counter = stream.counter;
  seal::Decrypt(key, stream, {in, bytes}, {out, bytes});
  stream.counter = counter;
}

void SealBlock(const seal::Key& key, seal::Block& block) {
  block = aes::Encrypt(key.aes, block);
}

#else

// The block is a counter whose key stream is wanted.
void SealBlock(const seal::Key& key, seal::Block& block) {
  const VA32 counters = CountersFrom(block);
  switch (key.aes.rounds) {
    case 10: return BlockOfStream(AesKeys<10>(key.aes), counters, block);
    case 12: return BlockOfStream(AesKeys<12>(key.aes), counters, block);
    default: return BlockOfStream(AesKeys<14>(key.aes), counters, block);
  }
}

void SealEncrypt(const seal::Key& key, seal::Stream& stream, const uint8_t* in,
                 uint8_t* out, size_t bytes) {
  switch (key.aes.rounds) {
    case 10: return EncryptRounds<10>(key, stream, in, out, bytes);
    case 12: return EncryptRounds<12>(key, stream, in, out, bytes);
    default: return EncryptRounds<14>(key, stream, in, out, bytes);
  }
}
void SealDecrypt(const seal::Key& key, seal::Stream& stream, const uint8_t* in,
                 uint8_t* out, size_t bytes) {
  switch (key.aes.rounds) {
    case 10: return DecryptRounds<10>(key, stream, in, out, bytes);
    case 12: return DecryptRounds<12>(key, stream, in, out, bytes);
    default: return DecryptRounds<14>(key, stream, in, out, bytes);
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {

HWY_EXPORT(SealTarget);
HWY_EXPORT(SealHash);
HWY_EXPORT(SealBlock);
HWY_EXPORT(SealEncrypt);
HWY_EXPORT(SealDecrypt);

void Run(const CpuArgs& args) {
  const auto& p = args.Params<SealGcm::Params>();
  const size_t bytes = static_cast<size_t>(p.bytes_high) << 32 | p.bytes_low;
  seal::Key key = {};
  const uint8_t* keys = args.Get<uint8_t>(0).data();
  std::copy_n(keys, sizeof(key.aes.round), key.aes.round[0]);
  key.aes.rounds = static_cast<int>(p.rounds);
  std::copy_n(keys + sizeof(key.aes.round), 16, key.h.begin());
  ghash::PowersOf(key.h, key.powers);
  seal::Stream& state = args.Get<seal::Stream>(1)[0];
  const uint8_t* in = args.Get<uint8_t>(2).data();
  uint8_t* out = args.Get<uint8_t>(3).data();

  const ghash::Chunks chunks(bytes, args.threads().count());
  std::vector<seal::Block> hashes(chunks.count);
  hashes[0] = state.hash;
  args.threads().For(chunks.count, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      const size_t first = chunks.First(c);
      seal::Stream stream = {
          aes::Advance(state.counter, static_cast<uint32_t>(first / 16)),
          hashes[c]};
      const auto crypt =
          p.decrypt != 0 ? &seal::DecryptLanes : &seal::EncryptLanes;
      crypt(key, stream, in + first, out + first, chunks.Size(c));
      hashes[c] = stream.hash;
    }
  });
  state.counter =
      aes::Advance(state.counter, static_cast<uint32_t>((bytes + 15) / 16));
  if (chunks.count == 1) {
    state.hash = hashes[0];
  } else {
    state.hash = ghash::JoinChunks(key.h, hashes, chunks.bytes_each / 16,
                                   (chunks.Size(chunks.count - 1) + 15) / 16);
  }
  Wipe(key);
}

}  // namespace

CpuEntry SealGcm::Cpu() { return {&Run}; }

namespace seal {

void EncryptLanes(const Key& key, Stream& stream, const uint8_t* in,
                  uint8_t* out, size_t bytes) {
  HWY_DYNAMIC_DISPATCH(SealEncrypt)(key, stream, in, out, bytes);
  stream.counter =
      aes::Advance(stream.counter, static_cast<uint32_t>((bytes + 15) / 16));
}
void DecryptLanes(const Key& key, Stream& stream, const uint8_t* in,
                  uint8_t* out, size_t bytes) {
  HWY_DYNAMIC_DISPATCH(SealDecrypt)(key, stream, in, out, bytes);
  stream.counter =
      aes::Advance(stream.counter, static_cast<uint32_t>((bytes + 15) / 16));
}
Block BlockLanes(const Key& key, const Block& block) {
  Block result = block;
  HWY_DYNAMIC_DISPATCH(SealBlock)(key, result);
  return result;
}
void HashLanes(const Key& key, Block& hash, const uint8_t* data, size_t bytes) {
  HWY_DYNAMIC_DISPATCH(SealHash)(key, hash, data, bytes);
}
std::string_view LanesTarget() {
  return hwy::TargetName(HWY_DYNAMIC_DISPATCH(SealTarget)());
}

}  // namespace seal
}  // namespace assay
#endif  // HWY_ONCE
