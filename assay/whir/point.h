// Points of a statement, and the order in which a table reads them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "assay/number/ext4.h"
#include "assay/whir/options.h"

namespace assay::whir {

using Point = std::vector<Ext4>;

// SUFFIX binds the last variable first: PREFIX with coordinates reversed.
inline Point InTableOrder(Point point, Order order) {
  if (order == Order::kSuffix) std::reverse(point.begin(), point.end());
  return point;
}

}  // namespace assay::whir
