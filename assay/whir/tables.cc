// Records the kernels that fold a table and weigh its claims.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/tables.h"

#include <algorithm>

#include "assay/base/bits.h"
#include "assay/ops/fold/fold.h"
#include "assay/ops/fold/fold_kernels.h"
#include "assay/ops/sumcheck/sumcheck_kernels.h"
#include "assay/whir/point.h"

namespace assay::whir {
namespace {

// Variables of the low part of a product weight: its planes stay in the first
// cache while long runs amortise the product with the high part.
constexpr int kMaxLogLow = 10;

// eq(point, .) * scale as a product weight on the device.
struct ProductWeight {
  uint32_t log_low = 0;
  uint32_t log_high = 0;
  Buffer low;
  Buffer high;

  static Result<ProductWeight> Make(Device& device, std::span<const Ext4> point,
                                    const Ext4& scale) {
    ProductWeight weight;
    const int low_variables =
        std::min(kMaxLogLow, static_cast<int>(point.size()));
    const size_t high_variables = point.size() - low_variables;
    weight.log_low = static_cast<uint32_t>(low_variables);
    weight.log_high = static_cast<uint32_t>(high_variables);
    std::vector<Ext4> high = fold::EqWeights(point.first(high_variables));
    for (Ext4& x : high) x *= scale;
    const std::vector<Ext4> low =
        fold::EqWeights(point.subspan(high_variables));
    std::vector<BabyBear> planes(4 * low.size());
    for (size_t i = 0; i < low.size(); ++i) {
      for (size_t l = 0; l < 4; ++l) planes[l * low.size() + i] = low[i].c[l];
    }
    ASSAY_ASSIGN(low_buffer,
                 device.AllocateArray<BabyBear>(planes.size(), "weights"));
    ASSAY_ASSIGN(high_buffer,
                 device.AllocateArray<Ext4>(high.size(), "weights"));
    ASSAY_TRY(device.Upload(low_buffer.As<BabyBear>(),
                            std::span<const BabyBear>(planes)));
    ASSAY_TRY(
        device.Upload(high_buffer.As<Ext4>(), std::span<const Ext4>(high)));
    weight.low = std::move(low_buffer);
    weight.high = std::move(high_buffer);
    return weight;
  }
};

RoundMessage ToMessage(const Readback<Ext4>& words) {
  return {words.values()[0], words.values()[1]};
}

}  // namespace

Result<BaseTable> BaseTable::Make(Device& device,
                                  std::span<const BabyBear> evals,
                                  int variables, Order order) {
  BaseTable base;
  base.variables_ = variables;
  base.order_ = order;
  ASSAY_ASSIGN(table,
               device.AllocateArray<BabyBear>(evals.size(), "evaluations"));
  ASSAY_TRY(device.Upload(table.As<BabyBear>(), evals));
  if (order == Order::kSuffix) {
    Recorder recorder = device.Record("upload");
    recorder.Dispatch<FoldReverse>({table.As<BabyBear>().raw},
                                   {static_cast<uint32_t>(variables), {}});
    ASSAY_TRY(device.Run(std::move(recorder)));
  }
  base.table_ = std::move(table);
  return base;
}

Point BaseTable::Ordered(Point point) const {
  return InTableOrder(std::move(point), order_);
}

Result<std::vector<Ext4>> BaseTable::PartialSums(Device& device,
                                                 const Point& point, int fold) {
  ASSAY_ASSIGN(
      weight,
      ProductWeight::Make(device, std::span(point).subspan(fold), Ext4::One()));
  const uint32_t blocks = 1u << fold;
  ASSAY_ASSIGN(sums, device.AllocateArray<Ext4>(blocks, "sums"));
  Recorder recorder = device.Record("claims");
  recorder.Dispatch<SumcheckPartial>(
      {view().raw, weight.low.As<BabyBear>().raw, weight.high.As<Ext4>().raw,
       sums.As<Ext4>().raw},
      {blocks, weight.log_low, weight.log_high, 0});
  const Readback<Ext4> values = recorder.Read(sums.As<Ext4>());
  ASSAY_TRY(device.Run(std::move(recorder)));
  return values.values();
}

Result<FoldedTables> FoldedTables::Make(Device& device, const BaseTable& base,
                                        std::span<const Ext4> challenges,
                                        int variables, Order order) {
  FoldedTables tables;
  tables.variables_ = variables;
  tables.stride_ = 1u << variables;
  tables.order_ = order;
  const std::vector<Ext4> weights = fold::EqWeights(challenges);
  ASSAY_ASSIGN(factors, device.AllocateArray<Ext4>(weights.size(), "weights"));
  ASSAY_TRY(device.Upload(factors.As<Ext4>(), std::span<const Ext4>(weights)));
  ASSAY_ASSIGN(f, device.AllocateArray<Ext4>(tables.stride_, "table"));
  ASSAY_ASSIGN(message, device.AllocateArray<Ext4>(2, "message"));
  Recorder recorder = device.Record("first fold");
  recorder.Dispatch<FoldBase>(
      {base.view().raw, factors.As<Ext4>().raw, f.As<BabyBear>().raw},
      {static_cast<uint32_t>(challenges.size()),
       static_cast<uint32_t>(variables), tables.stride_, 0});
  ASSAY_TRY(device.Run(std::move(recorder)));
  tables.f_ = std::move(f);
  tables.message_ = std::move(message);
  return tables;
}

Status FoldedTables::AddPoint(Device& device, std::span<const Ext4> point,
                              const Ext4& scale, std::string_view stage) {
  if (!w_) {
    ASSAY_ASSIGN(w, device.AllocateArray<Ext4>(stride_, "weights table"));
    w_ = std::move(w);
  }
  ASSAY_ASSIGN(weight, ProductWeight::Make(device, point, scale));
  Recorder recorder = device.Record(stage);
  recorder.Dispatch<FoldEq>(
      {weight.low.As<BabyBear>().raw, weight.high.As<Ext4>().raw,
       w_.As<BabyBear>().raw},
      {weight.log_low, weight.log_high, stride_, weighted_ ? 1u : 0u});
  weighted_ = true;
  return device.Run(std::move(recorder));
}

Status FoldedTables::AddPowers(Device& device, std::span<const BabyBear> ys,
                               std::span<const Ext4> coefficients,
                               std::string_view stage) {
  ASSAY_ASSIGN(y, device.AllocateArray<BabyBear>(ys.size(), "weights"));
  ASSAY_ASSIGN(c, device.AllocateArray<Ext4>(coefficients.size(), "weights"));
  ASSAY_TRY(device.Upload(y.As<BabyBear>(), ys));
  ASSAY_TRY(device.Upload(c.As<Ext4>(), coefficients));
  Recorder recorder = device.Record(stage);
  recorder.Dispatch<FoldSelect>(
      {y.As<BabyBear>().raw, c.As<Ext4>().raw, w_.As<BabyBear>().raw},
      {static_cast<uint32_t>(ys.size()), static_cast<uint32_t>(variables_),
       stride_, order_ == Order::kSuffix ? 1u : 0u});
  return device.Run(std::move(recorder));
}

Result<Ext4> FoldedTables::Evaluate(Device& device, Point point,
                                    std::string_view stage) {
  ASSAY_ASSIGN(
      weight, ProductWeight::Make(
                  device, InTableOrder(std::move(point), order_), Ext4::One()));
  Recorder recorder = device.Record(stage);
  const View<Ext4> out = message_.As<Ext4>().Sub(0, 1);
  recorder.Dispatch<SumcheckEvaluate>(
      {f().raw, weight.low.As<BabyBear>().raw, weight.high.As<Ext4>().raw,
       out.raw},
      {stride_, weight.log_low, weight.log_high, 0});
  const Readback<Ext4> value = recorder.Read(out);
  ASSAY_TRY(device.Run(std::move(recorder)));
  return *value;
}

Result<RoundMessage> FoldedTables::Measure(Device& device,
                                           std::string_view stage) {
  Recorder recorder = device.Record(stage);
  recorder.Dispatch<SumcheckRound>(
      {f().raw, w_.As<BabyBear>().raw, message_.As<Ext4>().raw},
      {stride_, stride_, static_cast<uint32_t>(variables_), 0});
  const Readback<Ext4> words = recorder.Read(message_.As<Ext4>());
  ASSAY_TRY(device.Run(std::move(recorder)));
  return ToMessage(words);
}

Result<RoundMessage> FoldedTables::Bind(Device& device, const Ext4& r,
                                        std::string_view stage) {
  Recorder recorder = device.Record(stage);
  SumcheckFold::Params params = {
      stride_, stride_, static_cast<uint32_t>(variables_), 0, {}};
  for (int l = 0; l < 4; ++l) params.r[l] = r.c[l].residue;
  recorder.Dispatch<SumcheckFold>(
      {f().raw, w_.As<BabyBear>().raw, message_.As<Ext4>().raw}, params);
  const Readback<Ext4> words = recorder.Read(message_.As<Ext4>());
  ASSAY_TRY(device.Run(std::move(recorder)));
  --variables_;
  return variables_ > 0 ? ToMessage(words) : RoundMessage{};
}

Result<std::vector<Ext4>> FoldedTables::Values(Device& device) {
  const size_t size = size_t{1} << variables_;
  std::vector<Ext4> values(size);
  std::vector<BabyBear> plane(size);
  for (size_t l = 0; l < 4; ++l) {
    ASSAY_TRY(
        device.Read(f().Sub(l * stride_, size), std::span<BabyBear>(plane)));
    for (size_t i = 0; i < size; ++i) {
      const size_t place =
          order_ == Order::kSuffix ? ReverseBits(i, variables_) : i;
      values[place].c[l] = plane[i];
    }
  }
  return values;
}

uint64_t FoldedTables::ScratchBytes(int variables, uint64_t queries) {
  const int low = std::min(kMaxLogLow, variables);
  const uint64_t weight = sizeof(Ext4) * ((uint64_t{1} << low) +
                                          (uint64_t{1} << (variables - low)));
  const uint64_t powers = queries * (sizeof(Ext4) + sizeof(BabyBear));
  return std::max(weight, powers) + 2 * sizeof(Ext4);
}

}  // namespace assay::whir
