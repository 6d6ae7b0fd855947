// Laws of AES-GCM over a device's memory, on every device there is.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/binary/gcm.h"
#include "assay/device/cpu/cpu_backend.h"
#include "assay/device/open_device.h"
#include "assay/hash/test_derived.h"
#include "assay/runtime/runtime.h"

namespace assay::binary {
namespace {

using Stored = std::vector<uint8_t>;

// The processor, and each GPU that this build and this machine have.
void OnDevices(const std::function<void(Device&)>& law) {
  std::vector<std::string> names = {"cpu"};
  for (const DeviceInfo& info : ListDevices()) {
    if (info.kind == BackendKind::kCpu) continue;
    names.push_back(std::string(BackendName(info.kind)) + ":" +
                    std::to_string(info.index));
  }
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const auto runtime = Runtime::Open({.device = name});
    ASSERT_TRUE(runtime.ok()) << runtime.error().what;
    const Status trusted = (*runtime)->Trust({"seal", "zero"});
    ASSERT_TRUE(trusted.ok()) << trusted.error().what;
    law((*runtime)->device());
  }
}

GcmKey KeyOf(size_t bytes) {
  return std::move(*GcmKey::Create(Derived("key", bytes)));
}

// Room for a message, at some offset.
class Room {
 public:
  Room(Device& device, size_t bytes, size_t offset = 0)
      : device_(device), bytes_(bytes), offset_(offset) {
    auto buffer = device.Allocate(bytes + offset + 1, "test");
    EXPECT_TRUE(buffer.ok());
    buffer_ = std::move(*buffer);
  }
  View<std::byte> view() const {
    return buffer_.As<std::byte>().Sub(offset_, bytes_);
  }
  void Write(const Stored& bytes) {
    EXPECT_TRUE(device_.Upload<uint8_t>(view().As<uint8_t>(), bytes).ok());
  }
  Stored Read() const {
    Stored bytes(bytes_);
    EXPECT_TRUE(
        device_.Read(view().As<uint8_t>(), std::span<uint8_t>(bytes)).ok());
    return bytes;
  }

 private:
  Device& device_;
  size_t bytes_, offset_;
  Buffer buffer_;
};

struct Sealed {
  Stored bytes;
  Stored tag;
};
Sealed SealOnHost(const GcmKey& key, const Stored& iv, const Stored& aad,
                  const Stored& plain) {
  Sealed sealed = {Stored(plain.size()), Stored(16)};
  EXPECT_TRUE(GcmSeal(key, iv, aad, plain, sealed.bytes, sealed.tag).ok());
  return sealed;
}

// Seals and opens between views, against what the host makes.
void ExpectTheHosts(Device& device, const GcmKey& key, const Stored& iv,
                    const Stored& aad, const Stored& plain, size_t offset,
                    bool in_place) {
  SCOPED_TRACE("bytes=" + std::to_string(plain.size()) + " offset=" +
               std::to_string(offset) + (in_place ? " in place" : ""));
  const Sealed expected = SealOnHost(key, iv, aad, plain);
  Room in(device, plain.size(), offset);
  std::optional<Room> other;
  if (!in_place) other.emplace(device, plain.size(), offset);
  Room& out = in_place ? in : *other;
  in.Write(plain);
  Stored tag(16);
  const Status sealed =
      GcmSeal(device, key, iv, aad, in.view(), out.view(), tag);
  ASSERT_TRUE(sealed.ok()) << sealed.error().what;
  EXPECT_EQ(tag, expected.tag);
  EXPECT_TRUE(out.Read() == expected.bytes);
  const Result<bool> opened =
      GcmOpen(device, key, iv, aad, out.view(), tag, in.view());
  ASSERT_TRUE(opened.ok()) << opened.error().what;
  EXPECT_TRUE(*opened);
  EXPECT_TRUE(in.Read() == plain);
}

TEST(AcrossDevicesGcm, MessagesAreTheHosts) {
  OnDevices([](Device& device) {
    for (const size_t key_bytes : {16, 24, 32}) {
      const GcmKey key = KeyOf(key_bytes);
      for (const size_t bytes : {0, 1, 15, 16, 17, 4079, 4080, 4096, 4097, 8192,
                                 12289, 70001, (1 << 20) + 31}) {
        const Stored plain = Derived("plain", bytes);
        const Stored iv = Derived("iv", 9 + bytes % 7);
        const Stored aad = Derived("aad", bytes % 41);
        for (const size_t offset : {0, 1, 4, 16}) {
          if (offset % device.info().view_alignment != 0) continue;
          ExpectTheHosts(device, key, iv, aad, plain, offset, bytes % 2 == 0);
        }
      }
    }
  });
}

// Counters of an IV of 16 bytes begin anywhere: this one's number wraps after
// less than `blocks` blocks.
Stored IvWhoseCounterWraps(const Stored& key_bytes, uint32_t blocks) {
  const seal::Key key = seal::ExpandKey(key_bytes);
  const seal::Block size = ghash::Lengths(0, 16);
  for (int i = 0;; ++i) {
    Stored iv = Derived("iv/" + std::to_string(i), 16);
    const seal::Block start =
        ghash::Hash(key.h, ghash::Hash(key.h, {}, iv), size);
    uint32_t number = 0;
    for (size_t k = 12; k < 16; ++k) number = number << 8 | start[k];
    if (0 - number < blocks && 0 - number > blocks / 8) return iv;
  }
}

// Many frames for each warp of a GPU, and counters that wrap in the middle.
TEST(AcrossDevicesGcm, LongMessagesAreTheHosts) {
  OnDevices([](Device& device) {
    const size_t bytes = (size_t{40} << 20) + 5;
    const Stored plain = Derived("plain", bytes);
    for (const size_t key_bytes : {16, 32}) {
      const GcmKey key = KeyOf(key_bytes);
      const Stored iv = IvWhoseCounterWraps(Derived("key", key_bytes),
                                            static_cast<uint32_t>(bytes / 16));
      ExpectTheHosts(device, key, iv, Derived("aad", 3), plain, 0, true);
    }
  });
}

TEST(AcrossDevicesGcm, AnyChangeIsRejectedAndNothingIsLeft) {
  OnDevices([](Device& device) {
    const GcmKey key = KeyOf(32);
    const Stored iv = Derived("iv", 12);
    const Stored aad = Derived("aad", 20);
    for (const size_t bytes : {1, 40, 5000}) {
      const Sealed whole = SealOnHost(key, iv, aad, Derived("plain", bytes));
      const auto rejects = [&](const Sealed& sealed, const Stored& with_iv,
                               const Stored& with_aad, bool in_place) {
        Room in(device, bytes);
        Room other(device, bytes);
        Room& out = in_place ? in : other;
        other.Write(Stored(bytes, 0xee));
        in.Write(sealed.bytes);
        const Result<bool> opened = GcmOpen(device, key, with_iv, with_aad,
                                            in.view(), sealed.tag, out.view());
        ASSERT_TRUE(opened.ok()) << opened.error().what;
        EXPECT_FALSE(*opened);
        EXPECT_EQ(out.Read(), Stored(bytes, 0));
      };
      const auto flipped = [](Stored from, size_t bit) {
        from[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
        return from;
      };
      for (const size_t bit : {size_t{0}, 8 * bytes / 2, 8 * bytes - 1}) {
        rejects({flipped(whole.bytes, bit), whole.tag}, iv, aad, bit == 0);
      }
      for (const size_t bit : {0, 77, 127}) {
        rejects({whole.bytes, flipped(whole.tag, bit)}, iv, aad, bit == 77);
      }
      rejects(whole, flipped(iv, 5), aad, false);
      rejects(whole, iv, flipped(aad, 159), true);
    }
  });
}

TEST(AcrossDevicesGcm, ShorterTagsArePrefixes) {
  OnDevices([](Device& device) {
    const GcmKey key = KeyOf(16);
    const Stored iv = Derived("iv", 12);
    const Stored plain = Derived("plain", 100);
    const Sealed whole = SealOnHost(key, iv, {}, plain);
    for (size_t size = 12; size <= 16; ++size) {
      Room room(device, plain.size());
      room.Write(plain);
      Stored tag(size);
      EXPECT_TRUE(
          GcmSeal(device, key, iv, {}, room.view(), room.view(), tag).ok());
      EXPECT_TRUE(std::equal(tag.begin(), tag.end(), whole.tag.begin()));
      EXPECT_TRUE(*GcmOpen(device, key, iv, {}, room.view(), tag, room.view()));
      EXPECT_EQ(room.Read(), plain);
    }
  });
}

TEST(AcrossDevicesGcm, RefusesWhatTheStandardDoesNotHave) {
  OnDevices([](Device& device) {
    const GcmKey key = KeyOf(16);
    const Stored iv(12);
    Stored tag(16);
    Room in(device, 5);
    Room out(device, 4);
    const Stored before = {1, 2, 3, 4};
    out.Write(before);
    const auto refused = [](const auto& result) {
      return !result.ok() && result.error().code == Code::kInvalidInput;
    };
    EXPECT_TRUE(
        refused(GcmSeal(device, key, iv, {}, in.view(), out.view(), tag)));
    EXPECT_TRUE(
        refused(GcmOpen(device, key, iv, {}, in.view(), tag, out.view())));
    EXPECT_TRUE(
        refused(GcmSeal(device, key, {}, {}, out.view(), out.view(), tag)));
    EXPECT_TRUE(
        refused(GcmOpen(device, key, {}, {}, out.view(), tag, out.view())));
    for (const size_t size : {0, 11, 17}) {
      Stored other(size);
      EXPECT_TRUE(
          refused(GcmSeal(device, key, iv, {}, out.view(), out.view(), other)));
      EXPECT_TRUE(
          refused(GcmOpen(device, key, iv, {}, out.view(), other, out.view())));
    }
    // Sizes beyond the limit, of memory that is never read.
    View<std::byte> huge = in.view();
    huge.raw.bytes = kMaxGcmDataBytes + 1;
    EXPECT_TRUE(refused(GcmSeal(device, key, iv, {}, huge, huge, tag)));
    EXPECT_TRUE(refused(GcmOpen(device, key, iv, {}, huge, tag, huge)));
    EXPECT_EQ(out.Read(), before);
  });
}

TEST(AcrossDevicesGcm, BytesThatADeviceDoesNotBindAreRefused) {
  OnDevices([](Device& device) {
    EXPECT_EQ(device.info().view_alignment,
              device.info().kind == BackendKind::kWebGpu ? 4u : 1u);
    const GcmKey key = KeyOf(16);
    const Stored iv(12);
    const Stored bytes = Derived("bytes", 50);
    for (size_t offset = 1; offset < device.info().view_alignment; ++offset) {
      Room good(device, bytes.size());
      Room bad(device, bytes.size(), offset);
      good.Write(bytes);
      bad.Write(bytes);
      Stored tag(16);
      for (const bool first : {false, true}) {
        const View<std::byte> in = (first ? bad : good).view();
        const View<std::byte> out = (first ? good : bad).view();
        const Status sealed = GcmSeal(device, key, iv, {}, in, out, tag);
        const Result<bool> opened = GcmOpen(device, key, iv, {}, in, tag, out);
        ASSERT_FALSE(sealed.ok() || opened.ok());
        EXPECT_EQ(sealed.error().code, Code::kInvalidInput);
        EXPECT_EQ(opened.error().code, Code::kInvalidInput);
      }
      EXPECT_EQ(good.Read(), bytes);
      EXPECT_EQ(bad.Read(), bytes);
    }
  });
}

// Backends bind some views as copies: at some offsets, and in place.
TEST(AcrossDevicesGcm, NoPlaintextIsLeftInMemoryThatOthersAreGiven) {
  OnDevices([](Device& device) {
    const GcmKey key = KeyOf(32);
    const Stored iv = Derived("iv", 12);
    const size_t bytes = 4096;
    const Stored plain = Derived("left behind", bytes);
    const auto is_nowhere = [&](size_t size) {
      for (int i = 0; i < 4; ++i) {
        const Room next(device, size - 1);
        const Stored found = next.Read();
        EXPECT_EQ(std::search(found.begin(), found.end(), plain.begin() + 64,
                              plain.begin() + 96),
                  found.end());
      }
    };
    for (const size_t offset : {0, 16}) {
      Sealed sealed = SealOnHost(key, iv, {}, plain);
      sealed.tag[0] ^= 1;
      Room in(device, bytes, offset);
      Room out(device, bytes, offset);
      in.Write(sealed.bytes);
      const Result<bool> opened =
          GcmOpen(device, key, iv, {}, in.view(), sealed.tag, out.view());
      ASSERT_TRUE(opened.ok());
      EXPECT_FALSE(*opened);
      is_nowhere(bytes);
      in.Write(plain);
      ASSERT_TRUE(
          GcmSeal(device, key, iv, {}, in.view(), in.view(), sealed.tag).ok());
      is_nowhere(bytes);
    }
  });
}

// A device that keeps what was in buffers when they were given back, and fails
// at a submission, or after it has run, when told to.
class Spy final : public Backend {
 public:
  enum class Fails : uint8_t { kNowhere, kBefore, kAfter };
  struct Seen {
    std::vector<Stored> uploaded, released;
    Fails fails = Fails::kNowhere;
  };
  Spy(std::unique_ptr<Backend> backend, Seen& seen)
      : backend_(std::move(backend)), seen_(seen) {}

  const DeviceInfo& Info() const override { return backend_->Info(); }
  Result<RawBuffer> Allocate(size_t bytes, Role role) override {
    return backend_->Allocate(bytes, role);
  }
  void Release(RawBuffer buffer) override {
    Stored bytes(buffer.bytes);
    EXPECT_TRUE(Read({buffer, 0, buffer.bytes},
                     std::as_writable_bytes(std::span(bytes)))
                    .ok());
    seen_.released.push_back(bytes);
    backend_->Release(buffer);
  }
  Status Upload(const RawView& to, std::span<const std::byte> from) override {
    const auto* bytes = reinterpret_cast<const uint8_t*>(from.data());
    seen_.uploaded.emplace_back(bytes, bytes + from.size());
    return backend_->Upload(to, from);
  }
  Status Prepare(const KernelRow& kernel) override {
    return backend_->Prepare(kernel);
  }
  Result<uint64_t> Submit(std::vector<Command> commands) override {
    if (seen_.fails == Fails::kBefore) {
      seen_.fails = Fails::kNowhere;
      return Error{Code::kOverBudget, "as told", ""};
    }
    return backend_->Submit(std::move(commands));
  }
  bool Done(uint64_t ticket) override { return backend_->Done(ticket); }
  Status Wait(uint64_t ticket) override {
    ASSAY_TRY(backend_->Wait(ticket));
    if (std::exchange(seen_.fails, Fails::kNowhere) == Fails::kNowhere) {
      return {};
    }
    return Error{Code::kInternal, "as told", ""};
  }
  Status Read(const RawView& from, std::span<std::byte> to) override {
    return backend_->Read(from, to);
  }
  void Timestamps(Trace& trace) override { backend_->Timestamps(trace); }
  void Trim() override { backend_->Trim(); }

 private:
  std::unique_ptr<Backend> backend_;
  Seen& seen_;
};

TEST(GcmDevice, KeysAreOverwrittenBeforeTheirMemoryIsGivenBack) {
  for (const Spy::Fails fails :
       {Spy::Fails::kNowhere, Spy::Fails::kBefore, Spy::Fails::kAfter}) {
    for (const bool opens : {false, true}) {
      Spy::Seen seen;
      Device device(std::make_unique<Spy>(MakeCpuBackend(1), seen), 1 << 20);
      Room room(device, 100);
      const Stored bytes = Derived("bytes", 100);
      room.Write(bytes);
      seen.uploaded.clear();
      seen.fails = fails;
      const GcmKey key = KeyOf(32);
      const Stored iv = Derived("iv", 12);
      Stored tag(16);
      if (opens) {
        const Result<bool> opened =
            GcmOpen(device, key, iv, {}, room.view(), tag, room.view());
        EXPECT_EQ(opened.ok(), fails == Spy::Fails::kNowhere);
        // Nothing that was not verified, and what there was if nothing ran.
        EXPECT_EQ(room.Read(),
                  fails == Spy::Fails::kBefore ? bytes : Stored(100));
      } else {
        const Status sealed =
            GcmSeal(device, key, iv, {}, room.view(), room.view(), tag);
        EXPECT_EQ(sealed.ok(), fails == Spy::Fails::kNowhere);
      }
      // Keys and stream, then zeros over both; nothing else was allocated.
      ASSERT_EQ(seen.uploaded.size(), 4u);
      const uint8_t* round = key.expanded().aes.round[0];
      EXPECT_TRUE(std::equal(round, round + 240, seen.uploaded[0].begin()));
      ASSERT_EQ(seen.released.size(), 2u);
      EXPECT_EQ(seen.released[0], Stored(seen.uploaded[1].size()));
      EXPECT_EQ(seen.released[1], Stored(seen.uploaded[0].size()));
    }
  }
}

TEST(AcrossDevicesGcm, NothingChangesWhereKeysDoNotFit) {
  OnDevices([](Device& device) {
    const GcmKey key = KeyOf(32);
    const Stored iv(12);
    const Stored bytes = Derived("bytes", 100);
    Room room(device, bytes.size());
    room.Write(bytes);
    Stored tag(16);
    Budget& budget = device.budget();
    const uint64_t rest = budget.limit_bytes() - budget.live_bytes();
    budget.Take("all", rest);
    const Status sealed =
        GcmSeal(device, key, iv, {}, room.view(), room.view(), tag);
    const Result<bool> opened =
        GcmOpen(device, key, iv, {}, room.view(), tag, room.view());
    budget.Give("all", rest);
    ASSERT_FALSE(sealed.ok() || opened.ok());
    EXPECT_EQ(sealed.error().code, Code::kOverBudget);
    EXPECT_EQ(opened.error().code, Code::kOverBudget);
    EXPECT_EQ(room.Read(), bytes);
  });
}

}  // namespace
}  // namespace assay::binary
