// Counts by the formulas of the kernels' headers, and times two kernels.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/work.h"

#include <algorithm>
#include <string>

#include "assay/ops/fold/fold_kernels.h"
#include "assay/ops/grind/grind_kernels.h"
#include "assay/ops/merkle/merkle_kernels.h"
#include "assay/ops/ntt/ntt_kernels.h"
#include "assay/ops/poseidon2/poseidon2_kernels.h"
#include "assay/ops/sumcheck/sumcheck_kernels.h"
#include "assay/ops/xor_sum/xor_sum_kernels.h"
#include "assay/whir/code_shapes.h"

namespace assay::whir {
namespace {

constexpr uint64_t kPermutation = 564;
constexpr uint64_t kProduct = 16;  // of two extension elements, in base ones
constexpr uint64_t kWords = 4;     // of an extension element

class Sum {
 public:
  template <class K>
  void Add(uint64_t bytes, uint64_t products) {
    const auto same = [](const KernelWork& work) {
      return work.kernel == K::kName;
    };
    auto found = std::find_if(works_.begin(), works_.end(), same);
    if (found == works_.end()) {
      works_.push_back({K::kName});
      found = works_.end() - 1;
    }
    found->bytes += bytes;
    found->products += products;
  }

  void Commit(const CodeShape& shape) {
    const uint64_t rows = uint64_t{1} << shape.log_rows;
    const uint64_t columns = shape.Columns();
    Add<NttEncode>(
        (columns * 4 << shape.log_message) + 4 * columns * rows,
        columns * rows / 2 * static_cast<uint64_t>(shape.log_message));
    Add<MerkleLeaves>(4 * columns * rows + 32 * rows,
                      kPermutation * ((columns + 7) / 8) * rows);
    Add<MerkleTree>(2 * 32 * rows, kPermutation * (rows - 1));
  }
  void Weights(uint64_t entries, uint64_t claims, bool first) {
    if (claims == 0) return;
    Add<FoldEq>((2 * claims - (first ? 1 : 0)) * 4 * kWords * entries,
                claims * kProduct * entries);
  }
  // Measures, and binds all but the last variable while measuring.
  void Rounds(int variables, int rounds) {
    for (int i = 0; i < rounds; ++i) {
      const uint64_t entries = uint64_t{1} << (variables - i);
      if (i == 0) {
        Add<SumcheckRound>(2 * 4 * kWords * entries, kProduct * entries);
      }
      Add<SumcheckFold>(3 * 4 * kWords * entries, kProduct * entries * 3 / 2);
    }
  }
  std::vector<KernelWork> Take() { return std::move(works_); }

 private:
  std::vector<KernelWork> works_;
};

}  // namespace

std::vector<KernelWork> WorkOf(const Plan& plan) {
  const Schedule& schedule = plan.schedule;
  const Parameters& parameters = schedule.parameters;
  const std::vector<CodeShape> shapes = CodeShapes(schedule);
  const uint64_t size = uint64_t{1} << parameters.n;
  const uint64_t claims = static_cast<uint64_t>(parameters.points) +
                          static_cast<uint64_t>(schedule.commitment_ood);
  const int variables = parameters.n - schedule.first_fold;
  const auto apart = [&](int left) {
    return left > plan.placement.host_variables;
  };
  Sum sum;
  const uint64_t twiddles = uint64_t{1} << LogTwiddles(shapes);
  sum.Add<NttTwiddles>(4 * twiddles, twiddles);
  sum.Commit(shapes[0]);
  sum.Add<SumcheckPartial>(4 * size * claims, kWords * size * claims);
  sum.Add<FoldBase>(4 * size + (4 * kWords << variables), kWords * size);
  if (apart(variables)) sum.Weights(uint64_t{1} << variables, claims, true);
  const auto grind = [&](int bits) {
    if (bits > plan.placement.host_grind_bits && bits > 0) {
      sum.Add<Grind>(0, kPermutation << bits);
    }
  };
  for (size_t i = 0; i < schedule.rounds.size(); ++i) {
    const Round& round = schedule.rounds[i];
    sum.Commit(shapes[i + 1]);
    grind(round.pow);
    // The round that hands the tables over still reads them.
    if (!apart(round.variables)) continue;
    const uint64_t entries = uint64_t{1} << round.variables;
    const uint64_t ood = static_cast<uint64_t>(round.ood);
    if (ood > 0) {
      sum.Add<SumcheckEvaluate>(ood * 4 * kWords * entries,
                                ood * kProduct * entries);
    }
    sum.Weights(entries, ood, false);
    sum.Add<FoldSelect>(2 * 4 * kWords * entries,
                        (kWords + 1) * entries * round.Openings());
    sum.Rounds(round.variables, round.fold);
  }
  grind(schedule.final.pow);
  return sum.Take();
}

namespace {

// The least time of a kernel over some runs, in its own clock.
Result<double> LeastSeconds(Device& device, const Recorder& recorder) {
  constexpr int kRuns = 5;
  int64_t least_ns = INT64_MAX;
  for (int run = 0; run < kRuns; ++run) {
    Trace trace;
    device.CollectSpans(trace);
    Trace measured;
    Recorder copy = recorder;
    ASSAY_TRY(device.Run(std::move(copy)));
    device.CollectSpans(measured);
    int64_t sum_ns = 0;
    for (const Span& span : measured.spans()) sum_ns += span.duration_ns;
    least_ns = std::min(least_ns, std::max<int64_t>(sum_ns, 1));
  }
  return static_cast<double>(least_ns) * 1e-9;
}

}  // namespace

Result<Roofs> MeasureRoofs(Device& device) {
  Roofs roofs;
  {
    const Budget& budget = device.budget();
    uint64_t bytes = uint64_t{1} << 30;
    const uint64_t most =
        std::min((budget.limit_bytes() - budget.live_bytes()) / 2,
                 device.info().max_binding_bytes);
    while (bytes > most) bytes /= 2;
    ASSAY_ASSIGN(data, device.Allocate(bytes, "roof"));
    ASSAY_ASSIGN(out, device.Allocate(16, "roof"));
    Recorder recorder = device.Record("roof");
    RecordXorSum(recorder, data.As<uint8_t>(), out.As<uint8_t>());
    ASSAY_ASSIGN(seconds, LeastSeconds(device, recorder));
    roofs.bytes_per_s = static_cast<double>(bytes) / seconds;
  }
  constexpr uint32_t kStates = 1 << 20;
  ASSAY_ASSIGN(states,
               device.AllocateArray<uint32_t>(size_t{16} * kStates, "roof"));
  Recorder recorder = device.Record("roof");
  recorder.Dispatch<Poseidon2Permute>({states.As<uint32_t>().raw},
                                      {kStates, {}});
  ASSAY_ASSIGN(seconds, LeastSeconds(device, recorder));
  roofs.products_per_s = double{kStates} * kPermutation / seconds;
  return roofs;
}

}  // namespace assay::whir
