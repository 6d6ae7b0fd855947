// Makes keys for sealed files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "assay/binary/seal_format.h"

namespace assay::cli {

struct KeygenArgs {
  std::string out;
  std::string key_file;
  bool tink = false;
  binary::SegmentSize segment = binary::SegmentSize::k1MB;
};

// Writes 32 random bytes to a new file that its owner alone can read; never
// over a file that exists. Returns the exit status: 0 done, 1 error.
int RunKeygen(const KeygenArgs& args);

template <class V>
void Describe(V& v, KeygenArgs& a) {
  v.Text("out", a.out, "where the new key goes; must not exist");
  v.Text("key-file", a.key_file, "with --tink: a key that exists already");
  v.Flag("tink", a.tink,
         "print the key as Tink's keyset, which is as secret as the key");
  v.Enum(
      "segment", a.segment,
      {{"1MB", binary::SegmentSize::k1MB}, {"4KB", binary::SegmentSize::k4KB}},
      "with --tink: the segment size that the keyset states");
}

}  // namespace assay::cli
