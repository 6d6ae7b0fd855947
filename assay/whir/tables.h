// The table under proof and its weights, on a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/result.h"
#include "assay/device/device.h"
#include "assay/number/ext4.h"
#include "assay/whir/batch.h"
#include "assay/whir/options.h"
#include "assay/whir/verify.h"

namespace assay::whir {

// The two values of a round polynomial that a prover sends.
struct RoundMessage {
  Ext4 at_zero;
  Ext4 leading;
};

// What arrives once the batch that measured has been waited for.
class PendingMessage {
 public:
  explicit PendingMessage(Readback<Ext4> words) : words_(std::move(words)) {}
  RoundMessage operator*() const {
    return {words_.values()[0], words_.values()[1]};
  }

 private:
  Readback<Ext4> words_;
};

// The committed evaluations in the base field. SUFFIX order is PREFIX order
// on the table with its index bits reversed, so points are reversed on entry
// and nothing below knows of orders.
class BaseTable {
 public:
  // Uploads; `batch` puts the table in order.
  static Result<BaseTable> Make(Batch& batch, std::span<const BabyBear> evals,
                                int variables, Order order);

  // The sums over all but the top `fold` variables against eq of the point's
  // lower coordinates: 2^fold elements. A claim's first rounds and its value
  // come from them alone. One pass over the table. The point is in table
  // order.
  Readback<Ext4> PartialSums(Batch& batch, const Point& point, int fold) const;
  // Scratch for that.
  static ScratchSize SumsScratch(int variables, int fold);

  View<BabyBear> view() const { return table_.As<BabyBear>(); }
  void Release() { table_.Reset(); }
  // A point in the order of the device's table.
  Point Ordered(Point point) const;

 private:
  int variables_ = 0;
  Order order_ = Order::kPrefix;
  Buffer table_;
};

// The planes of f and W on their way to the host.
struct PendingTables {
  std::vector<Readback<BabyBear>> f, w;  // four each; w empty where W is
};

// After the first fold: table f and weights W over the extension, bound one
// variable at a time. Memory: 32 * 2^variables bytes. The batches of all calls
// are those of the device that the tables are on.
class FoldedTables {
 public:
  // f from the base table by the weights eq(challenges, .); W empty.
  static Result<FoldedTables> Make(Batch& batch, const BaseTable& base,
                                   std::span<const Ext4> challenges,
                                   int variables, Order order);
  // The same tables on another device, which is the host's processor.
  Result<FoldedTables> MoveTo(Device& device,
                              const PendingTables& values) const;

  int variables() const { return variables_; }
  uint32_t stride() const { return stride_; }
  View<BabyBear> f() const { return f_.As<BabyBear>(); }
  // f for kernels of a batch on another device; plane_stride 2^variables.
  View<BabyBear> PutF(Batch& batch) const;

  // W += scale * eq(point, .), for a point in table order.
  Status AddPoint(Batch& batch, std::span<const Ext4> point, const Ext4& scale);
  // W += sum_j coefficients[j] * (b -> ys[j]^b).
  void AddPowers(Batch& batch, std::span<const BabyBear> ys,
                 std::span<const Ext4> coefficients);
  // The value of f at `point`, in the statement's order.
  Readback<Ext4> Evaluate(Batch& batch, Point point) const;
  // The message of the next round.
  PendingMessage Measure(Batch& batch) const;
  // Binds the top variable and measures the round after it; the message is
  // undefined when one entry is left.
  PendingMessage Bind(Batch& batch, const Ext4& r);

  // The planes of f, and those of W.
  PendingTables Read(Batch& batch) const;
  // The 2^variables values of f in the statement's order, once they are here.
  std::vector<Ext4> Values(const PendingTables& read) const;

  // Scratch of the calls.
  static ScratchSize PointScratch(int variables);
  static ScratchSize PowersScratch(uint64_t count);
  static ScratchSize FoldScratch(int fold);
  static ScratchSize PutScratch(int variables);
  static constexpr ScratchSize kMessageScratch = {0, Room(2 * sizeof(Ext4))};

 private:
  std::vector<Readback<BabyBear>> ReadPlanes(Batch& batch,
                                             const Buffer& table) const;

  int variables_ = 0;
  uint32_t stride_ = 0;
  Order order_ = Order::kPrefix;
  bool weighted_ = false;
  Buffer f_;
  Buffer w_;
};

}  // namespace assay::whir
