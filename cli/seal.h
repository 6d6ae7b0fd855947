// Seals files under a key, and opens them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "assay/binary/seal_format.h"

namespace assay::cli {

struct SealArgs {
  std::string file;  // "-": standard input
  std::string key_file;
  std::string out;  // "-": standard output
  std::string aad;  // hexadecimal
  binary::SegmentSize segment = binary::SegmentSize::k1MB;
  int threads = 0;
  bool json = false;
};

struct OpenArgs : SealArgs {
  std::string range;  // "A:B"
};

// What is written appears in its place only when it is complete. Each returns
// the exit status: 0 done, 1 error, 2 for a file that does not open; then
// nothing is written.
int RunSeal(const SealArgs& args);
int RunOpen(const OpenArgs& args);

template <class V>
void Describe(V& v, SealArgs& a) {
  v.Text("key-file", a.key_file, "the key: 32 bytes or 64 hexadecimal digits");
  v.Text("out", a.out, "where the result goes, - for standard output");
  v.Text("aad", a.aad, "what the file is bound to, hexadecimal; not stored");
  v.Enum(
      "segment", a.segment,
      {{"1MB", binary::SegmentSize::k1MB}, {"4KB", binary::SegmentSize::k4KB}},
      "bytes of a segment; belongs to the key and is not stored");
  v.Int("threads", a.threads, {0, 1024}, "worker threads (0: all there are)");
  v.Flag("json", a.json, "answer in JSON");
}

template <class V>
void Describe(V& v, OpenArgs& a) {
  Describe(v, static_cast<SealArgs&>(a));
  v.Text("range", a.range, "only bytes A up to B, as A:B, A: or :B");
}

}  // namespace assay::cli
