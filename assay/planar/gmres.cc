// Solve several systems of one large matrix side by side by GMRES.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/gmres.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "assay/planar/complex.h"
#include "assay/planar/krylov.h"

namespace assay::planar {
namespace {

using Complex = std::complex<double>;

// Rows that are summed together: sums are the same for any thread count.
constexpr size_t kChunk = 4096;

// The Krylov space of one column: vectors, and the Hessenberg matrix made
// triangular by Givens rotations.
struct Column {
  size_t index = 0;  // into b
  std::vector<Complex*> v;
  std::vector<std::vector<Complex>> r;  // column k has k + 1 entries
  std::vector<double> cosine;
  std::vector<Complex> sine;
  std::vector<Complex> g;  // rotated right side
  double residual = 0;
  double below = 0;  // norm of the vector that comes next
};

double SquareOf(const Complex* w, size_t begin, size_t end) {
  // Four sums: none waits for the one before it.
  double sum[4] = {};
  size_t i = begin;
  for (; i + 4 <= end; i += 4) {
    for (size_t k = 0; k < 4; ++k) sum[k] += std::norm(w[i + k]);
  }
  for (; i < end; ++i) sum[0] += std::norm(w[i]);
  return sum[0] + sum[1] + sum[2] + sum[3];
}

// Orthogonalises w against all v; returns h and the norms before and after.
struct Orthogonalised {
  std::vector<Complex> h;
  double before = 0, after = 0;
};
Orthogonalised Orthogonalise(const Threads& threads, size_t n,
                             const std::vector<Complex*>& v, Complex* w) {
  const size_t chunks = (n + kChunk - 1) / kChunk, m = v.size();
  std::vector<Complex> sums(chunks * m);
  std::vector<double> squares(chunks), left(chunks);
  threads.For(chunks, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      const size_t from = c * kChunk, to = std::min(n, from + kChunk);
      ConjugateDots(v.data(), m, w, from, to, &sums[c * m]);
      squares[c] = SquareOf(w, from, to);
    }
  });
  Orthogonalised result;
  result.h.resize(m);
  for (size_t c = 0; c < chunks; ++c) {
    for (size_t j = 0; j < m; ++j) result.h[j] += sums[c * m + j];
    result.before += squares[c];
  }
  threads.For(chunks, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      const size_t from = c * kChunk, to = std::min(n, from + kChunk);
      SubtractCombination(v.data(), m, result.h.data(), w, from, to);
      left[c] = SquareOf(w, from, to);
    }
  });
  for (const double square : left) result.after += square;
  result.before = std::sqrt(result.before);
  result.after = std::sqrt(result.after);
  return result;
}

// Rotates the new column of the Hessenberg matrix, whose last entry is `below`.
void Rotate(Column& c, std::vector<Complex> h, double below) {
  const size_t k = c.cosine.size();
  for (size_t j = 0; j < k; ++j) {
    const Complex upper = h[j], lower = h[j + 1];
    h[j] = c.cosine[j] * upper + Times(c.sine[j], lower);
    h[j + 1] = -Times(std::conj(c.sine[j]), upper) + c.cosine[j] * lower;
  }
  const double length = std::hypot(std::abs(h[k]), below);
  // h[k] = 0 swaps the rows; both zero cannot be: A would be singular.
  const double size = std::abs(h[k]);
  const Complex phase = size > 0 ? h[k] / size : Complex(1);
  const double cosine = length > 0 ? size / length : 1;
  const Complex sine = length > 0 ? phase * (below / length) : Complex(0);
  c.cosine.push_back(cosine);
  c.sine.push_back(sine);
  h[k] = phase * length;
  const Complex g = c.g[k];
  c.g[k] = cosine * g;
  c.g.push_back(-Times(std::conj(sine), g));
  c.residual = std::abs(c.g[k + 1]);
  h.resize(k + 1);
  c.r.push_back(std::move(h));
}

// u += V y with R y = g.
void Assemble(const Threads& threads, size_t n, const Column& c, Complex* u) {
  const size_t k = c.r.size();
  std::vector<Complex> y(k);
  for (size_t i = k; i-- > 0;) {
    Complex sum = c.g[i];
    for (size_t j = i + 1; j < k; ++j) sum -= Times(c.r[j][i], y[j]);
    y[i] = c.r[i][i] != Complex(0) ? sum / c.r[i][i] : Complex(0);
  }
  for (Complex& value : y) value = -value;
  std::vector<Complex*> v(c.v.begin(), c.v.begin() + static_cast<ptrdiff_t>(k));
  threads.For(n, kChunk, [&](size_t begin, size_t end) {
    std::fill(u + begin, u + end, Complex(0));
    SubtractCombination(v.data(), k, y.data(), u, begin, end);
  });
}

double Norm(const Threads& threads, size_t n, const Complex* x) {
  const size_t chunks = (n + kChunk - 1) / kChunk;
  std::vector<double> squares(chunks);
  threads.For(chunks, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      squares[c] = SquareOf(x, c * kChunk, std::min(n, (c + 1) * kChunk));
    }
  });
  double sum = 0;
  for (const double square : squares) sum += square;
  return std::sqrt(sum);
}

}  // namespace

GmresReport Gmres(const Threads& threads, size_t n, size_t columns,
                  const BlockProduct& product, const Complex* b,
                  std::span<const double> target, int most_steps, Complex* u) {
  GmresReport report;
  report.residual.resize(columns);
  std::vector<Column> all(columns);
  // One block of vectors a step, of the columns that still run.
  std::vector<std::unique_ptr<Complex[]>> blocks;
  std::vector<Column*> running;
  blocks.emplace_back(new Complex[n * columns]);
  for (size_t p = 0; p < columns; ++p) {
    Column& c = all[p];
    c.index = p;
    c.residual = Norm(threads, n, b + p * n);
    c.g = {c.residual};
    if (c.residual <= target[p]) continue;
    Complex* first = blocks[0].get() + running.size() * n;
    for (size_t i = 0; i < n; ++i) first[i] = b[p * n + i] / c.residual;
    c.v.push_back(first);
    running.push_back(&c);
  }
  for (int step = 0; step < most_steps && !running.empty(); ++step) {
    std::unique_ptr<Complex[]> next(new Complex[n * running.size()]);
    product(running.size(), running[0]->v.back(), next.get());
    report.products += running.size();
    report.steps = step + 1;
    std::vector<Column*> still;
    std::vector<size_t> slot;
    for (size_t a = 0; a < running.size(); ++a) {
      Column& c = *running[a];
      Complex* w = next.get() + a * n;
      Orthogonalised once = Orthogonalise(threads, n, c.v, w);
      c.below = once.after;
      if (once.after < 0.1 * once.before) {
        const Orthogonalised again = Orthogonalise(threads, n, c.v, w);
        for (size_t j = 0; j < once.h.size(); ++j) once.h[j] += again.h[j];
        c.below = again.after;
      }
      const bool exhausted = c.below <= 1e-15 * once.before;
      once.h.push_back(c.below);
      Rotate(c, std::move(once.h), c.below);
      if (c.residual <= target[c.index] || exhausted) continue;
      still.push_back(&c);
      slot.push_back(a);
    }
    // The block that is multiplied next has no gaps.
    for (size_t a = 0; a < still.size(); ++a) {
      Complex* to = next.get() + a * n;
      const Complex* from = next.get() + slot[a] * n;
      const double scale = 1 / still[a]->below;
      for (size_t i = 0; i < n; ++i) to[i] = scale * from[i];
      still[a]->v.push_back(to);
    }
    running = std::move(still);
    blocks.push_back(std::move(next));
  }
  for (size_t p = 0; p < columns; ++p) {
    report.residual[p] = all[p].residual;
    Assemble(threads, n, all[p], u + p * n);
  }
  return report;
}

}  // namespace assay::planar
