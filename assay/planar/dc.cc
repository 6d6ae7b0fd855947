// Solve a mesh at zero frequency, where only resistance is left.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/dc.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "assay/planar/assemble.h"
#include "assay/planar/nodal_factor.h"
#include "assay/planar/system.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {
namespace {

// Ports are ideal sources; a share of a square stands for their zero.
constexpr double kPortSquares = 1e-6;

}  // namespace

Result<DcAnswer> SolveDc(const Mesh& mesh) {
  const Conductor& metal = mesh.conductor;
  const double sheet =
      metal.sigma > 0 ? 1 / (metal.sigma * metal.thickness) : kPerfectOhms;
  const size_t n = mesh.unknowns(), cells = mesh.cells.size();
  const size_t edges = mesh.edges.size(), p = mesh.ports.size();
  const auto ends = EndsOfCurrents(mesh);
  const auto squares = SquaresOf(mesh);
  std::vector<Complex> g(n);  // siemens
  for (size_t e = 0; e < n; ++e) {
    g[e] = 1 / (sheet * (squares[e] > 0 ? squares[e] : kPortSquares));
  }
  NodalFactor nodal(cells, ends);
  if (!nodal.Factor(g, 0)) {
    return Error{Code::kInternal, "the resistive network is singular", ""};
  }
  DcAnswer answer;
  answer.y.resize(p * p);
  answer.currents.resize(n * p);
  const auto sources = Sources(mesh);
  for (size_t b = 0; b < p; ++b) {
    std::vector<Complex> emf(n), injected(cells), phi(cells);
    for (const Source& source : sources) {
      if (source.port == b) emf[source.unknown] += source.sign;
    }
    for (size_t e = 0; e < n; ++e) {
      injected[static_cast<size_t>(ends[e].to)] += g[e] * emf[e];
      if (ends[e].from >= 0) {
        injected[static_cast<size_t>(ends[e].from)] -= g[e] * emf[e];
      }
    }
    nodal.Solve(injected.data(), phi.data());
    Complex* current = &answer.currents[b * n];
    std::vector<Complex> out(cells);  // what leaves a cell through metal, vias
    for (size_t e = 0; e < n; ++e) {
      const bool port = e >= edges && e < edges + mesh.port_currents;
      if (port) continue;
      Complex drop = emf[e] - phi[static_cast<size_t>(ends[e].to)];
      if (ends[e].from >= 0) drop += phi[static_cast<size_t>(ends[e].from)];
      current[e] = g[e] * drop;
      out[static_cast<size_t>(ends[e].to)] -= current[e];
      if (ends[e].from >= 0) {
        out[static_cast<size_t>(ends[e].from)] += current[e];
      }
    }
    // What Kirchhoff's law leaves at cells that no port feeds.
    std::vector<uint8_t> fed(cells);
    for (size_t e = edges; e < edges + mesh.port_currents; ++e) {
      fed[static_cast<size_t>(ends[e].to)] = 1;
    }
    double most = 0, left = 0;
    for (size_t e = 0; e < n; ++e) most = std::max(most, std::abs(current[e]));
    for (size_t c = 0; c < cells; ++c) {
      if (!fed[c]) left = std::max(left, std::abs(out[c]));
    }
    // Open metal carries rounding only.
    const double scale = std::max(most, 1e-9 / sheet);
    answer.unbalance = std::max(answer.unbalance, left / scale);
    // Of a port the sum of its neighbours: its own drop is all rounding.
    for (size_t e = edges; e < edges + mesh.port_currents; ++e) {
      current[e] = out[static_cast<size_t>(ends[e].to)];
    }
    for (const Source& source : sources) {
      answer.y[source.port * p + b] += source.sign * current[source.unknown];
    }
  }
  answer.asymmetry = MakeSymmetric(p, answer.y);
  return answer;
}

PortMatrix LosslessLimit(const PortMatrix& s) {
  const size_t p = s.ports;
  PortMatrix now(p);
  for (size_t i = 0; i < p * p; ++i) now.values[i] = s.values[i].real();
  const auto times = [p](const PortMatrix& a, const PortMatrix& b) {
    PortMatrix product(p);
    for (size_t i = 0; i < p; ++i) {
      for (size_t j = 0; j < p; ++j) {
        for (size_t k = 0; k < p; ++k) product(i, j) += a(i, k) * b(k, j);
      }
    }
    return product;
  };
  for (int step = 0; step < 5; ++step) {
    // S (3 - S^T S) / 2, and S is symmetric.
    const PortMatrix cube = times(now, times(now, now));
    PortMatrix next(p);
    for (size_t i = 0; i < p; ++i) {
      for (size_t j = 0; j < p; ++j) {
        next(i, j) =
            (3.0 * (now(i, j) + now(j, i)) - cube(i, j) - cube(j, i)) / 4.0;
      }
    }
    now = std::move(next);
  }
  return now;
}

}  // namespace assay::planar
