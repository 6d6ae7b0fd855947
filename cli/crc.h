// Prints the CRCs of files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/binary/file_crc.h"
#include "assay/runtime/runtime.h"
#include "cli/whir_options.h"

namespace assay::cli {

struct CrcArgs {
  std::vector<std::string> files;  // "-": standard input
  crc::Kind kind = crc::Kind::kCrc32;
  RuntimeOptions runtime;
  bool json = false;
};

// One line a file: the CRC in hexadecimal and the name. Nothing is printed
// where one can not be read. Returns the exit status: 0 done, 1 error.
int RunCrc(const CrcArgs& args);

template <class V>
void Describe(V& v, CrcArgs& a) {
  v.Enum("kind", a.kind,
         {{"crc32", crc::Kind::kCrc32},
          {"crc32c", crc::Kind::kCrc32c},
          {"crc64", crc::Kind::kCrc64}},
         "CRC-32/ISO-HDLC (zlib), CRC-32C (iSCSI) or CRC-64/XZ");
  Describe(v, a.runtime);
  v.Flag("json", a.json, "answer in JSON");
}

}  // namespace assay::cli
