// Streams of files and pipes end where their bytes end.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/input_stream.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>

#include "assay/base/files.h"

namespace assay {
namespace {

std::string ReadAll(InputStream& stream, size_t step) {
  std::string all;
  for (;;) {
    std::string part(step, '\0');
    const auto got = stream.Read(std::as_writable_bytes(std::span(part)));
    EXPECT_TRUE(got.ok());
    if (!got.ok()) return all;
    all += part.substr(0, *got);
    if (*got < step) return all;
  }
}

TEST(InputStream, ReadsAFileInAnySteps) {
  const std::string path =
      testing::TempDir() + "assay_stream_file" + std::to_string(getpid());
  ASSERT_TRUE(WriteFile(path, "0123456789").ok());
  for (const size_t step : {1, 3, 5, 10, 11}) {
    auto stream = InputStream::Open(path);
    ASSERT_TRUE(stream.ok());
    EXPECT_EQ((*stream)->size_hint(), 10u);
    EXPECT_EQ(ReadAll(**stream, step), "0123456789");
  }
  std::remove(path.c_str());
}

TEST(InputStream, FillsABufferFromAPipeThatIsSlow) {
  const std::string path =
      testing::TempDir() + "assay_stream_pipe" + std::to_string(getpid());
  std::remove(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    const int fd = open(path.c_str(), O_WRONLY);
    for (const char c : std::string("abcdef")) {
      EXPECT_EQ(write(fd, &c, 1), 1);
      usleep(1000);
    }
    close(fd);
  });
  auto stream = InputStream::Open(path);
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ((*stream)->size_hint(), 0u);
  EXPECT_EQ(ReadAll(**stream, 4), "abcdef");
  writer.join();
  std::remove(path.c_str());
}

TEST(InputStream, RefusesWhatCanNotBeRead) {
  EXPECT_EQ(InputStream::Open("/none").error().code, Code::kIo);
  EXPECT_EQ(InputStream::Open("/").error().code, Code::kIo);
}

}  // namespace
}  // namespace assay
