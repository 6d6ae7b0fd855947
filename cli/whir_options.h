// Lists what a caller may set about a proof and about the machine, once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "assay/base/options.h"
#include "assay/runtime/runtime.h"
#include "assay/whir/options.h"
#include "cli/output.h"

namespace assay::cli {

// The most that is taken of what costs work: the prover stops earlier than a
// reader of proofs and statements has to.
struct ParameterLimits {
  int fold = 6;
  int rate = 6;
  int reduction = 12;
};
inline constexpr ParameterLimits kReaderLimits = {
    whir::kMaxFold, whir::kMaxRate, whir::kMaxRate + whir::kMaxFold - 1};

template <class V>
void Describe(V& v, whir::Parameters& p, const ParameterLimits& most = {}) {
  using whir::Mode;
  using whir::Order;
  using whir::Soundness;
  v.Int("n", p.n, {1, whir::kMaxVariables},
        "variables: the polynomial has 2^n values");
  v.Int("fold", p.fold, {1, most.fold}, "variables folded in one round");
  v.Int("rate", p.rate, {1, most.rate}, "log2 of the inverse code rate");
  v.Enum("soundness", p.soundness,
         {{"ud", Soundness::kUniqueDecoding},
          {"jb", Soundness::kJohnsonBound},
          {"cb", Soundness::kCapacityBound}},
         "ud and jb are proven bounds, cb rests on a conjecture");
  v.Int("security", p.security, {1, whir::kMaxSecurity},
        "bits for each error term");
  v.Int("pow", p.pow, {0, whir::kMaxPow}, "most bits of grinding in one place");
  v.Int("points", p.points, {1, whir::kMaxPoints},
        "points at which the polynomial is opened");
  v.Enum("order", p.order,
         {{"prefix", Order::kPrefix}, {"suffix", Order::kSuffix}},
         "which variables are folded first");
  v.Enum("mode", p.mode, {{"given", Mode::kGiven}, {"drawn", Mode::kDrawn}},
         "who chooses the points: the caller, or the transcript");
  v.Int("reduction", p.reduction, {0, most.reduction},
        "log2 of the first shrink of the domain (0 or 1: it halves)");
}

template <class V>
void Describe(V& v, RuntimeOptions& o) {
  v.Text("device", o.device,
         "cpu, which auto means too, or cuda[:N], webgpu[:N] where built");
  v.Int("threads", o.threads, {0, 1024}, "worker threads (0: all there are)");
  v.Bytes("memory", o.memory_bytes,
          "most memory for the device, e.g. 8GiB (0: what is free)");
}

// The parameters as JSON, under the names of the flags.
Json ParametersJson(const whir::Parameters& parameters);
// Reads them back: every name must be there, and no other.
Result<whir::Parameters> ParametersFromJson(const Json& json);

// The members that differ, "fold is 3, not 4; ..."; empty where equal.
std::string ParametersDifference(const whir::Parameters& found,
                                 const whir::Parameters& expected);

// "jb": the short name of a regime.
std::string RegimeName(whir::Soundness soundness);
// True for the regimes whose bounds are proven.
bool IsProven(whir::Soundness soundness);
// "jb, list decoding up to the Johnson bound: a proven bound".
std::string RegimeWords(whir::Soundness soundness);
// The regime and its numbers in one sentence.
std::string SoundnessWords(const whir::Parameters& parameters);
// "n=20, fold 4, rate 1, 1 point (given), prefix order".
std::string ParametersWords(const whir::Parameters& parameters);

}  // namespace assay::cli
