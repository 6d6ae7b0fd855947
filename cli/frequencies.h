// Reads the frequencies of a sweep: a range in steps, or a list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"

namespace assay::cli {

// Empty: not given.
struct FrequencyFlags {
  std::string from, to, points, list;
  bool log = false;
  bool dc = false;
};

template <class V>
void Describe(V& v, FrequencyFlags& f) {
  v.Text("from", f.from, "lowest frequency, e.g. 100MHz");
  v.Text("to", f.to, "highest frequency, e.g. 7GHz");
  v.Text("points", f.points, "how many frequencies (101)");
  v.Flag("log", f.log, "steps of equal ratio instead of equal size");
  v.Text("list", f.list, "these frequencies instead: 1GHz,2.4GHz");
  v.Flag("dc", f.dc, "0 Hz too: the resistive limit");
}

// The frequencies in hertz; they rise, and only --dc makes the first one 0.
// Fails with kInvalidInput, naming the flag.
Result<std::vector<double>> ReadFrequencies(const FrequencyFlags& flags);

// "1GHz,2.4GHz" in rising order. `flag` is for messages. Fails with
// kInvalidInput, also for a frequency that is there twice.
Result<std::vector<double>> ParseFrequencies(std::string_view flag,
                                             std::string_view text);

// "3.674 GHz", "DC": with so many digits at most (plot_axis.h).
std::string FrequencyText(double hz, int digits = 6);

}  // namespace assay::cli
