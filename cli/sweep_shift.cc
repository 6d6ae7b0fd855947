// A line of the port's width between the old plane and the new one.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_shift.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "assay/planar/line.h"
#include "assay/planar/network.h"

namespace assay::cli {
namespace {

using planar::Complex;
using planar::LineMode;

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

}  // namespace

Status ShiftAnswer(std::span<const double> metres, bool lossy_ground,
                   planar::Answer& answer) {
  const planar::Mesh& mesh = answer.raster.mesh;
  const size_t ports = answer.z0.size();
  std::vector<std::optional<LineMode>> lines(ports);
  for (size_t p = 0; p < ports; ++p) {
    if (metres[p] == 0) continue;
    ASSAY_ASSIGN(line, LineAt(mesh, p));
    lines[p] = line;
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
  return {};
}

}  // namespace assay::cli
