// Turns the command line into the arguments of one command and runs it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <functional>
#include <list>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/bench_binary.h"
#include "cli/bench_planar.h"
#include "cli/crc.h"
#include "cli/ghash.h"
#include "cli/host.h"
#include "cli/import.h"
#include "cli/keygen.h"
#include "cli/line.h"
#include "cli/output.h"
#include "cli/protect.h"
#include "cli/seal.h"
#include "cli/sumcheck.h"
#include "cli/sweep.h"
#include "cli/verbs.h"

namespace assay::cli {
namespace {

// Leaves the parser of the command line, which knows only exceptions.
struct Refused {
  Error error;
};

void Set(const Option& option, const std::string& text,
         std::string_view written) {
  if (text.empty()) {
    throw Refused{{Code::kInvalidInput,
                   fmt::format("{}{} is empty", written, option.name),
                   "leave the flag out for its default"}};
  }
  const Status status = option.set(text);
  if (status.ok()) return;
  Error error = status.error();
  error.what = fmt::format("{}{}", written, error.what);
  throw Refused{error};
}

// A flag for each line of the table.
void AddOptions(CLI::App& app, const OptionTable& table) {
  for (const Option& option : table.options()) {
    const std::string flag = "--" + option.name;
    if (option.kind == Option::Kind::kFlag) {
      app.add_flag_callback(
          flag, [&option] { (void)option.set("true"); }, option.help);
      continue;
    }
    CLI::Option* added = app.add_option_function<std::string>(
        flag,
        [&option, flag](const std::string& text) { Set(option, text, "--"); },
        option.help);
    std::string type = option.range;
    for (const std::string& choice : option.choices) {
      type += (type.empty() ? "" : "|") + choice;
    }
    if (type.empty()) type = "TEXT";
    const std::string value = option.get();
    const bool shown = !value.empty() && !(option.name == "n" && value == "0");
    added->type_name(shown ? fmt::format("{} [{}]", type, value) : type);
  }
}

// Environment variables are defaults of flags.
void SetFromEnvironment(const OptionTable& table) {
  for (const auto& [variable, name] :
       {std::pair("ASSAY_DEVICE", "device"), {"ASSAY_MEMORY", "memory"}}) {
    const char* text = std::getenv(variable);
    const Option* option = table.Find(name);
    if (text != nullptr && *text != '\0' && option != nullptr) {
      Set(*option, text, fmt::format("{}: ", variable));
    }
  }
}

// The parser and, behind it, the arguments that it fills.
class Commands {
 public:
  Commands() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "assay 0.1.0");
    Add(app_, "prove", "prove the values of a polynomial", prove_, [this] {
      prove_.source.n = prove_.parameters.n;
      return RunProve(prove_);
    });
    Add(app_, "verify", "check a proof", verify_,
        [this] { return RunVerify(verify_); })
        .add_option("proof", verify_.proof, "the proof file")
        ->required();
    Add(app_, "selftest", "try every kernel on this machine", selftest_,
        [this] { return RunSelfTest(selftest_); })
        .add_option("op", selftest_.op, "only this operation, e.g. ntt");
    Add(app_, "devices", "list the devices", devices_,
        [this] { return RunDevices(devices_); });
    AddSweep();
    AddImport();
    Add(app_, "line", "impedance and losses of strips over ground", line_,
        [this] { return RunLine(line_); });
    AddShards();
    AddSumcheck();
    AddSealed();
    AddBench();
  }

  int Run(int argc, char** argv) {
    const auto named = [&](const CLI::App* command) {
      return command->get_name() == argv[1];
    };
    if (argc > 1 && argv[1][0] != '-' && app_.get_subcommands(named).empty()) {
      return Fail({Code::kInvalidInput,
                   fmt::format("there is no command \"{}\"", argv[1]),
                   "assay --help lists the commands"});
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& stop) {
      // --help and --version come this way too, with exit code 0.
      if (stop.get_exit_code() == 0) return app_.exit(stop);
      return Fail({Code::kInvalidInput, stop.what(),
                   "assay --help lists the commands, assay COMMAND --help "
                   "its flags"});
    } catch (const Refused& refused) {
      return Fail(refused.error);
    }
    return run_();
  }

 private:
  template <class Args>
  CLI::App& Add(CLI::App& parent, const char* name, const char* help,
                Args& args, std::function<int()> run) {
    CLI::App& command = *parent.add_subcommand(name, help);
    OptionTable& table = tables_.emplace_back();
    Describe(table, args);
    AddOptions(command, table);
    command.parse_complete_callback(
        [this, run = std::move(run)] { run_ = run; });
    command.preparse_callback([&table](size_t) { SetFromEnvironment(table); });
    return command;
  }

  void AddSumcheck() {
    CLI::App& sumcheck = *app_.add_subcommand(
        "sumcheck", "sums of products of columns over GF(2^128)");
    sumcheck.require_subcommand(1);
    AddFiles(Add(sumcheck, "prove", "prove the sum", sumcheck_prove_,
                 [this] { return RunSumcheckProve(sumcheck_prove_); }),
             sumcheck_prove_.source.columns);
    CLI::App& verify =
        Add(sumcheck, "verify", "check a proof", sumcheck_verify_,
            [this] { return RunSumcheckVerify(sumcheck_verify_); });
    verify.add_option("proof", sumcheck_verify_.proof, "the proof file")
        ->required();
    AddFiles(verify, sumcheck_verify_.source.columns);
  }

  static void AddFiles(CLI::App& command, std::vector<std::string>& files) {
    command
        .add_option("--columns", files,
                    "a file for each column: 16 bytes little-endian an "
                    "element, a power of two of them")
        ->type_name("FILE...");
  }

  void AddSweep() {
    CLI::App& command = Add(app_, "sweep", "S-parameters of layouts", sweep_,
                            [this] { return RunSweep(sweep_); });
    command.add_option("layouts", sweep_.layouts, "layouts as JSON")
        ->required();
  }

  void AddShards() {
    Add(app_, "crc", "CRCs of files", crc_, [this] { return RunCrc(crc_); })
        .add_option("files", crc_.files, "the files, - for standard input")
        ->required();
    Add(app_, "protect", "shards of a file, some of which may be lost",
        protect_, [this] { return RunProtect(protect_); })
        .add_option("file", protect_.file, "the file")
        ->required();
    Add(app_, "repair", "a file from enough of its shards", repair_,
        [this] { return RunRepair(repair_); })
        .add_option("shards", repair_.inputs, "shards, or folders of them")
        ->required();
  }

  void AddSealed() {
    Add(app_, "seal", "a file sealed under a key", seal_,
        [this] { return RunSeal(seal_); })
        .add_option("file", seal_.file, "the file, - for standard input")
        ->required();
    Add(app_, "open", "a sealed file, if nothing was changed", open_,
        [this] { return RunOpen(open_); })
        .add_option("file", open_.file, "the file, - for standard input")
        ->required();
    Add(app_, "keygen", "a key for sealed files", keygen_,
        [this] { return RunKeygen(keygen_); });
    Add(app_, "ghash", "GHASH of files", ghash_,
        [this] { return RunGhash(ghash_); })
        .add_option("files", ghash_.files, "the files, - for standard input")
        ->required();
  }

  void AddImport() {
    CLI::App& command =
        Add(app_, "import", "a layout of a Gerber file or a PNG mask", import_,
            [this] { return RunImport(import_); });
    command.add_option("board", import_.board, "the Gerber file or the PNG")
        ->required();
    AddList(command, "--port", import_.ports,
            "kind,axis,at,from,to[,z0] or ground,x,y[,z0]; once for each");
    AddList(command, "--via", import_.vias, "x,y,diameter; once for each");
  }

  // A flag that may be given several times, one value each.
  static void AddList(CLI::App& command, const char* flag,
                      std::vector<std::string>& values, const char* help) {
    command.add_option(flag, values, help)
        ->allow_extra_args(false)
        ->type_name("TEXT");
  }

  void AddBench() {
    CLI::App& bench = *app_.add_subcommand("bench", "measure on this machine");
    bench.require_subcommand(1);
    CLI::App& command = Add(bench, "whir", "proofs of the seeded instance",
                            bench_, [this] { return RunBenchWhir(bench_); });
    AddPlace(command, "N", "n", "variables");
    AddPlace(command, "FOLD", "fold", "variables folded in one round");
    AddPlace(command, "RATE", "rate", "log2 of the inverse code rate");
    CLI::App& sums = Add(bench, "sumcheck",
                         "sum-checks of a generated instance", bench_sumcheck_,
                         [this] { return RunBenchSumcheck(bench_sumcheck_); });
    AddPlace(sums, "N", "n", "variables");
    AddPlace(sums, "D", "d", "columns");
    CLI::App& binary =
        Add(bench, "binary", "every curve of the binary engine, with a page",
            bench_binary_, [this] { return RunBenchBinary(bench_binary_); });
    AddList(binary, "--with", bench_binary_.with,
            "curves of other programs, in the form of binary.csv");
    CLI::App& sweeps =
        Add(bench, "planar", "sweeps of layouts that are made in code",
            bench_planar_, [this] { return RunBenchPlanar(bench_planar_); });
    AddPlace(sweeps, "CASE", "case", "seed, sheet, large, blocks or all");
  }

  // A flag of the last table as a positional argument.
  void AddPlace(CLI::App& command, const char* shown, const char* name,
                const char* help) {
    const Option* option = tables_.back().Find(name);
    command.add_option_function<std::string>(
        shown,
        [option](const std::string& text) { Set(*option, text, "argument "); },
        help);
  }

  CLI::App app_{"assay: heavy answers, each with the test it passed", "assay"};
  std::list<OptionTable> tables_;  // the parser holds references
  ProveArgs prove_;
  VerifyArgs verify_;
  SelfTestArgs selftest_;
  DevicesArgs devices_;
  BenchWhirArgs bench_;
  BenchPlanarArgs bench_planar_;
  SumcheckProveArgs sumcheck_prove_;
  SumcheckVerifyArgs sumcheck_verify_;
  BenchSumcheckArgs bench_sumcheck_;
  BenchBinaryArgs bench_binary_;
  SweepArgs sweep_;
  ImportArgs import_;
  LineArgs line_;
  SealArgs seal_;
  OpenArgs open_;
  KeygenArgs keygen_;
  GhashArgs ghash_;
  CrcArgs crc_;
  ProtectArgs protect_;
  RepairArgs repair_;
  std::function<int()> run_;
};

// What libraries throw where the system gives no memory and no threads.
int RunAll(int argc, char** argv) {
  try {
    return Commands().Run(argc, argv);
  } catch (const std::bad_alloc&) {
    return Fail({Code::kOverBudget, "the system gives no more memory",
                 "a higher limit (ulimit -v), or a smaller problem"});
  } catch (const std::exception& thrown) {
    return Fail({Code::kInternal, thrown.what(),
                 "fewer --threads, where the system gives none"});
  }
}

// OpenBLAS waits at an exit for threads that it could not start; only leak
// checkers need one.
[[noreturn]] void End(int status) {
#if defined(__SANITIZE_ADDRESS__)
  std::exit(status);
#else
  std::fflush(nullptr);
  std::_Exit(status);
#endif
}

}  // namespace
}  // namespace assay::cli

int main(int argc, char** argv) {
  using namespace assay::cli;
  IgnoreFileSizeSignal();
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--json") ErrorsAsJson();
  }
  End(FinishOutput(RunAll(argc, argv)));
}
