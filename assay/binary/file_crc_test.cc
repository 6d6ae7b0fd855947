// The CRC of a stream is that of its bytes, however many blocks it takes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/file_crc.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "assay/base/files.h"
#include "assay/base/split_mix.h"
#include "assay/device/open_device.h"

namespace assay::binary {
namespace {

TEST(FileCrc, IsTheMeaningForEveryNumberOfBlocks) {
  const std::string path =
      testing::TempDir() + "assay_file_crc" + std::to_string(getpid());
  auto device = OpenDevice("cpu", {.threads = 2});
  ASSERT_TRUE(device.ok());
  constexpr size_t kBlock = size_t{4} << 20;
  for (const size_t size : {size_t{0}, size_t{9}, kBlock - 1, kBlock,
                            kBlock + 1, 2 * kBlock + 77}) {
    std::vector<std::byte> bytes(size);
    for (size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<std::byte>(SplitMix64(size, i / 8) >> (i % 8));
    }
    ASSERT_TRUE(WriteFile(path, bytes).ok());
    for (const crc::Kind kind : crc::kKinds) {
      auto stream = InputStream::Open(path);
      ASSERT_TRUE(stream.ok());
      const auto found = CrcOf(**device, kind, **stream);
      ASSERT_TRUE(found.ok());
      EXPECT_EQ(found->crc, crc::Extend(kind, 0, bytes)) << size;
      EXPECT_EQ(found->bytes, size);
    }
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace assay::binary
