// Protects a file with parity shards, and makes files from shards again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/binary/shards.h"
#include "assay/runtime/runtime.h"
#include "cli/whir_options.h"

namespace assay::cli {

struct ProtectArgs {
  std::string file;
  reed_solomon::Scheme scheme = {reed_solomon::Kind::kVandermonde, 10, 4};
  std::string out = ".";
  RuntimeOptions runtime;
  bool json = false;
};

struct RepairArgs {
  std::vector<std::string> inputs;  // shards, or folders of them
  std::string out;
  std::string shards;  // a folder; empty: no shards are made again
  RuntimeOptions runtime;
  bool json = false;
};

// Writes DIR/NAME.III.shard for each shard III of the file NAME. Returns the
// exit status: 0 done, 1 error.
int RunProtect(const ProtectArgs& args);

// Writes the file again and says what was missing, damaged and rebuilt.
// Returns the exit status: 0 done, 1 error (too few shards, shards of two
// files): nothing is written then.
int RunRepair(const RepairArgs& args);

// "NAME.007.shard".
std::string ShardName(const std::string& name, int index);

template <class V>
void Describe(V& v, ProtectArgs& a) {
  v.Int("data", a.scheme.data, {1, reed_solomon::kMostShards - 1},
        "data shards: as many of all shards give the file back");
  v.Int("parity", a.scheme.parity, {1, reed_solomon::kMostShards - 1},
        "parity shards: as many may be lost");
  v.Enum("matrix", a.scheme.kind,
         {{"vandermonde", reed_solomon::Kind::kVandermonde},
          {"cauchy", reed_solomon::Kind::kCauchy}},
         "the code: klauspost's and Backblaze's default, or ISA-L's cauchy1");
  v.Text("out", a.out, "the folder of the shards, made where it is missing");
  Describe(v, a.runtime);
  v.Flag("json", a.json, "answer in JSON");
}

template <class V>
void Describe(V& v, RepairArgs& a) {
  v.Text("out", a.out, "where the file goes");
  v.Text("shards", a.shards,
         "the folder where lost shards are written again, if wanted");
  Describe(v, a.runtime);
  v.Flag("json", a.json, "answer in JSON");
}

}  // namespace assay::cli
