// Plays the prover's side of the sum-check with challenges of the host.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/host_rounds.h"

#include <optional>
#include <utility>
#include <vector>

#include "assay/base/progress.h"
#include "assay/ops/product_sumcheck/product_sumcheck.h"
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"
#include "assay/protocol/sha256_challenger.h"

namespace assay::binary {
namespace {

namespace ps = product_sumcheck;

void PutWords(Gf2_128 x, uint32_t words[4]) {
  words[0] = static_cast<uint32_t>(x.low);
  words[1] = static_cast<uint32_t>(x.low >> 32);
  words[2] = static_cast<uint32_t>(x.high);
  words[3] = static_cast<uint32_t>(x.high >> 32);
}

// One proof: docs/engines/binary.md, section 2.3.
class Prover {
 public:
  Prover(Device& device, const SumcheckPlan& plan, LoadedColumns columns,
         const ProveContext& context)
      : device_(device),
        plan_(plan),
        columns_(std::move(columns)),
        context_(context),
        left_(plan.n) {
    proof_.statement = {plan.n, plan.d, {}, columns_.context};
  }

  Result<Proof> Run() {
    ASSAY_ASSIGN(sums, device_.AllocateArray<Gf2_128>(plan_.rest, "sums"));
    sums_ = std::move(sums);
    ASSAY_TRY(Begin());
    while (left_ > 0) {
      ASSAY_TRY(Step());
      // What the claim implies is not measured.
      if (Grid()) {
        const size_t nodes = Nodes();
        measured_[0] =
            claim_ + measured_[1] + measured_[nodes] + measured_[nodes + 1];
      } else if (left_ > 0) {
        measured_[0] = claim_ + measured_[1];
      }
    }
    ASSAY_TRY(Finish());
    return std::move(proof_);
  }

 private:
  size_t Nodes() const { return static_cast<size_t>(plan_.d) + 1; }
  // Whether the next pass plays two rounds.
  bool Grid() const { return plan_.two_rounds && left_ >= 2; }

  ProductSumcheckParams Params() const {
    return {static_cast<uint32_t>(plan_.d), static_cast<uint32_t>(left_),
            static_cast<uint32_t>(plan_.stride),
            static_cast<uint32_t>(plan_.stride >> 32)};
  }
  RawView ColumnsView() const { return columns_.buffer.As<Gf2_128>().raw; }
  RawView SumsView() const { return sums_.As<Gf2_128>().raw; }

  // Runs the recording and keeps what it measured for the rounds to come.
  Status Measure(Recorder recorder) {
    const size_t count =
        left_ == 0 ? 0 : (Grid() ? Nodes() * Nodes() : Nodes());
    std::optional<Readback<Gf2_128>> readback;
    if (count > 0) {
      readback = recorder.Read(sums_.As<Gf2_128>().Sub(0, count));
    }
    ASSAY_TRY(device_.Run(std::move(recorder)));
    if (readback) measured_ = readback->values();
    if (context_.trace != nullptr) device_.CollectSpans(*context_.trace);
    if (context_.progress &&
        !context_.progress("rounds", static_cast<uint64_t>(plan_.n - left_),
                           static_cast<uint64_t>(plan_.n))) {
      return Cancelled("the proof");
    }
    return {};
  }

  // The first pass, which measures the sum as well.
  Status Begin() {
    Recorder recorder = device_.Record("rounds");
    if (Grid()) {
      recorder.Dispatch<ProductSumcheckGrid>({ColumnsView(), SumsView()},
                                             Params());
    } else {
      recorder.Dispatch<ProductSumcheckRound>({ColumnsView(), SumsView()},
                                              Params());
    }
    ASSAY_TRY(Measure(std::move(recorder)));
    claim_ = measured_[0] + measured_[1];
    if (Grid()) claim_ += measured_[Nodes()] + measured_[Nodes() + 1];
    proof_.statement.sum = claim_;
    challenger_.Observe(EncodeStatement(proof_.statement));
    return {};
  }

  // Sends the message of the round with these values at the nodes; the
  // challenge.
  Gf2_128 Exchange(std::span<const Gf2_128> at_nodes) {
    const std::vector<Gf2_128> coefficients = ps::Interpolate(at_nodes);
    for (size_t k = 0; k + 1 < coefficients.size(); ++k) {
      proof_.messages.push_back(coefficients[k]);
      challenger_.Observe(coefficients[k]);
    }
    const Gf2_128 r = challenger_.SampleElement();
    claim_ = ps::Evaluate(coefficients, r);
    return r;
  }

  // Plays what was measured, binds the challenges, measures what comes next.
  Status Step() {
    Recorder recorder = device_.Record("rounds");
    if (Grid()) {
      ProductSumcheckFoldGrid::Params params = {Params(), {}, {}};
      const Gf2_128 r = Exchange(ps::FirstOfGrid(measured_));
      PutWords(r, params.r);
      PutWords(Exchange(ps::SecondOfGrid(measured_, r)), params.s);
      recorder.Dispatch<ProductSumcheckFoldGrid>({ColumnsView(), SumsView()},
                                                 params);
      left_ -= 2;
      if (left_ == 1) {
        recorder.Dispatch<ProductSumcheckRound>({ColumnsView(), SumsView()},
                                                Params());
      }
    } else {
      ProductSumcheckFold::Params params = {Params(), {}};
      PutWords(Exchange(measured_), params.r);
      recorder.Dispatch<ProductSumcheckFold>({ColumnsView(), SumsView()},
                                             params);
      left_ -= 1;
    }
    return Measure(std::move(recorder));
  }

  // The values that are left, one a column.
  Status Finish() {
    Recorder recorder = device_.Record("values");
    std::vector<Readback<Gf2_128>> values;
    for (int j = 0; j < plan_.d; ++j) {
      values.push_back(recorder.Read(columns_.buffer.As<Gf2_128>().Sub(
          static_cast<uint64_t>(j) * plan_.stride, 1)));
    }
    ASSAY_TRY(device_.Run(std::move(recorder)));
    for (const auto& value : values) proof_.values.push_back(*value);
    return {};
  }

  Device& device_;
  const SumcheckPlan& plan_;
  LoadedColumns columns_;
  const ProveContext& context_;
  int left_;  // variables not yet bound
  Buffer sums_;
  std::vector<Gf2_128> measured_;
  Gf2_128 claim_;
  Sha256Challenger challenger_;
  Proof proof_;
};

}  // namespace

Result<Proof> ProveWithHost(Device& device, const SumcheckPlan& plan,
                            LoadedColumns columns,
                            const ProveContext& context) {
  return Prover(device, plan, std::move(columns), context).Run();
}

}  // namespace assay::binary
