// Tells by Welch's t whether the time of a call depends on what it is given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

// Reparaz, Balasch, Verbauwhede: Dude, is my code constant time?, DATE 2017.
// Calls with an input that is always the same and calls with random ones
// follow each other in random order, so that what disturbs the machine meets
// both. If the times of both classes have one mean, t is about 1; a leak makes
// t grow with the root of the number of calls. Interruptions only lengthen
// calls: t is taken over all times and over those below each of many
// percentiles, and the largest one counts.
namespace assay::timing {

// |t| beyond which a call is said to leak. With 100 values of t an honest
// call stays below 5.
inline constexpr double kMostT = 10;

inline uint64_t Now() {
#if defined(__x86_64__)
  _mm_lfence();
  const uint64_t cycles = __rdtsc();
  _mm_lfence();
  return cycles;
#else
  return static_cast<uint64_t>(
      std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

struct Sample {
  uint64_t time = 0;
  bool fixed = false;
};

// Of the samples below `limit`; 0 where a class has few of them.
inline double WelchT(const std::vector<Sample>& samples, uint64_t limit) {
  constexpr double kFew = 500;
  double count[2] = {}, mean[2] = {}, square[2] = {};
  for (const Sample& sample : samples) {
    if (sample.time > limit) continue;
    const auto time = static_cast<double>(sample.time);
    const size_t c = sample.fixed ? 1 : 0;
    count[c] += 1;
    const double delta = time - mean[c];
    mean[c] += delta / count[c];
    square[c] += delta * (time - mean[c]);
  }
  if (count[0] < kFew || count[1] < kFew) return 0;
  const double variance = square[0] / (count[0] * (count[0] - 1)) +
                          square[1] / (count[1] * (count[1] - 1));
  const double difference = std::abs(mean[0] - mean[1]);
  if (variance > 0) return difference / std::sqrt(variance);
  return difference > 0 ? std::numeric_limits<double>::infinity() : 0;
}

inline double LargestT(const std::vector<Sample>& samples) {
  std::vector<uint64_t> times;
  for (const Sample& sample : samples) times.push_back(sample.time);
  std::sort(times.begin(), times.end());
  double t = WelchT(samples, std::numeric_limits<uint64_t>::max());
  constexpr int kCrops = 100;
  for (int i = 1; i <= kCrops; ++i) {
    const double share = 1 - std::pow(0.5, 10.0 * i / kCrops);
    const auto at =
        static_cast<size_t>(share * static_cast<double>(times.size() - 1));
    t = std::max(t, WelchT(samples, times[at]));
  }
  return t;
}

struct Leak {
  double t = 0;
  size_t calls = 0;
};

// prepare(slot, fixed, random) writes the input of a slot, call(slot) is what
// is timed. Takes `seconds`, or what kLeast calls take.
constexpr size_t kSlots = 64;
template <class Prepare, class Call>
Leak Measure(double seconds, uint64_t seed, const Prepare& prepare,
             const Call& call) {
  constexpr size_t kLeast = 10'000, kMost = 200'000;
  std::mt19937_64 random(seed);
  std::vector<Sample> samples;
  const auto begin = std::chrono::steady_clock::now();
  const auto late = [&] {
    return std::chrono::steady_clock::now() - begin >
           std::chrono::duration<double>(seconds);
  };
  Sample batch[kSlots];
  bool warm = false;
  while (samples.size() < kLeast || (!late() && samples.size() < kMost)) {
    for (size_t slot = 0; slot < kSlots; ++slot) {
      batch[slot].fixed = random() % 2 == 0;
      prepare(slot, batch[slot].fixed, random);
    }
    for (size_t slot = 0; slot < kSlots; ++slot) {
      const uint64_t start = Now();
      call(slot);
      batch[slot].time = Now() - start;
    }
    if (warm) samples.insert(samples.end(), batch, batch + kSlots);
    warm = true;
  }
  return {LargestT(samples), samples.size()};
}

}  // namespace assay::timing
