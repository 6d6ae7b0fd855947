// Stand for a large system by its projection on a few solutions.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/reduced_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/planar/blas.h"

namespace assay::planar {
namespace {

// Directions shorter than this share of a solution are not told from rounding.
constexpr double kKnown = 1e-10;

double Dot(size_t n, const double* a, const double* b) {
  // Eight sums: none waits for the one before it.
  double sum[8] = {};
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (size_t k = 0; k < 8; ++k) sum[k] += a[i + k] * b[i + k];
  }
  for (; i < n; ++i) sum[0] += a[i] * b[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) +
         ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

double Norm(size_t n, const double* a) { return std::sqrt(Dot(n, a, a)); }

// Rows that are multiplied together: sums are the same for any thread count.
constexpr size_t kChunk = 8192;

// A^T B for blocks of n rows, q and m columns, by columns. Our threads over
// rows and BLAS on one each: its own threads wait busily, which other load on
// the machine makes slow.
std::vector<double> InnerProducts(const Threads& threads, size_t n,
                                  const double* a, size_t q, const double* b,
                                  size_t m) {
  if (q == 0 || m == 0) return {};
  const size_t chunks = (n + kChunk - 1) / kChunk;
  std::vector<double> parts(chunks * q * m);
  threads.For(chunks, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      const size_t row = c * kChunk, rows = std::min(kChunk, n - row);
      Gemm(Op::kTransposed, Op::kPlain, q, m, rows, 1.0, a + row, n, b + row, n,
           &parts[c * q * m], q);
    }
  });
  for (size_t c = 1; c < chunks; ++c) {
    for (size_t i = 0; i < q * m; ++i) parts[i] += parts[c * q * m + i];
  }
  parts.resize(q * m);
  return parts;
}

// c -= Q (Q^T c) for one block, and what was taken out.
std::vector<double> RemoveOnce(const Threads& threads, size_t n,
                               const std::vector<double>& q, size_t q_columns,
                               size_t columns, double* c) {
  std::vector<double> taken =
      InnerProducts(threads, n, q.data(), q_columns, c, columns);
  if (taken.empty()) return taken;
  threads.For((n + kChunk - 1) / kChunk, 1, [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
      const size_t row = k * kChunk, rows = std::min(kChunk, n - row);
      Gemm(Op::kPlain, Op::kPlain, rows, columns, q_columns, -1.0,
           q.data() + row, n, taken.data(), q_columns, c + row, n);
    }
  });
  return taken;
}

}  // namespace

ReducedModel::ReducedModel(const Threads& threads, const System& system,
                           double omega0, size_t most_basis)
    : threads_(threads),
      system_(system),
      omega0_(omega0),
      n_(system.unknowns()),
      most_basis_(most_basis) {
  reduced_.push_back({Part::kInductance, omega0, {}, {}});
  reduced_.push_back({Part::kPotential, 1 / omega0, {}, {}});
  if (system.lossy_dielectric()) {
    reduced_.push_back({Part::kPotentialLoss, 1 / omega0, {}, {}});
  }
  if (system.lossy_metal()) {
    reduced_.push_back({Part::kResistance, 1, {}, {}});
  }
  if (system.lossy_ground()) {
    reduced_.push_back({Part::kGroundResistance, 1, {}, {}});
  }
  // What is reserved and not used takes no memory; growth would take twice.
  v_.reserve(n_ * most_basis);
  q_.reserve(n_ * (reduced_.size() * most_basis + system.ports()));
  for (size_t p = 0; p < system.ports(); ++p) {
    std::vector<double> column(n_);
    for (const Source& source : system.sources()) {
      if (source.port == p) column[source.unknown] += source.sign;
    }
    source_norms_.push_back(Norm(n_, column.data()));
    source_in_r_.push_back(AppendToR(1, column.data()));
  }
}

// Adds a block of columns to the QR factors and returns the first one's place
// in R. The columns are overwritten.
size_t ReducedModel::AppendToR(size_t columns, double* block) {
  const size_t old = q_columns_, first = r_.size();
  std::vector<double> before(columns);
  for (size_t a = 0; a < columns; ++a) before[a] = Norm(n_, block + a * n_);
  std::vector<double> taken = RemoveOnce(threads_, n_, q_, old, columns, block);
  const auto again = RemoveOnce(threads_, n_, q_, old, columns, block);
  for (size_t i = 0; i < again.size(); ++i) taken[i] += again[i];
  for (size_t a = 0; a < columns; ++a) {
    double* column = block + a * n_;
    std::vector<double> r(
        taken.begin() + static_cast<ptrdiff_t>(a * old),
        taken.begin() + static_cast<ptrdiff_t>((a + 1) * old));
    r.resize(q_columns_);
    const double outside = Norm(n_, column);
    // What the block's earlier columns added to Q, twice.
    for (int pass = 0; pass < 2; ++pass) {
      for (size_t j = old; j < q_columns_; ++j) {
        const double share = Dot(n_, &q_[j * n_], column);
        r[j] += share;
        for (size_t i = 0; i < n_; ++i) column[i] -= share * q_[j * n_ + i];
      }
    }
    double left = Norm(n_, column);
    if (left < 1e-4 * outside) {
      // Little is left: rounding may have brought old directions back. A pass
      // over all of Q costs as much as the whole block's.
      const auto rest = RemoveOnce(threads_, n_, q_, q_columns_, 1, column);
      for (size_t i = 0; i < rest.size(); ++i) r[i] += rest[i];
      left = Norm(n_, column);
    }
    if (left > 1e-15 * before[a]) {
      r.push_back(left);
      for (size_t i = 0; i < n_; ++i) column[i] /= left;
      q_.insert(q_.end(), column, column + n_);
      ++q_columns_;
    }
    r_.push_back(std::move(r));
  }
  return first;
}

// Appends to V what a solution adds to it and returns how many columns.
size_t ReducedModel::NewDirections(
    std::span<const std::complex<double>> solution, double accuracy) {
  const size_t m = 2 * system_.ports();
  std::vector<double> c(n_ * m);
  for (size_t p = 0; p < system_.ports(); ++p) {
    for (size_t i = 0; i < n_; ++i) {
      const std::complex<double> value = solution[p * n_ + i];
      c[2 * p * n_ + i] = value.imag();
      c[(2 * p + 1) * n_ + i] = value.real();
    }
  }
  // Both parts by the length of the whole: of a lossless layout the real part
  // is only what the solution lacks.
  for (size_t p = 0; p < system_.ports(); ++p) {
    double* both = &c[2 * p * n_];
    const double norm = Norm(2 * n_, both);
    for (size_t i = 0; i < 2 * n_ && norm > 0; ++i) both[i] /= norm;
  }
  RemoveOnce(threads_, n_, v_, columns_, m, c.data());
  RemoveOnce(threads_, n_, v_, columns_, m, c.data());
  // The longest column first: what is left of the others is told apart.
  size_t added = 0;
  std::vector<uint8_t> used(m);
  for (size_t step = 0; step < m; ++step) {
    size_t best = m;
    double most = std::max(kKnown, accuracy);
    for (size_t k = 0; k < m; ++k) {
      const double norm = used[k] ? 0 : Norm(n_, &c[k * n_]);
      if (norm > most) {
        most = norm;
        best = k;
      }
    }
    if (best == m) break;
    used[best] = 1;
    double* column = &c[best * n_];
    for (size_t i = 0; i < n_; ++i) column[i] /= most;
    RemoveOnce(threads_, n_, v_, columns_ + added, 1, column);
    const double norm = Norm(n_, column);
    for (size_t i = 0; i < n_; ++i) column[i] /= norm;
    v_.insert(v_.end(), column, column + n_);
    ++added;
    for (size_t k = 0; k < m; ++k) {
      if (used[k]) continue;
      const double share = Dot(n_, column, &c[k * n_]);
      for (size_t i = 0; i < n_; ++i) c[k * n_ + i] -= share * column[i];
    }
  }
  columns_ += added;
  return added;
}

double ReducedModel::Bytes(size_t unknowns, size_t ports, size_t parts,
                           size_t most_basis) {
  // V and Q, and while it is extended a solution's real columns twice.
  const size_t columns = (1 + parts) * most_basis + ports + 4 * ports;
  return 8.0 * static_cast<double>(unknowns) * static_cast<double>(columns);
}

bool ReducedModel::Extend(std::span<const std::complex<double>> solution,
                          double accuracy) {
  const size_t old = columns_;
  if (old + 2 * system_.ports() > most_basis_) return false;
  const size_t added = NewDirections(solution, accuracy);
  if (added == 0) return true;
  const double* fresh = &v_[old * n_];
  std::vector<double> product(n_ * added);
  for (Reduced& reduced : reduced_) {
    system_.Multiply(reduced.part, added, fresh, product.data());
    const std::vector<double> block =
        InnerProducts(threads_, n_, v_.data(), columns_, product.data(), added);
    for (size_t a = 0; a < added; ++a) {
      for (size_t i = 0; i <= old + a; ++i) {
        reduced.matrix.push_back(block[a * columns_ + i]);
      }
    }
    for (double& value : product) value *= reduced.scale;
    const size_t first = AppendToR(added, product.data());
    for (size_t a = 0; a < added; ++a) reduced.in_r.push_back(first + a);
  }
  const size_t ports = system_.ports();
  sources_.resize(columns_ * ports);
  for (size_t a = old; a < columns_; ++a) {
    for (const Source& source : system_.sources()) {
      sources_[a * ports + source.port] +=
          source.sign * v_[a * n_ + source.unknown];
    }
  }
  return true;
}

// What a part's real matrix is multiplied by in Z.
std::complex<double> ReducedModel::Weight(const Reduced& reduced,
                                          double omega) const {
  switch (reduced.part) {
    case Part::kInductance: return {0, omega};
    case Part::kPotential: return {0, -1 / omega};
    case Part::kPotentialLoss: return 1 / omega;
    case Part::kResistance: return system_.surface_impedance(omega);
    case Part::kGroundResistance: return system_.ground_impedance(omega);
  }
  return 0;
}

ReducedAnswer ReducedModel::Evaluate(double omega) const {
  const size_t q = columns_, ports = system_.ports();
  std::vector<Complex> z(q * q);
  for (const Reduced& reduced : reduced_) {
    const Complex weight = Weight(reduced, omega);
    for (size_t j = 0; j < q; ++j) {
      for (size_t i = j; i < q; ++i) {
        z[j * q + i] += weight * reduced.At(i, j);
      }
    }
  }
  ReducedAnswer answer;
  answer.coefficients.resize(q * ports);
  for (size_t i = 0; i < q; ++i) {
    for (size_t p = 0; p < ports; ++p) {
      answer.coefficients[p * q + i] = sources_[i * ports + p];
    }
  }
  const PivotedFactor factor(Pivoting::kBunchKaufman, q, z.data());
  if (!factor.ok()) {
    answer.y.assign(ports * ports, std::numeric_limits<double>::quiet_NaN());
    answer.residual = std::numeric_limits<double>::infinity();
    return answer;
  }
  factor.Solve(ports, answer.coefficients.data());
  answer.y.resize(ports * ports);
  for (size_t a = 0; a < ports; ++a) {
    for (size_t b = 0; b < ports; ++b) {
      for (size_t i = 0; i < q; ++i) {
        answer.y[a * ports + b] +=
            sources_[i * ports + a] * answer.coefficients[b * q + i];
      }
    }
  }
  MakeSymmetric(ports, answer.y);
  for (size_t p = 0; p < ports; ++p) {
    std::vector<Complex> left(q_columns_);
    const auto add = [&](size_t column, Complex weight) {
      const std::vector<double>& r = r_[column];
      for (size_t i = 0; i < r.size(); ++i) left[i] += weight * r[i];
    };
    for (const Reduced& reduced : reduced_) {
      const Complex weight = Weight(reduced, omega) / reduced.scale;
      for (size_t i = 0; i < q; ++i) {
        add(reduced.in_r[i], weight * answer.coefficients[p * q + i]);
      }
    }
    add(source_in_r_[p], -1.0);
    double sum = 0;
    for (const Complex value : left) sum += std::norm(value);
    answer.residual =
        std::max(answer.residual, std::sqrt(sum) / source_norms_[p]);
  }
  return answer;
}

std::vector<std::complex<double>> ReducedModel::Expand(
    const ReducedAnswer& answer) const {
  const size_t ports = system_.ports();
  std::vector<Complex> x(n_ * ports);
  for (size_t p = 0; p < ports; ++p) {
    for (size_t k = 0; k < columns_; ++k) {
      const Complex weight = answer.coefficients[p * columns_ + k];
      for (size_t i = 0; i < n_; ++i) {
        x[p * n_ + i] += weight * v_[k * n_ + i];
      }
    }
  }
  return x;
}

}  // namespace assay::planar
