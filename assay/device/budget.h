// How many bytes a device may hold, and how many it does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace assay {

// Counts live bytes by label. Not thread-safe, like the Device it belongs to.
class Budget {
 public:
  explicit Budget(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  uint64_t limit_bytes() const { return limit_bytes_; }
  uint64_t live_bytes() const { return live_bytes_; }
  uint64_t peak_bytes() const { return peak_bytes_; }
  const std::map<std::string, uint64_t, std::less<>>& by_label() const {
    return by_label_;
  }

  bool Fits(uint64_t bytes) const {
    return bytes <= limit_bytes_ && live_bytes_ <= limit_bytes_ - bytes;
  }
  void Take(std::string_view label, uint64_t bytes) {
    live_bytes_ += bytes;
    peak_bytes_ = std::max(peak_bytes_, live_bytes_);
    by_label_[std::string(label)] += bytes;
  }
  void Give(std::string_view label, uint64_t bytes) {
    live_bytes_ -= bytes;
    const auto it = by_label_.find(label);
    if (it != by_label_.end() && (it->second -= bytes) == 0)
      by_label_.erase(it);
  }
  void ResetPeak() { peak_bytes_ = live_bytes_; }

 private:
  uint64_t limit_bytes_;
  uint64_t live_bytes_ = 0;
  uint64_t peak_bytes_ = 0;
  std::map<std::string, uint64_t, std::less<>> by_label_;
};

}  // namespace assay
