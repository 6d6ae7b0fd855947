// Reads file after file and prints all hashes at the end.
// SPDX-License-Identifier: Apache-2.0
#include "cli/ghash.h"

#include <fmt/format.h>

#include <algorithm>

#include "assay/base/text.h"
#include "assay/binary/file_ghash.h"
#include "cli/host.h"
#include "cli/output.h"
#include "cli/progress_bar.h"
#include "cli/sealed_key.h"

namespace assay::cli {
namespace {

struct Sum {
  std::string path;
  std::string hex;
  uint64_t bytes = 0;
};

Result<std::vector<Sum>> Sums(const GhashArgs& args) {
  ASSAY_ASSIGN(key, ParseHex("--h", args.h));
  std::array<uint8_t, 16> h = {};
  if (key.size() != h.size()) {
    return Error{Code::kInvalidInput, "--h takes 32 hexadecimal digits", ""};
  }
  std::copy(key.begin(), key.end(), h.begin());
  ASSAY_ASSIGN(runtime, Runtime::Open(args.runtime));
  ASSAY_TRY(runtime->Trust({"ghash"}));
  ProgressBar bar("ghash");
  std::vector<Sum> sums;
  for (const std::string& path : args.files) {
    ASSAY_ASSIGN(stream, InputStream::Open(path, &Interrupted));
    ASSAY_ASSIGN(found,
                 binary::GhashOf(runtime->device(), h, *stream, bar.Sink()));
    std::string hex;
    for (const uint8_t byte : found.hash) hex += fmt::format("{:02x}", byte);
    sums.push_back({path, hex, found.bytes});
  }
  return sums;
}

}  // namespace

int RunGhash(const GhashArgs& args) {
  const Result<std::vector<Sum>> sums = Sums(args);
  if (!sums.ok()) return Fail(sums.error());
  Json files = Json::array();
  for (const Sum& sum : *sums) {
    if (args.json) {
      files.push_back(
          {{"path", sum.path}, {"ghash", sum.hex}, {"bytes", sum.bytes}});
    } else {
      Print(fmt::format("{}  {}\n", sum.hex, Printable(sum.path)));
    }
  }
  if (args.json) PrintJson({{"files", std::move(files)}});
  return kExitOk;
}

}  // namespace assay::cli
