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
#include <utility>

#include "assay/base/text.h"

namespace assay {
namespace {

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

std::string NameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
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
    if (errno != ENOENT) return IoError("write", path, errno);
    // A rename would replace the link and not what it points to.
    if (lstat(path.c_str(), &info) == 0) {
      return Error{
          Code::kIo,
          fmt::format("cannot write {}: it is a link to a missing file", path),
          "remove the link, or name the file that it points to"};
    }
    return Target::kAbsent;
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

// The rename itself must survive a power cut. Not every file system lets a
// folder be synced: that is no reason to report the write as failed.
void SyncFolder(const std::string& folder) {
  const Descriptor file(
      open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.get() >= 0) fsync(file.get());
}

}  // namespace

Error IoError(std::string_view verb, const std::string& path, int reason) {
  return Error{Code::kIo,
               fmt::format("cannot {} {}: {}", verb, path,
                           std::strerror(reason)),  // NOLINT: one thread
               ""};
}

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

Result<AtomicWrite> AtomicWrite::Prepare(const std::string& path,
                                         std::span<const std::byte> bytes) {
  ASSAY_ASSIGN(target, Inspect(path));
  AtomicWrite file;
  file.path_ = target == Target::kRegular ? Resolve(path) : path;
  if (target == Target::kStream) {
    if (access(path.c_str(), W_OK) != 0) return IoError("write", path, errno);
    file.stream_ = true;
    file.bytes_.assign(bytes.begin(), bytes.end());
    return std::move(file);
  }
  std::string beside = file.path_ + ".XXXXXX";
  Descriptor descriptor(mkstemp(beside.data()));
  if (descriptor.get() < 0) return IoError("write", path, errno);
  file.beside_ = std::move(beside);
  int reason = 0;
  if (!WriteAll(descriptor.get(), bytes) ||
      fchmod(descriptor.get(), ModeFor(file.path_)) != 0 ||
      fsync(descriptor.get()) != 0) {
    reason = errno;
  }
  if (!descriptor.Close() && reason == 0) reason = errno;
  if (reason != 0) return IoError("write", path, reason);
  return std::move(file);
}

Result<AtomicWrite> AtomicWrite::Prepare(const std::string& path,
                                         std::string_view text) {
  return Prepare(path, std::as_bytes(std::span(text.data(), text.size())));
}

AtomicWrite::AtomicWrite(AtomicWrite&& other) noexcept
    : path_(std::move(other.path_)),
      beside_(std::exchange(other.beside_, {})),
      stream_(other.stream_),
      bytes_(std::move(other.bytes_)) {}

AtomicWrite& AtomicWrite::operator=(AtomicWrite&& other) noexcept {
  if (this == &other) return *this;
  Discard();
  path_ = std::move(other.path_);
  beside_ = std::exchange(other.beside_, {});
  stream_ = other.stream_;
  bytes_ = std::move(other.bytes_);
  return *this;
}

AtomicWrite::~AtomicWrite() { Discard(); }

void AtomicWrite::Discard() {
  if (!beside_.empty()) unlink(beside_.c_str());
  beside_.clear();
}

Status AtomicWrite::Commit() {
  if (stream_) return WriteStream(path_, bytes_);
  if (rename(beside_.c_str(), path_.c_str()) != 0) {
    return IoError("write", path_, errno);
  }
  beside_.clear();
  SyncFolder(FolderOf(path_));
  return {};
}

Status CommitAll(std::span<AtomicWrite> files) {
  for (const bool stream : {true, false}) {
    for (AtomicWrite& file : files) {
      if (file.stream() == stream) ASSAY_TRY(file.Commit());
    }
  }
  return {};
}

Status WriteFile(const std::string& path, std::span<const std::byte> bytes) {
  ASSAY_ASSIGN(file, AtomicWrite::Prepare(path, bytes));
  return file.Commit();
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

bool IsSameFile(const std::string& a, const std::string& b) {
  const auto same = [](const struct stat& x, const struct stat& y) {
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  };
  struct stat of_a = {};
  struct stat of_b = {};
  const bool has_a = stat(a.c_str(), &of_a) == 0;
  const bool has_b = stat(b.c_str(), &of_b) == 0;
  if (has_a || has_b) return has_a && has_b && same(of_a, of_b);
  return NameOf(a) == NameOf(b) && stat(FolderOf(a).c_str(), &of_a) == 0 &&
         stat(FolderOf(b).c_str(), &of_b) == 0 && same(of_a, of_b);
}

}  // namespace assay
