// Streams a file into its shards, which appear together at the end.
// SPDX-License-Identifier: Apache-2.0
#include "cli/protect.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include "assay/base/text.h"
#include "cli/output.h"
#include "cli/output_folder.h"
#include "cli/progress_bar.h"

namespace assay::cli {
namespace {

struct Protected {
  binary::ShardHeader header;
  std::vector<std::string> paths;
  int stale = 0;  // older shards behind them
};

// How many shards of this name lie behind the last one in a row: of another
// file, or of this one in another scheme.
int StaleShards(const std::string& folder, const std::string& name, int first) {
  int count = 0;
  std::error_code none;
  while (std::filesystem::exists(
      std::filesystem::path(folder) / ShardName(name, first + count), none)) {
    ++count;
  }
  return count;
}

Result<Protected> MakeShards(const ProtectArgs& args) {
  ASSAY_TRY(reed_solomon::Check(args.scheme));
  ASSAY_ASSIGN(file, InputFile::Open(args.file));
  ASSAY_ASSIGN(runtime, Runtime::Open(args.runtime));
  ASSAY_TRY(runtime->Trust({"crc", "reed_solomon"}));
  // Before the outputs: an interrupt must find who takes them away again.
  ProgressBar bar("protect");
  OutputFolder folder(args.out);
  ASSAY_TRY(folder.Make());

  Protected result;
  std::vector<std::unique_ptr<OutputFile>> shards;
  std::vector<ByteSink*> sinks;
  const std::string name = std::filesystem::path(args.file).filename().string();
  for (int i = 0; i < args.scheme.shards(); ++i) {
    const std::string path =
        (std::filesystem::path(args.out) / ShardName(name, i)).string();
    if (IsSameFile(path, args.file)) {
      return Error{
          Code::kInvalidInput,
          fmt::format("{} would be replaced by a shard of itself", args.file),
          "name another folder with --out"};
    }
    ASSAY_ASSIGN(shard, OutputFile::Create(path));
    sinks.push_back(shard.get());
    shards.push_back(std::move(shard));
    result.paths.push_back(path);
  }
  ASSAY_ASSIGN(header, binary::Protect(runtime->device(), args.scheme, *file,
                                       sinks, bar.Sink()));
  result.header = header;
  // All bytes are safe before the first name appears.
  for (const auto& shard : shards) ASSAY_TRY(shard->Sync());
  for (const auto& shard : shards) ASSAY_TRY(shard->Commit());
  result.stale = StaleShards(args.out, name, args.scheme.shards());
  return result;
}

}  // namespace

std::string ShardName(const std::string& name, int index) {
  return fmt::format("{}.{:03}.shard", name, index);
}

int RunProtect(const ProtectArgs& args) {
  const Result<Protected> made = MakeShards(args);
  if (!made.ok()) return Fail(made.error());
  const binary::ShardHeader& header = made->header;
  const std::string id = fmt::format("{:016x}", header.file_crc);
  const std::string matrix(reed_solomon::NameOf(header.scheme.kind));
  if (made->stale > 0) {
    Warn(fmt::format(
        "{} older shards named {} and on are in that folder; "
        "remove them, or `assay repair` finds two files there",
        made->stale,
        ShardName(std::filesystem::path(args.file).filename().string(),
                  header.scheme.shards())));
  }
  if (args.json) {
    PrintJson({{"file", args.file},
               {"bytes", header.file_bytes},
               {"id", id},
               {"matrix", matrix},
               {"data", header.scheme.data},
               {"parity", header.scheme.parity},
               {"shard_bytes", header.ShardBytes()},
               {"shards", made->paths}});
    return kExitOk;
  }
  PrintRows({{"file",
              fmt::format("{}, {}", args.file, HumanBytes(header.file_bytes))},
             {"id", fmt::format("{} (its CRC-64)", id)},
             {"code", fmt::format("{} + {} shards of {}, {}",
                                  header.scheme.data, header.scheme.parity,
                                  HumanBytes(header.ShardBytes()), matrix)},
             {"shards",
              fmt::format("{} .. {}", made->paths.front(), made->paths.back())},
             {"any", fmt::format("{} of the {} give the file back",
                                 header.scheme.data, header.scheme.shards())}});
  return kExitOk;
}

}  // namespace assay::cli
