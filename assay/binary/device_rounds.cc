// Sends a begun transcript to the device and reads the proof in it.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/device_rounds.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/base/progress.h"
#include "assay/ops/product_rounds/product_rounds.h"

namespace assay::binary {

namespace pr = product_rounds;
static_assert(kStatementBytes == pr::kStatementBytes);
static_assert(kMaxFactors == product_sumcheck::kMaxFactors);

Result<Proof> ProveOnDevice(Device& device, const SumcheckPlan& plan,
                            LoadedColumns columns,
                            const ProveContext& context) {
  const auto n = static_cast<size_t>(plan.n);
  const auto d = static_cast<size_t>(plan.d);
  const auto report = [&](uint64_t done) -> Status {
    if (!context.progress || context.progress("rounds", done, n)) return {};
    return Cancelled("the proof");
  };
  ASSAY_TRY(report(0));
  Proof proof;
  proof.statement = {plan.n, plan.d, {}, columns.context};
  ASSAY_ASSIGN(buffer, device.AllocateArray<Gf2_128>(plan.rest, "transcript"));
  const View<Gf2_128> view = buffer.As<Gf2_128>();
  ASSAY_TRY(device.Upload(view, std::span<const Gf2_128>(pr::Begin(
                                    n, d, EncodeStatement(proof.statement)))));

  Recorder recorder = device.Record("rounds");
  RecordProductRounds(recorder, columns.buffer.As<Gf2_128>().raw, view.raw,
                      TableOf(plan));
  const Readback<Gf2_128> sum = recorder.Read(view.Sub(pr::kSum, 1));
  const Readback<Gf2_128> tape =
      recorder.Read(view.Sub(pr::kTape, d * (n + 1)));
  ASSAY_TRY(device.Run(std::move(recorder)));
  if (context.trace != nullptr) device.CollectSpans(*context.trace);
  ASSAY_TRY(report(n));

  proof.statement.sum = *sum;
  const auto written = std::span(tape.values());
  const auto messages = written.first(d * n);
  const auto values = written.subspan(d * n);
  proof.messages.assign(messages.begin(), messages.end());
  proof.values.assign(values.begin(), values.end());
  return proof;
}

}  // namespace assay::binary
