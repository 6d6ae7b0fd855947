// Compares the sizes of a proof with its schedule.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/proof_shape.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::whir {
namespace {

// Keeps the first test that failed.
class Shape {
 public:
  void Size(std::string_view where, std::string_view what, size_t found,
            size_t expected) {
    if (found == expected) return;
    Fail(where, fmt::format("{} {} where {} are due", found, what, expected));
  }

  void Element(std::string_view where, BabyBear x) {
    if (x.residue >= BabyBear::kPrime) {
      Fail(where, "a field element not below the prime");
    }
  }
  void Elements(std::string_view where, std::span<const BabyBear> xs) {
    for (const BabyBear x : xs) Element(where, x);
  }
  void Elements(std::string_view where, std::span<const Ext4> xs) {
    for (const Ext4& x : xs) Elements(where, x.c);
  }

  void Sumcheck(std::string_view where, const SumcheckPart& part, int rounds,
                int pow) {
    const auto messages = static_cast<size_t>(rounds);
    Size(where, "messages", part.messages.size(), messages);
    Size(where, "grinding witnesses", part.witnesses.size(),
         pow > 0 ? messages : 0);
    for (const SumcheckPart::Message& message : part.messages) {
      Elements(where, message.at_zero.c);
      Elements(where, message.leading.c);
    }
    Elements(where, part.witnesses);
  }

  void Rows(std::string_view where, const Opening& opening, bool extension,
            int fold, size_t count) {
    if (opening.extension != extension) {
      Fail(where, extension ? "rows of base elements" : "extension rows");
    }
    const size_t row_elements = (size_t{1} << fold) * (extension ? 4 : 1);
    Size(where, "elements a row", opening.row_elements, row_elements);
    Size(where, "row elements", opening.rows.size(), count * row_elements);
    Elements(where, opening.rows);
    for (const Digest& sibling : opening.siblings) Elements(where, sibling);
  }

  void Fail(std::string_view where, std::string detail) {
    if (!verdict_.accepted) return;
    verdict_ = {false, std::string(where), std::move(detail)};
  }

  Verdict Take() { return std::move(verdict_); }

 private:
  Verdict verdict_ = {true, "", ""};
};

void CheckPoints(Shape& shape, const Parameters& parameters,
                 std::span<const Point> points) {
  const bool given = parameters.mode == Mode::kGiven;
  shape.Size("points", "points", points.size(),
             given ? static_cast<size_t>(parameters.points) : 0);
  for (const Point& point : points) {
    shape.Size("points", "coordinates", point.size(),
               static_cast<size_t>(parameters.n));
    shape.Elements("points", point);
  }
}

void CheckRound(Shape& shape, const Schedule& schedule, size_t i,
                const RoundPart& part) {
  const Round& round = schedule.rounds[i];
  const std::string name = fmt::format(" of round {}", i);
  shape.Elements("commitment" + name, part.commitment);
  shape.Size("out-of-domain answers" + name, "answers", part.ood_answers.size(),
             static_cast<size_t>(round.ood));
  shape.Elements("out-of-domain answers" + name, part.ood_answers);
  shape.Element("grinding" + name, part.pow_witness);
  const int fold = i == 0 ? schedule.first_fold : schedule.rounds[i - 1].fold;
  shape.Rows("queries" + name, part.opening, i > 0, fold, round.Openings());
  shape.Sumcheck("sum-check" + name, part.sumcheck, round.fold, round.fold_pow);
}

}  // namespace

Verdict CheckShape(const Schedule& schedule, std::span<const Point> points,
                   const Proof& proof) {
  Shape shape;
  CheckPoints(shape, schedule.parameters, points);
  shape.Elements("commitment", proof.commitment);
  shape.Size("initial out-of-domain answers", "answers",
             proof.initial_ood_answers.size(),
             static_cast<size_t>(schedule.commitment_ood));
  shape.Elements("initial out-of-domain answers", proof.initial_ood_answers);
  shape.Size("claimed values", "values", proof.evals.size(),
             static_cast<size_t>(schedule.parameters.points));
  shape.Elements("claimed values", proof.evals);
  shape.Sumcheck("initial sum-check", proof.initial_sumcheck,
                 schedule.first_fold, schedule.starting_fold_pow);
  shape.Size("rounds", "rounds", proof.rounds.size(), schedule.rounds.size());
  if (proof.rounds.size() != schedule.rounds.size()) return shape.Take();
  for (size_t i = 0; i < proof.rounds.size(); ++i) {
    CheckRound(shape, schedule, i, proof.rounds[i]);
  }

  const Final& final = schedule.final;
  shape.Size("final polynomial", "values", proof.final_poly.size(),
             size_t{1} << final.variables);
  shape.Elements("final polynomial", proof.final_poly);
  shape.Element("final grinding", proof.final_pow_witness);
  const bool rounds = !schedule.rounds.empty();
  shape.Rows("final queries", proof.final_opening, rounds,
             rounds ? schedule.rounds.back().fold : schedule.first_fold,
             final.Openings());
  if (proof.has_final_sumcheck != (final.variables > 0)) {
    shape.Fail("final sum-check",
               final.variables > 0 ? "it is missing" : "there is none due");
  }
  shape.Sumcheck("final sum-check", proof.final_sumcheck, final.variables,
                 final.fold_pow);
  return shape.Take();
}

}  // namespace assay::whir
