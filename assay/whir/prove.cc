// Plays the prover's side of the transcript, step by step.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "assay/ops/fold/fold.h"
#include "assay/ops/grind/grind_kernels.h"
#include "assay/ops/ntt/ntt_kernels.h"
#include "assay/protocol/multilinear.h"
#include "assay/whir/code_shapes.h"
#include "assay/whir/first_rounds.h"
#include "assay/whir/seeds.h"
#include "assay/whir/tables.h"

namespace assay::whir {
namespace {

// One proof. The numbers in comments are the steps of docs/engines/whir.md,
// section 8.
class Prover {
 public:
  Prover(Device& device, const Schedule& schedule,
         std::span<const Point> points, const ProveContext& context)
      : device_(device),
        schedule_(schedule),
        parameters_(schedule.parameters),
        points_(points.begin(), points.end()),
        context_(context),
        seeds_(schedule),
        challenger_(context.log),
        shapes_(CodeShapes(schedule)),
        steps_(schedule.rounds.size() + 4) {}

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
  bool Reversed() const { return parameters_.order == Order::kSuffix; }

  // Asks whether to go on; the only place where a proof is cancelled.
  Status Poll(std::string_view stage) {
    if (context_.progress && !context_.progress(stage, done_, steps_)) {
      return Error{Code::kCancelled, "the proof was cancelled", ""};
    }
    return {};
  }

  // Reports a finished stage.
  Status Step(std::string_view stage) {
    if (context_.trace != nullptr) device_.CollectSpans(*context_.trace);
    ++done_;
    return Poll(stage);
  }

  // Steps 0 and 1: points, commitment.
  Status Begin(std::span<const BabyBear> evals) {
    for (const Point& point : points_) {
      for (const Ext4& coordinate : point) challenger_.Observe(coordinate);
    }
    const int log_twiddles = LogTwiddles(shapes_);
    ASSAY_ASSIGN(twiddles, device_.AllocateArray<BabyBear>(
                               size_t{1} << log_twiddles, "twiddles"));
    twiddles_ = std::move(twiddles);
    Recorder recorder = device_.Record("setup");
    RecordNttTwiddles(recorder, twiddles_.As<BabyBear>(), log_twiddles);
    ASSAY_TRY(device_.Run(std::move(recorder)));
    {
      const ScopedSpan span(context_.trace, "upload", "setup");
      ASSAY_ASSIGN(base, BaseTable::Make(device_, evals, parameters_.n,
                                         parameters_.order));
      base_ = std::move(base);
    }
    ASSAY_ASSIGN(
        commitment,
        Commitment::Make(device_, shapes_[0], base_.view(), 0, Reversed(),
                         twiddles_.As<BabyBear>(), "commit"));
    commitment_ = std::move(commitment);
    proof_.commitment = commitment_.root();
    seeds_.Commit(challenger_);
    challenger_.Observe(proof_.commitment);
    return Step("commit");
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
    for (int e = 0; e < parameters_.points; ++e) {
      seeds_.Open(challenger_);
      if (parameters_.mode == Mode::kDrawn) {
        points_.push_back(Expand(challenger_.SampleExt(), parameters_.n));
      }
      ASSAY_ASSIGN(claim, Reduce(points_[static_cast<size_t>(e)]));
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
    PartialClaim claim;
    claim.point = base_.Ordered(point);
    ASSAY_ASSIGN(sums,
                 base_.PartialSums(device_, claim.point, schedule_.first_fold));
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
    ASSAY_ASSIGN(tables, FoldedTables::Make(device_, base_, challenges,
                                            variables, parameters_.order));
    tables_ = std::move(tables);
    base_.buffer().Reset();
    for (const PartialClaim& claim : claims_) {
      ASSAY_TRY(tables_.AddPoint(
          device_, std::span(claim.point).subspan(static_cast<size_t>(rounds)),
          claim.coefficient * claim.weights[0], "first fold"));
    }
    return Step("first fold");
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
      const DuplexChallenger::GrindState start = challenger_.PrepareGrind();
      ASSAY_ASSIGN(state, device_.AllocateArray<BabyBear>(16, "grinding"));
      ASSAY_ASSIGN(found, device_.AllocateArray<uint32_t>(1, "grinding"));
      ASSAY_TRY(device_.Upload(state.As<BabyBear>(),
                               std::span<const BabyBear>(start.state)));
      // Windows of a second or so, since nothing is cancelled inside one.
      const uint64_t window = std::min(uint64_t{64} << bits, kGrindWindow);
      uint32_t hit = kNoWitness;
      for (uint64_t from = 0; hit == kNoWitness; from += window) {
        if (from >= BabyBear::kPrime) {
          return Error{Code::kInternal,
                       fmt::format("no witness of {} bits exists", bits), ""};
        }
        Recorder recorder = device_.Record("grind");
        recorder.Dispatch<Grind>(
            {state.As<BabyBear>().raw, found.As<uint32_t>().raw},
            {static_cast<uint32_t>(start.position), static_cast<uint32_t>(bits),
             static_cast<uint32_t>(from),
             static_cast<uint32_t>(
                 std::min<uint64_t>(window, BabyBear::kPrime - from))});
        const Readback<uint32_t> answer = recorder.Read(found.As<uint32_t>());
        ASSAY_TRY(device_.Run(std::move(recorder)));
        hit = *answer;
        if (hit == kNoWitness) ASSAY_TRY(Poll("grinding"));
      }
      witness = BabyBear::From(hit);
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
    ASSAY_ASSIGN(next, Commitment::Make(device_, shapes_[i + 1], tables_.f(),
                                        tables_.stride(), Reversed(),
                                        twiddles_.As<BabyBear>(), "commit"));
    part.commitment = next.root();
    challenger_.Observe(part.commitment);

    std::vector<Point> ood_points;
    for (int s = 0; s < round.ood; ++s) {
      ood_points.push_back(Expand(challenger_.SampleExt(), round.variables));
      ASSAY_ASSIGN(value,
                   tables_.Evaluate(device_, ood_points.back(), "claims"));
      part.ood_answers.push_back(value);
      challenger_.Observe(value);
    }
    ASSAY_ASSIGN(witness, Witness(round.pow));
    part.pow_witness = witness;

    const std::vector<uint32_t> positions =
        DrawPositions(round.draws, round.Openings(), round.query_bits);
    ASSAY_ASSIGN(opening, commitment_.Open(device_, positions, "open"));
    part.opening = std::move(opening);
    commitment_ = std::move(next);

    ASSAY_TRY(Weigh(ood_points, positions, round.query_bits));
    ASSAY_TRY(Sumcheck(round.fold, round.fold_pow, &part.sumcheck));
    proof_.rounds.push_back(std::move(part));
    return Step(fmt::format("round {}", i));
  }

  // Step 7 f: exponents start at 1, since the running claim has 0.
  Status Weigh(const std::vector<Point>& ood_points,
               const std::vector<uint32_t>& positions, int query_bits) {
    const Ext4 gamma = challenger_.SampleExt();
    Ext4 coefficient = gamma;
    for (const Point& point : ood_points) {
      ASSAY_TRY(tables_.AddPoint(device_, base_.Ordered(point), coefficient,
                                 "weights"));
      coefficient *= gamma;
    }
    const BabyBear g = BabyBear::TwoAdicGenerator(query_bits);
    std::vector<BabyBear> ys;
    std::vector<Ext4> coefficients;
    for (const uint32_t position : positions) {
      ys.push_back(g.Pow(position));
      coefficients.push_back(coefficient);
      coefficient *= gamma;
    }
    return tables_.AddPowers(device_, ys, coefficients, "weights");
  }

  // Section 9, on the device.
  Status Sumcheck(int rounds, int pow, SumcheckPart* part) {
    seeds_.Sumcheck(challenger_, rounds, pow);
    if (rounds == 0) return {};
    ASSAY_ASSIGN(message, tables_.Measure(device_, "sum-check"));
    for (int i = 0; i < rounds; ++i) {
      ASSAY_ASSIGN(r, Exchange(message, pow, part));
      ASSAY_ASSIGN(bound, tables_.Bind(device_, r, "sum-check"));
      message = bound;
    }
    return {};
  }

  // Steps 8 to 11.
  Status Finish() {
    const Final& final = schedule_.final;
    ASSAY_ASSIGN(values, tables_.Values(device_));
    proof_.final_poly = std::move(values);
    for (const Ext4& value : proof_.final_poly) challenger_.Observe(value);
    ASSAY_ASSIGN(witness, Witness(final.pow));
    proof_.final_pow_witness = witness;
    const std::vector<uint32_t> positions =
        DrawPositions(final.draws, final.Openings(), final.query_bits);
    ASSAY_ASSIGN(opening, commitment_.Open(device_, positions, "open"));
    proof_.final_opening = std::move(opening);
    if (final.variables > 0) {
      proof_.has_final_sumcheck = true;
      ASSAY_TRY(
          Sumcheck(final.variables, final.fold_pow, &proof_.final_sumcheck));
    }
    return Step("final");
  }

  static constexpr uint32_t kNoWitness = 0xffffffff;
  static constexpr uint64_t kGrindWindow = uint64_t{1} << 22;

  Device& device_;
  const Schedule& schedule_;
  const Parameters& parameters_;
  std::vector<Point> points_;
  const ProveContext& context_;
  Seeds seeds_;
  DuplexChallenger challenger_;
  std::vector<CodeShape> shapes_;
  uint64_t steps_;
  uint64_t done_ = 0;
  size_t witnesses_used_ = 0;

  Buffer twiddles_;
  BaseTable base_;
  FoldedTables tables_;
  Commitment commitment_;
  std::vector<PartialClaim> claims_;
  Proof proof_;
};

Status CheckSizes(const Parameters& parameters, std::span<const BabyBear> evals,
                  std::span<const Point> points) {
  const uint64_t size = uint64_t{1} << parameters.n;
  if (evals.size() != size) {
    return Error{
        Code::kInvalidInput,
        fmt::format("{} evaluations for n={}", evals.size(), parameters.n),
        fmt::format("n={} takes {}", parameters.n, size)};
  }
  const size_t wanted = parameters.mode == Mode::kGiven
                            ? static_cast<size_t>(parameters.points)
                            : 0;
  if (points.size() != wanted) {
    return Error{
        Code::kInvalidInput,
        fmt::format("{} points given, {} expected", points.size(), wanted),
        "drawn mode takes none"};
  }
  for (const Point& point : points) {
    if (point.size() != static_cast<size_t>(parameters.n)) {
      return Error{Code::kInvalidInput,
                   fmt::format("a point has {} coordinates", point.size()),
                   fmt::format("n={} takes {}", parameters.n, parameters.n)};
    }
  }
  return {};
}

}  // namespace

Result<Proof> Prove(Runtime& runtime, const Plan& plan,
                    std::span<const BabyBear> evals,
                    std::span<const Point> points,
                    const ProveContext& context) {
  ASSAY_TRY(CheckSizes(plan.schedule.parameters, evals, points));
  ASSAY_TRY(runtime.Trust({"ntt", "merkle", "sumcheck", "fold", "grind"}));
  return Prover(runtime.device(), plan.schedule, points, context).Run(evals);
}

}  // namespace assay::whir
