// AES in counter mode on vector lanes and several threads.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/base/secret.h"
#include "assay/ops/aes/aes_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/aes/aes_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/ops/aes/aes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

#if !ASSAY_AES_LANES

void CtrOfKey(const aes::Key& key, const aes::Block& counter, uint8_t* data,
              size_t bytes) {
  aes::Ctr(key, counter, {data, bytes}, {data, bytes});
}

#else

template <int kRounds>
void CtrOfRounds(const aes::Key& key, const aes::Block& counter, uint8_t* data,
                 size_t bytes) {
  const AesKeys<kRounds> keys(key);
  CtrBytes(keys, CountersFrom(counter), data, data, bytes);
}

void CtrOfKey(const aes::Key& key, const aes::Block& counter, uint8_t* data,
              size_t bytes) {
  if (key.rounds == 10) return CtrOfRounds<10>(key, counter, data, bytes);
  if (key.rounds == 12) return CtrOfRounds<12>(key, counter, data, bytes);
  CtrOfRounds<14>(key, counter, data, bytes);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {

HWY_EXPORT(CtrOfKey);

void Run(const CpuArgs& args) {
  const auto& p = args.Params<AesCtr::Params>();
  const size_t bytes = static_cast<size_t>(p.bytes_high) << 32 | p.bytes_low;
  aes::Key key = {};
  std::copy_n(args.Get<uint8_t>(0).begin(), 16 * (p.rounds + 1), key.round[0]);
  key.rounds = static_cast<int>(p.rounds);
  aes::Block counter;
  std::copy_n(args.Get<uint8_t>(1).begin(), 16, counter.begin());
  uint8_t* data = args.Get<uint8_t>(2).data();
  const size_t blocks = (bytes + 15) / 16;
  args.threads().For(blocks, 4096, [&](size_t begin, size_t end) {
    HWY_DYNAMIC_DISPATCH(CtrOfKey)
    (key, aes::Advance(counter, static_cast<uint32_t>(begin)),
     data + 16 * begin, std::min(bytes, 16 * end) - 16 * begin);
  });
  counter = aes::Advance(counter, static_cast<uint32_t>(blocks));
  std::copy(counter.begin(), counter.end(), args.Get<uint8_t>(1).begin());
  Wipe(key);
}

}  // namespace

CpuEntry AesCtr::Cpu() { return {&Run}; }

}  // namespace assay
#endif  // HWY_ONCE
