// Plays rounds one after the other, each by its definition.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/product_rounds/product_rounds.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "assay/hash/sha256.h"

namespace assay::product_rounds {
namespace {

namespace ps = product_sumcheck;
using ps::Columns;

static_assert(std::endian::native == std::endian::little,
              "elements in memory are their bytes in transcripts");

constexpr size_t kDigestBytes = 32;
// A digest and how many bytes were taken from it.
constexpr size_t kLinkBytes = kDigestBytes + 8;

uint8_t* TextOf(std::span<Gf2_128> transcript) {
  return reinterpret_cast<uint8_t*>(transcript.data() + kText);
}

uint32_t TextSize(const uint8_t* text) {
  uint32_t size;
  std::memcpy(&size, text + 4 * kTextSizeWord, sizeof(size));
  return size;
}
void SetTextSize(uint8_t* text, uint32_t size) {
  std::memcpy(text + 4 * kTextSizeWord, &size, sizeof(size));
}

// Plays one round and binds its variable.
void PlayOne(std::span<Gf2_128> transcript, Columns& columns, size_t round,
             size_t pending) {
  const size_t d = columns.size();
  const std::vector<Gf2_128> message = ps::Round(columns);
  uint8_t* text = TextOf(transcript);
  if (round == 0) {
    transcript[kSum] = ps::Evaluate(message, Gf2_128::Zero()) +
                       ps::Evaluate(message, Gf2_128::One());
    std::memcpy(text + kLinkBytes + kSumInStatement, &transcript[kSum],
                sizeof(Gf2_128));
  }
  const auto sent = std::span(message).first(d);
  std::copy(
      sent.begin(), sent.end(),
      transcript.begin() + static_cast<std::ptrdiff_t>(kTape + round * d));
  Sha256 hash;
  hash.Update({text, TextSize(text)});
  hash.Update(
      {reinterpret_cast<const uint8_t*>(sent.data()), sent.size_bytes()});
  const Sha256Hash digest = hash.Finish();
  const Gf2_128 r =
      Gf2_128::FromBytes(std::span<const uint8_t, 16>(digest.data(), 16));
  transcript[kChallenges + pending] = r;
  std::fill_n(text, 4 * kTextSizeWord, uint8_t{0});
  std::copy(digest.begin(), digest.end(), text);
  text[kDigestBytes] = sizeof(Gf2_128);
  SetTextSize(text, kLinkBytes);
  for (auto& column : columns) ps::Bind(column, r);
}

void BindPending(std::span<const Gf2_128> transcript, Columns& columns,
                 size_t bound) {
  for (size_t k = 0; k < bound; ++k) {
    for (auto& column : columns) ps::Bind(column, transcript[kChallenges + k]);
  }
}

}  // namespace

std::vector<Gf2_128> Begin(
    size_t n, size_t d, std::span<const uint8_t, kStatementBytes> statement) {
  std::vector<Gf2_128> transcript(TranscriptElements(n, d));
  uint8_t* text = TextOf(transcript);
  const Sha256Hash empty = Sha256Of({});
  std::copy(empty.begin(), empty.end(), text);
  std::copy(statement.begin(), statement.end(), text + kLinkBytes);
  SetTextSize(text, kLinkBytes + kStatementBytes);
  for (size_t node = 0; node <= d; ++node) {
    std::vector<Gf2_128> values(d + 1);
    values[node] = Gf2_128::One();
    const std::vector<Gf2_128> coefficients = ps::Interpolate(values);
    for (size_t i = 0; i <= d; ++i) {
      transcript[kWeights + i * (d + 1) + node] = coefficients[i];
    }
  }
  return transcript;
}

void Play(std::span<Gf2_128> transcript, Columns& columns, size_t bound,
          size_t measured, size_t round) {
  BindPending(transcript, columns, bound);
  Columns left = columns;
  for (size_t k = 0; k < measured; ++k) {
    PlayOne(transcript, left, round + k, k);
  }
}

void Close(std::span<Gf2_128> transcript, Columns columns, size_t bound,
           size_t round) {
  const size_t d = columns.size();
  BindPending(transcript, columns, bound);
  while (columns[0].size() > 1) {
    PlayOne(transcript, columns, round, 0);
    ++round;
  }
  for (size_t j = 0; j < d; ++j) {
    transcript[kTape + round * d + j] = columns[j][0];
  }
}

}  // namespace assay::product_rounds
