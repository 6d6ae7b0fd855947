// Overwrites bytes with zeros on several threads.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/secret.h"
#include "assay/ops/zero/zero_kernels.h"

namespace assay {
namespace {

void Run(const CpuArgs& args) {
  const auto& p = args.Params<ZeroBytes::Params>();
  const size_t bytes = static_cast<size_t>(p.bytes_high) << 32 | p.bytes_low;
  std::byte* data = args.Get<std::byte>(0).data();
  args.threads().For(bytes, size_t{1} << 20, [data](size_t begin, size_t end) {
    Wipe(data + begin, end - begin);
  });
}

}  // namespace

CpuEntry ZeroBytes::Cpu() { return {&Run}; }

}  // namespace assay
