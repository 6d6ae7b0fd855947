// Replays a proof's transcript and tests each of its claims.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/verify.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "assay/ops/fold/fold.h"
#include "assay/ops/merkle/merkle.h"
#include "assay/ops/sumcheck/sumcheck.h"
#include "assay/protocol/multilinear.h"
#include "assay/whir/proof_shape.h"
#include "assay/whir/seeds.h"

namespace assay::whir {
namespace {

// Claims about a table of `variables` variables, each with its coefficient.
struct Batch {
  struct AtPoint {
    Point point;
    Ext4 coefficient;
  };
  struct AtQuery {
    BabyBear y;  // the codeword's domain point
    Ext4 coefficient;
  };
  int variables = 0;
  std::vector<AtPoint> at_points;
  std::vector<AtQuery> at_queries;
};

// The rows that a set of queries opened, folded by the last challenges.
struct Answers {
  std::vector<BabyBear> ys;
  std::vector<Ext4> values;
};

// One replay (docs/engines/whir.md, sections 8 to 10). The numbers in
// comments are the steps of section 8. Sizes have been checked before.
class Replay {
 public:
  Replay(const Schedule& schedule, std::span<const Point> points,
         const Proof& proof, TranscriptLog* log)
      : schedule_(schedule),
        parameters_(schedule.parameters),
        points_(points.begin(), points.end()),
        proof_(proof),
        seeds_(schedule),
        challenger_(log) {}

  Verdict Run() {
    Begin();
    if (!Sumcheck("initial sum-check", proof_.initial_sumcheck,
                  schedule_.first_fold, schedule_.starting_fold_pow)) {
      return std::move(verdict_);
    }
    for (size_t i = 0; i < schedule_.rounds.size(); ++i) {
      if (!RunRound(i)) return std::move(verdict_);
    }
    if (!Finish()) return std::move(verdict_);
    return {true, "", ""};
  }

 private:
  bool Reject(std::string check, std::string detail) {
    verdict_ = {false, std::move(check), std::move(detail)};
    return false;
  }

  // Steps 0 to 5: points, commitment, claimed values, first batch.
  void Begin() {
    for (const Point& point : points_) {
      for (const Ext4& coordinate : point) challenger_.Observe(coordinate);
    }
    seeds_.Commit(challenger_);
    challenger_.Observe(proof_.commitment);
    root_ = proof_.commitment;

    std::vector<Point> ood_points;
    for (const Ext4& answer : proof_.initial_ood_answers) {
      seeds_.Ood(challenger_);
      ood_points.push_back(Expand(challenger_.SampleExt(), parameters_.n));
      challenger_.Observe(answer);
    }
    for (const Ext4& value : proof_.evals) {
      seeds_.Open(challenger_);
      if (parameters_.mode == Mode::kDrawn) {
        points_.push_back(Expand(challenger_.SampleExt(), parameters_.n));
      }
      challenger_.Observe(value);
    }
    seeds_.Whir(challenger_);
    seeds_.Batch(challenger_);
    const Ext4 alpha = challenger_.SampleExt();

    Batch batch = {parameters_.n, {}, {}};
    Ext4 coefficient = Ext4::One();
    const auto add = [&](const Point& point, const Ext4& value) {
      batch.at_points.push_back({point, coefficient});
      claim_ += coefficient * value;
      coefficient *= alpha;
    };
    for (size_t e = 0; e < points_.size(); ++e) {
      add(points_[e], proof_.evals[e]);
    }
    for (size_t j = 0; j < ood_points.size(); ++j) {
      add(ood_points[j], proof_.initial_ood_answers[j]);
    }
    batches_.push_back(std::move(batch));
  }

  // Section 9. The challenges of the phase become the fold of the next rows.
  bool Sumcheck(const std::string& name, const SumcheckPart& part, int rounds,
                int pow) {
    seeds_.Sumcheck(challenger_, rounds, pow);
    fold_point_.clear();
    for (size_t i = 0; i < part.messages.size(); ++i) {
      const Ext4& at_zero = part.messages[i].at_zero;
      const Ext4& leading = part.messages[i].leading;
      challenger_.Observe(at_zero);
      challenger_.Observe(leading);
      if (pow > 0 && !challenger_.CheckWitness(pow, part.witnesses[i])) {
        return Reject("grinding of " + name,
                      fmt::format("the witness of message {} is none", i));
      }
      const Ext4 r = challenger_.SampleExt();
      claim_ = sumcheck::NextClaim(claim_, {at_zero, leading}, r);
      fold_point_.push_back(r);
      challenges_.push_back(r);
    }
    return true;
  }

  // Steps 7 d and e, and 10: draws positions and opens them under the root.
  bool Query(const std::string& name, int draws, uint32_t count, int query_bits,
             const Opening& opening, Answers* answers) {
    std::vector<uint32_t> positions(count);
    for (uint32_t j = 0; j < count; ++j) {
      positions[j] = draws > 0 ? challenger_.SampleUniformBits(query_bits) : j;
    }
    std::vector<Digest> leaves(count);
    for (uint32_t j = 0; j < count; ++j) {
      leaves[j] = poseidon2::HashRow(opening.Row(j));
    }
    if (!merkle::VerifyPruned(root_, query_bits, positions, leaves,
                              opening.siblings)) {
      return Reject(name, "the opened rows do not lead to the commitment");
    }
    const BabyBear g = BabyBear::TwoAdicGenerator(query_bits);
    const std::vector<Ext4> weights =
        fold::EqWeights(InTableOrder(fold_point_, parameters_.order));
    for (uint32_t j = 0; j < count; ++j) {
      answers->ys.push_back(g.Pow(positions[j]));
      answers->values.push_back(
          FoldRow(opening.Row(j), opening.extension, weights));
    }
    return true;
  }

  // The value of a row, as a table, at the challenges that folded it.
  static Ext4 FoldRow(std::span<const BabyBear> row, bool extension,
                      const std::vector<Ext4>& weights) {
    Ext4 value = Ext4::Zero();
    for (size_t c = 0; c < weights.size(); ++c) {
      if (extension) {
        const BabyBear* x = row.data() + 4 * c;
        value += weights[c] * Ext4{{x[0], x[1], x[2], x[3]}};
      } else {
        value += weights[c] * row[c];
      }
    }
    return value;
  }

  // Step 7.
  bool RunRound(size_t i) {
    const Round& round = schedule_.rounds[i];
    const RoundPart& part = proof_.rounds[i];
    challenger_.Observe(part.commitment);
    std::vector<Point> ood_points;
    for (const Ext4& answer : part.ood_answers) {
      ood_points.push_back(Expand(challenger_.SampleExt(), round.variables));
      challenger_.Observe(answer);
    }
    if (!challenger_.CheckWitness(round.pow, part.pow_witness)) {
      return Reject(fmt::format("grinding of round {}", i),
                    "the witness is none");
    }
    Answers answers;
    if (!Query(fmt::format("queries of round {}", i), round.draws,
               round.Openings(), round.query_bits, part.opening, &answers)) {
      return false;
    }

    // Exponents start at 1: coefficient 1 belongs to the running claim.
    const Ext4 gamma = challenger_.SampleExt();
    Batch batch = {round.variables, {}, {}};
    Ext4 coefficient = gamma;
    for (size_t j = 0; j < ood_points.size(); ++j) {
      claim_ += coefficient * part.ood_answers[j];
      batch.at_points.push_back({std::move(ood_points[j]), coefficient});
      coefficient *= gamma;
    }
    for (size_t j = 0; j < answers.ys.size(); ++j) {
      claim_ += coefficient * answers.values[j];
      batch.at_queries.push_back({answers.ys[j], coefficient});
      coefficient *= gamma;
    }
    batches_.push_back(std::move(batch));
    root_ = part.commitment;
    return Sumcheck(fmt::format("sum-check of round {}", i), part.sumcheck,
                    round.fold, round.fold_pow);
  }

  // Steps 8 to 11 and the last test of section 10.
  bool Finish() {
    const Final& final = schedule_.final;
    for (const Ext4& value : proof_.final_poly) challenger_.Observe(value);
    if (!challenger_.CheckWitness(final.pow, proof_.final_pow_witness)) {
      return Reject("final grinding", "the witness is none");
    }
    Answers answers;
    if (!Query("final queries", final.draws, final.Openings(), final.query_bits,
               proof_.final_opening, &answers)) {
      return false;
    }
    for (size_t j = 0; j < answers.ys.size(); ++j) {
      if (EvalUnivariate(proof_.final_poly, answers.ys[j]) !=
          answers.values[j]) {
        return Reject("final polynomial",
                      fmt::format("it differs from the row of query {}", j));
      }
    }
    if (!Sumcheck("final sum-check", proof_.final_sumcheck, final.variables,
                  final.fold_pow)) {
      return false;
    }
    const Ext4 value =
        EvalExt(proof_.final_poly, LastChallenges(final.variables));
    if (claim_ != WeightAtChallenges() * value) {
      return Reject("final claim",
                    "the claims do not follow from the final polynomial");
    }
    return true;
  }

  Point LastChallenges(int count) const {
    return InTableOrder(Point(challenges_.end() - count, challenges_.end()),
                        parameters_.order);
  }

  // The combined weight of all claims, at the point of all challenges.
  Ext4 WeightAtChallenges() const {
    Ext4 weight = Ext4::Zero();
    for (const Batch& batch : batches_) {
      const Point x = LastChallenges(batch.variables);
      for (const Batch::AtPoint& claim : batch.at_points) {
        weight += claim.coefficient * Eq(claim.point, x);
      }
      for (const Batch::AtQuery& claim : batch.at_queries) {
        weight += claim.coefficient * Select(claim.y, x);
      }
    }
    return weight;
  }

  const Schedule& schedule_;
  const Parameters& parameters_;
  std::vector<Point> points_;
  const Proof& proof_;
  const Seeds seeds_;
  DuplexChallenger challenger_;
  Digest root_ = {};  // of the commitment that is queried next
  Ext4 claim_ = {};   // the running claim of the sum-checks
  Point fold_point_;  // challenges of the last sum-check
  Point challenges_;  // all of them, in order of drawing
  std::vector<Batch> batches_;
  Verdict verdict_;
};

}  // namespace

Verdict Verify(const Schedule& schedule, std::span<const Point> points,
               const Proof& proof, TranscriptLog* log) {
  Verdict shape = CheckShape(schedule, points, proof);
  if (!shape.accepted) return shape;
  return Replay(schedule, points, proof, log).Run();
}

}  // namespace assay::whir
