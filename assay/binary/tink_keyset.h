// A key of sealed files as Tink's keyset.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "assay/binary/seal_format.h"

namespace assay::binary {

// JSON that Tink's tools and libraries read as a streaming AEAD key
// (docs/engines/binary.md, section 4). It holds the key in clear: treat the
// text as the key itself.
std::string TinkKeyset(std::span<const uint8_t, kSealKeyBytes> key,
                       SegmentSize segment);

}  // namespace assay::binary
