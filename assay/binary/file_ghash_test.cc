// Laws of the GHASH of streams.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/file_ghash.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include <algorithm>

#include "assay/base/files.h"
#include "assay/device/open_device.h"
#include "assay/hash/test_derived.h"
#include "assay/ops/ghash/ghash.h"

namespace assay::binary {
namespace {

TEST(FileGhash, IsThatOfTheBytes) {
  const auto device = std::move(*OpenDevice("cpu", {.threads = 2}));
  ghash::Block h;
  std::ranges::copy(Derived("h", 16), h.begin());
  const std::string path =
      testing::TempDir() + "assay_ghash_in" + std::to_string(getpid());
  for (const size_t size : {0, 1, 16, 1000, 4 << 20, (9 << 20) + 5}) {
    const std::vector<uint8_t> bytes = Derived("bytes", size);
    ASSERT_TRUE(WriteFile(path, std::as_bytes(std::span(bytes))).ok());
    const auto stream = std::move(*InputStream::Open(path));
    const Result<StreamGhash> found = GhashOf(*device, h, *stream);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->bytes, size);
    EXPECT_EQ(found->hash, ghash::Hash(h, {}, bytes)) << size;
  }
}

}  // namespace
}  // namespace assay::binary
