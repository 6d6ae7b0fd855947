// Asks the system for random bytes, 256 at a time.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/random.h"

#include <unistd.h>

#include <algorithm>

namespace assay {

Status RandomBytes(std::span<uint8_t> bytes) {
  while (!bytes.empty()) {
    const size_t size = std::min<size_t>(bytes.size(), 256);
    if (getentropy(bytes.data(), size) != 0) {
      return Error{Code::kIo, "the system gives no random bytes", ""};
    }
    bytes = bytes.subspan(size);
  }
  return {};
}

}  // namespace assay
