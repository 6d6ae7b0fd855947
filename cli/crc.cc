// Reads file after file and prints all CRCs at the end.
// SPDX-License-Identifier: Apache-2.0
#include "cli/crc.h"

#include <fmt/format.h>

#include <memory>

#include "assay/base/text.h"
#include "cli/host.h"
#include "cli/output.h"
#include "cli/progress_bar.h"

namespace assay::cli {
namespace {

struct Sum {
  std::string path;
  std::string hex;
  uint64_t bytes = 0;
};

Result<std::vector<Sum>> Sums(const CrcArgs& args) {
  ASSAY_ASSIGN(runtime, Runtime::Open(args.runtime));
  ASSAY_TRY(runtime->Trust({"crc"}));
  const int digits = crc::GeneratorOf(args.kind).width / 4;
  ProgressBar bar("crc");
  std::vector<Sum> sums;
  for (const std::string& path : args.files) {
    ASSAY_ASSIGN(stream, InputStream::Open(path, &Interrupted));
    ASSAY_ASSIGN(found, binary::CrcOf(runtime->device(), args.kind, *stream,
                                      bar.Sink()));
    sums.push_back(
        {path, fmt::format("{:0{}x}", found.crc, digits), found.bytes});
  }
  return sums;
}

}  // namespace

int RunCrc(const CrcArgs& args) {
  const Result<std::vector<Sum>> sums = Sums(args);
  if (!sums.ok()) return Fail(sums.error());
  Json files = Json::array();
  for (const Sum& sum : *sums) {
    if (args.json) {
      files.push_back(
          {{"path", sum.path}, {"crc", sum.hex}, {"bytes", sum.bytes}});
    } else {
      Print(fmt::format("{}  {}\n", sum.hex, Printable(sum.path)));
    }
  }
  if (args.json) {
    PrintJson({{"kind", std::string(crc::NameOf(args.kind))},
               {"files", std::move(files)}});
  }
  return kExitOk;
}

}  // namespace assay::cli
