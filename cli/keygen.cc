// Draws a key and writes it where nothing was.
// SPDX-License-Identifier: Apache-2.0
#include "cli/keygen.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "assay/base/random.h"
#include "assay/binary/tink_keyset.h"
#include "cli/output.h"
#include "cli/sealed_key.h"

namespace assay::cli {
namespace {

Error CannotWrite(const std::string& path, int reason) {
  return Error{Code::kIo,
               fmt::format("cannot write {}: {}", path,
                           std::strerror(reason)),  // NOLINT: one thread
               reason == EEXIST ? "a key that is overwritten loses its files; "
                                  "name another file"
                                : ""};
}

Status WriteNewKey(const std::string& path, const KeyBytes& key) {
  const int fd =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return CannotWrite(path, errno);
  errno = 0;
  const ssize_t size = static_cast<ssize_t>(key.bytes.size());
  const bool written =
      write(fd, key.bytes.data(), key.bytes.size()) == size && fsync(fd) == 0;
  int reason = errno == 0 ? EIO : errno;
  if (close(fd) == 0 && written) return {};
  if (written) reason = errno;
  unlink(path.c_str());
  return CannotWrite(path, reason);
}

Status Make(const KeygenArgs& args) {
  if (args.out.empty() == args.key_file.empty()) {
    return Error{Code::kInvalidInput, "keygen takes either --out or --key-file",
                 "--out K makes a key, --key-file K --tink shows one"};
  }
  KeyBytes key;
  if (!args.key_file.empty()) {
    if (!args.tink) {
      return Error{Code::kInvalidInput, "--key-file goes with --tink", ""};
    }
    ASSAY_ASSIGN(read, ReadKeyFile(args.key_file));
    key = read;
  } else {
    ASSAY_TRY(RandomBytes(key.bytes));
    ASSAY_TRY(WriteNewKey(args.out, key));
  }
  if (args.tink) {
    Print(binary::TinkKeyset(key.bytes, args.segment));
  } else {
    PrintRows({{"key", fmt::format("{}, 32 bytes", args.out)}});
  }
  return {};
}

}  // namespace

int RunKeygen(const KeygenArgs& args) {
  const Status status = Make(args);
  return status.ok() ? kExitOk : Fail(status.error());
}

}  // namespace assay::cli
