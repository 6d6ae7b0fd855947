// Files through POSIX: pread, pwrite, and a rename at the end.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/random_access.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace assay {
namespace {

Error EndedEarly(std::string_view name) {
  return Error{Code::kIo, fmt::format("{} ends before it should", name),
               "is it being changed by another program?"};
}

}  // namespace

Result<std::unique_ptr<InputFile>> InputFile::Open(const std::string& path) {
  // Without O_NONBLOCK the opening of a pipe would wait for its writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return IoError("open", path, errno);
  std::unique_ptr<InputFile> file(new InputFile(path, fd, 0));
  struct stat info = {};
  if (fstat(fd, &info) != 0) return IoError("read", path, errno);
  if (S_ISDIR(info.st_mode)) return IoError("read", path, EISDIR);
  if (!S_ISREG(info.st_mode)) {
    return Error{Code::kIo,
                 fmt::format("cannot read {}: it is no regular file", path),
                 "write the data to a file first"};
  }
  std::byte first;
  if (info.st_size == 0 && pread(fd, &first, 1, 0) == 1) {
    return Error{Code::kIo,
                 fmt::format("cannot read {}: the system does not say how long "
                             "it is",
                             path),
                 "write the data to a file first"};
  }
  file->size_ = static_cast<uint64_t>(info.st_size);
  return file;
}

InputFile::~InputFile() { close(fd_); }

Status InputFile::ReadAt(uint64_t offset, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got =
        pread(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError("read", path_, errno);
    if (got == 0) return EndedEarly(path_);
    offset += static_cast<uint64_t>(got);
    bytes = bytes.subspan(static_cast<size_t>(got));
  }
  return {};
}

Result<std::unique_ptr<OutputFile>> OutputFile::Create(
    const std::string& path) {
  ASSAY_ASSIGN(place, AtomicWrite::Prepare(path, std::string_view()));
  if (place.stream()) {
    return Error{Code::kIo,
                 fmt::format("cannot write {}: it is no regular file", path),
                 "name a file; its parts are not written in order"};
  }
  // The old file may be one that its owner does not write to; nobody else has
  // to see the new one while it grows.
  struct stat info = {};
  const char* beside = place.beside().c_str();
  if (stat(beside, &info) != 0 || chmod(beside, S_IRUSR | S_IWUSR) != 0) {
    return IoError("write", path, errno);
  }
  const int fd = open(beside, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return IoError("write", path, errno);
  return std::unique_ptr<OutputFile>(
      new OutputFile(path, std::move(place), fd, info.st_mode & 07777));
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) close(fd_);
}

Status OutputFile::WriteAt(uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put =
        pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return IoError("write", path_, errno);
    offset += static_cast<uint64_t>(put);
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return {};
}

Status OutputFile::Sync() {
  if (fd_ < 0) return {};
  const bool synced = fchmod(fd_, mode_) == 0 && fsync(fd_) == 0;
  const int reason = errno;
  const bool closed = close(std::exchange(fd_, -1)) == 0;
  if (!synced) return IoError("write", path_, reason);
  if (!closed) return IoError("write", path_, errno);
  return {};
}

Status OutputFile::Commit() {
  ASSAY_TRY(Sync());
  return place_.Commit();
}

Status MemoryBytes::ReadAt(uint64_t offset, std::span<std::byte> bytes) {
  if (offset > bytes_.size() || bytes.size() > bytes_.size() - offset) {
    return EndedEarly(name_);
  }
  std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(offset), bytes.size(),
              bytes.begin());
  return {};
}

Status MemoryBytes::WriteAt(uint64_t offset, std::span<const std::byte> bytes) {
  bytes_.resize(std::max<size_t>(bytes_.size(), offset + bytes.size()));
  std::copy(bytes.begin(), bytes.end(),
            bytes_.begin() + static_cast<ptrdiff_t>(offset));
  return {};
}

}  // namespace assay
