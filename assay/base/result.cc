// The names of the error codes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/result.h"

namespace assay {

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kInvalidInput: return "invalid input";
    case Code::kOverBudget: return "over budget";
    case Code::kNoDevice: return "no device";
    case Code::kDeviceLost: return "device lost";
    case Code::kUntrusted: return "untrusted device";
    case Code::kUnsupported: return "unsupported";
    case Code::kCancelled: return "cancelled";
    case Code::kCorrupt: return "corrupt";
    case Code::kIo: return "input/output";
    case Code::kInternal: return "internal";
  }
  return "unknown";
}

}  // namespace assay
