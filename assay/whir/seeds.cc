// Builds the seeds of section 4 of docs/engines/whir.md.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/seeds.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "assay/protocol/domain_separator.h"

namespace assay::whir {
namespace {

using Steps = std::vector<SeedStep>;
using Chunks = std::vector<std::string>;

SeedStep Message(std::string label, std::string length, std::string type) {
  return {SeedStep::Hierarchy::kAtomic, SeedStep::Kind::kMessage,
          std::move(label), std::move(length), std::move(type)};
}

SeedStep Challenge(std::string label, std::string length, std::string type) {
  return {SeedStep::Hierarchy::kAtomic, SeedStep::Kind::kChallenge,
          std::move(label), std::move(length), std::move(type)};
}

void AddPow(Steps& steps, const char* label, int bits) {
  if (bits == 0) return;
  steps.push_back({SeedStep::Hierarchy::kAtomic, SeedStep::Kind::kPow, label,
                   FixedLength(bits), kBaseType});
}

void AddQueries(Steps& steps, const char* label, int draws, int bits) {
  if (draws == 0) return;
  steps.push_back(Challenge(label, FixedLength(draws), UniformBitsType(bits)));
}

void AddBracket(Steps& steps, const char* label) {
  for (const auto hierarchy :
       {SeedStep::Hierarchy::kBegin, SeedStep::Hierarchy::kEnd}) {
    steps.push_back(
        {hierarchy, SeedStep::Kind::kProtocol, label, kNoLength, kMarkerType});
  }
}

// The shape of one table with one column and n variables.
Chunks LayoutChunks(const Parameters& parameters) {
  const bool prefix = parameters.order == Order::kPrefix;
  const std::string n = BigEndian8(parameters.n);
  return {n,
          std::string(1, prefix ? '\1' : '\0'),
          std::string(1, prefix ? '\0' : '\1'),
          BigEndian8(1),
          n,
          BigEndian8(1)};
}

Chunks With(Chunks chunks, std::initializer_list<uint64_t> numbers) {
  for (const uint64_t number : numbers) chunks.push_back(BigEndian8(number));
  return chunks;
}

Steps WhirSteps(const Schedule& schedule) {
  Steps steps;
  AddBracket(steps, "initial_fold");
  for (const Round& round : schedule.rounds) {
    steps.push_back(Message("commitment", kScalarLength, kOpaqueType));
    for (int i = 0; i < round.ood; ++i) {
      steps.push_back(Challenge("ood_point", kScalarLength, kExtensionType));
      steps.push_back(Message("ood_answer", kScalarLength, kExtensionType));
    }
    AddPow(steps, "query_pow", round.pow);
    AddQueries(steps, "query_indices", round.draws, round.query_bits);
    steps.push_back(Challenge("round_batching", kScalarLength, kExtensionType));
    AddBracket(steps, "round_fold");
  }
  const Final& final = schedule.final;
  steps.push_back(Message("final_poly",
                          FixedLength(uint64_t{1} << final.variables),
                          kExtensionType));
  AddPow(steps, "final_query_pow", final.pow);
  AddQueries(steps, "final_query_indices", final.draws, final.query_bits);
  if (final.variables > 0) AddBracket(steps, "final_fold");
  return steps;
}

Chunks WhirChunks(const Schedule& schedule) {
  const Parameters& p = schedule.parameters;
  constexpr uint64_t kConstantFolding = 0;
  // Parameters are small non-negative integers once a schedule is derived.
  const auto number = [](int x) { return static_cast<uint64_t>(x); };
  Chunks chunks = With(
      {}, {number(p.n), number(schedule.commitment_ood), number(p.points),
           uint64_t{1} << schedule.first_fold, number(p.security),
           number(p.pow), number(p.rate), static_cast<uint64_t>(p.soundness),
           kConstantFolding, number(p.fold), number(schedule.first_fold),
           number(schedule.starting_fold_pow), number(schedule.final.variables),
           number(schedule.final.fold_pow), schedule.rounds.size()});
  for (const Round& round : schedule.rounds) {
    chunks = With(std::move(chunks), {number(round.rate), number(round.fold),
                                      number(round.fold_pow)});
  }
  return chunks;
}

Steps OpenSteps(Mode mode) {
  Steps steps;
  if (mode == Mode::kDrawn) {
    steps.push_back(Challenge("opening_point", kScalarLength, kExtensionType));
  }
  steps.push_back(Message("current_evals", FixedLength(1), kExtensionType));
  return steps;
}

std::vector<BabyBear> SumcheckElements(int rounds, int pow_bits) {
  Steps steps;
  for (int i = 0; i < rounds; ++i) {
    steps.push_back(Message("round_poly", FixedLength(2), kExtensionType));
    AddPow(steps, "round_pow", pow_bits);
    steps.push_back(
        Challenge("round_challenge", kScalarLength, kExtensionType));
  }
  return SeedElements(
      {1, "p3-sumcheck-quadratic", steps, {std::string(1, '\0')}});
}

void Absorb(DuplexChallenger& challenger,
            const std::vector<BabyBear>& elements) {
  challenger.Observe(std::span<const BabyBear>(elements));
}

}  // namespace

Seeds::Seeds(const Schedule& schedule) {
  const Parameters& parameters = schedule.parameters;
  const Chunks layout = LayoutChunks(parameters);
  const auto n = static_cast<uint64_t>(parameters.n);
  commit_ = SeedElements({1,
                          "p3-sumcheck-layout-commitment",
                          {Message("commitment", kScalarLength, kOpaqueType)},
                          {}});
  ood_ =
      SeedElements({1,
                    "p3-sumcheck-layout-ood",
                    {Challenge("virtual_point", kScalarLength, kExtensionType),
                     Message("virtual_eval", kScalarLength, kExtensionType)},
                    layout});
  open_ =
      SeedElements({1, "p3-sumcheck-layout-opening", OpenSteps(parameters.mode),
                    With(layout, {0, n, 1, 0, 0})});
  whir_ =
      SeedElements({3, "p3-whir", WhirSteps(schedule), WhirChunks(schedule)});
  batch_ = SeedElements(
      {1,
       "p3-sumcheck-layout-batching",
       {Challenge("batching", kScalarLength, kExtensionType)},
       With(layout, {static_cast<uint64_t>(parameters.points),
                     static_cast<uint64_t>(schedule.commitment_ood)})});
  const auto prepare = [&](int rounds, int pow_bits) {
    std::vector<BabyBear>& elements = sumchecks_[{rounds, pow_bits}];
    if (elements.empty()) elements = SumcheckElements(rounds, pow_bits);
  };
  prepare(schedule.first_fold, schedule.starting_fold_pow);
  for (const Round& round : schedule.rounds) {
    prepare(round.fold, round.fold_pow);
  }
  prepare(schedule.final.variables, schedule.final.fold_pow);
}

void Seeds::Commit(DuplexChallenger& challenger) const {
  Absorb(challenger, commit_);
}
void Seeds::Ood(DuplexChallenger& challenger) const {
  Absorb(challenger, ood_);
}
void Seeds::Open(DuplexChallenger& challenger) const {
  Absorb(challenger, open_);
}
void Seeds::Whir(DuplexChallenger& challenger) const {
  Absorb(challenger, whir_);
}
void Seeds::Batch(DuplexChallenger& challenger) const {
  Absorb(challenger, batch_);
}

void Seeds::Sumcheck(DuplexChallenger& challenger, int rounds,
                     int pow_bits) const {
  if (rounds == 0) return;
  const auto found = sumchecks_.find({rounds, pow_bits});
  Absorb(challenger, found != sumchecks_.end()
                         ? found->second
                         : SumcheckElements(rounds, pow_bits));
}

}  // namespace assay::whir
