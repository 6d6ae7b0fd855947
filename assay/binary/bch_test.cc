// Generators as published, code words, and errors that syndromes show.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/bch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "assay/base/split_mix.h"
#include "assay/device/open_device.h"

namespace assay::binary {
namespace {

// The polynomial with its top term, in octal as the tables have it.
std::string Octal(const BchCode& code) {
  std::string bits;
  bits += '1';
  for (int i = code.parity_bits() - 1; i >= 0; --i) {
    bits += (code.polynomial() >> i) & 1 ? '1' : '0';
  }
  while (bits.size() % 3 != 0) bits.insert(bits.begin(), '0');
  std::string octal;
  for (size_t i = 0; i < bits.size(); i += 3) {
    octal += static_cast<char>('0' + 4 * (bits[i] - '0') +
                               2 * (bits[i + 1] - '0') + (bits[i + 2] - '0'));
  }
  return octal;
}

// Lin and Costello, Error Control Coding, appendix C; also Peterson and
// Weldon, table 9.1. POCSAG (ITU-R M.584) uses (31, 21), QR codes (ISO/IEC
// 18004) the format code (15, 5).
TEST(Bch, GeneratorsAreThoseOfTheTables) {
  struct Row {
    int m, k, t;
    const char* octal;
  };
  for (const Row& row : {Row{4, 11, 1, "23"},
                         {4, 7, 2, "721"},
                         {4, 5, 3, "2467"},
                         {5, 26, 1, "45"},
                         {5, 21, 2, "3551"},
                         {5, 16, 3, "107657"},
                         {5, 11, 5, "5423325"},
                         {6, 51, 2, "12471"},
                         {6, 45, 3, "1701317"},
                         {6, 39, 4, "166623567"},
                         {6, 36, 5, "1033500423"},
                         {7, 113, 2, "41567"},
                         {7, 106, 3, "11554743"},
                         {7, 99, 4, "3447023271"},
                         {8, 247, 1, "435"},
                         {8, 239, 2, "267543"},
                         {8, 231, 3, "156720665"},
                         {8, 223, 4, "75626641375"},
                         {8, 215, 5, "23157564726421"},
                         {8, 207, 6, "16176560567636227"},
                         {8, 199, 7, "7633031270420722341"},
                         {8, 191, 8, "2663470176115333714567"}}) {
    const auto code = BchCode::Make(row.m, row.t);
    ASSERT_TRUE(code.ok()) << row.m << " " << row.t;
    EXPECT_EQ(code->message_bits(), row.k) << row.m << " " << row.t;
    EXPECT_EQ(Octal(*code), row.octal) << row.m << " " << row.t;
  }
}

// ISO/IEC 18004, annex C: the format data 00101 has the code word
// 001010011011100 before masking.
TEST(Bch, TheFormatCodeOfQrCodesIsReproduced) {
  const auto code = BchCode::Make(4, 3);
  ASSERT_TRUE(code.ok());
  // First bits lowest: three zeros in front, then 0, 0, 1, 0, 1.
  const std::byte message[] = {std::byte{0xa0}};
  const uint64_t parity = code->Parity(message);
  std::string bits;
  for (int i = 0; i < code->parity_bits(); ++i) {
    bits += (parity >> i) & 1 ? '1' : '0';
  }
  EXPECT_EQ(bits, "0011011100");
}

TEST(Bch, CodeWordsHaveNoSyndromes) {
  for (const auto& [m, t] :
       {std::pair(5, 2), {8, 8}, {10, 6}, {13, 4}, {16, 4}, {16, 1}}) {
    const auto code = BchCode::Make(m, t);
    ASSERT_TRUE(code.ok()) << m << " " << t;
    for (const uint16_t s : code->Syndromes(0)) EXPECT_EQ(s, 0);
    // g itself is a code word: the message 1, and g's own low terms.
    const std::byte one[] = {std::byte{0x80}};
    const uint64_t parity = code->Parity(one);
    for (int i = 0; i < code->parity_bits(); ++i) {
      EXPECT_EQ((parity >> i) & 1,
                (code->polynomial() >> (code->parity_bits() - 1 - i)) & 1);
    }
    // Its roots are a, .., a^2t.
    for (int j = 1; j <= 2 * t; ++j) {
      uint16_t value =
          code->PowerOfA(static_cast<uint64_t>(j) *
                         static_cast<uint64_t>(code->parity_bits()));
      for (int i = 0; i < code->parity_bits(); ++i) {
        if ((code->polynomial() >> i) & 1) {
          value ^= code->PowerOfA(static_cast<uint64_t>(i) *
                                  static_cast<uint64_t>(j));
        }
      }
      EXPECT_EQ(value, 0) << m << " " << t << " " << j;
    }
  }
}

TEST(Bch, AnErrorAddsItsPowersToTheSyndromes) {
  const auto code = BchCode::Make(8, 4);
  ASSERT_TRUE(code.ok());
  const size_t bytes = static_cast<size_t>(code->message_bits()) / 8;
  std::vector<std::byte> message(bytes);
  for (size_t i = 0; i < bytes; ++i) {
    message[i] = static_cast<std::byte>(SplitMix64(1, i));
  }
  const uint64_t parity = code->Parity(message);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<std::byte> received = message;
    uint64_t received_parity = parity;
    std::vector<uint16_t> expected(2 * 4);
    for (int error = 0; error < 1 + trial % 4; ++error) {
      const uint64_t bit =
          SplitMix64(2, 10 * static_cast<uint64_t>(trial) +
                            static_cast<uint64_t>(error)) %
          (8 * bytes + static_cast<uint64_t>(code->parity_bits()));
      if (bit < 8 * bytes) {
        received[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
      } else {
        received_parity ^= uint64_t{1} << (bit - 8 * bytes);
      }
      const uint64_t exponent =
          8 * bytes + static_cast<uint64_t>(code->parity_bits()) - 1 - bit;
      for (uint64_t j = 1; j <= expected.size(); ++j) {
        expected[j - 1] ^= code->PowerOfA(exponent * j);
      }
    }
    EXPECT_EQ(code->Syndromes(code->Parity(received) ^ received_parity),
              expected);
  }
}

TEST(Bch, TheKernelMakesTheParityOfManyMessages) {
  auto device = OpenDevice("cpu", {.threads = 2});
  ASSERT_TRUE(device.ok());
  const auto code = BchCode::Make(13, 4);
  ASSERT_TRUE(code.ok());
  constexpr size_t kCount = 40;
  const size_t bytes = static_cast<size_t>(code->message_bits()) / 8;
  auto data = (*device)->Allocate(kCount * bytes, "messages");
  auto parity = (*device)->AllocateArray<uint64_t>(kCount, "parity");
  ASSERT_TRUE(data.ok() && parity.ok());
  std::vector<std::byte> messages(kCount * bytes);
  for (size_t i = 0; i < messages.size(); ++i) {
    messages[i] = static_cast<std::byte>(SplitMix64(3, i));
  }
  std::vector<uint64_t> found(kCount);
  ASSERT_TRUE(
      (*device)
          ->Upload(data->As<std::byte>(), std::span<const std::byte>(messages))
          .ok());
  ASSERT_TRUE(
      (*device)
          ->Upload(parity->As<uint64_t>(), std::span<const uint64_t>(found))
          .ok());
  Recorder recorder = (*device)->Record("bch");
  RecordBchParity(recorder, *code, data->As<std::byte>(), kCount, bytes, bytes,
                  parity->As<uint64_t>());
  ASSERT_TRUE((*device)->Run(std::move(recorder)).ok());
  ASSERT_TRUE((*device)->Read(parity->As<uint64_t>(), std::span(found)).ok());
  for (size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(found[i],
              code->Parity(std::span(messages).subspan(i * bytes, bytes)));
  }
}

TEST(Bch, CodesThatDoNotExistAreRefused) {
  for (const auto& [m, t] :
       {std::pair(2, 1), {17, 1}, {4, 0}, {3, 4}, {4, 8}, {-1, 1}}) {
    EXPECT_EQ(BchCode::Make(m, t).error().code, Code::kInvalidInput);
  }
  EXPECT_EQ(BchCode::Make(8, 9).error().code, Code::kUnsupported);
  EXPECT_EQ(BchCode::Make(16, 5).error().code, Code::kUnsupported);
}

}  // namespace
}  // namespace assay::binary
