// Reads and writes parts of large files at any offset.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/files.h"
#include "assay/base/result.h"

namespace assay {

// Bytes of a known size, somewhere.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // What messages call it.
  virtual std::string_view name() const = 0;
  virtual uint64_t size() const = 0;
  // All of `bytes`, or kIo.
  virtual Status ReadAt(uint64_t offset, std::span<std::byte> bytes) = 0;
};

// Takes bytes in any order; what is never written is zero.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status WriteAt(uint64_t offset, std::span<const std::byte> bytes) = 0;
};

// A regular file. One descriptor as long as it lives.
class InputFile : public ByteSource {
 public:
  // Fails with kIo for what can not be opened, and for directories, pipes and
  // devices: they have no size.
  static Result<std::unique_ptr<InputFile>> Open(const std::string& path);
  ~InputFile() override;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::string_view name() const override { return path_; }
  uint64_t size() const override { return size_; }
  // Fails with kIo also where the file has become shorter.
  Status ReadAt(uint64_t offset, std::span<std::byte> bytes) override;

 private:
  InputFile(std::string path, int fd, uint64_t size)
      : path_(std::move(path)), fd_(fd), size_(size) {}

  std::string path_;
  int fd_;
  uint64_t size_;
};

// A file that appears in its place with Commit, whole; until then it grows
// beside it, and destroyed before it leaves nothing.
class OutputFile : public ByteSink {
 public:
  // Fails as AtomicWrite::Prepare, and with kIo for pipes and devices.
  static Result<std::unique_ptr<OutputFile>> Create(const std::string& path);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Status WriteAt(uint64_t offset, std::span<const std::byte> bytes) override;
  // Waits until the bytes are safe; to be called before the first Commit of
  // several files.
  Status Sync();
  // Sync, and the rename.
  Status Commit();

 private:
  OutputFile(std::string path, AtomicWrite place, int fd, mode_t mode)
      : path_(std::move(path)),
        place_(std::move(place)),
        fd_(fd),
        mode_(mode) {}

  std::string path_;
  AtomicWrite place_;
  int fd_;
  mode_t mode_;  // that the file will have
};

// Bytes in memory, for tests.
class MemoryBytes : public ByteSource, public ByteSink {
 public:
  explicit MemoryBytes(std::string name, std::vector<std::byte> bytes = {})
      : name_(std::move(name)), bytes_(std::move(bytes)) {}

  std::string_view name() const override { return name_; }
  uint64_t size() const override { return bytes_.size(); }
  Status ReadAt(uint64_t offset, std::span<std::byte> bytes) override;
  // Grows to what is written.
  Status WriteAt(uint64_t offset, std::span<const std::byte> bytes) override;

  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::string name_;
  std::vector<std::byte> bytes_;
};

}  // namespace assay
