// Factor the sparse nodal matrix of a mesh's currents.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/nodal_factor.h"

#include <Eigen/SparseCholesky>

#include <cmath>
#include <cstdint>
#include <numeric>

namespace assay::planar {
namespace {

// A complex number whose conjugate is itself. Eigen's LDL^T of complex numbers
// is L D L^H; with this one it factors symmetric matrices.
struct Symmetric {
  double re = 0, im = 0;

  Symmetric() = default;
  Symmetric(double real) : re(real) {}  // NOLINT: Eigen converts 0 and 1
  Symmetric(double real, double imag) : re(real), im(imag) {}

  friend Symmetric operator+(Symmetric a, Symmetric b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend Symmetric operator-(Symmetric a, Symmetric b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend Symmetric operator-(Symmetric a) { return {-a.re, -a.im}; }
  friend Symmetric operator*(Symmetric a, Symmetric b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend Symmetric operator/(Symmetric a, Symmetric b) {
    const std::complex<double> q =
        std::complex<double>(a.re, a.im) / std::complex<double>(b.re, b.im);
    return {q.real(), q.imag()};
  }
  Symmetric& operator+=(Symmetric b) { return *this = *this + b; }
  Symmetric& operator-=(Symmetric b) { return *this = *this - b; }
  Symmetric& operator*=(Symmetric b) { return *this = *this * b; }
  Symmetric& operator/=(Symmetric b) { return *this = *this / b; }
  friend bool operator==(Symmetric a, Symmetric b) {
    return a.re == b.re && a.im == b.im;
  }
  friend bool operator!=(Symmetric a, Symmetric b) { return !(a == b); }
  // Eigen's LL^T, which shares its source with the LDL^T, asks for these.
  friend bool operator<=(Symmetric a, Symmetric b) { return a.re <= b.re; }
  friend Symmetric sqrt(Symmetric a) {
    const std::complex<double> root =
        std::sqrt(std::complex<double>(a.re, a.im));
    return {root.real(), root.imag()};
  }
};

}  // namespace
}  // namespace assay::planar

namespace Eigen {
template <>
struct NumTraits<assay::planar::Symmetric> : GenericNumTraits<double> {
  using Real = assay::planar::Symmetric;
  using NonInteger = assay::planar::Symmetric;
  using Nested = assay::planar::Symmetric;
  using Literal = assay::planar::Symmetric;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 8
  };
};
}  // namespace Eigen

namespace assay::planar {

using Matrix = Eigen::SparseMatrix<Symmetric, Eigen::ColMajor, int32_t>;
using Vector = Eigen::Matrix<Symmetric, Eigen::Dynamic, 1>;

namespace {

// The cells of each connected piece that no current joins to ground.
std::vector<std::vector<uint32_t>> Islands(size_t cells,
                                           std::span<const Ends> ends) {
  std::vector<uint32_t> parent(cells + 1);  // the last one is ground
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](uint32_t c) {
    while (parent[c] != c) c = parent[c] = parent[parent[c]];
    return c;
  };
  for (const Ends& e : ends) {
    const auto ground = static_cast<uint32_t>(cells);
    const uint32_t a = root(static_cast<uint32_t>(e.to));
    const uint32_t b =
        root(e.from < 0 ? ground : static_cast<uint32_t>(e.from));
    parent[a] = b;
  }
  std::vector<int32_t> number(cells + 1, -1);
  std::vector<std::vector<uint32_t>> islands;
  const uint32_t ground = root(static_cast<uint32_t>(cells));
  for (uint32_t c = 0; c < cells; ++c) {
    const uint32_t r = root(c);
    if (r == ground) continue;
    if (number[r] < 0) {
      number[r] = static_cast<int32_t>(islands.size());
      islands.emplace_back();
    }
    islands[static_cast<size_t>(number[r])].push_back(c);
  }
  return islands;
}

}  // namespace

struct NodalFactor::State {
  std::vector<Ends> ends;
  Matrix lower;
  // Where the entries of each current stand among the values of `lower`: its
  // cells' diagonals and what couples them; -1: none.
  struct Slots {
    int32_t from = -1, to = -1, coupling = -1;
  };
  std::vector<Slots> slots;
  std::vector<int32_t> diagonal;
  std::vector<std::vector<uint32_t>> islands;  // cells of each
  Vector grounding;  // S^-1 of a unit at each island's first cell, grounded
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int32_t>> ldlt;
};

NodalFactor::NodalFactor(size_t cells, std::span<const Ends> ends)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.ends.assign(ends.begin(), ends.end());
  std::vector<Eigen::Triplet<Symmetric, int32_t>> triplets;
  for (size_t c = 0; c < cells; ++c) {
    triplets.emplace_back(static_cast<int32_t>(c), static_cast<int32_t>(c),
                          Symmetric(1.0));
  }
  for (const Ends& e : s.ends) {
    if (e.from < 0) continue;
    triplets.emplace_back(std::max(e.from, e.to), std::min(e.from, e.to),
                          Symmetric(0.0));
  }
  const auto n = static_cast<Eigen::Index>(cells);
  s.lower.resize(n, n);
  s.lower.setFromTriplets(triplets.begin(), triplets.end());
  const auto find = [&](int32_t row, int32_t column) {
    const int32_t* first = s.lower.innerIndexPtr();
    const int32_t* begin = first + s.lower.outerIndexPtr()[column];
    const int32_t* end = first + s.lower.outerIndexPtr()[column + 1];
    return static_cast<int32_t>(std::lower_bound(begin, end, row) - first);
  };
  for (size_t c = 0; c < cells; ++c) {
    s.diagonal.push_back(
        find(static_cast<int32_t>(c), static_cast<int32_t>(c)));
  }
  for (const Ends& e : s.ends) {
    State::Slots slots;
    slots.to = s.diagonal[static_cast<size_t>(e.to)];
    if (e.from >= 0) {
      slots.from = s.diagonal[static_cast<size_t>(e.from)];
      slots.coupling = find(std::max(e.from, e.to), std::min(e.from, e.to));
    }
    s.slots.push_back(slots);
  }
  s.ldlt.analyzePattern(s.lower);
  s.islands = Islands(cells, ends);
}

NodalFactor::~NodalFactor() = default;

bool NodalFactor::Factor(std::span<const std::complex<double>> y,
                         std::complex<double> shunt) {
  State& s = *state_;
  Symmetric* values = s.lower.valuePtr();
  std::fill_n(values, s.lower.nonZeros(), Symmetric());
  for (const int32_t at : s.diagonal) {
    values[at] = {shunt.real(), shunt.imag()};
  }
  for (size_t e = 0; e < s.slots.size(); ++e) {
    const Symmetric value = {y[e].real(), y[e].imag()};
    const State::Slots& slots = s.slots[e];
    values[slots.to] += value;
    if (slots.coupling < 0) continue;
    values[slots.from] += value;
    values[slots.coupling] -= value;
  }
  for (const auto& island : s.islands) {
    // As strong as what holds the cell already. A lone pixel without a shunt
    // is held by nothing: any strength serves.
    Symmetric& held = values[s.diagonal[island[0]]];
    held += held == Symmetric() ? Symmetric(1.0) : held;
  }
  s.ldlt.factorize(s.lower);
  if (s.ldlt.info() != Eigen::Success) return false;
  const Vector d = s.ldlt.vectorD();
  for (Eigen::Index i = 0; i < d.size(); ++i) {
    if (!std::isfinite(d[i].re) || !std::isfinite(d[i].im)) return false;
  }
  if (s.islands.empty()) return true;
  Vector units = Vector::Zero(d.size());
  for (const auto& island : s.islands) {
    units[static_cast<Eigen::Index>(island[0])] = 1.0;
  }
  s.grounding = s.ldlt.solve(units);
  return true;
}

void NodalFactor::Solve(const std::complex<double>* b,
                        std::complex<double>* x) const {
  const auto n = state_->lower.cols();
  static_assert(sizeof(Symmetric) == sizeof(std::complex<double>));
  const Eigen::Map<const Vector> right(reinterpret_cast<const Symmetric*>(b),
                                       n);
  Eigen::Map<Vector> out(reinterpret_cast<Symmetric*>(x), n);
  out = state_->ldlt.solve(right);
  for (const auto& island : state_->islands) {
    Symmetric sum, unit;
    for (const uint32_t c : island) {
      sum += out[c];
      unit += state_->grounding[c];
    }
    const Symmetric share = sum / unit;
    for (const uint32_t c : island) out[c] -= share * state_->grounding[c];
  }
}

void NodalFactor::Neutralise(std::complex<double>* x) const {
  for (const auto& island : state_->islands) {
    std::complex<double> sum = 0;
    for (const uint32_t c : island) sum += x[c];
    sum /= static_cast<double>(island.size());
    for (const uint32_t c : island) x[c] -= sum;
  }
}

size_t NodalFactor::entries() const {
  return static_cast<size_t>(
      state_->ldlt.matrixL().nestedExpression().nonZeros());
}

size_t NodalFactor::bytes() const {
  return (entries() + static_cast<size_t>(state_->lower.nonZeros())) *
         (sizeof(Symmetric) + sizeof(int32_t));
}

}  // namespace assay::planar
