// Records the kernels that fold a table and weigh its claims.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/tables.h"

#include <algorithm>
#include <utility>

#include "assay/base/bits.h"
#include "assay/ops/fold/fold.h"
#include "assay/ops/fold/fold_kernels.h"
#include "assay/ops/sumcheck/sumcheck_kernels.h"
#include "assay/whir/point.h"

namespace assay::whir {
namespace {

// Variables of the low part of a product weight: its planes stay in the first
// cache while long runs amortise the product with the high part. On a GPU,
// where it is the host that is waited for while it makes them, both parts have
// the same size.
constexpr int kMaxLogLow = 10;

int LogLow(int variables, bool host) {
  return std::min(kMaxLogLow, host ? variables : (variables + 1) / 2);
}

// eq(point, .) * scale as a product weight of a batch.
struct ProductWeight {
  uint32_t log_low = 0;
  uint32_t log_high = 0;
  View<BabyBear> low;
  View<Ext4> high;

  ProductWeight(Batch& batch, std::span<const Ext4> point, const Ext4& scale) {
    const int low_variables =
        LogLow(static_cast<int>(point.size()),
               batch.device().info().kind == BackendKind::kCpu);
    const size_t high_variables = point.size() - low_variables;
    log_low = static_cast<uint32_t>(low_variables);
    log_high = static_cast<uint32_t>(high_variables);
    std::vector<Ext4> products = fold::EqWeights(point.first(high_variables));
    for (Ext4& x : products) x *= scale;
    const std::vector<Ext4> factors =
        fold::EqWeights(point.subspan(high_variables));
    std::vector<BabyBear> planes(4 * factors.size());
    for (size_t i = 0; i < factors.size(); ++i) {
      for (size_t l = 0; l < 4; ++l) {
        planes[l * factors.size() + i] = factors[i].c[l];
      }
    }
    low = batch.Put(std::span<const BabyBear>(planes));
    high = batch.Put(std::span<const Ext4>(products));
  }

  // For any device: the host's parts are the larger ones.
  static uint64_t Bytes(int variables) {
    const int low = LogLow(variables, /*host=*/true);
    return Room(sizeof(Ext4) << low) + Room(sizeof(Ext4) << (variables - low));
  }
};

}  // namespace

Result<BaseTable> BaseTable::Make(Batch& batch, std::span<const BabyBear> evals,
                                  int variables, Order order) {
  BaseTable base;
  base.variables_ = variables;
  base.order_ = order;
  Device& device = batch.device();
  ASSAY_ASSIGN(table,
               device.AllocateArray<BabyBear>(evals.size(), "evaluations"));
  ASSAY_TRY(device.Upload(table.As<BabyBear>(), evals));
  if (order == Order::kSuffix) {
    batch.Dispatch<FoldReverse>({table.As<BabyBear>().raw},
                                {static_cast<uint32_t>(variables), {}});
  }
  base.table_ = std::move(table);
  return base;
}

Point BaseTable::Ordered(Point point) const {
  return InTableOrder(std::move(point), order_);
}

Readback<Ext4> BaseTable::PartialSums(Batch& batch, const Point& point,
                                      int fold) const {
  const ProductWeight weight(
      batch, std::span(point).subspan(static_cast<size_t>(fold)), Ext4::One());
  const uint32_t blocks = 1u << fold;
  const View<Ext4> sums = batch.Take<Ext4>(blocks);
  batch.Dispatch<SumcheckPartial>(
      {view().raw, weight.low.raw, weight.high.raw, sums.raw},
      {blocks, weight.log_low, weight.log_high, 0});
  return batch.Read(sums);
}

ScratchSize BaseTable::SumsScratch(int variables, int fold) {
  return {ProductWeight::Bytes(variables - fold), Room(sizeof(Ext4) << fold)};
}

Result<FoldedTables> FoldedTables::Make(Batch& batch, const BaseTable& base,
                                        std::span<const Ext4> challenges,
                                        int variables, Order order) {
  FoldedTables tables;
  tables.variables_ = variables;
  tables.stride_ = 1u << variables;
  tables.order_ = order;
  const std::vector<Ext4> weights = fold::EqWeights(challenges);
  const View<Ext4> factors = batch.Put(std::span<const Ext4>(weights));
  ASSAY_ASSIGN(f, batch.device().AllocateArray<Ext4>(tables.stride_, "table"));
  batch.Dispatch<FoldBase>(
      {base.view().raw, factors.raw, f.As<BabyBear>().raw},
      {static_cast<uint32_t>(challenges.size()),
       static_cast<uint32_t>(variables), tables.stride_, 0});
  tables.f_ = std::move(f);
  return tables;
}

Result<FoldedTables> FoldedTables::MoveTo(Device& device,
                                          const PendingTables& values) const {
  FoldedTables moved;
  moved.variables_ = variables_;
  moved.stride_ = 1u << variables_;
  moved.order_ = order_;
  moved.weighted_ = !values.w.empty();
  const auto place = [&](const std::vector<Readback<BabyBear>>& planes,
                         Buffer& table) -> Status {
    ASSAY_ASSIGN(buffer, device.AllocateArray<Ext4>(moved.stride_, "table"));
    for (size_t l = 0; l < planes.size(); ++l) {
      ASSAY_TRY(device.Upload(
          buffer.As<BabyBear>().Sub(l * moved.stride_, moved.stride_),
          std::span<const BabyBear>(planes[l].values())));
    }
    table = std::move(buffer);
    return {};
  };
  ASSAY_TRY(place(values.f, moved.f_));
  if (moved.weighted_) ASSAY_TRY(place(values.w, moved.w_));
  return moved;
}

View<BabyBear> FoldedTables::PutF(Batch& batch) const {
  const auto* words = reinterpret_cast<const BabyBear*>(f_.host_data());
  const auto plane = [&](size_t l) {
    return std::span(words + l * stride_, size_t{1} << variables_);
  };
  return batch.PutParts<BabyBear>({plane(0), plane(1), plane(2), plane(3)});
}

Status FoldedTables::AddPoint(Batch& batch, std::span<const Ext4> point,
                              const Ext4& scale) {
  if (!w_) {
    ASSAY_ASSIGN(w,
                 batch.device().AllocateArray<Ext4>(stride_, "weights table"));
    w_ = std::move(w);
  }
  const ProductWeight weight(batch, point, scale);
  batch.Dispatch<FoldEq>(
      {weight.low.raw, weight.high.raw, w_.As<BabyBear>().raw},
      {weight.log_low, weight.log_high, stride_, weighted_ ? 1u : 0u});
  weighted_ = true;
  return {};
}

void FoldedTables::AddPowers(Batch& batch, std::span<const BabyBear> ys,
                             std::span<const Ext4> coefficients) {
  const View<BabyBear> y = batch.Put(ys);
  const View<Ext4> c = batch.Put(coefficients);
  batch.Dispatch<FoldSelect>(
      {y.raw, c.raw, w_.As<BabyBear>().raw},
      {static_cast<uint32_t>(ys.size()), static_cast<uint32_t>(variables_),
       stride_, order_ == Order::kSuffix ? 1u : 0u});
}

Readback<Ext4> FoldedTables::Evaluate(Batch& batch, Point point) const {
  const ProductWeight weight(batch, InTableOrder(std::move(point), order_),
                             Ext4::One());
  const View<Ext4> out = batch.Take<Ext4>(1);
  batch.Dispatch<SumcheckEvaluate>(
      {f().raw, weight.low.raw, weight.high.raw, out.raw},
      {stride_, weight.log_low, weight.log_high, 0});
  return batch.Read(out);
}

PendingMessage FoldedTables::Measure(Batch& batch) const {
  const View<Ext4> message = batch.Take<Ext4>(2);
  batch.Dispatch<SumcheckRound>(
      {f().raw, w_.As<BabyBear>().raw, message.raw},
      {stride_, stride_, static_cast<uint32_t>(variables_), 0});
  return PendingMessage(batch.Read(message));
}

PendingMessage FoldedTables::Bind(Batch& batch, const Ext4& r) {
  const View<Ext4> message = batch.Take<Ext4>(2);
  SumcheckFold::Params params = {
      stride_, stride_, static_cast<uint32_t>(variables_), 0, {}};
  for (int l = 0; l < 4; ++l) params.r[l] = r.c[l].residue;
  batch.Dispatch<SumcheckFold>({f().raw, w_.As<BabyBear>().raw, message.raw},
                               params);
  --variables_;
  return PendingMessage(batch.Read(message));
}

std::vector<Readback<BabyBear>> FoldedTables::ReadPlanes(
    Batch& batch, const Buffer& table) const {
  std::vector<Readback<BabyBear>> planes;
  for (size_t l = 0; l < 4; ++l) {
    planes.push_back(batch.Read(
        table.As<BabyBear>().Sub(l * stride_, size_t{1} << variables_)));
  }
  return planes;
}

PendingTables FoldedTables::Read(Batch& batch) const {
  PendingTables read;
  read.f = ReadPlanes(batch, f_);
  if (weighted_) read.w = ReadPlanes(batch, w_);
  return read;
}

std::vector<Ext4> FoldedTables::Values(const PendingTables& read) const {
  std::vector<Ext4> values(size_t{1} << variables_);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t place =
        order_ == Order::kSuffix ? ReverseBits(i, variables_) : i;
    for (size_t l = 0; l < 4; ++l) {
      values[place].c[l] = read.f[l].values()[i];
    }
  }
  return values;
}

ScratchSize FoldedTables::PointScratch(int variables) {
  return {ProductWeight::Bytes(variables), 0};
}

ScratchSize FoldedTables::PowersScratch(uint64_t count) {
  return {Room(count * sizeof(BabyBear)) + Room(count * sizeof(Ext4)), 0};
}

ScratchSize FoldedTables::FoldScratch(int fold) {
  return {Room(sizeof(Ext4) << fold), 0};
}

ScratchSize FoldedTables::PutScratch(int variables) {
  return {Room(sizeof(Ext4) << variables), 0};
}

}  // namespace assay::whir
