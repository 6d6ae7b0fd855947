// What files read and written in parts promise.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/random_access.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace assay {
namespace {

class RandomAccess : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "assayXXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) { return folder_ + "/" + name; }
  size_t Files() {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      count += entry.path().empty() ? 0 : 1;
    }
    return count;
  }
  static std::span<const std::byte> Bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
  }

  std::string folder_;
};

TEST_F(RandomAccess, PartsInAnyOrderMakeOneFile) {
  auto out = OutputFile::Create(Path("a"));
  ASSERT_TRUE(out.ok());
  ASSERT_TRUE((*out)->WriteAt(5, Bytes("world")).ok());
  ASSERT_TRUE((*out)->WriteAt(0, Bytes("hello")).ok());
  EXPECT_FALSE(std::filesystem::exists(Path("a")));
  ASSERT_TRUE((*out)->Commit().ok());
  EXPECT_EQ(Files(), 1u);

  auto in = InputFile::Open(Path("a"));
  ASSERT_TRUE(in.ok());
  EXPECT_EQ((*in)->size(), 10u);
  std::string text(4, ' ');
  ASSERT_TRUE((*in)->ReadAt(3, std::as_writable_bytes(std::span(text))).ok());
  EXPECT_EQ(text, "lowo");
  EXPECT_EQ(
      (*in)->ReadAt(7, std::as_writable_bytes(std::span(text))).error().code,
      Code::kIo);
}

TEST_F(RandomAccess, AReadOnlyFileIsReplacedAndStaysSo) {
  ASSERT_TRUE(WriteFile(Path("a"), "old").ok());
  ASSERT_EQ(chmod(Path("a").c_str(), 0444), 0);
  auto out = OutputFile::Create(Path("a"));
  ASSERT_TRUE(out.ok()) << out.error().what;
  ASSERT_TRUE((*out)->WriteAt(0, Bytes("new")).ok());
  ASSERT_TRUE((*out)->Commit().ok());
  struct stat info = {};
  ASSERT_EQ(stat(Path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0444u);
}

TEST_F(RandomAccess, WithoutACommitTheOldFileStays) {
  ASSERT_TRUE(WriteFile(Path("a"), "old").ok());
  {
    auto out = OutputFile::Create(Path("a"));
    ASSERT_TRUE(out.ok());
    ASSERT_TRUE((*out)->WriteAt(0, Bytes("new bytes")).ok());
    ASSERT_TRUE((*out)->Sync().ok());
  }
  EXPECT_EQ(Files(), 1u);
  EXPECT_EQ(ReadFile(Path("a"), 100)->size(), 3u);
}

TEST_F(RandomAccess, WhatHasNoSizeIsRefused) {
  EXPECT_EQ(InputFile::Open(folder_).error().code, Code::kIo);
  EXPECT_EQ(InputFile::Open(Path("none")).error().code, Code::kIo);
  EXPECT_EQ(InputFile::Open("/dev/null").error().code, Code::kIo);
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(InputFile::Open(Path("pipe")).error().code, Code::kIo);
  EXPECT_EQ(OutputFile::Create("/dev/null").error().code, Code::kIo);
  EXPECT_EQ(OutputFile::Create(Path("none/a")).error().code, Code::kIo);
}

TEST(MemoryBytes, GrowsWithZeros) {
  MemoryBytes memory("m");
  const std::byte two[2] = {std::byte{1}, std::byte{2}};
  ASSERT_TRUE(memory.WriteAt(3, two).ok());
  EXPECT_EQ(memory.size(), 5u);
  std::byte all[5];
  ASSERT_TRUE(memory.ReadAt(0, all).ok());
  EXPECT_EQ(all[0], std::byte{0});
  EXPECT_EQ(all[4], std::byte{2});
  EXPECT_FALSE(memory.ReadAt(1, all).ok());
}

}  // namespace
}  // namespace assay
