// Laws of whole-file reading and of replacing a file at once.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

namespace assay {
namespace {

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "assay_files_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const {
    return folder_ + "/" + name;
  }
  static std::string Text(const std::string& path) {
    const auto bytes = ReadFile(path, 1 << 20);
    if (!bytes.ok()) return "error: " + bytes.error().what;
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
  }
  size_t Count() const {
    const std::filesystem::directory_iterator all(folder_);
    return static_cast<size_t>(std::distance(begin(all), end(all)));
  }

  std::string folder_;
};

TEST_F(Files, WhatIsWrittenIsRead) {
  ASSERT_TRUE(WriteFile(Path("a"), "one").ok());
  EXPECT_EQ(Text(Path("a")), "one");
  ASSERT_TRUE(WriteFile(Path("a"), "").ok());
  EXPECT_EQ(Text(Path("a")), "");
  EXPECT_EQ(Count(), 1u);
}

TEST_F(Files, AFileOfTheLimitIsReadAndOneByteMoreIsNot) {
  ASSERT_TRUE(WriteFile(Path("a"), "four").ok());
  EXPECT_TRUE(ReadFile(Path("a"), 4).ok());
  const auto over = ReadFile(Path("a"), 3);
  ASSERT_FALSE(over.ok());
  EXPECT_EQ(over.error().code, Code::kInvalidInput);
  EXPECT_NE(over.error().what.find("at most 3 B"), std::string::npos);
}

TEST_F(Files, EndlessStreamsStopAtTheLimit) {
  EXPECT_FALSE(ReadFile("/dev/zero", 100000).ok());
  EXPECT_EQ(Text("/dev/null"), "");
}

TEST_F(Files, ErrorsNameThePathAndTheReason) {
  const auto absent = ReadFile(Path("absent"), 10);
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.error().code, Code::kIo);
  EXPECT_EQ(absent.error().what,
            "cannot open " + Path("absent") + ": No such file or directory");
  EXPECT_FALSE(ReadFile(folder_, 10).ok());
}

TEST_F(Files, FoldersAreRefused) {
  EXPECT_FALSE(WriteFile(folder_, "x").ok());
  EXPECT_FALSE(WriteFile(Path("x/"), "x").ok());
  EXPECT_FALSE(WriteFile("", "x").ok());
  EXPECT_FALSE(CheckWritable(folder_).ok());
  EXPECT_EQ(Count(), 0u);
}

TEST_F(Files, AFailedWriteLeavesNothing) {
  EXPECT_FALSE(WriteFile(Path("missing/a"), "x").ok());
  EXPECT_FALSE(CheckWritable(Path("missing/a")).ok());
  EXPECT_EQ(Count(), 0u);
  if (geteuid() == 0) return;  // root may write anywhere
  ASSERT_EQ(chmod(folder_.c_str(), 0500), 0);
  EXPECT_FALSE(CheckWritable(Path("a")).ok());
  EXPECT_FALSE(WriteFile(Path("a"), "x").ok());
  ASSERT_EQ(chmod(folder_.c_str(), 0700), 0);
  EXPECT_EQ(Count(), 0u);
}

TEST_F(Files, LinksAndPermissionsSurvive) {
  ASSERT_TRUE(WriteFile(Path("a"), "old").ok());
  ASSERT_EQ(chmod(Path("a").c_str(), 0640), 0);
  ASSERT_EQ(symlink(Path("a").c_str(), Path("link").c_str()), 0);
  ASSERT_TRUE(WriteFile(Path("link"), "new").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
  EXPECT_EQ(Text(Path("a")), "new");
  struct stat info = {};
  ASSERT_EQ(stat(Path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST_F(Files, DevicesAreWrittenToAndNotReplaced) {
  EXPECT_TRUE(CheckWritable("/dev/null").ok());
  EXPECT_TRUE(WriteFile("/dev/null", "x").ok());
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
  EXPECT_FALSE(WriteFile("/dev/full", "x").ok());
}

TEST_F(Files, ALinkToAMissingFileIsRefused) {
  ASSERT_EQ(symlink(Path("missing").c_str(), Path("link").c_str()), 0);
  EXPECT_FALSE(CheckWritable(Path("link")).ok());
  EXPECT_FALSE(WriteFile(Path("link"), "x").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
  EXPECT_EQ(Count(), 1u);
}

TEST_F(Files, WhatIsPreparedAndNotCommittedLeavesNothing) {
  ASSERT_TRUE(WriteFile(Path("a"), "old").ok());
  {
    const auto file = AtomicWrite::Prepare(Path("a"), "new");
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(Count(), 2u);
  }
  EXPECT_EQ(Count(), 1u);
  EXPECT_EQ(Text(Path("a")), "old");
}

TEST_F(Files, AStreamThatFailsLeavesTheOldFiles) {
  ASSERT_TRUE(WriteFile(Path("a"), "old").ok());
  {
    std::vector<AtomicWrite> files;
    for (const std::string& path : {Path("a"), std::string("/dev/full")}) {
      Result<AtomicWrite> file = AtomicWrite::Prepare(path, "new");
      ASSERT_TRUE(file.ok());
      files.push_back(std::move(*file));
    }
    EXPECT_FALSE(CommitAll(files).ok());
    EXPECT_EQ(Text(Path("a")), "old");
    files.pop_back();
    EXPECT_TRUE(CommitAll(files).ok());
  }
  EXPECT_EQ(Text(Path("a")), "new");
  EXPECT_EQ(Count(), 1u);
}

TEST_F(Files, OneFileHasManyPaths) {
  ASSERT_EQ(symlink(folder_.c_str(), Path("here").c_str()), 0);
  // Before the file exists and after.
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(IsSameFile(Path("a"), Path("./a")));
    EXPECT_TRUE(IsSameFile(Path("a"), Path("here/a")));
    EXPECT_FALSE(IsSameFile(Path("a"), Path("b")));
    EXPECT_FALSE(IsSameFile(Path("a"), Path("missing/a")));
    ASSERT_TRUE(WriteFile(Path("a"), "x").ok());
  }
  ASSERT_EQ(link(Path("a").c_str(), Path("b").c_str()), 0);
  EXPECT_TRUE(IsSameFile(Path("a"), Path("b")));
}

}  // namespace
}  // namespace assay
