// Submits windows of candidates in rising order.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/grinder.h"

#include <fmt/format.h>

#include <algorithm>

#include "assay/ops/grind/grind_kernels.h"

namespace assay::whir {
namespace {

constexpr uint32_t kNoWitness = 0xffffffff;

}  // namespace

Result<BabyBear> Grinder::Find(const DuplexChallenger::GrindState& start,
                               int bits,
                               const std::function<Status()>& poll) const {
  const bool few = near_ != nullptr && bits <= placement_.host_grind_bits;
  Scratch& scratch = few ? *near_ : *far_;
  const uint64_t window = uint64_t{1}
                          << std::min(bits + placement_.log_grind_window,
                                      placement_.log_most_window);
  for (uint64_t from = 0; from < BabyBear::kPrime; from += window) {
    Batch batch(scratch, "grind");
    const View<BabyBear> state =
        batch.Put(std::span<const BabyBear>(start.state));
    const View<uint32_t> found = batch.Take<uint32_t>(1);
    batch.Dispatch<Grind>(
        {state.raw, found.raw},
        {static_cast<uint32_t>(start.position), static_cast<uint32_t>(bits),
         static_cast<uint32_t>(from),
         static_cast<uint32_t>(
             std::min<uint64_t>(window, BabyBear::kPrime - from))});
    const Readback<uint32_t> hit = batch.Read(found);
    ASSAY_TRY(batch.Run());
    if (*hit != kNoWitness) return BabyBear::From(*hit);
    ASSAY_TRY(poll());
  }
  return Error{Code::kInternal,
               fmt::format("no witness of {} bits exists", bits), ""};
}

}  // namespace assay::whir
