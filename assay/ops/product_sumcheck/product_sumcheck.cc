// Rounds of the sum-check of a product, one entry after the other.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/product_sumcheck/product_sumcheck.h"

#include <algorithm>

namespace assay::product_sumcheck {
namespace {

// The field element of node k; infinity has none.
Gf2_128 NodeElement(size_t k) {
  return Gf2_128::From(static_cast<uint64_t>(k < kNodeInfinity ? k : k - 1));
}

// Differences of nodes are elements below 8; their inverses.
constexpr std::array<Gf2_128, 8> kInverse = [] {
  std::array<Gf2_128, 8> inverse;
  for (uint64_t x = 0; x < inverse.size(); ++x) {
    inverse[x] = Gf2_128::From(x).Inverse();
  }
  return inverse;
}();

// The line through `at_zero` and `at_one` at node k.
Gf2_128 LineAt(Gf2_128 at_zero, Gf2_128 at_one, size_t k) {
  const Gf2_128 slope = at_zero + at_one;
  return k == kNodeInfinity ? slope : at_zero + NodeElement(k) * slope;
}

// One less than the root of a grid's size: the number of factors.
size_t NodesOf(std::span<const Gf2_128> grid) {
  size_t nodes = 2;
  while (nodes * nodes < grid.size()) ++nodes;
  return nodes;
}

}  // namespace

Gf2_128 Sum(const Columns& columns) {
  Gf2_128 sum;
  for (size_t i = 0; i < columns[0].size(); ++i) {
    Gf2_128 product = Gf2_128::One();
    for (const auto& column : columns) product *= column[i];
    sum += product;
  }
  return sum;
}

std::vector<Gf2_128> Round(const Columns& columns) {
  const size_t half = columns[0].size() / 2;
  std::vector<Gf2_128> sum(columns.size() + 1);
  for (size_t i = 0; i < half; ++i) {
    std::vector<Gf2_128> product = {Gf2_128::One()};
    for (const auto& column : columns) {
      const Gf2_128 slope = column[i] + column[i + half];
      product.push_back(Gf2_128::Zero());
      for (size_t k = product.size() - 1; k > 0; --k) {
        product[k] = product[k] * column[i] + product[k - 1] * slope;
      }
      product[0] *= column[i];
    }
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += product[k];
  }
  return sum;
}

void Bind(std::vector<Gf2_128>& column, Gf2_128 r) {
  const size_t half = column.size() / 2;
  for (size_t i = 0; i < half; ++i) {
    column[i] += r * (column[i] + column[i + half]);
  }
  column.resize(half);
}

Gf2_128 Evaluate(std::span<const Gf2_128> coefficients, Gf2_128 x) {
  Gf2_128 value;
  for (size_t k = coefficients.size(); k-- > 0;) {
    value = value * x + coefficients[k];
  }
  return value;
}

Gf2_128 TopCoefficient(Gf2_128 claim, std::span<const Gf2_128> message) {
  Gf2_128 top = claim;
  for (size_t k = 1; k < message.size(); ++k) top += message[k];
  return top;
}

std::vector<Gf2_128> Interpolate(std::span<const Gf2_128> at_nodes) {
  const size_t degree = at_nodes.size() - 1;
  if (degree == 1) return {at_nodes[0], at_nodes[0] + at_nodes[1]};
  // Without the top term the values at the other d nodes fix the rest:
  // Newton's divided differences, then Horner's scheme.
  const Gf2_128 top = at_nodes[kNodeInfinity];
  std::vector<Gf2_128> node;
  std::vector<Gf2_128> difference;
  for (size_t k = 0; k <= degree; ++k) {
    if (k == kNodeInfinity) continue;
    node.push_back(NodeElement(k));
    difference.push_back(at_nodes[k] + top * node.back().Pow(degree));
  }
  for (size_t step = 1; step < degree; ++step) {
    for (size_t k = degree; k-- > step;) {
      difference[k] = (difference[k] + difference[k - 1]) *
                      kInverse[(node[k] + node[k - step]).low];
    }
  }
  std::vector<Gf2_128> coefficients(degree + 1);
  for (size_t k = degree; k-- > 0;) {
    // coefficients = coefficients (X + node_k) + difference_k.
    for (size_t i = degree; i-- > 1;) {
      coefficients[i] = coefficients[i - 1] + node[k] * coefficients[i];
    }
    coefficients[0] = node[k] * coefficients[0] + difference[k];
  }
  coefficients[degree] = top;
  return coefficients;
}

std::vector<Gf2_128> Grid(const Columns& columns) {
  const size_t nodes = columns.size() + 1;
  const size_t quarter = columns[0].size() / 4;
  std::vector<Gf2_128> grid(nodes * nodes);
  for (size_t p = 0; p < nodes; ++p) {
    for (size_t q = 0; q < nodes; ++q) {
      for (size_t i = 0; i < quarter; ++i) {
        Gf2_128 product = Gf2_128::One();
        for (const auto& column : columns) {
          product *= LineAt(
              LineAt(column[i], column[i + 2 * quarter], p),
              LineAt(column[i + quarter], column[i + 3 * quarter], p), q);
        }
        grid[p * nodes + q] += product;
      }
    }
  }
  return grid;
}

std::vector<Gf2_128> FirstOfGrid(std::span<const Gf2_128> grid) {
  const size_t nodes = NodesOf(grid);
  std::vector<Gf2_128> values(nodes);
  for (size_t p = 0; p < nodes; ++p) {
    values[p] = grid[p * nodes] + grid[p * nodes + 1];
  }
  return values;
}

std::vector<Gf2_128> SecondOfGrid(std::span<const Gf2_128> grid, Gf2_128 r) {
  const size_t nodes = NodesOf(grid);
  std::vector<Gf2_128> values(nodes);
  std::vector<Gf2_128> column(nodes);
  for (size_t q = 0; q < nodes; ++q) {
    for (size_t p = 0; p < nodes; ++p) column[p] = grid[p * nodes + q];
    values[q] = Evaluate(Interpolate(column), r);
  }
  return values;
}

}  // namespace assay::product_sumcheck
