// Seals a file under a new key, opens it, and fails to open it as another one.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <string_view>

#include "assay/base/random.h"
#include "assay/base/secret.h"
#include "assay/binary/seal.h"

namespace assay::binary {

// What both sides know: a secret, and what the file is bound to.
SealKey KeyFor(const std::array<uint8_t, 32>& secret, std::string_view name) {
  const auto* aad = reinterpret_cast<const uint8_t*>(name.data());
  return {secret, SegmentSize::k1MB, {aad, name.size()}};
}

Status SealFile(const SealKey& key, const char* from, const char* to) {
  ASSAY_ASSIGN(in, InputFile::Open(from));
  ASSAY_ASSIGN(out, OutputFile::Create(to));
  // Salt and IVs of this file alone.
  ASSAY_ASSIGN(header, SealHeader::Random());
  ASSAY_TRY(Seal(key, header, {in.get(), {}}, {out.get(), {}}, Threads(0), {}));
  return out->Commit();  // now the name appears
}

Status OpenFile(const SealKey& key, const char* from) {
  ASSAY_ASSIGN(in, InputFile::Open(from));
  // Pieces come in order, each after its tag was found to hold. The whole is
  // there once the verdict accepts.
  const auto take = [](Bytes /*piece*/) { return Status(); };
  ASSAY_ASSIGN(verdict, Open(key, {in.get(), {}}, {{}, take}, Threads(0), {}));
  std::printf("%s, %llu bytes\n",
              verdict.accepted ? "accepted" : verdict.detail.c_str(),
              static_cast<unsigned long long>(verdict.plain_bytes));
  return {};
}

Status Run(const char* path, const char* sealed) {
  std::array<uint8_t, 32> secret;
  ASSAY_TRY(RandomBytes(secret));
  Status status = SealFile(KeyFor(secret, "report"), path, sealed);
  if (status.ok()) status = OpenFile(KeyFor(secret, "report"), sealed);
  if (status.ok()) status = OpenFile(KeyFor(secret, "contract"), sealed);
  Wipe(secret);
  return status;
}

}  // namespace assay::binary

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: seal_file FILE OUT\n"), 1;
  const assay::Status status = assay::binary::Run(argv[1], argv[2]);
  if (status.ok()) return 0;
  return std::fprintf(stderr, "%s\n", status.error().what.c_str()), 1;
}
