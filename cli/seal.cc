// Connects files, pipes and standard streams with the sealed format.
// SPDX-License-Identifier: Apache-2.0
#include "cli/seal.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "assay/binary/seal.h"
#include "cli/host.h"
#include "cli/output.h"
#include "cli/progress_bar.h"
#include "cli/sealed_key.h"

namespace assay::cli {
namespace {

// Where bytes come from: regular files by offset, all else as a stream.
struct Source {
  std::unique_ptr<InputFile> file;
  std::unique_ptr<InputStream> stream;

  binary::SealInput Input() const { return {file.get(), stream.get()}; }
};

Result<Source> OpenSource(const std::string& path) {
  Source source;
  // To open a pipe twice would lose what its writer sent to the first. Files
  // of the system say that they are empty and are not.
  std::error_code none;
  if (path != "-" && std::filesystem::is_regular_file(path, none) &&
      std::filesystem::file_size(path, none) > 0) {
    ASSAY_ASSIGN(file, InputFile::Open(path));
    source.file = std::move(file);
    return source;
  }
  ASSAY_ASSIGN(stream, InputStream::Open(path, &Interrupted));
  source.stream = std::move(stream);
  return source;
}

Status ToStdout(binary::Bytes bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size()) {
    return {};
  }
  return Error{Code::kIo, "cannot write standard output", ""};
}

// A new file that appears at the end, or standard output.
struct Target {
  std::unique_ptr<OutputFile> file;
  uint64_t written = 0;

  binary::SealOutput Output() const {
    binary::SealOutput out;
    if (file == nullptr) {
      out.stream = &ToStdout;
    } else {
      out.file = file.get();
    }
    return out;
  }
  Status Append(binary::Bytes bytes) {
    if (file == nullptr) return ToStdout(bytes);
    ASSAY_TRY(file->WriteAt(written, std::as_bytes(bytes)));
    written += bytes.size();
    return {};
  }
  Status Commit() const { return file == nullptr ? Status() : file->Commit(); }
};

Result<Target> OpenTarget(const SealArgs& args) {
  Target target;
  if (args.out.empty()) {
    return Error{Code::kInvalidInput, "nothing says where the result goes",
                 "--out FILE, or --out - for standard output"};
  }
  if (args.out != "-" && IsSameFile(args.out, args.key_file)) {
    return Error{Code::kInvalidInput,
                 fmt::format("{} is the key; what is sealed would never open "
                             "again",
                             args.out),
                 "name another file with --out"};
  }
  if (args.out != "-") {
    ASSAY_ASSIGN(file, OutputFile::Create(args.out));
    target.file = std::move(file);
  } else if (args.json) {
    return Error{Code::kInvalidInput,
                 "standard output takes the result or JSON, not both",
                 "--out FILE"};
  }
  return target;
}

struct Range {
  uint64_t from = 0;
  uint64_t to = binary::kToTheEnd;
};

Result<Range> ParseRange(const std::string& text) {
  const Error invalid = {Code::kInvalidInput,
                         fmt::format("\"{}\" is no range", text),
                         "--range A:B, the bytes from A up to but not with B"};
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return invalid;
  Range range;
  for (const auto& [part, number] :
       {std::pair(text.substr(0, colon), &range.from),
        std::pair(text.substr(colon + 1), &range.to)}) {
    if (part.empty()) continue;
    const Result<uint64_t> parsed = ParseUnsigned(part);
    if (!parsed.ok()) return invalid;
    *number = *parsed;
  }
  return range;
}

struct Answer {
  uint64_t bytes = 0;  // of the result
  double seconds = 0;
  std::string rejected;
};

class Clock {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
};

Result<Answer> SealTo(const SealArgs& args) {
  const Clock clock;
  ASSAY_ASSIGN(key, ReadKeyFile(args.key_file));
  ASSAY_ASSIGN(aad, ParseHex("--aad", args.aad));
  ASSAY_ASSIGN(source, OpenSource(args.file));
  // Before the target: an interrupt must find who takes it away again.
  ProgressBar bar("seal");
  ASSAY_ASSIGN(target, OpenTarget(args));
  ASSAY_ASSIGN(header, binary::SealHeader::Random());
  const Threads threads(args.threads);
  ASSAY_ASSIGN(
      size, binary::Seal({key.bytes, args.segment, aad}, header, source.Input(),
                         target.Output(), threads, bar.Sink()));
  ASSAY_TRY(target.Commit());
  return Answer{size, clock.Seconds(), ""};
}

Result<Answer> OpenTo(const OpenArgs& args) {
  const Clock clock;
  ASSAY_ASSIGN(key, ReadKeyFile(args.key_file));
  ASSAY_ASSIGN(aad, ParseHex("--aad", args.aad));
  std::optional<Range> range;
  if (!args.range.empty()) {
    ASSAY_ASSIGN(parsed, ParseRange(args.range));
    range = parsed;
  }
  ASSAY_ASSIGN(source, OpenSource(args.file));
  if (range.has_value() && source.file == nullptr) {
    return Error{Code::kInvalidInput, "a range needs a regular file", ""};
  }
  ProgressBar bar("open");
  ASSAY_ASSIGN(target, OpenTarget(args));
  const Threads threads(args.threads);
  const binary::SealKey with = {key.bytes, args.segment, aad};
  const Progress progress = bar.Sink();
  ASSAY_ASSIGN(verdict, range.has_value()
                            ? binary::OpenRange(
                                  with, *source.file, range->from, range->to,
                                  [&target](binary::Bytes bytes) {
                                    return target.Append(bytes);
                                  },
                                  threads, progress)
                            : binary::Open(with, source.Input(),
                                           target.Output(), threads, progress));
  if (!verdict.accepted) return Answer{0, clock.Seconds(), verdict.detail};
  ASSAY_TRY(target.Commit());
  return Answer{verdict.plain_bytes, clock.Seconds(), ""};
}

// To where the result does not go.
int Tell(const SealArgs& args, const Answer& answer, const char* verb) {
  const bool accepted = answer.rejected.empty();
  if (args.json) {
    Json json;
    json["file"] = args.file;
    json["out"] = args.out;
    json["accepted"] = accepted;
    json["detail"] = answer.rejected;
    json["bytes"] = answer.bytes;
    json["ms"] = RoundMs(answer.seconds * 1e3);
    PrintJson(json);
  } else if (!accepted) {
    const std::string line = fmt::format("rejected: {}\n", answer.rejected);
    if (args.out == "-") {
      Complain(line);
    } else {
      Print(line);
    }
  } else if (args.out != "-") {
    PrintRows(
        {{verb, fmt::format("{}, {}", args.out, HumanBytes(answer.bytes))},
         {"took", HumanTime(answer.seconds)}});
  }
  return accepted ? kExitOk : kExitRejected;
}

}  // namespace

int RunSeal(const SealArgs& args) {
  const Result<Answer> answer = SealTo(args);
  if (!answer.ok()) return Fail(answer.error());
  return Tell(args, *answer, "sealed");
}

int RunOpen(const OpenArgs& args) {
  const Result<Answer> answer = OpenTo(args);
  if (!answer.ok()) return Fail(answer.error());
  return Tell(args, *answer, "opened");
}

}  // namespace assay::cli
