// Plays the prover's side of the transcript, step by step.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/prover.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "assay/base/progress.h"
#include "assay/ops/fold/fold.h"
#include "assay/ops/ntt/ntt_kernels.h"
#include "assay/protocol/multilinear.h"
#include "assay/whir/code_shapes.h"
#include "assay/whir/first_rounds.h"
#include "assay/whir/grinder.h"
#include "assay/whir/powers.h"
#include "assay/whir/seeds.h"
#include "assay/whir/tables.h"

namespace assay::whir {
namespace {

// One proof. The numbers in comments are the steps of docs/engines/whir.md,
// section 8.
class Prover {
 public:
  Prover(Places& places, const Plan& plan, const Placement& placement,
         std::span<const Point> points, const ProveContext& context)
      : work_(places.work),
        near_(places.near ? &places.near : nullptr),
        device_(work_.device()),
        schedule_(plan.schedule),
        parameters_(schedule_.parameters),
        placement_(placement),
        points_(points.begin(), points.end()),
        context_(context),
        grinder_(places.grind ? &places.grind : &work_, near_, placement_),
        seeds_(*plan.seeds),
        challenger_(context.log),
        shapes_(CodeShapes(schedule_)),
        steps_(schedule_.rounds.size() + 4),
        here_(&work_) {}

  Result<Proof> Run(std::span<const BabyBear> evals) {
    ASSAY_TRY(Begin(evals));
    ASSAY_TRY(Claim());
    ASSAY_TRY(FirstRounds());
    for (size_t i = 0; i < schedule_.rounds.size(); ++i) {
      ASSAY_TRY(RunRound(i));
    }
    ASSAY_TRY(Finish());
    return std::move(proof_);
  }

 private:
  // eq(point, .) times a scale.
  struct Weight {
    Point point;  // in table order
    Ext4 scale;
  };

  bool Reversed() const { return parameters_.order == Order::kSuffix; }
  // Whether the tables have left the device of the work.
  bool Near() const { return here_ != &work_; }
  bool Small(int variables) const {
    return near_ != nullptr && variables <= placement_.host_variables;
  }

  // Asks whether to go on; the only place where a proof is cancelled.
  Status Poll(std::string_view stage) {
    if (context_.progress && !context_.progress(stage, done_, steps_)) {
      return Cancelled("the proof");
    }
    return {};
  }

  // Reports a finished stage.
  Status Step(std::string_view stage) {
    ++done_;
    return Poll(stage);
  }

  // Steps 0 and 1: points, commitment. Points that are given cost no way of
  // their own.
  Status Begin(std::span<const BabyBear> evals) {
    for (const Point& point : points_) {
      for (const Ext4& coordinate : point) challenger_.Observe(coordinate);
    }
    const int log_twiddles = LogTwiddles(shapes_);
    ASSAY_ASSIGN(twiddles, device_.AllocateArray<BabyBear>(
                               size_t{1} << log_twiddles, "twiddles"));
    twiddles_ = std::move(twiddles);
    {
      // While the evaluations are on their way.
      Batch batch(work_, "commit");
      RecordNttTwiddles(batch.recorder(), twiddles_.As<BabyBear>(),
                        log_twiddles);
      ASSAY_TRY(SendAhead(batch));
    }
    Batch batch(work_, "commit");
    {
      const ScopedSpan span(context_.trace, "upload", "commit");
      ASSAY_ASSIGN(base, BaseTable::Make(batch, evals, parameters_.n,
                                         parameters_.order));
      base_ = std::move(base);
    }
    ASSAY_ASSIGN(commitment,
                 Commitment::Make(batch, shapes_[0], base_.view(), 0,
                                  Reversed(), twiddles_.As<BabyBear>()));
    commitment_ = std::move(commitment);
    ASSAY_ASSIGN(committed, batch.Submit());
    // What the transcript needs is made meanwhile.
    if (!points_.empty()) ASSAY_TRY(ReduceNext());
    ASSAY_TRY(committed.Wait());
    proof_.commitment = commitment_.Root();
    seeds_.Commit(challenger_);
    challenger_.Observe(proof_.commitment);
    return Step("commit");
  }

  Readback<Ext4> Sums(Batch& batch, const Point& point) const {
    return base_.PartialSums(batch, base_.Ordered(point), schedule_.first_fold);
  }

  // Steps 2 to 5: out-of-domain values, openings, the first batch.
  Status Claim() {
    std::vector<PartialClaim> ood;
    for (int i = 0; i < schedule_.commitment_ood; ++i) {
      seeds_.Ood(challenger_);
      ASSAY_ASSIGN(claim,
                   Reduce(Expand(challenger_.SampleExt(), parameters_.n)));
      proof_.initial_ood_answers.push_back(claim.Value());
      challenger_.Observe(claim.Value());
      ood.push_back(std::move(claim));
    }
    for (size_t e = 0; e < static_cast<size_t>(parameters_.points); ++e) {
      seeds_.Open(challenger_);
      if (parameters_.mode == Mode::kDrawn) {
        points_.push_back(Expand(challenger_.SampleExt(), parameters_.n));
      }
      if (e == sums_.size()) ASSAY_TRY(ReduceNext());
      PartialClaim claim = ClaimOf(points_[e], std::move(sums_[e]));
      proof_.evals.push_back(claim.Value());
      challenger_.Observe(claim.Value());
      claims_.push_back(std::move(claim));
    }
    seeds_.Whir(challenger_);
    seeds_.Batch(challenger_);
    const Ext4 alpha = challenger_.SampleExt();
    std::move(ood.begin(), ood.end(), std::back_inserter(claims_));
    Ext4 coefficient = Ext4::One();
    for (PartialClaim& claim : claims_) {
      claim.coefficient = coefficient;
      coefficient *= alpha;
    }
    return Step("claims");
  }

  Result<PartialClaim> Reduce(const Point& point) {
    Batch batch(work_, "claims");
    const Readback<Ext4> sums = Sums(batch, point);
    ASSAY_TRY(batch.Run());
    return ClaimOf(point, sums.values());
  }

  // The sums of the next points that are known, some at once.
  Status ReduceNext() {
    Batch batch(work_, "claims");
    std::vector<Readback<Ext4>> sums;
    for (size_t e = sums_.size();
         e < std::min(points_.size(), sums_.size() + kPointsAtOnce); ++e) {
      sums.push_back(Sums(batch, points_[e]));
    }
    ASSAY_TRY(batch.Run());
    for (const auto& values : sums) sums_.push_back(values.values());
    return {};
  }

  PartialClaim ClaimOf(const Point& point, std::vector<Ext4> sums) const {
    PartialClaim claim;
    claim.point = base_.Ordered(point);
    claim.sums = std::move(sums);
    claim.weights =
        fold::EqWeights(std::span(claim.point)
                            .first(static_cast<size_t>(schedule_.first_fold)));
    return claim;
  }

  // Step 6: on 2^fold sums a claim, on the host; then the first fold.
  Status FirstRounds() {
    const int rounds = schedule_.first_fold;
    std::vector<Ext4> challenges;
    SumcheckPart& part = proof_.initial_sumcheck;
    seeds_.Sumcheck(challenger_, rounds, schedule_.starting_fold_pow);
    for (int i = 0; i < rounds; ++i) {
      ASSAY_ASSIGN(r, Exchange(MeasureClaims(claims_),
                               schedule_.starting_fold_pow, &part));
      BindClaims(claims_, r);
      challenges.push_back(r);
    }
    const int variables = parameters_.n - rounds;
    {
      // Sent ahead: what was the base table is free for what follows.
      Batch batch(work_, "first fold");
      ASSAY_ASSIGN(tables, FoldedTables::Make(batch, base_, challenges,
                                              variables, parameters_.order));
      tables_ = std::move(tables);
      ASSAY_TRY(SendAhead(batch));
      base_.Release();
    }
    for (const PartialClaim& claim : claims_) {
      owed_.push_back(
          {std::vector(claim.point.begin() + rounds, claim.point.end()),
           claim.coefficient * claim.weights[0]});
    }
    return Step("first fold");
  }

  // Adds weights, some to a batch. The last batch stays open in
  // `last`, if there is one, and is sent ahead otherwise.
  Status AddPoints(const std::vector<Weight>& weights,
                   std::optional<Batch>* last) {
    std::optional<Batch> batch(std::in_place, *here_, "weights");
    size_t in_batch = 0;
    for (const Weight& weight : weights) {
      if (in_batch == kPointsAtOnce) {
        ASSAY_TRY(SendAhead(*batch));
        batch.emplace(*here_, "weights");
        in_batch = 0;
      }
      ASSAY_TRY(tables_.AddPoint(*batch, weight.point, weight.scale));
      ++in_batch;
    }
    if (last == nullptr) return SendAhead(*batch);
    last->emplace(std::move(*batch));
    return {};
  }

  // Submits what nobody waits for; Finish asks how it went.
  Status SendAhead(Batch& batch) {
    ASSAY_ASSIGN(pending, batch.Submit());
    ahead_.push_back(std::move(pending));
    return {};
  }

  // The weights of the first batch, which a commitment does not wait for.
  Status PayWeights() {
    if (owed_.empty()) return {};
    return AddPoints(std::exchange(owed_, {}), nullptr);
  }

  // The tables have come to the host.
  Status Settle(const PendingTables& read) {
    ASSAY_ASSIGN(moved, tables_.MoveTo(near_->device(), read));
    tables_ = std::move(moved);
    here_ = near_;
    return {};
  }

  // Sends a message, grinds where asked, and draws the challenge.
  Result<Ext4> Exchange(const RoundMessage& message, int pow,
                        SumcheckPart* part) {
    part->messages.push_back({message.at_zero, message.leading});
    challenger_.Observe(message.at_zero);
    challenger_.Observe(message.leading);
    if (pow > 0) {
      ASSAY_ASSIGN(witness, Witness(pow));
      part->witnesses.push_back(witness);
    }
    return challenger_.SampleExt();
  }

  // The smallest witness of `bits` bits, absorbed; zero for no bits.
  Result<BabyBear> Witness(int bits) {
    BabyBear witness;
    if (bits > 0 && context_.witnesses != nullptr) {
      if (witnesses_used_ < context_.witnesses->size()) {
        witness = (*context_.witnesses)[witnesses_used_++];
      }
    } else if (bits > 0) {
      ASSAY_ASSIGN(found, grinder_.Find(challenger_.PrepareGrind(), bits,
                                        [this] { return Poll("grinding"); }));
      witness = found;
    }
    if (!challenger_.CheckWitness(bits, witness)) {
      return Error{
          Code::kUntrusted,
          fmt::format("{} found a witness that is none", device_.info().name),
          "run `assay selftest`"};
    }
    return witness;
  }

  // Draws the positions of the next queries.
  std::vector<uint32_t> DrawPositions(int draws, uint32_t count, int bits) {
    std::vector<uint32_t> positions(count);
    for (uint32_t j = 0; j < count; ++j) {
      positions[j] = draws > 0 ? challenger_.SampleUniformBits(bits) : j;
    }
    return positions;
  }

  // Step 7.
  Status RunRound(size_t i) {
    const Round& round = schedule_.rounds[i];
    RoundPart part;
    ASSAY_ASSIGN(next, Commit(shapes_[i + 1], round.variables));
    part.commitment = next.Root();
    challenger_.Observe(part.commitment);

    std::vector<Point> ood_points;
    for (int s = 0; s < round.ood; ++s) {
      ood_points.push_back(Expand(challenger_.SampleExt(), round.variables));
      Batch batch(*here_, "claims");
      const Readback<Ext4> value = tables_.Evaluate(batch, ood_points.back());
      ASSAY_TRY(batch.Run());
      part.ood_answers.push_back(*value);
      challenger_.Observe(*value);
    }
    ASSAY_ASSIGN(witness, Witness(round.pow));
    part.pow_witness = witness;

    const std::vector<uint32_t> positions =
        DrawPositions(round.draws, round.Openings(), round.query_bits);
    ASSAY_ASSIGN(message, Weigh(ood_points, positions, round.query_bits));
    ASSAY_TRY(Open(positions));
    commitment_ = std::move(next);
    ASSAY_TRY(Sumcheck(round.fold, round.fold_pow, std::move(message),
                       &part.sumcheck));
    proof_.rounds.push_back(std::move(part));
    return Step(fmt::format("round {}", i));
  }

  // Step 7 a: the last challenge is bound on the way, and small tables come
  // back with the root.
  Result<Commitment> Commit(const CodeShape& shape, int variables) {
    if (Near()) {
      Batch bind(*here_, "sum-check");
      BindPending(bind);
      ASSAY_TRY(bind.Run());
    }
    Batch batch(work_, "commit");
    std::optional<PendingTables> read;
    if (!Near()) BindPending(batch);
    const View<BabyBear> f = Near() ? tables_.PutF(batch) : tables_.f();
    const uint32_t stride = Near() ? 1u << variables : tables_.stride();
    ASSAY_ASSIGN(made, Commitment::Make(batch, shape, f, stride, Reversed(),
                                        twiddles_.As<BabyBear>()));
    if (!Near() && Small(variables)) read = tables_.Read(batch);
    ASSAY_ASSIGN(committed, batch.Submit());
    if (!read.has_value()) ASSAY_TRY(PayWeights());
    ASSAY_TRY(committed.Wait());
    if (read.has_value()) ASSAY_TRY(Settle(*read));
    ASSAY_TRY(PayWeights());
    return std::move(made);
  }

  // The message of a round, and the submission that it comes with.
  struct Measured {
    Pending pending;
    PendingMessage message;
  };

  // Step 7 f, and the first message after it. Exponents start at 1, since the
  // running claim has 0.
  Result<Measured> Weigh(const std::vector<Point>& ood_points,
                         const std::vector<uint32_t>& positions,
                         int query_bits) {
    const Ext4 gamma = challenger_.SampleExt();
    Ext4 coefficient = gamma;
    std::vector<Weight> weights;
    for (const Point& point : ood_points) {
      weights.push_back({base_.Ordered(point), coefficient});
      coefficient *= gamma;
    }
    const std::vector<BabyBear> ys = PowersOf(query_bits, positions);
    const std::vector<Ext4> coefficients =
        Geometric(coefficient, gamma, positions.size());
    std::optional<Batch> batch;
    ASSAY_TRY(AddPoints(weights, &batch));
    tables_.AddPowers(*batch, ys, coefficients);
    const PendingMessage message = tables_.Measure(*batch);
    ASSAY_ASSIGN(pending, batch->Submit());
    return Measured{std::move(pending), message};
  }

  // Step 7 e: nothing waits for what is opened.
  Status Open(std::span<const uint32_t> positions) {
    Batch batch(work_, "open");
    openings_.push_back(commitment_.Open(batch, positions));
    return SendAhead(batch);
  }

  // Section 9; the last challenge is left to be bound.
  Status Sumcheck(int rounds, int pow, Measured measured, SumcheckPart* part) {
    seeds_.Sumcheck(challenger_, rounds, pow);
    ASSAY_TRY(measured.pending.Wait());
    RoundMessage message = *measured.message;
    for (int i = 0; i < rounds; ++i) {
      ASSAY_ASSIGN(r, Exchange(message, pow, part));
      pending_ = r;
      if (i == rounds - 1) break;
      Batch batch(*here_, "sum-check");
      const PendingMessage next = *BindPending(batch);
      ASSAY_TRY(batch.Run());
      message = *next;
    }
    return {};
  }

  // Binds the challenge that was drawn last, if that is still to be done.
  std::optional<PendingMessage> BindPending(Batch& batch) {
    if (!pending_.has_value()) return std::nullopt;
    const Ext4 r = *std::exchange(pending_, std::nullopt);
    return tables_.Bind(batch, r);
  }

  // Steps 8 to 11.
  Status Finish() {
    const Final& final = schedule_.final;
    {
      Batch batch(*here_, "final");
      BindPending(batch);
      const PendingTables read = tables_.Read(batch);
      ASSAY_TRY(batch.Run());
      proof_.final_poly = tables_.Values(read);
      if (!Near() && Small(final.variables)) ASSAY_TRY(Settle(read));
      ASSAY_TRY(PayWeights());
    }
    for (const Ext4& value : proof_.final_poly) challenger_.Observe(value);
    ASSAY_ASSIGN(witness, Witness(final.pow));
    proof_.final_pow_witness = witness;
    const std::vector<uint32_t> positions =
        DrawPositions(final.draws, final.Openings(), final.query_bits);
    ASSAY_TRY(Open(positions));
    if (final.variables > 0) {
      proof_.has_final_sumcheck = true;
      Batch batch(*here_, "sum-check");
      const PendingMessage message = tables_.Measure(batch);
      ASSAY_ASSIGN(pending, batch.Submit());
      ASSAY_TRY(Sumcheck(final.variables, final.fold_pow,
                         {std::move(pending), message},
                         &proof_.final_sumcheck));
    }
    for (Pending& pending : ahead_) ASSAY_TRY(pending.Wait());
    for (size_t i = 0; i < proof_.rounds.size(); ++i) {
      proof_.rounds[i].opening = openings_[i].Take();
    }
    proof_.final_opening = openings_.back().Take();
    return Step("final");
  }

  Scratch& work_;
  Scratch* near_;
  Device& device_;
  const Schedule& schedule_;
  const Parameters& parameters_;
  Placement placement_;
  std::vector<Point> points_;
  const ProveContext& context_;
  Grinder grinder_;
  const Seeds& seeds_;
  DuplexChallenger challenger_;
  std::vector<CodeShape> shapes_;
  uint64_t steps_;
  uint64_t done_ = 0;
  size_t witnesses_used_ = 0;

  Buffer twiddles_;
  BaseTable base_;
  FoldedTables tables_;
  Scratch* here_;  // that of the tables' device
  std::vector<Weight> owed_;
  std::optional<Ext4> pending_;
  Commitment commitment_;
  std::vector<std::vector<Ext4>> sums_;  // of the points, as far as known
  std::vector<PartialClaim> claims_;
  std::vector<PendingOpening> openings_;
  std::vector<Pending> ahead_;
  Proof proof_;
};

}  // namespace

Result<Proof> PlayProver(Places& places, const Plan& plan,
                         const Placement& placement,
                         std::span<const BabyBear> evals,
                         std::span<const Point> points,
                         const ProveContext& context) {
  return Prover(places, plan, placement, points, context).Run(evals);
}

}  // namespace assay::whir
