// Looks at shards, makes the file from those that are whole, and says which.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "assay/base/text.h"
#include "cli/output.h"
#include "cli/progress_bar.h"
#include "cli/protect.h"

namespace assay::cli {
namespace {

using State = binary::ShardInput::State;

constexpr std::string_view kEnding = ".shard";

struct Input {
  std::string path;
  bool listed = false;  // found in a folder, not named
};

// The files named, and those that end in .shard of the folders named.
Result<std::vector<Input>> ListInputs(const RepairArgs& args) {
  std::vector<Input> paths;
  for (const std::string& input : args.inputs) {
    std::error_code reason;
    if (!std::filesystem::is_directory(input, reason)) {
      paths.push_back({input});
      continue;
    }
    std::vector<std::string> found;
    for (auto entry = std::filesystem::directory_iterator(input, reason);
         !reason && entry != std::filesystem::directory_iterator();
         entry.increment(reason)) {
      if (entry->path().extension() == kEnding) {
        found.push_back(entry->path().string());
      }
    }
    if (reason) {
      return Error{Code::kIo,
                   fmt::format("cannot read {}: {}", input, reason.message()),
                   ""};
    }
    if (found.empty()) {
      return Error{
          Code::kInvalidInput,
          fmt::format("{} holds no file that ends in {}", input, kEnding),
          "name the shards, or their folder"};
    }
    std::sort(found.begin(), found.end());
    for (const std::string& path : found) paths.push_back({path, true});
  }
  return paths;
}

// What was found in a folder and can not be opened: no shard, says why.
class Unreadable : public ByteSource {
 public:
  Unreadable(std::string path, Error error)
      : path_(std::move(path)), error_(std::move(error)) {}
  std::string_view name() const override { return path_; }
  uint64_t size() const override { return 0; }
  Status ReadAt(uint64_t /*offset*/, std::span<std::byte> /*bytes*/) override {
    return error_;
  }

 private:
  std::string path_;
  Error error_;
};

Result<std::unique_ptr<ByteSource>> OpenInput(const Input& input) {
  Result<std::unique_ptr<InputFile>> file = InputFile::Open(input.path);
  if (file.ok()) return std::unique_ptr<ByteSource>(std::move(*file));
  if (!input.listed) return file.error();
  return std::unique_ptr<ByteSource>(
      std::make_unique<Unreadable>(input.path, file.error()));
}

struct Repaired {
  binary::RepairPlan plan;
  std::vector<std::string> paths;    // of the inputs
  std::vector<std::string> written;  // shards made again
};

// The name that shards have in common: a.bin of a.bin.003.shard.
std::string CommonName(const Repaired& repaired) {
  for (const int source : repaired.plan.sources) {
    if (source < 0) continue;
    const auto input = static_cast<size_t>(source);
    const std::string name =
        std::filesystem::path(repaired.paths[input]).filename().string();
    const std::string ending = ShardName("", repaired.plan.inputs[input].index);
    if (name.size() > ending.size() && name.ends_with(ending)) {
      return name.substr(0, name.size() - ending.size());
    }
  }
  return "repaired";
}

Status CheckOutput(const RepairArgs& args, const std::vector<Input>& inputs) {
  if (args.out.empty()) {
    return Error{Code::kInvalidInput, "nothing says where the file goes",
                 "name it with --out"};
  }
  ASSAY_TRY(CheckNoStdout("--out", args.out));
  ASSAY_TRY(CheckWritable(args.out));
  for (const Input& input : inputs) {
    if (IsSameFile(args.out, input.path)) {
      return Error{Code::kInvalidInput,
                   fmt::format("--out {} is one of the shards", args.out),
                   "name another file with --out"};
    }
  }
  return {};
}

Result<Repaired> Repair(const RepairArgs& args) {
  Repaired result;
  ASSAY_ASSIGN(listed, ListInputs(args));
  ASSAY_TRY(CheckOutput(args, listed));
  std::vector<std::unique_ptr<ByteSource>> files;
  std::vector<ByteSource*> inputs;
  for (const Input& input : listed) {
    ASSAY_ASSIGN(file, OpenInput(input));
    result.paths.push_back(input.path);
    inputs.push_back(file.get());
    files.push_back(std::move(file));
  }
  ASSAY_ASSIGN(runtime, Runtime::Open(args.runtime));
  ASSAY_TRY(runtime->Trust({"crc", "reed_solomon"}));
  ProgressBar bar("repair");
  ASSAY_ASSIGN(plan,
               binary::InspectShards(runtime->device(), inputs, bar.Sink()));
  result.plan = std::move(plan);

  ASSAY_ASSIGN(out, OutputFile::Create(args.out));
  std::vector<std::unique_ptr<OutputFile>> shards;
  std::vector<ByteSink*> sinks;
  if (!args.shards.empty()) {
    const std::string name = CommonName(result);
    for (const int lost : result.plan.lost) {
      result.written.push_back(
          (std::filesystem::path(args.shards) / ShardName(name, lost))
              .string());
      if (IsSameFile(result.written.back(), args.out)) {
        return Error{
            Code::kInvalidInput,
            fmt::format("--out {} is the name of a lost shard", args.out),
            "name another file with --out"};
      }
      for (size_t i = 0; i < result.paths.size(); ++i) {
        if (result.plan.inputs[i].state ==
                binary::ShardInput::State::kDamaged ||
            !IsSameFile(result.written.back(), result.paths[i])) {
          continue;
        }
        return Error{
            Code::kInvalidInput,
            fmt::format("{} is the name of lost shard {}, and holds "
                        "shard {}",
                        result.paths[i], lost, result.plan.inputs[i].index),
            "rename it, or name another folder with --shards"};
      }
      ASSAY_ASSIGN(shard, OutputFile::Create(result.written.back()));
      sinks.push_back(shard.get());
      shards.push_back(std::move(shard));
    }
  }
  ASSAY_TRY(binary::RepairShards(runtime->device(), result.plan, inputs, *out,
                                 sinks, bar.Sink()));
  ASSAY_TRY(out->Sync());
  for (const auto& shard : shards) ASSAY_TRY(shard->Sync());
  for (const auto& shard : shards) ASSAY_TRY(shard->Commit());
  ASSAY_TRY(out->Commit());
  return result;
}

// Lost shards that no damaged input claims to be.
std::vector<int> Missing(const binary::RepairPlan& plan) {
  std::vector<int> missing = plan.lost;
  for (const binary::ShardInput& input : plan.inputs) {
    if (input.state == State::kDamaged) std::erase(missing, input.index);
  }
  return missing;
}

std::string List(const std::vector<int>& indices) {
  return indices.empty() ? "none" : fmt::format("{}", fmt::join(indices, ", "));
}

void PrintAnswer(const RepairArgs& args, const Repaired& repaired) {
  const binary::RepairPlan& plan = repaired.plan;
  const reed_solomon::Scheme& scheme = plan.header.scheme;
  std::vector<Row> rows = {
      {"file",
       fmt::format("{}, {}", args.out, HumanBytes(plan.header.file_bytes))},
      {"code", fmt::format("{} + {} shards, {}", scheme.data, scheme.parity,
                           reed_solomon::NameOf(scheme.kind))},
      {"missing", List(Missing(plan))}};
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const binary::ShardInput& input = plan.inputs[i];
    if (input.state == State::kDamaged) {
      rows.emplace_back(
          "damaged", fmt::format("{}: {}", repaired.paths[i], input.problem));
    } else if (input.state == State::kRepeated) {
      rows.emplace_back(
          "not used", fmt::format("{}: the same as shard {}", repaired.paths[i],
                                  input.index));
    }
  }
  rows.emplace_back("rebuilt data", List(plan.LostData()));
  for (const std::string& path : repaired.written) {
    rows.emplace_back("rebuilt", path);
  }
  rows.emplace_back("test", fmt::format("its CRC-64 is {:016x}, as it was",
                                        plan.header.file_crc));
  PrintRows(rows);
}

Json ToJson(const RepairArgs& args, const Repaired& repaired) {
  const binary::RepairPlan& plan = repaired.plan;
  Json damaged = Json::array();
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const binary::ShardInput& input = plan.inputs[i];
    if (input.state != State::kDamaged) continue;
    damaged.push_back(
        {{"path", repaired.paths[i]},
         {"problem", input.problem},
         {"index", input.index < 0 ? Json() : Json(input.index)}});
  }
  return {
      {"file", args.out},
      {"bytes", plan.header.file_bytes},
      {"id", fmt::format("{:016x}", plan.header.file_crc)},
      {"matrix", std::string(reed_solomon::NameOf(plan.header.scheme.kind))},
      {"data", plan.header.scheme.data},
      {"parity", plan.header.scheme.parity},
      {"missing", Missing(plan)},
      {"damaged", std::move(damaged)},
      {"rebuilt_data", plan.LostData()},
      {"rebuilt_shards", repaired.written}};
}

}  // namespace

int RunRepair(const RepairArgs& args) {
  const Result<Repaired> repaired = Repair(args);
  if (!repaired.ok()) return Fail(repaired.error());
  if (args.json) {
    PrintJson(ToJson(args, *repaired));
  } else {
    PrintAnswer(args, *repaired);
  }
  return kExitOk;
}

}  // namespace assay::cli
