// The table under proof and its weights, on a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/device/device.h"
#include "assay/number/ext4.h"
#include "assay/whir/options.h"
#include "assay/whir/verify.h"

namespace assay::whir {

// The two values of a round polynomial that a prover sends.
struct RoundMessage {
  Ext4 at_zero;
  Ext4 leading;
};

// The committed evaluations in the base field. SUFFIX order is PREFIX order
// on the table with its index bits reversed, so points are reversed on entry
// and nothing below knows of orders.
class BaseTable {
 public:
  static Result<BaseTable> Make(Device& device, std::span<const BabyBear> evals,
                                int variables, Order order);

  // The sums over all but the top `fold` variables against eq of the point's
  // lower coordinates: 2^fold elements. A claim's first rounds and its value
  // come from them alone. One pass over the table.
  Result<std::vector<Ext4>> PartialSums(Device& device, const Point& point,
                                        int fold);

  View<BabyBear> view() const { return table_.As<BabyBear>(); }
  Buffer& buffer() { return table_; }
  // A point in the order of the device's table.
  Point Ordered(Point point) const;

 private:
  int variables_ = 0;
  Order order_ = Order::kPrefix;
  Buffer table_;
};

// After the first fold: table f and weights W over the extension, bound one
// variable at a time. Memory: 32 * 2^variables bytes.
class FoldedTables {
 public:
  // f from the base table by the weights eq(challenges, .); W empty.
  static Result<FoldedTables> Make(Device& device, const BaseTable& base,
                                   std::span<const Ext4> challenges,
                                   int variables, Order order);

  int variables() const { return variables_; }
  uint32_t stride() const { return stride_; }
  View<BabyBear> f() const { return f_.As<BabyBear>(); }

  // W += scale * eq(point, .), for a point in table order.
  Status AddPoint(Device& device, std::span<const Ext4> point,
                  const Ext4& scale, std::string_view stage);
  // W += sum_j coefficients[j] * (b -> ys[j]^b).
  Status AddPowers(Device& device, std::span<const BabyBear> ys,
                   std::span<const Ext4> coefficients, std::string_view stage);
  // The value of f at `point`, in the statement's order.
  Result<Ext4> Evaluate(Device& device, Point point, std::string_view stage);

  // The message of the next round.
  Result<RoundMessage> Measure(Device& device, std::string_view stage);
  // Binds the top variable; the message of the round after it, zero when one
  // entry is left.
  Result<RoundMessage> Bind(Device& device, const Ext4& r,
                            std::string_view stage);
  // The 2^variables values of f in the statement's order.
  Result<std::vector<Ext4>> Values(Device& device);

  // Device bytes beyond f and W that a call takes for a while.
  static uint64_t ScratchBytes(int variables, uint64_t queries);

 private:
  int variables_ = 0;
  uint32_t stride_ = 0;
  Order order_ = Order::kPrefix;
  bool weighted_ = false;
  Buffer f_;
  Buffer w_;
  Buffer message_;
};

}  // namespace assay::whir
