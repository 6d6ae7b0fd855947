// Draws a key and writes it where nothing was.
// SPDX-License-Identifier: Apache-2.0
#include "cli/keygen.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

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

// Writes and closes; 0, or the reason why not.
int WriteBytes(int fd, const KeyBytes& key) {
  errno = 0;
  const auto size = static_cast<ssize_t>(key.bytes.size());
  const bool written =
      write(fd, key.bytes.data(), key.bytes.size()) == size && fsync(fd) == 0;
  const int reason = written ? 0 : (errno == 0 ? EIO : errno);
  if (close(fd) != 0 && reason == 0) return errno;
  return reason;
}

// The name must survive a power cut as the bytes do. Not every file system
// lets a folder be synced.
void SyncFolder(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "."
                             : slash == 0               ? "/"
                                                        : path.substr(0, slash);
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

// The key gets its name when it is whole, and never the name of another: a
// link is not made over a file, as a rename would be. Where there are no links
// the file is made in its place.
Status WriteNewKey(const std::string& path, const KeyBytes& key) {
  std::string beside = path + ".XXXXXX";  // 0600, whatever the umask
  const int temporary = mkstemp(beside.data());
  if (temporary < 0) return CannotWrite(path, errno);
  int reason = WriteBytes(temporary, key);
  if (reason == 0 && link(beside.c_str(), path.c_str()) != 0) reason = errno;
  unlink(beside.c_str());
  if (reason == EPERM || reason == EOPNOTSUPP) {
    const int fd =
        open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return CannotWrite(path, errno);
    reason = WriteBytes(fd, key);
    if (reason != 0) unlink(path.c_str());
  }
  if (reason != 0) return CannotWrite(path, reason);
  SyncFolder(path);
  return {};
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
    ASSAY_TRY(CheckNoStdout("--out", args.out));
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
