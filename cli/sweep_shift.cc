// A line of the port's width between the old plane and the new one.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_shift.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/planar/line.h"
#include "assay/planar/network.h"
#include "cli/frequencies.h"
#include "cli/port_line.h"
#include "cli/quantity.h"

namespace assay::cli {
namespace {

using planar::Complex;
using planar::LineMode;

// Of |S|^2: more than rounding is worth a word, and this much is no answer.
constexpr double kSilentGain = 1e-6;
constexpr double kMostGain = 0.05;

Result<LineMode> LineAt(const planar::Mesh& mesh, size_t index) {
  const planar::Port& port = mesh.ports[index];
  if (port.kind != planar::PortKind::kEdge) {
    return Error{Code::kInvalidInput,
                 fmt::format("--shift: port {} is no edge port", index + 1),
                 "it has no line to move along: its length is 0"};
  }
  const planar::Side side = port.currents.front().side;
  const bool on_x = side == planar::Side::kWest || side == planar::Side::kEast;
  const double width =
      static_cast<double>(port.currents.size()) * (on_x ? mesh.dy : mesh.dx);
  const std::array strips = {planar::Strip{0, width}};
  ASSAY_ASSIGN(model,
               planar::SolveLine(mesh.substrate, mesh.conductor, strips));
  return planar::SingleMode(model);
}

void WarnOfEnd(size_t port, double metres, planar::Answer& answer) {
  const auto end = LineEndWithin(answer.raster.mesh, port, metres);
  if (!end) return;
  answer.warnings.push_back(fmt::format(
      "--shift: the line of port {0}, as wide as the port, ends {1} from it "
      "({2}), and the plane moves by {3}: beyond {1} it takes off a line that "
      "is not there",
      port + 1, QuantityText(end->metres, "m"), end->why,
      QuantityText(metres, "m")));
}

void CheckMoved(planar::Answer& answer) {
  for (planar::Check& check : answer.verification.checks) {
    check.name.insert(0, kBeforeShift);
  }
  double greatest = 0;
  double at = answer.hz.back();
  for (size_t k = 0; k < answer.hz.size(); ++k) {
    if (answer.hz[k] == 0) continue;
    double gain = planar::HealthOf(answer.s[k]).gain;
    if (!std::isfinite(gain)) gain = std::numeric_limits<double>::infinity();
    if (gain <= greatest) continue;
    greatest = gain;
    at = answer.hz[k];
  }
  const std::string hertz = FrequencyText(at);
  answer.verification.checks.push_back(
      {std::string(kShiftGain),
       fmt::format("greatest eigenvalue of S^H S less 1, at {}", hertz),
       greatest, kMostGain, greatest <= kMostGain});
  if (greatest > kSilentGain) {
    answer.warnings.push_back(fmt::format(
        "--shift: S of the moved planes gains {:.2g} of power at {}, which "
        "nothing passive does: near the port, its end or a discontinuity the "
        "line is not as uniform as the shift assumes; trust S no further than "
        "that, or move the planes less",
        greatest, hertz));
  }
}

}  // namespace

bool AnyMoves(std::span<const double> metres) {
  return std::ranges::any_of(metres, [](double length) { return length != 0; });
}

Status ShiftAnswer(std::span<const double> metres, bool lossy_ground,
                   planar::Answer& answer) {
  const planar::Mesh& mesh = answer.raster.mesh;
  const size_t ports = answer.z0.size();
  if (!AnyMoves(metres)) return {};
  std::vector<std::optional<LineMode>> lines(ports);
  for (size_t p = 0; p < ports; ++p) {
    if (metres[p] == 0) continue;
    ASSAY_ASSIGN(line, LineAt(mesh, p));
    lines[p] = line;
    WarnOfEnd(p, metres[p], answer);
  }
  for (size_t k = 0; k < answer.hz.size(); ++k) {
    if (answer.hz[k] == 0) continue;
    std::vector<double> z = answer.z0;
    std::vector<Complex> shift(ports);
    for (size_t p = 0; p < ports; ++p) {
      if (!lines[p]) continue;
      const planar::LineWave wave =
          planar::WaveAt(*lines[p], mesh.conductor, answer.hz[k], lossy_ground);
      // The angle of a microstrip's impedance is that of its losses: small.
      z[p] = wave.impedance.real();
      shift[p] = wave.gamma * metres[p];
    }
    ASSAY_ASSIGN(on_lines, planar::SFromY(answer.y[k], z));
    ASSAY_ASSIGN(y, planar::YFromS(planar::ShiftPlanes(on_lines, shift), z));
    ASSAY_ASSIGN(s, planar::SFromY(y, answer.z0));
    answer.y[k] = std::move(y);
    answer.s[k] = std::move(s);
  }
  CheckMoved(answer);
  return {};
}

}  // namespace assay::cli
