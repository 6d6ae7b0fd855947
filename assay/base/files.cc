// File access through POSIX, because a rename is only safe after an fsync.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "assay/base/text.h"

namespace assay {
namespace {

Error IoError(std::string_view verb, const std::string& path, int reason) {
  return Error{Code::kIo,
               fmt::format("cannot {} {}: {}", verb, path,
                           std::strerror(reason)),  // NOLINT: one thread
               ""};
}

// Closes the descriptor at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  // Closes now. False where the system reports a lost write.
  bool Close() {
    const int fd = fd_;
    fd_ = -1;
    return close(fd) == 0;
  }

 private:
  int fd_;
};

bool WriteAll(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return true;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Where `path` leads through symbolic links, so that a rename replaces the
// file and not the link.
std::string Resolve(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(
      realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

enum class Target : uint8_t { kAbsent, kRegular, kStream };

Result<Target> Inspect(const std::string& path) {
  struct stat info = {};
  if (path.empty() || path.back() == '/') {
    return IoError("write", path.empty() ? "\"\"" : path, EISDIR);
  }
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return Target::kAbsent;
    return IoError("write", path, errno);
  }
  if (S_ISDIR(info.st_mode)) return IoError("write", path, EISDIR);
  return S_ISREG(info.st_mode) ? Target::kRegular : Target::kStream;
}

Status WriteStream(const std::string& path, std::span<const std::byte> bytes) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return IoError("open", path, errno);
  if (!WriteAll(file.get(), bytes)) return IoError("write", path, errno);
  if (!file.Close()) return IoError("write", path, errno);
  return {};
}

// The permissions of the new file: those of the file it replaces, else what
// the umask leaves of 0666 (mkstemp makes 0600).
mode_t ModeFor(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) == 0) return info.st_mode & 0777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

Status WriteBeside(const std::string& path, std::span<const std::byte> bytes) {
  std::string beside = path + ".XXXXXX";
  Descriptor file(mkstemp(beside.data()));
  if (file.get() < 0) return IoError("write", path, errno);
  int reason = 0;
  if (!WriteAll(file.get(), bytes) || fchmod(file.get(), ModeFor(path)) != 0 ||
      fsync(file.get()) != 0) {
    reason = errno;
  }
  if (!file.Close() && reason == 0) reason = errno;
  if (reason == 0 && rename(beside.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) {
    unlink(beside.c_str());
    return IoError("write", path, reason);
  }
  // The rename itself must survive a power cut. Not every file system lets a
  // folder be synced: that is no reason to report the write as failed.
  Descriptor folder(
      open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) fsync(folder.get());
  return {};
}

}  // namespace

Result<std::vector<std::byte>> ReadFile(const std::string& path,
                                        uint64_t limit_bytes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return IoError("open", path, errno);
  struct stat info = {};
  if (fstat(file.get(), &info) != 0) return IoError("read", path, errno);
  if (S_ISDIR(info.st_mode)) return IoError("read", path, EISDIR);
  const auto too_large = [&](const std::string& size) {
    return Error{Code::kInvalidInput,
                 fmt::format("{} is {}; at most {} are read here", path, size,
                             HumanBytes(limit_bytes)),
                 ""};
  };
  const auto expected =
      S_ISREG(info.st_mode) ? static_cast<uint64_t>(info.st_size) : 0;
  if (expected > limit_bytes) return too_large(HumanBytes(expected));

  // One byte more than expected shows a file that grows, or a pipe.
  std::vector<std::byte> bytes(static_cast<size_t>(expected) + 1);
  size_t size = 0;
  for (;;) {
    if (size == bytes.size()) {
      bytes.resize(std::max<size_t>(bytes.size() * 2, size_t{1} << 16));
    }
    const ssize_t got = read(file.get(), &bytes[size], bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError("read", path, errno);
    if (got == 0) break;
    size += static_cast<size_t>(got);
    if (size > limit_bytes) return too_large("larger than allowed");
  }
  bytes.resize(size);
  return bytes;
}

Status WriteFile(const std::string& path, std::span<const std::byte> bytes) {
  ASSAY_ASSIGN(target, Inspect(path));
  switch (target) {
    case Target::kStream: return WriteStream(path, bytes);
    case Target::kRegular: return WriteBeside(Resolve(path), bytes);
    case Target::kAbsent: return WriteBeside(path, bytes);
  }
  return Error{Code::kInternal, "unknown kind of file", ""};
}

Status WriteFile(const std::string& path, std::string_view text) {
  return WriteFile(path, std::as_bytes(std::span(text.data(), text.size())));
}

Status CheckWritable(const std::string& path) {
  ASSAY_ASSIGN(target, Inspect(path));
  if (target == Target::kStream) {
    if (access(path.c_str(), W_OK) != 0) return IoError("write", path, errno);
    return {};
  }
  const std::string folder =
      FolderOf(target == Target::kRegular ? Resolve(path) : path);
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return IoError("write", path, errno);
  }
  return {};
}

}  // namespace assay
