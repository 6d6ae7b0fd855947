// Large uploads arrive whole, in order, and say so where the device is lost.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "assay/device/device.h"
#include "assay/device/webgpu/webgpu_backend.h"

namespace assay {
namespace {

class WebGpuUploads : public testing::Test {
 protected:
  void SetUp() override {
    auto backend = MakeWebGpuBackend(0);
    if (!backend.ok()) GTEST_SKIP() << backend.error().what;
    backend_ = backend->get();
    device_ = std::make_unique<Device>(std::move(*backend), uint64_t{1} << 30);
  }

  Buffer Words(size_t count) {
    return std::move(*device_->AllocateArray<uint32_t>(count, "test"));
  }
  std::vector<uint32_t> Contents(const Buffer& buffer) {
    std::vector<uint32_t> words(buffer.bytes() / 4);
    EXPECT_TRUE(
        device_->Read(buffer.As<uint32_t>(), std::span<uint32_t>(words)).ok());
    return words;
  }

  Backend* backend_ = nullptr;
  std::unique_ptr<Device> device_;
};

// More pieces than the ring has, the last one short; then parts over it, some
// small enough to go another way.
TEST_F(WebGpuUploads, AreWhatWasSentLast) {
  const size_t count = (size_t{23} << 18) + 3;
  const Buffer buffer = Words(count);
  std::vector<uint32_t> expected(count);
  uint32_t x = 1;
  for (uint32_t& word : expected) word = x = x * 1664525 + 1013904223;
  const View<uint32_t> all = buffer.As<uint32_t>();
  ASSERT_TRUE(device_->Upload<uint32_t>(all, expected).ok());
  EXPECT_TRUE(Contents(buffer) == expected);
  for (const auto& [first, size] : {std::pair<size_t, size_t>{0, 5},
                                    {1, size_t{5} << 18},
                                    {7, 100},
                                    {size_t{9} << 18, size_t{1} << 18},
                                    {count - 3, 3},
                                    {11, size_t{18} << 18}}) {
    const std::vector<uint32_t> part(size, static_cast<uint32_t>(first + 9));
    std::copy(part.begin(), part.end(),
              expected.begin() + static_cast<ptrdiff_t>(first));
    ASSERT_TRUE(device_->Upload<uint32_t>(all.Sub(first, size), part).ok());
  }
  EXPECT_TRUE(Contents(buffer) == expected);
}

TEST_F(WebGpuUploads, GoOnAfterMemoryWasGivenBack) {
  const std::vector<uint32_t> words(size_t{5} << 18, 77);
  const Buffer buffer = Words(words.size());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(device_->Upload<uint32_t>(buffer.As<uint32_t>(), words).ok());
    device_->Trim();
    EXPECT_TRUE(Contents(buffer) == words);
  }
}

TEST_F(WebGpuUploads, FailOnALostDevice) {
  const std::vector<uint32_t> words(size_t{5} << 18, 77);
  const Buffer buffer = Words(words.size());
  ASSERT_TRUE(device_->Upload<uint32_t>(buffer.As<uint32_t>(), words).ok());
  LoseWebGpuDevice(*backend_);
  for (int i = 0; i < 2; ++i) {
    const Status status =
        device_->Upload<uint32_t>(buffer.As<uint32_t>(), words);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, Code::kDeviceLost);
  }
}

}  // namespace
}  // namespace assay
