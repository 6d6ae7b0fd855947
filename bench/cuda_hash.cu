// Poseidon2 on a GPU: states, leaves, trees and grinding, checked and timed.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "assay/ops/grind/grind.h"
#include "assay/ops/grind/grind_kernels.h"
#include "assay/ops/merkle/merkle_kernels.h"
#include "assay/ops/op.h"
#include "assay/ops/poseidon2/poseidon2.h"
#include "assay/ops/poseidon2/poseidon2_kernels.h"
#include "bench/cuda_measure.h"
#include "bench/merkle_ladder.h"

namespace assay::bench {
namespace {

using poseidon2::Digest;

constexpr int kSamples = 50;

__global__ void BelowPrime(uint32_t* words, size_t count) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += step) {
    words[i] &= 0x3fffffff;
  }
}

Buffer Residues(Device& device, size_t count) {
  Buffer buffer = Filled(device, 4 * count);
  BelowPrime<<<132 * 8, 256>>>(static_cast<uint32_t*>(PointerOf(buffer)),
                               count);
  cudaDeviceSynchronize();
  return buffer;
}

[[noreturn]] void Differ(const char* what, int log_size) {
  std::fprintf(stderr, "%s of 2^%d: not what the meaning says\n", what,
               log_size);
  std::exit(1);
}

void RunOrExit(Device& device,
               const std::function<void(Recorder&, int run)>& record) {
  Recorder recorder = device.Record("check");
  record(recorder, 0);
  if (device.Run(std::move(recorder)).ok()) return;
  std::fprintf(stderr, "a kernel failed\n");
  std::exit(1);
}

std::vector<uint32_t> Copied(const Buffer& buffer, size_t words) {
  std::vector<uint32_t> copy(words);
  cudaMemcpy(copy.data(), PointerOf(buffer), 4 * words, cudaMemcpyDeviceToHost);
  return copy;
}

// Digest i of a layer of `size` digests.
Digest At(const uint32_t* layer, size_t size, size_t i) {
  Digest digest;
  for (size_t j = 0; j < 8; ++j) {
    digest[j] = BabyBear::FromResidue(layer[j * size + i]);
  }
  return digest;
}

// Places from the first to the last one, all of them where they are few.
std::vector<size_t> Places(size_t size) {
  std::vector<size_t> places;
  for (size_t k = 0; k < std::min<size_t>(size, kSamples); ++k) {
    places.push_back(size <= kSamples ? k : k * (size - 1) / (kSamples - 1));
  }
  return places;
}

void CheckLeaves(const Buffer& matrix, const Buffer& tree, int log_rows,
                 uint32_t columns) {
  const size_t rows = size_t{1} << log_rows;
  const auto words = Copied(matrix, rows * columns);
  const auto digests = Copied(tree, rows * 8);
  for (const size_t i : Places(rows)) {
    std::vector<BabyBear> row;
    for (size_t c = 0; c < columns; ++c) {
      row.push_back(BabyBear::FromResidue(words[c * rows + i]));
    }
    if (poseidon2::HashRow(row) != At(digests.data(), rows, i)) {
      Differ("leaves", log_rows);
    }
  }
}

// Parents are compressed pairs, in every layer.
void CheckTree(const Buffer& tree, int log_leaves) {
  const auto words = Copied(tree, MerkleTreeWords(log_leaves));
  const uint32_t* layer = words.data();
  for (size_t size = size_t{1} << log_leaves; size > 1; size /= 2) {
    const uint32_t* parents = layer + 8 * size;
    for (const size_t i : Places(size / 2)) {
      if (poseidon2::Compress(At(layer, size, 2 * i),
                              At(layer, size, 2 * i + 1)) !=
          At(parents, size / 2, i)) {
        Differ("a tree", log_leaves);
      }
    }
    layer = parents;
  }
}

void Print(const char* what, const Times& t, double permutations) {
  std::printf("%s: alone %.1f us, queued %.1f us, %.3f G perm/s\n", what,
              t.alone * 1e6, t.queued * 1e6, permutations / t.queued / 1e9);
  std::fflush(stdout);
}

void BenchLeaves(Device& device, const Buffer& matrix, const Buffer& tree,
                 int log_rows, uint32_t columns) {
  const auto record = [&](Recorder& recorder, int /*run*/) {
    recorder.Dispatch<MerkleLeaves>(
        {matrix.As<uint32_t>().raw, tree.As<uint32_t>().raw},
        {static_cast<uint32_t>(log_rows), columns, {}});
  };
  RunOrExit(device, record);
  CheckLeaves(matrix, tree, log_rows, columns);
  char what[64];
  std::snprintf(what, sizeof what, "leaves 2^%d x %u", log_rows, columns);
  Print(what, Measure(device, record),
        static_cast<double>((columns + 7) / 8) *
            static_cast<double>(size_t{1} << log_rows));
}

void BenchTree(Device& device, const Buffer& tree, int log_leaves) {
  const auto record = [&](Recorder& recorder, int /*run*/) {
    recorder.Dispatch<MerkleTree>({tree.As<uint32_t>().raw},
                                  {static_cast<uint32_t>(log_leaves), {}});
  };
  RunOrExit(device, record);
  CheckTree(tree, log_leaves);
  char what[64];
  std::snprintf(what, sizeof what, "tree 2^%d", log_leaves);
  Print(what, Measure(device, record),
        static_cast<double>((size_t{1} << log_leaves) - 1));
}

// The forms that were not kept: equal digests, and their times.
void BenchLadder(Device& device, const Buffer& matrix, const Buffer& tree,
                 int log_rows, uint32_t columns) {
  const Buffer other = Residues(device, MerkleTreeWords(log_rows));
  const LadderTree ladder = {static_cast<const uint32_t*>(PointerOf(matrix)),
                             static_cast<uint32_t*>(PointerOf(other)), log_rows,
                             columns};
  RunOrExit(device, [&](Recorder& recorder, int /*run*/) {
    const auto log = static_cast<uint32_t>(log_rows);
    recorder.Dispatch<MerkleLeaves>(
        {matrix.As<uint32_t>().raw, tree.As<uint32_t>().raw},
        {log, columns, {}});
    recorder.Dispatch<MerkleTree>({tree.As<uint32_t>().raw}, {log, {}});
  });
  const size_t words = MerkleTreeWords(log_rows);
  const size_t leaf_words = size_t{8} << log_rows;
  const auto expected = Copied(tree, words);
  struct Form {
    const char* name;
    void (*launch)(const LadderTree&);
    size_t words;
  };
  for (const Form& form :
       {Form{"leaves plainly", LaunchPlainLeaves, leaf_words},
        {"leaves, two a thread", LaunchPairedLeaves, leaf_words},
        {"leaves, four lanes each", LaunchShuffledLeaves, leaf_words},
        {"tree, a launch a layer", LaunchLayerByLayer, words}}) {
    // A tree stands on the leaves of the form before it.
    cudaMemset(PointerOf(other), 0, form.words == words ? 0 : 4 * words);
    form.launch(ladder);
    const auto found = Copied(other, form.words);
    if (!std::equal(found.begin(), found.end(), expected.begin())) {
      Differ(form.name, log_rows);
    }
    const double seconds =
        MeasureLaunch([&](int /*run*/) { form.launch(ladder); });
    const double rows = static_cast<double>(size_t{1} << log_rows);
    std::printf("2^%d x %u %s: %.1f us, %.3f G perm/s\n", log_rows, columns,
                form.name, seconds * 1e6,
                rows * (form.words == words ? 1 : columns / 8) / seconds / 1e9);
  }
}

// The mean over many searches, since each has its own length.
void BenchGrind(Device& device, uint32_t bits) {
  constexpr int kSearches = 40;
  std::vector<double> seconds;
  double tried = 0, total = 0;
  const Buffer state = Residues(device, 16), out = Residues(device, 1);
  for (int k = 0; k < kSearches; ++k) {
    const auto words = RandomResidues(static_cast<uint64_t>(k) + 1, 16);
    cudaMemcpy(PointerOf(state), words.data(), 64, cudaMemcpyHostToDevice);
    Recorder recorder = device.Record("grind");
    recorder.Dispatch<Grind>({state.As<uint32_t>().raw, out.As<uint32_t>().raw},
                             {3, bits, 0, BabyBear::kPrime});
    if (!device.Run(std::move(recorder)).ok()) Differ("grinding", 0);
    Trace trace;
    device.CollectSpans(trace);
    const uint32_t found = Copied(out, 1)[0];
    poseidon2::State cells;
    for (size_t i = 0; i < 16; ++i) cells[i] = BabyBear::FromResidue(words[i]);
    // The whole search is compared where it is short.
    if (!grind::IsWitness(cells, 3, static_cast<int>(bits),
                          BabyBear::From(found)) ||
        (found < 20000 &&
         grind::SmallestWitness(cells, 3, static_cast<int>(bits), 0, 20000) !=
             found)) {
      Differ("grinding", static_cast<int>(bits));
    }
    seconds.push_back(static_cast<double>(trace.spans()[0].duration_ns) / 1e9);
    total += seconds.back();
    tried += found + 1;
  }
  std::printf(
      "grind %u bits: median %.1f us, mean %.1f us, %.0f candidates a search, "
      "%.3f G/s\n",
      bits, Median(seconds) * 1e6, total / kSearches * 1e6, tried / kSearches,
      tried / total / 1e9);
}

}  // namespace

void BenchHash(Device& device) {
  constexpr int kMostLog = 22;
  const Buffer matrix = Residues(device, size_t{1} << (kMostLog + 5));
  const Buffer tree = Residues(device, MerkleTreeWords(kMostLog));
  for (const int log : {10, 14, 17, 21, 22}) {
    char what[64];
    std::snprintf(what, sizeof what, "states 2^%d", log);
    Print(what,
          Measure(device,
                  [&](Recorder& recorder, int /*run*/) {
                    recorder.Dispatch<Poseidon2Permute>(
                        {matrix.As<uint32_t>().raw}, {1u << log, {}});
                  }),
          static_cast<double>(size_t{1} << log));
  }
  for (const int log : {18, 20, 21, 22}) {
    for (const uint32_t columns : {8, 16, 32}) {
      BenchLeaves(device, matrix, tree, log, columns);
    }
  }
  BenchLeaves(device, matrix, tree, 20, 64);
  for (const int log : {8, 10, 11, 12, 13, 14, 15, 16}) {
    BenchLeaves(device, matrix, tree, log, 64);
  }
  for (const int log :
       {1, 4, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22}) {
    BenchTree(device, tree, log);
  }
  for (const int log : {10, 13, 16, 21}) {
    BenchLadder(device, matrix, tree, log, 16);
  }
  for (const uint32_t bits : {10, 16, 18, 20, 22}) BenchGrind(device, bits);
}

}  // namespace assay::bench
