// Asks the system again until a buffer is full or the input has ended.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/input_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "assay/base/progress.h"

namespace assay {
namespace {

Error ReadError(std::string_view name, int reason) {
  return Error{Code::kIo,
               fmt::format("cannot read {}: {}", name,
                           std::strerror(reason)),  // NOLINT: one thread
               ""};
}

}  // namespace

Result<std::unique_ptr<InputStream>> InputStream::Open(const std::string& path,
                                                       Stop stop) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  int fd = STDIN_FILENO;
  while (!standard) {
    // A pipe is opened when it has a writer.
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd >= 0 || errno != EINTR) break;
    if (stop != nullptr && stop()) return Cancelled("reading " + name);
  }
  if (fd < 0) return ReadError(name, errno);
  std::unique_ptr<InputStream> stream(
      new InputStream(name, fd, !standard, stop));
  struct stat info = {};
  if (fstat(fd, &info) != 0) return ReadError(name, errno);
  if (S_ISDIR(info.st_mode)) return ReadError(name, EISDIR);
  if (S_ISREG(info.st_mode)) {
    stream->size_hint_ = static_cast<uint64_t>(info.st_size);
  }
  return stream;
}

InputStream::~InputStream() {
  if (owned_) close(fd_);
}

// False where `stop` says so. A signal may have gone to another thread than the
// one that reads, so that no call of this one ends by it.
bool InputStream::WaitForInput() const {
  constexpr int kWaitMs = 200;
  pollfd wanted = {fd_, POLLIN, 0};
  while (!stop_()) {
    const int ready = poll(&wanted, 1, kWaitMs);
    // What poll can not wait for is read's to tell.
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
  return false;
}

Result<size_t> InputStream::Read(std::span<std::byte> bytes) {
  size_t filled = 0;
  while (filled < bytes.size()) {
    if (stop_ != nullptr && !WaitForInput())
      return Cancelled("reading " + name_);
    const ssize_t got = read(fd_, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ReadError(name_, errno);
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  return filled;
}

}  // namespace assay
