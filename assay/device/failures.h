// Remembers which submissions failed, for whoever asks and as often as asked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "assay/base/result.h"

namespace assay {

// A backend finishes submissions in their order, whichever ticket is waited
// for: a failure is seen once, by somebody else as a rule. Failures are rare,
// so all are kept.
class Failures {
 public:
  // Does nothing where `status` is ok. The first error of a ticket stays.
  void Add(uint64_t ticket, const Status& status) {
    if (!status.ok()) failed_.emplace(ticket, status.error());
  }
  // Of one ticket, not of those before it.
  Status Of(uint64_t ticket) const {
    const auto found = failed_.find(ticket);
    if (found == failed_.end()) return {};
    return found->second;
  }

 private:
  std::map<uint64_t, Error> failed_;
};

}  // namespace assay
