// Makes sum-check proofs of generated columns or of files, and checks them.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sumcheck.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "assay/binary/prove.h"
#include "assay/binary/verify.h"
#include "cli/output.h"
#include "cli/progress_bar.h"
#include "cli/sealed_key.h"

namespace assay::cli {
namespace {

using binary::Columns;
using binary::Proof;
using binary::Verdict;

Error Invalid(std::string what, std::string hint) {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

std::string Hex(std::span<const uint8_t> bytes) {
  std::string text;
  for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}
// The element's bytes, as in the file.
std::string Hex(Gf2_128 x) {
  std::array<uint8_t, 16> bytes;
  x.ToBytes(bytes);
  return Hex(bytes);
}

std::string ContextWords(const Sha256Hash& context) {
  const auto seed = binary::SeedOf(context);
  return seed ? fmt::format("the instance of seed {}", *seed)
              : fmt::format("columns with the hash {}", Hex(context));
}

std::string Claim(const binary::Statement& statement) {
  return fmt::format("the sum over 2^{} products of {} is {}", statement.n,
                     statement.d, Hex(statement.sum));
}

Json StatementJson(const binary::Statement& statement) {
  Json json = {{"n", statement.n},
               {"d", statement.d},
               {"sum", Hex(statement.sum)},
               {"context", Hex(statement.context)}};
  // As text: JSON readers round numbers of 64 bits.
  if (const auto seed = binary::SeedOf(statement.context)) {
    json["seed"] = std::to_string(*seed);
  }
  return json;
}

Result<std::unique_ptr<Columns>> OpenColumns(const ColumnFlags& flags) {
  if (!flags.columns.empty()) {
    if (!flags.seed.empty()) {
      return Invalid("--seed and --columns both name the columns",
                     "give one of them");
    }
    ASSAY_ASSIGN(columns, binary::FileColumns(flags.columns));
    if ((flags.n != 0 && flags.n != columns->n()) ||
        (flags.d != 0 && flags.d != columns->d())) {
      return Invalid(
          fmt::format("the files hold n={}, d={}", columns->n(), columns->d()),
          "leave --n and --d away: the files decide");
    }
    return std::move(columns);
  }
  if (flags.seed.empty()) {
    return Invalid("no columns are named",
                   "--seed S --n N --d D, or --columns FILE...");
  }
  if (flags.n == 0 || flags.d == 0) {
    return Invalid("--seed needs --n and --d", "e.g. --seed 1 --n 20 --d 3");
  }
  const Result<uint64_t> seed = ParseUnsigned(flags.seed);
  if (!seed.ok()) {
    return Invalid(fmt::format("--seed: {}", seed.error().what),
                   seed.error().hint);
  }
  return binary::SeedColumns(*seed, flags.n, flags.d);
}

// The outputs are tried before the work begins, and must not be what the
// command reads.
Status CheckOutputs(const SumcheckProveArgs& args) {
  ASSAY_TRY(CheckNoStdout("--out", args.out));
  ASSAY_TRY(CheckNoStdout("--trace", args.trace));
  ASSAY_TRY(CheckWritable(args.out));
  if (!args.trace.empty()) {
    ASSAY_TRY(CheckWritable(args.trace));
    if (IsSameFile(args.out, args.trace)) {
      return Invalid("--out and --trace are the same file", "");
    }
  }
  for (const std::string& column : args.source.columns) {
    if (IsSameFile(args.out, column) ||
        (!args.trace.empty() && IsSameFile(args.trace, column))) {
      return Invalid(fmt::format("{} is read and would be written", column),
                     "name another output");
    }
  }
  return {};
}

struct ProveAnswer {
  Proof proof;
  std::string device;
  double read_ms = 0;
  double prove_ms = 0;
  double verify_ms = 0;
  size_t proof_bytes = 0;
  uint64_t planned_peak_bytes = 0;
  uint64_t device_peak_bytes = 0;
};

double MsSince(const Trace& trace, int64_t begin_ns) {
  return static_cast<double>(trace.NowNs() - begin_ns) / 1e6;
}

// Read back from its bytes, like anybody's.
Status CheckOwn(std::span<const std::byte> bytes, const Columns& columns) {
  const auto proof = binary::Decode(bytes);
  Verdict verdict = {false, "format", "its bytes can not be read"};
  if (proof.ok()) {
    ASSAY_ASSIGN(found, binary::Verify(*proof, columns));
    verdict = found;
  }
  if (verdict.accepted) return {};
  return Error{Code::kUntrusted,
               fmt::format("the finished proof was rejected ({}: {}); it is "
                           "not written",
                           verdict.check, verdict.detail),
               "assay selftest tries each kernel on this machine"};
}

Result<ProveAnswer> MakeProof(const SumcheckProveArgs& args) {
  ProveAnswer answer;
  ASSAY_ASSIGN(columns, OpenColumns(args.source));
  ASSAY_TRY(CheckOutputs(args));
  ASSAY_ASSIGN(runtime, Runtime::Open(args.runtime));
  Device& device = runtime->device();
  ASSAY_ASSIGN(plan, binary::PlanSumcheck(columns->n(), columns->d(), device));
  answer.device = device.info().name;
  answer.planned_peak_bytes = plan.peak_bytes;
  ASSAY_TRY(binary::TrustSumcheck(*runtime, plan));
  device.budget().ResetPeak();
  Trace trace;
  {
    ProgressBar bar("proving");
    const binary::ProveContext context = {.progress = bar.Sink(),
                                          .trace = &trace};
    int64_t begin_ns = trace.NowNs();
    ASSAY_ASSIGN(loaded,
                 binary::LoadColumns(*runtime, plan, *columns, context));
    answer.read_ms = MsSince(trace, begin_ns);
    begin_ns = trace.NowNs();
    ASSAY_ASSIGN(proof,
                 binary::Prove(*runtime, plan, std::move(loaded), context));
    answer.prove_ms = MsSince(trace, begin_ns);
    answer.proof = std::move(proof);
  }
  answer.device_peak_bytes = device.budget().peak_bytes();
  const std::vector<std::byte> bytes = binary::Encode(answer.proof);
  answer.proof_bytes = bytes.size();
  if (!args.no_verify) {
    const int64_t begin_ns = trace.NowNs();
    ASSAY_TRY(CheckOwn(bytes, *columns));
    answer.verify_ms = MsSince(trace, begin_ns);
  }
  std::vector<AtomicWrite> files;
  if (!args.trace.empty()) {
    ASSAY_ASSIGN(file, AtomicWrite::Prepare(args.trace, trace.ToChromeJson()));
    files.push_back(std::move(file));
  }
  ASSAY_ASSIGN(file, AtomicWrite::Prepare(args.out, bytes));
  files.push_back(std::move(file));
  ASSAY_TRY(CommitAll(files));
  return answer;
}

Json ToJson(const SumcheckProveArgs& args, const ProveAnswer& answer) {
  Json json;
  json["out"] = args.out;
  json["proof_bytes"] = answer.proof_bytes;
  json["statement"] = StatementJson(answer.proof.statement);
  json["read_ms"] = RoundMs(answer.read_ms);
  json["prove_ms"] = RoundMs(answer.prove_ms);
  json["verified"] = !args.no_verify;
  if (!args.no_verify) json["verify_ms"] = RoundMs(answer.verify_ms);
  json["device"] = answer.device;
  json["planned_peak_bytes"] = answer.planned_peak_bytes;
  json["device_peak_bytes"] = answer.device_peak_bytes;
  return json;
}

std::vector<Row> Rows(const SumcheckProveArgs& args,
                      const ProveAnswer& answer) {
  return {
      {"claim", Claim(answer.proof.statement)},
      {"columns", ContextWords(answer.proof.statement.context)},
      {"read in", HumanTime(answer.read_ms / 1e3)},
      {"proved in", fmt::format("{} on {}, {} of its memory",
                                HumanTime(answer.prove_ms / 1e3), answer.device,
                                HumanBytes(answer.device_peak_bytes))},
      {"verified",
       args.no_verify
           ? "no (--no-verify)"
           : fmt::format("accepted in {}", HumanTime(answer.verify_ms / 1e3))},
      {"proof", fmt::format("{}, {} bytes", args.out, answer.proof_bytes)},
  };
}

struct VerifyAnswer {
  Verdict verdict;
  bool decided = true;  // false: accepted only as far as the transcript goes
  std::optional<binary::Statement> statement;
  std::vector<Gf2_128> point;  // where not decided
  std::vector<Gf2_128> values;
  double verify_ms = 0;
};

// The columns that the flags name, else those that the proof names.
Result<std::unique_ptr<Columns>> ColumnsFor(const SumcheckVerifyArgs& args,
                                            const Proof& proof) {
  const binary::Statement& statement = proof.statement;
  ColumnFlags flags = args.source;
  if (flags.columns.empty() && flags.seed.empty()) {
    const auto seed = binary::SeedOf(statement.context);
    if (!seed) {
      return Invalid("the proof is about columns that were given as data",
                     "name them: --columns FILE...; or --transcript-only");
    }
    flags.seed = std::to_string(*seed);
  }
  if (flags.columns.empty()) {
    flags.n = statement.n;
    flags.d = statement.d;
  }
  return OpenColumns(flags);
}

// Rejects what is not about the claim that the flags name.
// `sum`: none, or 16 bytes.
Verdict CheckClaim(const SumcheckVerifyArgs& args, std::span<const uint8_t> sum,
                   const binary::Statement& statement) {
  const auto differs = [](std::string_view name, const auto& is,
                          const auto& wanted) {
    return Verdict{false, "claim",
                   fmt::format("{} is {}, not {}", name, is, wanted)};
  };
  if (args.n != 0 && statement.n != args.n) {
    return differs("n", statement.n, args.n);
  }
  if (args.d != 0 && statement.d != args.d) {
    return differs("d", statement.d, args.d);
  }
  if (!sum.empty() && Hex(statement.sum) != Hex(sum)) {
    return differs("the sum", Hex(statement.sum), Hex(sum));
  }
  return {true, "", ""};
}

Result<VerifyAnswer> Check(const SumcheckVerifyArgs& args) {
  VerifyAnswer answer;
  const Result<std::vector<uint8_t>> sum = ParseHex("--sum", args.sum);
  if (!sum.ok() || (!sum->empty() && sum->size() != 16)) {
    return Invalid(fmt::format("--sum {} is no element", args.sum),
                   "32 hexadecimal digits, as prove and verify print them");
  }
  if (args.transcript_only &&
      !(args.source.seed.empty() && args.source.columns.empty())) {
    return Invalid("--transcript-only looks at no column",
                   "leave --seed and --columns away");
  }
  const Result<std::vector<std::byte>> bytes =
      ReadFile(args.proof, binary::kMaxProofBytes);
  if (!bytes.ok()) {
    if (bytes.error().code != Code::kInvalidInput) return bytes.error();
    answer.verdict = {false, "format", bytes.error().what};
    return answer;
  }
  const Trace clock;
  const Result<Proof> proof = binary::Decode(*bytes);
  if (!proof.ok()) {
    answer.verdict = {false, "format", proof.error().what};
    return answer;
  }
  answer.statement = proof->statement;
  answer.values = proof->values;
  answer.verdict = CheckClaim(args, *sum, proof->statement);
  if (!answer.verdict.accepted) return answer;
  if (args.transcript_only) {
    binary::Reduction reduction = binary::Reduce(*proof);
    answer.decided = !reduction.verdict.accepted;
    answer.verdict = std::move(reduction.verdict);
    answer.point = std::move(reduction.point);
  } else {
    if (proof->statement.n > args.max_n) {
      return Invalid(fmt::format("the proof has n={}, above --max-n {}",
                                 proof->statement.n, args.max_n),
                     "evaluating its columns takes 2^n products each");
    }
    ASSAY_ASSIGN(columns, ColumnsFor(args, *proof));
    ASSAY_ASSIGN(verdict, binary::Verify(*proof, *columns));
    answer.verdict = std::move(verdict);
  }
  answer.verify_ms = MsSince(clock, 0);
  return answer;
}

Json ElementsJson(std::span<const Gf2_128> elements) {
  Json list = Json::array();
  for (const Gf2_128& x : elements) list.push_back(Hex(x));
  return list;
}

Json ToJson(const SumcheckVerifyArgs& args, const VerifyAnswer& answer) {
  Json json;
  json["proof"] = args.proof;
  json["accepted"] = answer.verdict.accepted && answer.decided;
  json["decided"] = answer.decided;
  json["check"] = answer.verdict.check;
  json["detail"] = answer.verdict.detail;
  json["verify_ms"] = RoundMs(answer.verify_ms);
  if (answer.statement) json["statement"] = StatementJson(*answer.statement);
  if (!answer.decided) {
    json["point"] = ElementsJson(answer.point);
    json["values"] = ElementsJson(answer.values);
  }
  return json;
}

std::vector<Row> Rows(const SumcheckVerifyArgs& args,
                      const VerifyAnswer& answer) {
  std::vector<Row> rows = {{"proof", args.proof}};
  if (answer.statement) {
    rows.emplace_back("claim", Claim(*answer.statement));
    rows.emplace_back("columns", ContextWords(answer.statement->context));
  }
  rows.emplace_back("checked in", HumanTime(answer.verify_ms / 1e3));
  if (!answer.decided) {
    for (size_t k = 0; k < answer.point.size(); ++k) {
      rows.emplace_back(fmt::format("x_{}", k), Hex(answer.point[k]));
    }
    for (size_t j = 0; j < answer.values.size(); ++j) {
      rows.emplace_back(fmt::format("P_{} there", j), Hex(answer.values[j]));
    }
    rows.emplace_back("verdict",
                      "reduced: the claim holds if the columns have these "
                      "values at this point, which nobody checked");
    return rows;
  }
  rows.emplace_back("verdict",
                    answer.verdict.accepted
                        ? "accepted"
                        : fmt::format("rejected: {}: {}", answer.verdict.check,
                                      answer.verdict.detail));
  return rows;
}

}  // namespace

int RunSumcheckProve(const SumcheckProveArgs& args) {
  const Result<ProveAnswer> answer = MakeProof(args);
  if (!answer.ok()) return Fail(answer.error());
  if (args.json) {
    PrintJson(ToJson(args, *answer));
  } else {
    PrintRows(Rows(args, *answer));
  }
  return kExitOk;
}

int RunSumcheckVerify(const SumcheckVerifyArgs& args) {
  const Result<VerifyAnswer> answer = Check(args);
  if (!answer.ok()) return Fail(answer.error());
  if (args.json) {
    PrintJson(ToJson(args, *answer));
  } else {
    PrintRows(Rows(args, *answer));
  }
  return answer->verdict.accepted ? kExitOk : kExitRejected;
}

}  // namespace assay::cli
