// Test an answer by routines that share nothing with the solvers.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "assay/base/split_mix.h"
#include "assay/ops/green/green.h"
#include "assay/planar/edge_correction.h"
#include "assay/planar/surface.h"
#include "assay/planar/unknowns.h"
#include "assay/planar/uprights.h"

namespace assay::planar {
namespace {

// A row of Z times currents, element by element.
class Rows {
 public:
  Rows(const Mesh& mesh, const Options& options, green::Kernel kernel)
      : mesh_(mesh),
        options_(options),
        kernel_(std::move(kernel)),
        tables_(green::EmptyTables({mesh.nx, mesh.ny, mesh.dx, mesh.dy},
                                   mesh.substrate.tand > 0,
                                   options.ground_loss)),
        ends_(EndsOfCurrents(mesh)),
        uprights_(Uprights(mesh)) {
    green::FillTables(kernel_, 0, mesh.nx, tables_);
    for (const uint32_t pixel : mesh.cells) {
      const auto ny = static_cast<uint32_t>(mesh.ny);
      places_.emplace_back(pixel / ny, pixel % ny);
    }
    if (options.edge_correction) correction_ = CorrectEdges(mesh);
  }

  double SelfPotential() const { return tables_.p[0]; }

  // Charges at omega: D I / (j omega).
  std::vector<Complex> Charges(double omega, const Complex* currents) const {
    std::vector<Complex> q(mesh_.cells.size());
    for (size_t e = 0; e < ends_.size(); ++e) {
      q[static_cast<size_t>(ends_[e].to)] += currents[e];
      if (ends_[e].from >= 0) {
        q[static_cast<size_t>(ends_[e].from)] -= currents[e];
      }
    }
    for (Complex& value : q) value /= Complex(0, omega);
    return q;
  }

  // Currents and charges of one port at one frequency.
  struct State {
    double omega = 0;
    const Complex* currents = nullptr;
    std::vector<Complex> charges;
  };

  // Volts of row e for every state: jwL I + Zs G I, the ground's share, and
  // the drop of the charges' potential.
  std::vector<Complex> Volts(size_t e, std::span<const State> states) const {
    const std::vector<double> far = Uprightward(e);
    std::vector<Complex> all;
    for (const State& state : states) {
      const double omega = state.omega;
      const Complex* currents = state.currents;
      Complex volts = Complex(0, omega) * Flux(e, far, currents);
      if (options_.ground_loss && e < mesh_.edges.size()) {
        const bool along_x = e < mesh_.x_edges;
        volts += GroundImpedance(mesh_.conductor, omega) *
                 OverEdges(e, along_x ? tables_.gxx : tables_.gyy, currents);
      }
      volts +=
          SurfaceImpedance(mesh_.conductor, omega) * Squares(e) * currents[e];
      volts += Potential(static_cast<size_t>(ends_[e].to), state.charges);
      if (ends_[e].from >= 0) {
        volts -= Potential(static_cast<size_t>(ends_[e].from), state.charges);
      }
      all.push_back(volts);
    }
    return all;
  }

 private:
  double Squares(size_t e) const {
    if (e < mesh_.x_edges) return mesh_.dx / mesh_.dy;
    if (e < mesh_.edges.size()) return mesh_.dy / mesh_.dx;
    const size_t u = e - mesh_.edges.size();
    if (!uprights_[u].is_via) return 0;
    return mesh_.substrate.h / (2 * green::kPi * uprights_[u].radius);
  }

  Complex Potential(size_t cell, const std::vector<Complex>& charges) const {
    const auto [i, j] = places_[cell];
    Complex sum = 0;
    for (size_t c = 0; c < charges.size(); ++c) {
      const auto [k, l] = places_[c];
      sum +=
          tables_.p[tables_.At(std::abs(i - k), std::abs(j - l))] * charges[c];
    }
    for (size_t c = 0; c < charges.size() && !tables_.p_imag.empty(); ++c) {
      const auto [k, l] = places_[c];
      const double imag =
          tables_.p_imag[tables_.At(std::abs(i - k), std::abs(j - l))];
      sum += Complex(-imag * charges[c].imag(), imag * charges[c].real());
    }
    if (options_.edge_correction) {
      sum += correction_.potential[cell] * charges[cell];
    }
    return sum;
  }

  // A table's row of an edge times the currents of its direction.
  Complex OverEdges(size_t e, const std::vector<double>& table,
                    const Complex* currents) const {
    const bool along_x = e < mesh_.x_edges;
    const size_t begin = along_x ? 0 : mesh_.x_edges;
    const size_t end = along_x ? mesh_.x_edges : mesh_.edges.size();
    const auto [i, j] = places_[mesh_.edges[e].from];
    Complex sum = 0;
    for (size_t k = begin; k < end; ++k) {
      const auto [m, l] = places_[mesh_.edges[k].from];
      sum += table[tables_.At(std::abs(i - m), std::abs(j - l))] * currents[k];
    }
    return sum;
  }

  // Of row e what the tables do not know: to edges where e is no edge itself,
  // and to ports' and vias' currents.
  std::vector<double> Uprightward(size_t e) const {
    const size_t edges = mesh_.edges.size();
    std::vector<double> row;
    if (e >= edges) {
      const Upright& mine = uprights_[e - edges];
      row = EdgeInductances(kernel_, mesh_, mine);
      for (size_t u = 0; u < uprights_.size(); ++u) {
        row.push_back(UprightInductance(kernel_, mesh_.substrate.h,
                                        !options_.flat_ports, mine,
                                        uprights_[u], edges + u == e));
      }
      return row;
    }
    const bool along_x = e < mesh_.x_edges;
    const auto [i, j] = places_[mesh_.edges[e].from];
    const double x = i * mesh_.dx, y = j * mesh_.dy;
    const green::CurrentCell cell =
        along_x ? green::CurrentCell{x + mesh_.dx / 2, y, mesh_.dx, mesh_.dy}
                : green::CurrentCell{x, y + mesh_.dy / 2, mesh_.dy, mesh_.dx};
    for (const Upright& other : uprights_) {
      const bool apart = other.is_via || other.kind != PortKind::kEdge ||
                         (other.normal == Axis::kX) != along_x;
      row.push_back(apart ? 0
                          : other.inwards *
                                green::MutualInductance(kernel_, other.half,
                                                        cell, along_x));
    }
    return row;
  }

  Complex Flux(size_t e, const std::vector<double>& far,
               const Complex* currents) const {
    const size_t edges = mesh_.edges.size();
    Complex sum = 0;
    if (e >= edges) {
      for (size_t k = 0; k < far.size(); ++k) sum += far[k] * currents[k];
      return sum;
    }
    const bool along_x = e < mesh_.x_edges;
    sum = OverEdges(e, along_x ? tables_.lxx : tables_.lyy, currents);
    if (options_.edge_correction) {
      sum += correction_.inductance[e] * currents[e];
    }
    for (size_t u = 0; u < far.size(); ++u) {
      sum += far[u] * currents[edges + u];
    }
    return sum;
  }

  const Mesh& mesh_;
  const Options& options_;
  green::Kernel kernel_;
  green::Tables tables_;
  std::vector<Ends> ends_;
  std::vector<Upright> uprights_;
  EdgeCorrection correction_;
  std::vector<std::pair<int, int>> places_;  // of cells
};

// Written so that NaN stays.
void Grow(Check& check, double value) {
  if (!(value <= check.value)) check.value = value;
}

// All rows where there are few, else those of ports and vias and some edges'.
std::vector<size_t> Draw(size_t unknowns, size_t rows, size_t edges,
                         std::span<const Source> sources) {
  std::vector<size_t> drawn;
  if (unknowns <= rows) {
    for (size_t e = 0; e < unknowns; ++e) drawn.push_back(e);
    return drawn;
  }
  for (const Source& source : sources) drawn.push_back(source.unknown);
  for (size_t e = edges; e < unknowns; ++e) drawn.push_back(e);
  for (uint64_t i = 0; i < rows; ++i) {
    drawn.push_back(static_cast<size_t>(SplitMix64(0x6d6f6d, i) % unknowns));
  }
  std::sort(drawn.begin(), drawn.end());
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  return drawn;
}

}  // namespace

Result<std::vector<Check>> CheckResiduals(const Mesh& mesh,
                                          const Options& options,
                                          std::span<const Sample> samples,
                                          size_t rows) {
  const Substrate& substrate = mesh.substrate;
  ASSAY_ASSIGN(scalar, green::ScalarPotential(substrate.er, substrate.tand,
                                              substrate.h));
  const Rows z(
      mesh, options,
      {std::move(scalar), green::VectorPotential(substrate.h), options.far});
  const size_t n = mesh.unknowns(), p = mesh.ports.size();
  const size_t cells = mesh.cells.size();
  const auto sources = Sources(mesh);
  const std::vector<size_t> drawn = Draw(n, rows, mesh.edges.size(), sources);
  size_t always = 0;
  std::vector<uint8_t> sure(n);
  for (size_t e = mesh.edges.size(); e < n; ++e) sure[e] = 1;
  for (const Source& source : sources) sure[source.unknown] = 1;
  for (const uint8_t one : sure) always += one;
  // The drawn edges stand for all edges.
  const auto others = static_cast<double>(n - always);
  const auto seen = static_cast<double>(drawn.size() - always);
  const double weight = seen > 0 ? others / seen : 1;

  std::vector<Rows::State> states;
  for (const Sample& sample : samples) {
    for (size_t port = 0; port < p; ++port) {
      const double omega = 2 * green::kPi * sample.hz;
      const Complex* currents = &sample.currents[port * n];
      states.push_back({omega, currents, z.Charges(omega, currents)});
    }
  }
  Check continuity{"continuity", "greatest ||D I - j omega q|| of solutions", 0,
                   1e-6, false};
  bool charged = false;
  for (size_t k = 0; k < states.size(); ++k) {
    const Sample& sample = samples[k / p];
    if (sample.charges.empty()) continue;
    charged = true;
    const Complex* q = &sample.charges[k % p * cells];
    double apart = 0, stored = 0, flowing = 0;
    for (size_t c = 0; c < cells; ++c) {
      apart += std::norm(states[k].charges[c] - q[c]);
      stored += std::norm(q[c]);
    }
    for (size_t e = 0; e < n; ++e) flowing += std::norm(states[k].currents[e]);
    const double scale =
        std::sqrt(stored) + 1e-8 * std::sqrt(flowing) / states[k].omega;
    Grow(continuity, std::sqrt(apart) / scale);
    states[k].charges.assign(q, q + cells);
  }

  std::vector<double> left(states.size()), right(states.size());
  for (const size_t e : drawn) {
    const std::vector<Complex> volts = z.Volts(e, states);
    std::vector<double> driven(p);
    for (const Source& source : sources) {
      if (source.unknown == e) driven[source.port] += source.sign;
    }
    for (size_t k = 0; k < states.size(); ++k) {
      left[k] += (sure[e] ? 1 : weight) * std::norm(driven[k % p] - volts[k]);
      right[k] += driven[k % p] * driven[k % p];
    }
  }
  Check check;
  check.name = "residual";
  check.detail = fmt::format("{} of {} rows at {} frequencies, by scalar sums",
                             drawn.size(), n, samples.size());
  double worst = -1;
  for (size_t k = 0; k < states.size(); ++k) {
    const Sample& sample = samples[k / p];
    double most = 0;
    for (size_t e = 0; e < n; ++e) {
      most = std::max(most, std::abs(states[k].currents[e]));
    }
    const double noise = sample.charges.empty()
                             ? 1e-14 * most * z.SelfPotential() /
                                   (states[k].omega * std::sqrt(right[k]))
                             : 0;
    const double found = std::sqrt(left[k] / right[k]);
    const double bound = std::max(10 * sample.promised, 1e-9) + noise;
    // Written so that NaN stays.
    if (!(found / bound <= worst)) {
      worst = found / bound;
      check.value = found;
      check.bound = bound;
    }
  }
  check.passed = check.value <= check.bound;
  continuity.passed = continuity.value <= continuity.bound;
  std::vector<Check> checks = {check};
  if (charged) checks.push_back(continuity);
  return checks;
}

std::vector<Check> CheckScattering(std::span<const PortMatrix> s,
                                   bool lossless) {
  Check passive{"passivity", "greatest eigenvalue of S^H S - 1", 0, 1e-9,
                false};
  Check balance{"power balance", "greatest |S^H S - 1| of lossless metal", 0,
                1e-9, false};
  for (const PortMatrix& one : s) {
    const NetworkHealth health = HealthOf(one);
    Grow(passive, health.gain);
    for (size_t a = 0; a < one.ports && lossless; ++a) {
      for (size_t b = 0; b < one.ports; ++b) {
        Complex sum = a == b ? -1.0 : 0.0;
        for (size_t k = 0; k < one.ports; ++k) {
          sum += std::conj(one(k, a)) * one(k, b);
        }
        Grow(balance, std::abs(sum));
      }
    }
  }
  std::vector<Check> checks = {passive};
  if (lossless) checks.push_back(balance);
  for (Check& check : checks) check.passed = check.value <= check.bound;
  return checks;
}

}  // namespace assay::planar
