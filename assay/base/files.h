// Reads and writes whole files, so that no half-written one remains.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"

namespace assay {

// "cannot VERB PATH: ..." for an errno.
Error IoError(std::string_view verb, const std::string& path, int reason);

// The bytes of a file of at most `limit_bytes`. Fails with kIo (the text names
// the path and the system's reason), and with kInvalidInput if the file is
// larger.
Result<std::vector<std::byte>> ReadFile(const std::string& path,
                                        uint64_t limit_bytes);

// A file whose bytes are safe beside its place, but not yet in it. Several are
// prepared before the first is committed, so that one that can not be written
// leaves all the old ones. Destroyed before Commit, it leaves nothing.
class AtomicWrite {
 public:
  // Writes a file beside `path` and syncs it. What exists and is no regular
  // file (a pipe, /dev/null) is only looked at: Commit writes to it. Refuses
  // (kIo) a directory, and a link to a file that does not exist.
  static Result<AtomicWrite> Prepare(const std::string& path,
                                     std::span<const std::byte> bytes);
  static Result<AtomicWrite> Prepare(const std::string& path,
                                     std::string_view text);

  AtomicWrite(AtomicWrite&& other) noexcept;
  AtomicWrite& operator=(AtomicWrite&& other) noexcept;
  ~AtomicWrite();

  // Renames the file into its place. Whoever looks sees the old bytes or the
  // new ones; after a failure (kIo) the old ones.
  Status Commit();
  // True for what can not be replaced, only written to.
  bool stream() const { return stream_; }
  // Where the new bytes are until Commit; empty for a stream.
  const std::string& beside() const { return beside_; }

 private:
  AtomicWrite() = default;
  void Discard();

  std::string path_;    // links resolved
  std::string beside_;  // empty where nothing has to be removed
  bool stream_ = false;
  std::vector<std::byte> bytes_;  // of a stream
};

// Commits all of them, streams first (they can fail for want of space), then
// the rest in order. After a failure those that follow keep their old bytes.
Status CommitAll(std::span<AtomicWrite> files);

// Prepares and commits.
Status WriteFile(const std::string& path, std::span<const std::byte> bytes);
Status WriteFile(const std::string& path, std::string_view text);

// Fails as WriteFile would for a path that can not be written (missing or
// unwritable folder, directory), before any work is spent on the bytes.
Status CheckWritable(const std::string& path);

// Whether two paths lead to the same file, or would if it existed: through
// links and hard links, ./ and ../ too.
bool IsSameFile(const std::string& a, const std::string& b);

}  // namespace assay
