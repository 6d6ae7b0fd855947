// Reads a policy and holds parameters against it.
// SPDX-License-Identifier: Apache-2.0
#include "cli/policy.h"

#include <fmt/format.h>

#include <algorithm>

#include "assay/base/files.h"
#include "cli/elements.h"
#include "cli/output.h"
#include "cli/whir_options.h"

namespace assay::cli {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 20;

Error Invalid(std::string what) {
  return Error{Code::kInvalidInput, "policy: " + std::move(what),
               R"(a policy is {"regimes": ["ud", "jb"], "min_security": 90, )"
               R"("max_pow": 16})"};
}

std::string RegimesWords(const Policy& policy) {
  std::string text;
  for (const whir::Soundness regime : policy.regimes) {
    if (!text.empty()) text += ", ";
    text += RegimeName(regime);
  }
  return text;
}

Status ReadRegimes(const Json& list, Policy& policy) {
  if (!list.is_array() || list.empty()) {
    return Invalid("regimes is no list of names");
  }
  policy.regimes.clear();
  for (const Json& name : list) {
    OptionTable table;
    whir::Parameters parameters;
    Describe(table, parameters);
    if (!name.is_string() ||
        !table.Set("soundness", name.get<std::string>()).ok()) {
      return Invalid(fmt::format("{} is no regime", name.dump()));
    }
    policy.regimes.push_back(parameters.soundness);
  }
  return {};
}

Status ReadNumber(const Json& json, std::string_view name, int& value) {
  if (!json.is_number_integer() || json < 0 || json > 1000) {
    return Invalid(fmt::format("{} is no whole number in 0..1000", name));
  }
  value = json.get<int>();
  return {};
}

}  // namespace

Result<Policy> ParsePolicy(std::string_view text) {
  ASSAY_ASSIGN(json, ParseJson(text));
  if (!json.is_object()) return Invalid("it is no JSON object");
  Policy policy;
  for (const auto& [name, value] : json.items()) {
    if (name == "regimes") {
      ASSAY_TRY(ReadRegimes(value, policy));
    } else if (name == "min_security") {
      ASSAY_TRY(ReadNumber(value, name, policy.min_security));
    } else if (name == "max_pow") {
      ASSAY_TRY(ReadNumber(value, name, policy.max_pow));
    } else {
      return Invalid(fmt::format("\"{}\" is not known", name));
    }
  }
  return policy;
}

Result<Policy> ReadPolicy(const std::string& name) {
  if (name.empty()) return Policy{};
  if (name == "any") return Policy{.any = true};
  ASSAY_ASSIGN(bytes, ReadFile(name, kMaxFileBytes));
  return ParsePolicy(AsText(bytes));
}

std::string PolicyMismatch(const Policy& policy, const whir::Parameters& p) {
  if (policy.any) return "";
  if (std::find(policy.regimes.begin(), policy.regimes.end(), p.soundness) ==
      policy.regimes.end()) {
    return fmt::format("the proof's soundness is {}; the policy allows {}",
                       RegimeName(p.soundness), RegimesWords(policy));
  }
  if (p.security < policy.min_security) {
    return fmt::format(
        "the proof's security is {} bits; the policy asks for "
        "{}",
        p.security, policy.min_security);
  }
  if (p.pow > policy.max_pow) {
    return fmt::format("the proof grinds up to {} bits; the policy allows {}",
                       p.pow, policy.max_pow);
  }
  return "";
}

std::string PolicyWords(const Policy& policy) {
  if (policy.any) return "any: the parameters are the header's own";
  return fmt::format("regimes {}, at least {} bits, at most {} of grinding",
                     RegimesWords(policy), policy.min_security, policy.max_pow);
}

}  // namespace assay::cli
