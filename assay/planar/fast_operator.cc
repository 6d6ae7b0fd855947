// Multiply by a mesh's inductances and potentials without their matrices.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/fast_operator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/planar/edge_correction.h"
#include "assay/planar/uprights.h"

namespace assay::planar {
namespace {

// Pixels of edges are those where they begin.
toeplitz::Points EdgePoints(const Mesh& mesh, size_t begin, size_t end) {
  std::vector<uint32_t> at;
  at.reserve(end - begin);
  for (size_t e = begin; e < end; ++e) {
    at.push_back(mesh.cells[mesh.edges[e].from]);
  }
  return {{mesh.nx, mesh.ny}, std::move(at)};
}

// How far the shape of the potential reaches, in pixels: beyond a few heights
// the ground has taken most of it.
int Reach(double h, double pitch, int count) {
  const double pixels = std::ceil(4 * h / pitch);
  return static_cast<int>(std::clamp(pixels, 8.0, std::max(8.0, 1.0 * count)));
}

}  // namespace

FastOperator::FastOperator(const Threads& threads, const Mesh& mesh)
    : threads_(&threads),
      shape_{mesh.nx, mesh.ny},
      x_edges_(mesh.x_edges),
      edges_(mesh.edges.size()),
      ends_(EndsOfCurrents(mesh)),
      x_points_(EdgePoints(mesh, 0, mesh.x_edges)),
      y_points_(EdgePoints(mesh, mesh.x_edges, mesh.edges.size())),
      cells_(shape_, mesh.cells),
      convolution_(shape_, mesh.nx - 1, mesh.ny - 1),
      squares_(SquaresOf(mesh)),
      near_(shape_, Reach(mesh.substrate.h, mesh.dx, mesh.nx),
            Reach(mesh.substrate.h, mesh.dy, mesh.ny)) {}

Result<FastOperator> FastOperator::Make(const Threads& threads,
                                        const Mesh& mesh,
                                        const AssembleOptions& options) {
  FastOperator op(threads, mesh);
  ASSAY_ASSIGN(kernel, KernelOf(mesh, options.far));
  {
    ASSAY_ASSIGN(tables, MakeTables(threads, mesh, options));
    const auto& convolution = op.convolution_;
    op.lx_ = convolution.SpectrumOf(threads, tables.lxx);
    op.ly_ = convolution.SpectrumOf(threads, tables.lyy);
    op.p_ = convolution.SpectrumOf(threads, tables.p);
    if (!tables.gxx.empty()) {
      op.gx_ = convolution.SpectrumOf(threads, tables.gxx);
      op.gy_ = convolution.SpectrumOf(threads, tables.gyy);
    }
    op.p0_ = tables.p[0];
    if (!tables.p_imag.empty()) {
      op.p_imag_ = convolution.SpectrumOf(threads, tables.p_imag);
      op.p0_ = {tables.p[0], tables.p_imag[0]};
    }
    op.MakeShape(tables);
    op.self_.assign(op.x_edges_, tables.lxx[0]);
    op.self_.resize(op.edges_, tables.lyy[0]);
  }
  op.MakeRows(mesh, kernel, options.vertical_sheets);
  if (options.edge_correction) {
    EdgeCorrection correction = CorrectEdges(mesh);
    op.l_correction_ = std::move(correction.inductance);
    op.p_correction_ = std::move(correction.potential);
    for (size_t e = 0; e < op.edges_; ++e) {
      op.self_[e] += op.l_correction_[e];
    }
  }
  return op;
}

void FastOperator::MakeRows(const Mesh& mesh, const green::Kernel& kernel,
                            bool sheets) {
  const auto uprights = Uprights(mesh);
  const size_t m = uprights.size();
  uprights_.assign(m * m, 0.0);
  std::vector<Row> rows(m);
  threads_->For(m, 1, [&](size_t begin, size_t end) {
    for (size_t u = begin; u < end; ++u) {
      for (size_t v = 0; v <= u; ++v) {
        uprights_[u * m + v] = uprights_[v * m + u] = UprightInductance(
            kernel, mesh.substrate.h, sheets, uprights[u], uprights[v], u == v);
      }
      if (uprights[u].is_via || uprights[u].kind != PortKind::kEdge) continue;
      const std::vector<double> all =
          EdgeInductances(kernel, mesh, uprights[u]);
      const bool along_x = uprights[u].normal == Axis::kX;
      rows[u].current = edges_ + u;
      rows[u].first = along_x ? 0 : x_edges_;
      const auto first = all.begin() + static_cast<ptrdiff_t>(rows[u].first);
      rows[u].to.assign(
          first,
          along_x ? all.begin() + static_cast<ptrdiff_t>(x_edges_) : all.end());
    }
  });
  for (Row& row : rows) {
    if (!row.to.empty()) rows_.push_back(std::move(row));
  }
  for (size_t u = 0; u < m; ++u) self_.push_back(uprights_[u * m + u]);
}

void FastOperator::MakeShape(const green::Tables& tables) {
  inverse_shape_ = near_.SpectrumOf(*threads_, tables.p);
  // The cut kernel need not be positive any more; the true one lies above a
  // quarter of its self term.
  const double p0 = tables.p[0];
  for (double& value : inverse_shape_) {
    value = 1 / std::max(value / p0, 0.1);
  }
}

void FastOperator::SetGround(Complex weight) {
  if (!lossy_ground()) return;
  const auto combine = [&](const toeplitz::Spectrum& l,
                           const toeplitz::Spectrum& g,
                           toeplitz::Spectrum& real, toeplitz::Spectrum& imag) {
    real.resize(l.size());
    imag.resize(l.size());
    for (size_t i = 0; i < l.size(); ++i) {
      real[i] = l[i] + weight.real() * g[i];
      imag[i] = weight.imag() * g[i];
    }
  };
  combine(lx_, gx_, lx_now_, lx_now_imag_);
  combine(ly_, gy_, ly_now_, ly_now_imag_);
}

void FastOperator::Apply(size_t columns, const Complex* currents, Complex* flux,
                         const Complex* charges, Complex* potential) const {
  std::vector<toeplitz::Product> products;
  for (size_t c = 0; c < columns; ++c) {
    if (currents) {
      const Complex* x = currents + c * ends_.size();
      Complex* y = flux + c * ends_.size();
      const bool now = !lx_now_.empty();
      products.push_back({&x_points_, now ? &lx_now_ : &lx_,
                          now ? &lx_now_imag_ : nullptr, x, y});
      products.push_back({&y_points_, now ? &ly_now_ : &ly_,
                          now ? &ly_now_imag_ : nullptr, x + x_edges_,
                          y + x_edges_});
    }
    if (charges) {
      products.push_back({&cells_, &p_, p_imag_.empty() ? nullptr : &p_imag_,
                          charges + c * cells(), potential + c * cells()});
    }
  }
  convolution_.Apply(*threads_, products);
  if (currents) FinishFlux(columns, currents, flux);
  for (size_t c = 0; c < columns && charges; ++c) {
    for (size_t k = 0; k < p_correction_.size(); ++k) {
      potential[c * cells() + k] += p_correction_[k] * charges[c * cells() + k];
    }
  }
}

// What the grid's products lack.
void FastOperator::FinishFlux(size_t columns, const Complex* currents,
                              Complex* flux) const {
  for (size_t c = 0; c < columns; ++c) {
    const Complex* x = currents + c * ends_.size();
    Complex* y = flux + c * ends_.size();
    for (size_t e = 0; e < l_correction_.size(); ++e) {
      y[e] += l_correction_[e] * x[e];
    }
    AddRows(x, y);
  }
}

void FastOperator::ApplyInductancePart(bool ground, size_t columns,
                                       const Complex* currents,
                                       Complex* flux) const {
  std::vector<toeplitz::Product> products;
  for (size_t c = 0; c < columns; ++c) {
    const Complex* x = currents + c * ends_.size();
    Complex* y = flux + c * ends_.size();
    products.push_back({&x_points_, ground ? &gx_ : &lx_, nullptr, x, y});
    products.push_back({&y_points_, ground ? &gy_ : &ly_, nullptr, x + x_edges_,
                        y + x_edges_});
  }
  convolution_.Apply(*threads_, products);
  if (!ground) {
    FinishFlux(columns, currents, flux);
    return;
  }
  for (size_t c = 0; c < columns; ++c) {
    std::fill_n(flux + c * ends_.size() + edges_, ends_.size() - edges_,
                Complex(0));
  }
}

void FastOperator::AddRows(const Complex* currents, Complex* flux) const {
  const size_t m = ends_.size() - edges_;
  for (size_t u = 0; u < m; ++u) {
    Complex sum = 0;
    for (size_t v = 0; v < m; ++v) {
      sum += uprights_[u * m + v] * currents[edges_ + v];
    }
    flux[edges_ + u] = sum;
  }
  for (const Row& row : rows_) {
    const Complex* x = currents + row.first;
    Complex* y = flux + row.first;
    const Complex mine = currents[row.current];
    Complex sum = 0;
    for (size_t e = 0; e < row.to.size(); ++e) {
      sum += row.to[e] * x[e];
      y[e] += row.to[e] * mine;
    }
    flux[row.current] += sum;
  }
}

void FastOperator::ApplyPotentialPart(bool imaginary, size_t columns,
                                      const Complex* charges,
                                      Complex* potential) const {
  std::vector<toeplitz::Product> products;
  for (size_t c = 0; c < columns; ++c) {
    products.push_back({&cells_, imaginary ? &p_imag_ : &p_, nullptr,
                        charges + c * cells(), potential + c * cells()});
  }
  convolution_.Apply(*threads_, products);
  for (size_t c = 0; c < columns; ++c) {
    for (size_t k = 0; k < p_correction_.size(); ++k) {
      const Complex part = p_correction_[k];
      potential[c * cells() + k] +=
          (imaginary ? part.imag() : part.real()) * charges[c * cells() + k];
    }
  }
}

void FastOperator::Collect(const Complex* currents, Complex* cells) const {
  std::fill_n(cells, this->cells(), Complex(0));
  for (size_t e = 0; e < ends_.size(); ++e) {
    cells[ends_[e].to] += currents[e];
    if (ends_[e].from >= 0) cells[ends_[e].from] -= currents[e];
  }
}

void FastOperator::AddDrop(Complex weight, const Complex* potential,
                           Complex* y) const {
  for (size_t e = 0; e < ends_.size(); ++e) {
    Complex drop = potential[ends_[e].to];
    if (ends_[e].from >= 0) drop -= potential[ends_[e].from];
    y[e] += Complex(weight.real() * drop.real() - weight.imag() * drop.imag(),
                    weight.real() * drop.imag() + weight.imag() * drop.real());
  }
}

void FastOperator::ApplyInverseShape(size_t columns, const Complex* x,
                                     Complex* y) const {
  std::vector<toeplitz::Product> products;
  for (size_t c = 0; c < columns; ++c) {
    const size_t at = c * ends_.size();
    products.push_back({&x_points_, &inverse_shape_, nullptr, x + at, y + at});
    products.push_back({&y_points_, &inverse_shape_, nullptr, x + at + x_edges_,
                        y + at + x_edges_});
  }
  near_.Apply(*threads_, products);
  for (size_t c = 0; c < columns && x != y; ++c) {
    const size_t at = c * ends_.size() + edges_;
    std::copy_n(x + at, ends_.size() - edges_, y + at);
  }
}

size_t FastOperator::bytes() const {
  size_t bytes = ends_.size() * (sizeof(Ends) + 8 + 8 + 4) + cells() * 4;
  for (const auto* spectrum :
       {&lx_, &ly_, &p_, &p_imag_, &gx_, &gy_, &lx_now_, &ly_now_,
        &lx_now_imag_, &ly_now_imag_, &inverse_shape_}) {
    bytes += spectrum->size() * sizeof(double);
  }
  for (const Row& row : rows_) bytes += row.to.size() * sizeof(double);
  return bytes + l_correction_.size() * 8 + p_correction_.size() * 16 +
         uprights_.size() * 8;
}

}  // namespace assay::planar
