// Reads a file, a pipe or standard input from its start to its end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "assay/base/result.h"

namespace assay {

class InputStream {
 public:
  // Asked several times a second while there is no input: whether to give up.
  using Stop = bool (*)();

  // "-" is standard input. Fails with kIo, and with kCancelled where `stop`
  // says so.
  static Result<std::unique_ptr<InputStream>> Open(const std::string& path,
                                                   Stop stop = nullptr);
  ~InputStream();
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  const std::string& name() const { return name_; }
  // Of a regular file when it was opened; 0 of anything else.
  uint64_t size_hint() const { return size_hint_; }

  // Fills `bytes` as far as there are any; fewer mean the end. Fails as
  // Open does.
  Result<size_t> Read(std::span<std::byte> bytes);

 private:
  bool WaitForInput() const;
  InputStream(std::string name, int fd, bool owned, Stop stop)
      : name_(std::move(name)), fd_(fd), owned_(owned), stop_(stop) {}

  std::string name_;
  int fd_;
  bool owned_;
  Stop stop_;
  uint64_t size_hint_ = 0;
};

}  // namespace assay
