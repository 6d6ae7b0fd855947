// Derives a schedule, or says what stands in its way and what would work.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/soundness.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "assay/number/babybear.h"
#include "assay/whir/error_bounds.h"

namespace assay::whir {
namespace {

std::string_view RegimeFlag(Soundness soundness) {
  switch (soundness) {
    case Soundness::kUniqueDecoding: return "ud";
    case Soundness::kJohnsonBound: return "jb";
    case Soundness::kCapacityBound: return "cb";
  }
  return "?";
}

Error OutOfRange(std::string_view name, int value, int least, int most) {
  return {Code::kInvalidInput,
          fmt::format("{} is {}, outside {} to {}", name, value, least, most),
          fmt::format("--{} {}", name, std::clamp(value, least, most))};
}

Status CheckRange(std::string_view name, int value, int least, int most) {
  if (value >= least && value <= most) return {};
  return OutOfRange(name, value, least, most);
}

Status CheckRanges(const Parameters& p) {
  ASSAY_TRY(CheckRange("n", p.n, 1, kMaxVariables));
  ASSAY_TRY(CheckRange("fold", p.fold, 1, kMaxFold));
  if (p.fold > p.n) {
    return Error{Code::kInvalidInput,
                 fmt::format("fold is {}, above the {} variables there are",
                             p.fold, p.n),
                 fmt::format("--fold {}", p.n)};
  }
  ASSAY_TRY(CheckRange("rate", p.rate, 1, kMaxRate));
  ASSAY_TRY(CheckRange("security", p.security, 1, kMaxSecurity));
  ASSAY_TRY(CheckRange("pow", p.pow, 0, kMaxPow));
  ASSAY_TRY(CheckRange("points", p.points, 1, kMaxPoints));
  if (static_cast<int>(p.soundness) > 2) {
    return Error{Code::kInvalidInput, "unknown soundness regime",
                 "--soundness jb"};
  }
  return {};
}

// k_0, k_1, ...: `fold` variables at a time until few are left.
std::vector<int> Folds(const Parameters& p) {
  std::vector<int> folds;
  int remaining = p.n;
  do {
    folds.push_back(std::min(p.fold, remaining));
    remaining -= folds.back();
  } while (remaining > kMostFinalVariables);
  return folds;
}

// r_1, r_2, ...: as given, or by the reduction of the first domain.
Result<std::vector<int>> Rates(const Parameters& p,
                               const std::vector<int>& folds) {
  const size_t rounds = folds.size() - 1;
  ASSAY_TRY(CheckRange("reduction", p.reduction, 0, p.rate + folds[0] - 1));
  std::vector<int> rates = p.round_rates;
  if (rates.empty()) {
    int rate = p.rate;
    for (size_t i = 0; i < rounds; ++i) {
      rate += folds[i] - (i == 0 && p.reduction > 0 ? p.reduction : 1);
      rates.push_back(rate);
    }
    return rates;
  }
  if (p.reduction != 0) {
    return Error{Code::kInvalidInput,
                 "explicit rates and a reduction exclude each other",
                 "leave reduction at 0"};
  }
  if (rates.size() != rounds) {
    return Error{
        Code::kInvalidInput,
        fmt::format("{} explicit rates for {} rounds", rates.size(), rounds),
        "name one rate a round, or none"};
  }
  int rate = p.rate;
  for (size_t i = 0; i < rounds; ++i) {
    const int most = rate + folds[i];
    if (rates[i] < 1 || rates[i] > most) {
      return Error{
          Code::kInvalidInput,
          fmt::format("rate {} of round {} is outside 1 to {}", rates[i], i,
                      most),
          fmt::format("rate {} in this round", std::clamp(rates[i], 1, most))};
    }
    rate = rates[i];
  }
  return rates;
}

Error Infeasible(std::string what) {
  return {Code::kUnsupported, std::move(what), ""};
}

Status CheckDomain(int log_rows) {
  if (log_rows <= BabyBear::kTwoAdicity) return {};
  return Infeasible(
      fmt::format("a codeword of 2^{} rows exceeds the field's largest "
                  "domain, 2^{}",
                  log_rows, BabyBear::kTwoAdicity));
}

// Where a schedule grinds most.
struct MostGrinding {
  int pow = 0;
  std::string where;

  void Add(int bits, std::string_view place) {
    if (bits > pow) *this = {bits, std::string(place)};
  }

  Status Check(const Parameters& p) const {
    if (pow <= p.pow) return {};
    return Infeasible(
        fmt::format("{} bits of security need {} bits of grinding in {}, the "
                    "budget is {}",
                    p.security, pow, where, p.pow));
  }
};

int Draws(int queries, int query_bits) {
  return queries >= int64_t{1} << query_bits ? 0 : queries;
}

// The number of samples, or why none suffices.
Result<int> OodSamples(const ErrorBounds& bounds, int variables, int rate) {
  const int samples = bounds.OodSamples(variables, rate);
  if (samples >= 0) return samples;
  return Infeasible(fmt::format(
      "no number of out-of-domain samples over {} variables at rate {} "
      "suffices",
      variables, rate));
}

Status CheckClaims(const Schedule& schedule, const Profile& profile,
                   const ErrorBounds& bounds) {
  const Parameters& p = schedule.parameters;
  const int claims = p.points + schedule.commitment_ood;
  if (claims < 2) return {};
  const double bits = bounds.ClaimBits(profile.claim_bits, claims, p.n, p.rate);
  if (!(bits < p.security)) return {};
  return Infeasible(
      fmt::format("combining {} initial claims leaves {:.1f} bits, below the "
                  "{} bits asked for",
                  claims, bits, p.security));
}

Result<Schedule> DeriveRounds(const Parameters& p, const Profile& profile) {
  ASSAY_TRY(CheckRanges(p));
  const std::vector<int> folds = Folds(p);
  ASSAY_ASSIGN(rates, Rates(p, folds));
  const ErrorBounds bounds(p.soundness, p.security, p.pow,
                           profile.field_bits[static_cast<int>(p.soundness)]);
  if (p.pow >= p.security) {
    return Infeasible(
        fmt::format("{} bits of grinding leave nothing for queries to prove "
                    "at {} bits of security",
                    p.pow, p.security));
  }

  Schedule schedule;
  schedule.parameters = p;
  if (folds.size() == 1 || p.reduction == 1) schedule.parameters.reduction = 0;
  schedule.first_fold = folds[0];
  schedule.log_domain = p.n + p.rate;
  ASSAY_TRY(CheckDomain(schedule.log_domain - folds[0]));
  ASSAY_ASSIGN(commitment_ood, OodSamples(bounds, p.n, p.rate));
  schedule.commitment_ood = commitment_ood;
  schedule.starting_fold_pow = bounds.FoldPow(p.n, p.rate);
  MostGrinding grinding;
  grinding.Add(schedule.starting_fold_pow, "the first folds");
  ASSAY_TRY(CheckClaims(schedule, profile, bounds));

  int rate = p.rate;
  int variables = p.n - folds[0];
  int log_domain = schedule.log_domain;
  for (size_t i = 0; i + 1 < folds.size(); ++i) {
    Round round;
    round.fold = folds[i + 1];
    round.rate = rates[i];
    round.variables = variables;
    round.queries = bounds.Queries(rate);
    round.query_bits = log_domain - folds[i];
    round.draws = Draws(round.queries, round.query_bits);
    round.log_domain = log_domain - (rate + folds[i] - round.rate);
    ASSAY_TRY(CheckDomain(round.log_domain - round.fold));
    ASSAY_ASSIGN(ood, OodSamples(bounds, variables, round.rate));
    round.ood = ood;
    round.pow =
        bounds.RoundPow(rate, round.queries, ood, variables, round.rate);
    round.fold_pow = bounds.FoldPow(variables, round.rate);
    grinding.Add(round.pow, fmt::format("the queries of round {}", i));
    grinding.Add(round.fold_pow, fmt::format("the folds of round {}", i));
    rate = round.rate;
    variables -= round.fold;
    log_domain = round.log_domain;
    schedule.rounds.push_back(round);
  }

  Final& final = schedule.final;
  final.variables = variables;
  final.queries = bounds.Queries(rate);
  final.query_bits = log_domain - folds.back();
  final.draws = Draws(final.queries, final.query_bits);
  final.pow = bounds.FinalPow(rate, final.queries);
  final.fold_pow = bounds.FinalFoldPow();
  grinding.Add(final.pow, "the final queries");
  grinding.Add(final.fold_pow, "the final folds");
  ASSAY_TRY(grinding.Check(p));
  return schedule;
}

// The nearest value of one member that makes the rest feasible, upwards
// first at equal distance, or the member's own value where there is none.
int NearestFeasible(const Parameters& parameters, const Profile& profile,
                    int Parameters::* member, int least, int most) {
  const int value = parameters.*member;
  const int farthest = std::max(most - value, value - least);
  for (int distance = 1; distance <= farthest; ++distance) {
    for (const int candidate : {value + distance, value - distance}) {
      if (candidate < least || candidate > most) continue;
      Parameters changed = parameters;
      changed.*member = candidate;
      if (DeriveRounds(changed, profile).ok()) return candidate;
    }
  }
  return value;
}

// Rows of more than 2^6 elements are feasible and seldom wanted.
constexpr int kMostHintedFold = 6;

// Single changes that make the parameters feasible.
std::string Hint(const Parameters& p, const Profile& profile) {
  std::vector<std::string> changes;
  const auto add = [&](std::string_view flag, int Parameters::* member,
                       int least, int most) {
    const int value = NearestFeasible(p, profile, member, least, most);
    if (value == p.*member) return;
    changes.push_back(fmt::format("--{} {}", flag, value));
  };
  add("pow", &Parameters::pow, 0, kMaxPow);
  add("security", &Parameters::security, 1, p.security);
  add("rate", &Parameters::rate, 1, kMaxRate);
  add("fold", &Parameters::fold, 1, std::min(kMostHintedFold, p.n));
  for (const Soundness regime :
       {Soundness::kJohnsonBound, Soundness::kUniqueDecoding}) {
    Parameters changed = p;
    changed.soundness = regime;
    if (regime != p.soundness && DeriveRounds(changed, profile).ok()) {
      changes.push_back(fmt::format("--soundness {}", RegimeFlag(regime)));
    }
  }
  if (changes.empty()) return "no single change helps: fewer variables do";
  return fmt::format("feasible: {}", fmt::join(changes, ", or "));
}

}  // namespace

Result<Schedule> Derive(const Parameters& parameters, const Profile& profile) {
  Result<Schedule> result = DeriveRounds(parameters, profile);
  if (result.ok() || result.error().code != Code::kUnsupported) return result;
  Error error = result.error();
  error.hint = Hint(parameters, profile);
  return error;
}

}  // namespace assay::whir
