// Laws of AES-GCM's pass over data, and an example of its standard.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/seal/seal.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "assay/hash/test_derived.h"
#include "assay/ops/seal/gcm_lanes.h"

namespace assay::seal {
namespace {

using Bytes = std::vector<uint8_t>;

Stream SomeStream() {
  Stream stream;
  std::ranges::copy(Derived("counter", 16), stream.counter.begin());
  std::ranges::copy(Derived("hash", 16), stream.hash.begin());
  return stream;
}

void ExpectSame(const Stream& a, const Stream& b) {
  EXPECT_EQ(a.counter, b.counter);
  EXPECT_EQ(a.hash, b.hash);
}

// Test case 4 of "The Galois/Counter Mode of Operation" (McGrew, Viega).
TEST(Seal, ComputesAnExampleOfItsStandard) {
  const Key key = ExpandKey(FromHex("feffe9928665731c6d6a8f9467308308"));
  EXPECT_EQ(ToHex(key.h), "b83b533708bf535d0aa6e52980d53b78");
  const Bytes plain = FromHex(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
  const Bytes aad = FromHex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
  Stream stream;
  std::ranges::copy(FromHex("cafebabefacedbaddecaf88800000002"),
                    stream.counter.begin());
  stream.hash = ghash::Hash(key.h, {}, aad);
  Bytes out(plain.size());
  Encrypt(key, stream, plain, out);
  EXPECT_EQ(ToHex(out),
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
            "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091");
  EXPECT_EQ(ToHex(ghash::Hash(key.h, stream.hash,
                              ghash::Lengths(aad.size(), plain.size()))),
            "698e57f70e6ecc7fd9463b7260a9ae5f");
}

TEST(Seal, DecryptionUndoesEncryptionAndHashesTheSame) {
  const Key key = ExpandKey(Derived("key", 24));
  for (const size_t size : {0, 1, 16, 100, 1000}) {
    const Bytes plain = Derived("plain", size);
    Bytes sealed(size);
    Bytes opened(size);
    Stream a = SomeStream();
    Stream b = SomeStream();
    Encrypt(key, a, plain, sealed);
    Decrypt(key, b, sealed, opened);
    EXPECT_EQ(opened, plain);
    ExpectSame(a, b);
  }
}

TEST(Seal, LanesGoOnFromAnyWholeBlock) {
  const Key key = ExpandKey(Derived("key", 32));
  const Bytes plain = Derived("plain", 1333);
  Bytes whole(plain.size());
  Stream expected = SomeStream();
  Encrypt(key, expected, plain, whole);
  for (size_t split = 0; split < plain.size(); split += 16) {
    Bytes out(plain.size());
    Stream stream = SomeStream();
    EncryptLanes(key, stream, plain.data(), out.data(), split);
    EncryptLanes(key, stream, plain.data() + split, out.data() + split,
                 plain.size() - split);
    ASSERT_EQ(out, whole) << split;
    ExpectSame(stream, expected);
    stream = SomeStream();
    DecryptLanes(key, stream, out.data(), out.data(), split);
    DecryptLanes(key, stream, out.data() + split, out.data() + split,
                 plain.size() - split);
    ASSERT_EQ(out, plain) << split;
    ExpectSame(stream, expected);
  }
}

TEST(Seal, LanesHashWhatTheMeaningHashes) {
  const Key key = ExpandKey(Derived("key", 16));
  const Bytes data = Derived("data", 1200);
  for (size_t size = 0; size <= data.size(); size += 13) {
    Block hash = SomeStream().hash;
    HashLanes(key, hash, data.data(), size);
    EXPECT_EQ(hash, ghash::Hash(key.h, SomeStream().hash,
                                std::span(data).first(size)));
  }
}

}  // namespace
}  // namespace assay::seal
