// One thread in the place of oneTBB, which a cross build does not have.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/parallel.h"

namespace assay {

struct Threads::Arena {};

int HardwareThreads() { return 1; }

Threads::Threads(int count) : count_(count > 0 ? count : 1) {}

Threads::~Threads() = default;

void Threads::Run(size_t total, size_t grain, RangeFn fn, void* context) const {
  // Chunks as the workers of oneTBB would see them.
  const size_t step = grain > 0 ? grain : 1;
  for (size_t begin = 0; begin < total; begin += step) {
    const size_t end = begin + step < total ? begin + step : total;
    fn(context, begin, end);
  }
}

}  // namespace assay
