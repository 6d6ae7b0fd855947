// What a round of the sum-check of a product of multilinears computes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/number/gf2_128.h"

namespace assay::product_sumcheck {

inline constexpr int kMaxFactors = 6;

// Columns of equal length, a power of two. Bit k of an index is variable x_k;
// rounds bind the highest variable first, so a round pairs entry i of the
// lower half with entry i of the upper one (docs/engines/binary.md, 2.3).
using Columns = std::vector<std::vector<Gf2_128>>;

// sum_i prod_j column_j[i]: the claim before the first round.
Gf2_128 Sum(const Columns& columns);

// The coefficients, constant first, of R(X) = sum_i prod_j (lo_j[i] +
// X (lo_j[i] + hi_j[i])): d + 1 of them. Precondition: at least two entries a
// column. About d^2 products a pair.
std::vector<Gf2_128> Round(const Columns& columns);

// column[i] = lo[i] + r (lo[i] + hi[i]), half as many.
void Bind(std::vector<Gf2_128>& column, Gf2_128 r);

// sum_k coefficients[k] x^k.
Gf2_128 Evaluate(std::span<const Gf2_128> coefficients, Gf2_128 x);

// The top coefficient, which no message carries, by R(0) + R(1) = claim:
// claim + a_1 + ... + a_(d-1), and for d = 1 the claim itself. `message`: a_0
// to a_(d-1).
Gf2_128 TopCoefficient(Gf2_128 claim, std::span<const Gf2_128> message);

// Where kernels evaluate R: the d + 1 nodes 0, 1, infinity, x, x + 1, x^2,
// x^2 + 1 in this order, cut off after d + 1; infinity is the coefficient of
// X^d. For d = 1 the nodes are 0 and 1. Node k >= 3 is the field element
// with the integer value k - 1.
inline constexpr size_t kNodeInfinity = 2;

// R's coefficients, constant first, from its values at the d + 1 nodes.
// About d^2 products.
std::vector<Gf2_128> Interpolate(std::span<const Gf2_128> at_nodes);

// Two rounds in one pass. For two variables Y (bound first) and Z,
// G(p, q) = sum_i prod_j column_j(Y = p, Z = q, i) at all (d+1)^2 pairs of
// nodes, p-major. Precondition: at least four entries a column.
std::vector<Gf2_128> Grid(const Columns& columns);

// Of grid values: those of the first round at the nodes (Z summed over), and
// those of the second one after Y = r.
std::vector<Gf2_128> FirstOfGrid(std::span<const Gf2_128> grid);
std::vector<Gf2_128> SecondOfGrid(std::span<const Gf2_128> grid, Gf2_128 r);

}  // namespace assay::product_sumcheck
