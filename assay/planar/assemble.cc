// Assemble the dense matrices of a mesh.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/assemble.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <span>
#include <utility>

#include "assay/planar/edge_correction.h"
#include "assay/planar/uprights.h"

namespace assay::planar {
namespace {

// A table over signed offsets: the entry of pixels a and b lies at
// centre + Place(a) - Place(b), with no absolute values in the inner loop.
struct Signed {
  std::vector<double> values;
  int64_t stride = 0, centre = 0;

  Signed(const green::Tables& tables, std::span<const double> quarter) {
    const int nx = tables.grid.nx, ny = tables.grid.ny;
    stride = 2 * int64_t{ny} - 1;
    centre = (nx - 1) * stride + ny - 1;
    if (quarter.empty()) return;
    values.reserve(static_cast<size_t>((2 * int64_t{nx} - 1) * stride));
    for (int i = 1 - nx; i < nx; ++i) {
      for (int j = 1 - ny; j < ny; ++j) {
        values.push_back(quarter[tables.At(std::abs(i), std::abs(j))]);
      }
    }
  }
};

// Where a current begins and ends in a Signed table. A current from ground
// has weight 0 at `from`.
struct Place {
  int64_t from = 0, to = 0;
  double weight = 1;
};

std::vector<Place> PlacesOf(const Mesh& mesh, int64_t stride) {
  const auto place = [&](int32_t cell) {
    const uint32_t pixel = mesh.cells[static_cast<size_t>(cell)];
    return int64_t{pixel / static_cast<uint32_t>(mesh.ny)} * stride +
           pixel % static_cast<uint32_t>(mesh.ny);
  };
  std::vector<Place> places;
  for (const Ends& ends : EndsOfCurrents(mesh)) {
    const int64_t to = place(ends.to);
    places.push_back(ends.from < 0 ? Place{to, to, 0}
                                   : Place{place(ends.from), to, 1});
  }
  return places;
}

// Calls element(row, column, slot) for each stored element.
template <class Element>
void ForElements(const Threads& threads, Panels<double>& a,
                 const Element& element) {
  // Chunks of columns: panels grow shorter to the right.
  threads.For(a.size(), 16, [&](size_t begin, size_t end) {
    for (size_t column = begin; column < end; ++column) {
      const size_t k = column / Panels<double>::kPanel;
      const size_t first = a.first(k), rows = a.rows(k);
      double* out = a.at(k) + (column - first) * rows;
      for (size_t r = 0; r < rows; ++r) out[r] = element(first + r, column);
    }
  });
}

// Psi = D^T P D by four gathers an element.
void FillPotential(const Threads& threads, const Signed& table,
                   const std::vector<Place>& places, Panels<double>& psi) {
  ForElements(threads, psi, [&](size_t row, size_t column) {
    const Place& a = places[row];
    const Place& b = places[column];
    const double* at = table.values.data() + table.centre;
    return at[a.to - b.to] - a.weight * at[a.from - b.to] -
           b.weight * at[a.to - b.from] +
           a.weight * b.weight * at[a.from - b.from];
  });
}

// Elements between edges, the row not before the column: perpendicular
// currents do not couple.
struct EdgeTables {
  const double *x, *y;
  size_t x_edges;
  const Place* places;

  EdgeTables(const Mesh& mesh, const Signed& xx, const Signed& yy,
             const std::vector<Place>& all)
      : x(xx.values.data() + xx.centre),
        y(yy.values.data() + yy.centre),
        x_edges(mesh.x_edges),
        places(all.data()) {}

  double operator()(size_t row, size_t column) const {
    const int64_t offset = places[row].from - places[column].from;
    if (row < x_edges) return x[offset];
    return column < x_edges ? 0.0 : y[offset];
  }
};

void FillInductance(const Threads& threads, const Mesh& mesh,
                    const green::Kernel& kernel, const Signed& lxx,
                    const Signed& lyy, bool sheets,
                    const std::vector<Place>& places, Panels<double>& l) {
  const auto uprights = Uprights(mesh);
  const size_t edges = mesh.edges.size();
  std::vector<std::vector<double>> rows(uprights.size());
  threads.For(uprights.size(), 1, [&](size_t begin, size_t end) {
    for (size_t u = begin; u < end; ++u) {
      rows[u] = EdgeInductances(kernel, mesh, uprights[u]);
      for (size_t v = 0; v <= u; ++v) {
        rows[u].push_back(UprightInductance(kernel, mesh.substrate.h, sheets,
                                            uprights[u], uprights[v], u == v));
      }
    }
  });
  const EdgeTables tables(mesh, lxx, lyy, places);
  ForElements(threads, l, [&](size_t row, size_t column) {
    if (row < column) std::swap(row, column);
    if (row >= edges) return rows[row - edges][column];
    return tables(row, column);
  });
}

void FillGround(const Threads& threads, const Mesh& mesh, const Signed& gxx,
                const Signed& gyy, const std::vector<Place>& places,
                Panels<double>& ground) {
  const EdgeTables tables(mesh, gxx, gyy, places);
  ForElements(threads, ground, [&](size_t row, size_t column) {
    if (row < column) std::swap(row, column);
    return row < mesh.edges.size() ? tables(row, column) : 0.0;
  });
}

// Adds to P's diagonal: D^T diag(d) D reaches the currents of one cell.
void AddToPotential(const Mesh& mesh, std::span<const double> diagonal,
                    Panels<double>& psi) {
  const auto ends = EndsOfCurrents(mesh);
  std::vector<std::vector<std::pair<size_t, double>>> of(mesh.cells.size());
  for (size_t e = 0; e < ends.size(); ++e) {
    of[static_cast<size_t>(ends[e].to)].emplace_back(e, 1);
    if (ends[e].from >= 0) {
      of[static_cast<size_t>(ends[e].from)].emplace_back(e, -1);
    }
  }
  for (size_t c = 0; c < of.size(); ++c) {
    for (size_t a = 0; a < of[c].size(); ++a) {
      for (size_t b = 0; b <= a; ++b) {
        psi.Add(of[c][a].first, of[c][b].first,
                of[c][a].second * of[c][b].second * diagonal[c]);
      }
    }
  }
}

}  // namespace

std::vector<double> SquaresOf(const Mesh& mesh) {
  std::vector<double> squares;
  for (const Edge& edge : mesh.edges) {
    squares.push_back(edge.axis == Axis::kX ? mesh.dx / mesh.dy
                                            : mesh.dy / mesh.dx);
  }
  squares.resize(squares.size() + mesh.port_currents, 0.0);
  for (const Via& via : mesh.vias) {
    // A plated barrel: height over circumference.
    squares.push_back(mesh.substrate.h / (2 * green::kPi * via.radius));
  }
  return squares;
}

Result<green::Kernel> KernelOf(const Mesh& mesh, green::FarForm far) {
  const Substrate& s = mesh.substrate;
  ASSAY_ASSIGN(scalar, green::ScalarPotential(s.er, s.tand, s.h));
  return green::Kernel{std::move(scalar), green::VectorPotential(s.h), far};
}

Result<green::Tables> MakeTables(const Threads& threads, const Mesh& mesh,
                                 const AssembleOptions& options) {
  ASSAY_ASSIGN(kernel, KernelOf(mesh, options.far));
  auto tables =
      green::EmptyTables({mesh.nx, mesh.ny, mesh.dx, mesh.dy},
                         mesh.substrate.tand > 0, options.lossy_ground);
  threads.For(static_cast<size_t>(mesh.nx), 1, [&](size_t begin, size_t end) {
    green::FillTables(kernel, static_cast<int>(begin), static_cast<int>(end),
                      tables);
  });
  return tables;
}

double AssembledBytes(size_t unknowns, bool lossy, bool lossy_ground) {
  return (2 + lossy + lossy_ground) * Panels<double>::Bytes(unknowns);
}

Result<DenseMatrices> Assemble(const Threads& threads, const Mesh& mesh,
                               const AssembleOptions& options,
                               double max_bytes) {
  const size_t n = mesh.unknowns();
  const bool lossy = mesh.substrate.tand > 0;
  const double bytes = AssembledBytes(n, lossy, options.lossy_ground) +
                       150.0 * static_cast<double>(mesh.metal.size());
  const Error over = {
      Code::kOverBudget,
      fmt::format("the dense matrices of {} unknowns need {:.1f} MiB", n,
                  bytes / (1 << 20)),
      "larger pixels, more memory, or the fast solver"};
  if (bytes > max_bytes) return over;

  ASSAY_ASSIGN(kernel, KernelOf(mesh, options.far));
  ASSAY_ASSIGN(tables, MakeTables(threads, mesh, options));
  DenseMatrices m;
  m.sources = Sources(mesh);
  m.ports = mesh.ports.size();
  m.conductor = mesh.conductor;
  m.squares = SquaresOf(mesh);
  m.inductance = Panels<double>(n);
  m.potential = Panels<double>(n);
  if (lossy) m.potential_loss = Panels<double>(n);
  if (options.lossy_ground) m.ground = Panels<double>(n);
  if (!m.inductance.ok() || !m.potential.ok() || !m.potential_loss.ok() ||
      !m.ground.ok()) {
    return over;
  }
  const Signed p(tables, tables.p);
  const auto places = PlacesOf(mesh, p.stride);
  FillPotential(threads, p, places, m.potential);
  if (lossy) {
    FillPotential(threads, Signed(tables, tables.p_imag), places,
                  m.potential_loss);
  }
  FillInductance(threads, mesh, kernel, Signed(tables, tables.lxx),
                 Signed(tables, tables.lyy), options.vertical_sheets, places,
                 m.inductance);
  if (options.lossy_ground) {
    FillGround(threads, mesh, Signed(tables, tables.gxx),
               Signed(tables, tables.gyy), places, m.ground);
  }
  if (options.edge_correction) {
    const EdgeCorrection correction = CorrectEdges(mesh);
    std::vector<double> real, imag;
    for (const std::complex<double> value : correction.potential) {
      real.push_back(value.real());
      imag.push_back(value.imag());
    }
    AddToPotential(mesh, real, m.potential);
    if (lossy) AddToPotential(mesh, imag, m.potential_loss);
    for (size_t e = 0; e < mesh.edges.size(); ++e) {
      m.inductance.Add(e, e, correction.inductance[e]);
    }
  }
  return m;
}

}  // namespace assay::planar
