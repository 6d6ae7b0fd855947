// Lets a device play the rounds and checks what they lead to.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/prove.h"

#include <utility>

#include "assay/binary/device_rounds.h"
#include "assay/binary/host_rounds.h"
#include "assay/binary/verify.h"

namespace assay::binary {

Status TrustSumcheck(Runtime& runtime, const SumcheckPlan& plan) {
  return runtime.Trust(
      {plan.on_device ? "product_rounds" : "product_sumcheck"});
}

Result<Proof> Prove(Runtime& runtime, const SumcheckPlan& plan,
                    LoadedColumns columns, const ProveContext& context) {
  ASSAY_TRY(TrustSumcheck(runtime, plan));
  Device& device = runtime.device();
  ASSAY_ASSIGN(proof,
               plan.on_device
                   ? ProveOnDevice(device, plan, std::move(columns), context)
                   : ProveWithHost(device, plan, std::move(columns), context));
  if (Reduce(proof).verdict.accepted) return std::move(proof);
  return Error{
      Code::kUntrusted,
      device.info().name + " folded columns that do not agree with the rounds",
      "run `assay selftest`"};
}

}  // namespace assay::binary
