// Laws of SHA-256, HMAC and HKDF, and their published examples.
// SPDX-License-Identifier: Apache-2.0
#include "assay/hash/sha256.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "assay/hash/hkdf.h"

namespace assay {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes FromText(std::string_view text) {
  return Bytes(text.begin(), text.end());
}

Bytes FromHex(std::string_view hex) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(
        std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

std::string Hex(std::span<const uint8_t> bytes) {
  std::string hex;
  for (const uint8_t byte : bytes) hex += fmt::format("{:02x}", byte);
  return hex;
}

// NIST's examples for FIPS 180-4.
TEST(Sha256, HashesTheExamplesOfNist) {
  EXPECT_EQ(Hex(Sha256Of({})),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Hex(Sha256Of(FromText("abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Hex(Sha256Of(FromText(
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Hex(Sha256Of(FromText(
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"))),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(Hex(Sha256Of(Bytes(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, EverySplitGivesTheSameHash) {
  Bytes bytes(200);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(i * 37);
  }
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const auto message = std::span<const uint8_t>(bytes).first(size);
    const Sha256Hash whole = Sha256Of(message);
    for (size_t split = 0; split <= size; ++split) {
      Sha256 hash;
      hash.Update(message.first(split));
      Sha256 copy = hash;
      hash.Update(message.subspan(split));
      ASSERT_EQ(hash.Finish(), whole) << size << " " << split;
      copy.Update(message.subspan(split));
      ASSERT_EQ(copy.Finish(), whole);
      // What was finished starts anew.
      hash.Update(message);
      ASSERT_EQ(hash.Finish(), whole);
    }
  }
}

TEST(Sha256, TheProcessorsInstructionsAgreeWithThePortableForm) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    std::array<uint32_t, 8> a;
    for (uint32_t& word : a) word = random();
    std::array<uint32_t, 8> b = a;
    Bytes blocks(64 * (random() % 5));
    for (uint8_t& byte : blocks) byte = static_cast<uint8_t>(random());
    sha256::Fastest()(a.data(), blocks.data(), blocks.size() / 64);
    sha256::CompressPortable(b.data(), blocks.data(), blocks.size() / 64);
    ASSERT_EQ(a, b);
  }
}

Sha256Hash Hmac(const Bytes& key, const Bytes& message) {
  HmacSha256 hmac(key);
  hmac.Update(std::span(message).first(message.size() / 3));
  hmac.Update(std::span(message).subspan(message.size() / 3));
  return hmac.Finish();
}

// RFC 4231, test cases 1, 2, 3, 6 and 7.
TEST(HmacSha256, ComputesTheExamplesOfItsStandard) {
  EXPECT_EQ(Hex(Hmac(Bytes(20, 0x0b), FromText("Hi There"))),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(
      Hex(Hmac(FromText("Jefe"), FromText("what do ya want for nothing?"))),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hex(Hmac(Bytes(20, 0xaa), Bytes(50, 0xdd))),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(Hex(Hmac(Bytes(131, 0xaa),
                     FromText("Test Using Larger Than Block-Size Key - Hash "
                              "Key First"))),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(
      Hex(Hmac(Bytes(131, 0xaa),
               FromText("This is a test using a larger than block-size key and "
                        "a larger than block-size data. The key needs to be "
                        "hashed before being used by the HMAC algorithm."))),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

std::string Hkdf(const char* key, const char* salt, const char* info,
                 size_t size) {
  Bytes out(size);
  HkdfSha256(FromHex(key), FromHex(salt), FromHex(info), out);
  return Hex(out);
}

// RFC 5869, appendices A.1 to A.3.
TEST(HkdfSha256, ComputesTheExamplesOfItsStandard) {
  EXPECT_EQ(Hkdf("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
                 "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9", 42),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
            "34007208d5b887185865");
  EXPECT_EQ(
      Hkdf("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
           "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
           "404142434445464748494a4b4c4d4e4f",
           "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f"
           "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
           "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
           "b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
           "d0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeef"
           "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
           82),
      "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
      "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
      "cc30c58179ec3e87c14c01d5c1f3434f1d87");
  EXPECT_EQ(Hkdf("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "", "", 42),
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
            "9d201395faa4b61a96c8");
}

}  // namespace
}  // namespace assay
