// Plays the prover's side of the sum-check, one or two rounds a pass.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/prove.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "assay/base/parallel.h"
#include "assay/ops/product_sumcheck/product_sumcheck.h"
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"
#include "assay/protocol/sha256_challenger.h"

namespace assay::binary {
namespace {

namespace ps = product_sumcheck;

Error Cancelled() {
  return Error{Code::kCancelled, "the proof was cancelled", ""};
}

void PutWords(Gf2_128 x, uint32_t words[4]) {
  words[0] = static_cast<uint32_t>(x.low);
  words[1] = static_cast<uint32_t>(x.low >> 32);
  words[2] = static_cast<uint32_t>(x.high);
  words[3] = static_cast<uint32_t>(x.high >> 32);
}

// Reads pieces into the device's buffer, several at once where the host sees
// it, else one after the other through a piece on the host.
class Loader {
 public:
  Loader(Device& device, const SumcheckPlan& plan, const Columns& columns,
         const ProveContext& context, Buffer& buffer)
      : device_(device),
        plan_(plan),
        columns_(columns),
        context_(context),
        buffer_(buffer),
        pieces_(columns.Pieces() * static_cast<uint64_t>(columns.d())),
        digests_(columns.HashesData() ? pieces_ : 0) {}

  Status Run() {
    const bool shared = buffer_.host_data() != nullptr;
    // Big steps keep threads busy, small ones let the work be cancelled.
    constexpr uint64_t kStep = 256;
    const Threads threads(shared ? device_.info().threads : 1);
    for (uint64_t from = 0; from < pieces_; from += kStep) {
      if (context_.progress && !context_.progress("columns", from, pieces_)) {
        return Cancelled();
      }
      const uint64_t count = std::min(kStep, pieces_ - from);
      std::vector<Status> done(count);
      threads.For(count, 1, [&](size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) {
          done[k] = shared ? InPlace(from + k) : Through(from + k);
        }
      });
      for (const Status& status : done) ASSAY_TRY(status);
    }
    return {};
  }

  Sha256Hash Context() const { return columns_.Context(digests_); }

 private:
  int ColumnOf(uint64_t piece) const {
    return static_cast<int>(piece / columns_.Pieces());
  }
  uint64_t FirstOf(uint64_t piece) const {
    return piece % columns_.Pieces() * columns_.PieceSize();
  }
  // Where a piece stands in the buffer.
  uint64_t OffsetOf(uint64_t piece) const {
    return static_cast<uint64_t>(ColumnOf(piece)) * plan_.stride +
           FirstOf(piece);
  }

  Status Fill(uint64_t piece, std::span<Gf2_128> elements) {
    ASSAY_TRY(columns_.Read(ColumnOf(piece), FirstOf(piece), elements));
    if (!digests_.empty()) digests_[piece] = PieceDigest(elements);
    return {};
  }
  Status InPlace(uint64_t piece) {
    auto* data = reinterpret_cast<Gf2_128*>(buffer_.host_data());
    return Fill(piece, {data + OffsetOf(piece), columns_.PieceSize()});
  }
  Status Through(uint64_t piece) {
    staging_.resize(columns_.PieceSize());
    ASSAY_TRY(Fill(piece, staging_));
    return device_.Upload(
        buffer_.As<Gf2_128>().Sub(OffsetOf(piece), staging_.size()),
        std::span<const Gf2_128>(staging_));
  }

  Device& device_;
  const SumcheckPlan& plan_;
  const Columns& columns_;
  const ProveContext& context_;
  Buffer& buffer_;
  uint64_t pieces_;
  std::vector<Sha256Hash> digests_;
  std::vector<Gf2_128> staging_;
};

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
    ASSAY_ASSIGN(sums, device_.AllocateArray<Gf2_128>(plan_.sums, "sums"));
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
      return Cancelled();
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
    Gf2_128 product = Gf2_128::One();
    for (const auto& value : values) {
      proof_.values.push_back(*value);
      product *= *value;
    }
    if (product == claim_) return {};
    return Error{Code::kUntrusted,
                 device_.info().name +
                     " folded columns that do not agree "
                     "with the rounds",
                 "run `assay selftest`"};
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

Result<LoadedColumns> LoadColumns(Runtime& runtime, const SumcheckPlan& plan,
                                  const Columns& columns,
                                  const ProveContext& context) {
  Device& device = runtime.device();
  const ScopedSpan span(context.trace, "read", "columns");
  LoadedColumns loaded;
  ASSAY_ASSIGN(buffer,
               device.AllocateArray<Gf2_128>(plan.ColumnElements(), "columns"));
  loaded.buffer = std::move(buffer);
  Loader loader(device, plan, columns, context, loaded.buffer);
  ASSAY_TRY(loader.Run());
  loaded.context = loader.Context();
  return loaded;
}

Result<Proof> Prove(Runtime& runtime, const SumcheckPlan& plan,
                    LoadedColumns columns, const ProveContext& context) {
  ASSAY_TRY(runtime.Trust({"product_sumcheck"}));
  return Prover(runtime.device(), plan, std::move(columns), context).Run();
}

}  // namespace assay::binary
