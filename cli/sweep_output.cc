// One answer in four forms.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include "assay/base/text.h"
#include "assay/planar/grid.h"
#include "cli/frequencies.h"
#include "cli/immittance.h"
#include "cli/sweep_fields.h"
#include "cli/sweep_shift.h"

namespace assay::cli {
namespace {

using planar::Answer;
using planar::Complex;

constexpr size_t kToldMoves = 3;
constexpr size_t kListedMoves = 200;

std::string_view SolverName(planar::Solver solver) {
  return solver == planar::Solver::kDense ? "dense" : "fast";
}

std::string Decibel(Complex s) {
  const double size = std::abs(s);
  if (size == 0) return "-inf";
  // 0.0 in place of the -0.0 of a lossless answer.
  const double db = std::round(2000 * std::log10(size)) / 100;
  return fmt::format("{:.2f}", db == 0 ? 0.0 : db);
}

double Degrees(Complex s) { return std::arg(s) * 180 / std::numbers::pi; }

std::string Plural(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string MeshWords(const SweepJob& job, const Answer& answer) {
  const planar::Mesh& mesh = answer.raster.mesh;
  return fmt::format("{}: {} x {} pixels of {:.6g} x {:.6g} {}, {}", job.path,
                     mesh.nx, mesh.ny, job.layout->dx, job.layout->dy,
                     planar::UnitName(job.layout->units),
                     Plural(mesh.ports.size(), "port"));
}

std::string SolvedWords(const Answer& answer) {
  const bool dc = answer.hz.front() == 0;
  const size_t count = answer.hz.size() - (dc ? 1 : 0);
  std::string text = fmt::format(
      "{}, {} unknowns; {} of {} exactly", SolverName(answer.solver),
      answer.raster.mesh.unknowns(), answer.exact.size(),
      count == 1 ? "1 frequency" : fmt::format("{} frequencies", count));
  if (answer.exact.size() < count) {
    text +=
        fmt::format(", the rest by a model of {} vectors", answer.costs.basis);
  }
  return dc ? text + "; DC by its resistances" : text;
}

std::string BandWords(std::span<const double> hz) {
  if (hz.size() == 1) return FrequencyText(hz[0]);
  return fmt::format("{} from {} to {}", hz.size(), FrequencyText(hz.front()),
                     FrequencyText(hz.back()));
}

std::string CheckWords(const planar::Check& check) {
  return fmt::format("{}: {:.2g}, at most {:.2g}{}", check.name, check.value,
                     check.bound,
                     check.detail.empty() ? "" : " (" + check.detail + ")");
}

void AddLeast(const Answer& answer, size_t i, size_t j,
              std::vector<Row>& rows) {
  const size_t k = LeastIndex(answer, i, j);
  if (answer.hz[k] == 0) return;
  rows.emplace_back(fmt::format("least |S{}{}|", i + 1, j + 1),
                    fmt::format("{} dB at {}", Decibel(answer.s[k](i, j)),
                                FrequencyText(answer.hz[k])));
}

// Edges that left their place, the ones that went farthest first.
std::vector<planar::EdgeMove> MovesOf(const SweepJob& job,
                                      const Answer& answer) {
  const planar::Mesh& mesh = answer.raster.mesh;
  const double least = planar::kGridSlack * std::min(mesh.dx, mesh.dy) /
                       planar::Metres(job.layout->units);
  std::vector<planar::EdgeMove> moves;
  for (const planar::EdgeMove& move : answer.raster.moves) {
    if (std::abs(move.moved) > least) moves.push_back(move);
  }
  const auto distance = [](const planar::EdgeMove& move) {
    return -std::abs(move.moved);
  };
  std::ranges::stable_sort(moves, {}, distance);
  return moves;
}

void AddMoves(const SweepJob& job, const Answer& answer,
              std::vector<Row>& rows) {
  const std::vector<planar::EdgeMove> moves = MovesOf(job, answer);
  const planar::Mesh& mesh = answer.raster.mesh;
  const double pixel =
      std::min(mesh.dx, mesh.dy) / planar::Metres(job.layout->units);
  for (size_t k = 0; k < std::min(moves.size(), kToldMoves); ++k) {
    const planar::EdgeMove& move = moves[k];
    rows.emplace_back(
        k == 0 ? "edges moved" : "",
        fmt::format("{} by {:.3g} {} ({:.3g} % of a pixel){}", move.key,
                    move.moved, planar::UnitName(job.layout->units),
                    100 * std::abs(move.moved) / pixel,
                    move.stair ? ", a stair" : ""));
  }
  if (moves.size() > kToldMoves) {
    rows.emplace_back(
        "", fmt::format("and {} more, by less", moves.size() - kToldMoves));
  }
}

void PutMoves(const SweepJob& job, const Answer& answer, Json& json) {
  const std::vector<planar::EdgeMove> moves = MovesOf(job, answer);
  const double unit = planar::Metres(job.layout->units);
  json["moves_count"] = moves.size();
  json["moves"] = Json::array();
  for (size_t k = 0; k < std::min(moves.size(), kListedMoves); ++k) {
    json["moves"].push_back({{"key", moves[k].key},
                             {"moved_m", moves[k].moved * unit},
                             {"stair", moves[k].stair}});
  }
}

Json PairsJson(const planar::PortMatrix& matrix) {
  Json rows = Json::array();
  for (size_t i = 0; i < matrix.ports; ++i) {
    Json row = Json::array();
    for (size_t j = 0; j < matrix.ports; ++j) {
      row.push_back({matrix(i, j).real(), matrix(i, j).imag()});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json PairsOrNull(const std::optional<planar::PortMatrix>& matrix) {
  return matrix ? PairsJson(*matrix) : Json(nullptr);
}

Json ChecksJson(const planar::Verification& verification) {
  Json checks = Json::array();
  for (const planar::Check& check : verification.checks) {
    checks.push_back({{"name", check.name},
                      {"passed", check.passed},
                      {"value", check.value},
                      {"bound", check.bound},
                      {"detail", check.detail}});
  }
  return checks;
}

Json ExactJson(const Answer& answer) {
  Json list = Json::array();
  for (const planar::ExactPoint& point : answer.exact) {
    list.push_back({{"frequency_hz", answer.hz[point.index]},
                    {"method", point.report.method},
                    {"backward_error", point.report.backward_error},
                    {"steps", point.report.steps},
                    {"notes", point.report.notes}});
  }
  return list;
}

Json CostsJson(const Answer& answer, const SweepFigures& figures) {
  const planar::Costs& costs = answer.costs;
  return {{"sweep_ms", RoundMs(figures.sweep_s * 1e3)},
          {"assemble_ms", RoundMs(costs.assemble_s * 1e3)},
          {"solve_ms", RoundMs(costs.solve_s * 1e3)},
          {"reduce_ms", RoundMs(costs.reduce_s * 1e3)},
          {"verify_ms", RoundMs(costs.verify_s * 1e3)},
          {"planned_bytes", static_cast<uint64_t>(costs.planned_bytes)},
          {"peak_bytes", figures.peak_bytes},
          {"basis", costs.basis}};
}

}  // namespace

std::vector<std::string> WarningsOf(const Answer& answer) {
  std::vector<std::string> all = answer.raster.warnings;
  for (const std::string& warning : answer.warnings) {
    if (std::ranges::find(all, warning) == all.end()) all.push_back(warning);
  }
  return all;
}

std::string ShiftWords(const SweepJob& job) {
  if (!AnyMoves(job.shift_m)) return "";
  const double unit = planar::Metres(job.layout->units);
  std::string text;
  for (const double length : job.shift_m) {
    text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", length / unit);
  }
  return fmt::format("moved inwards by {} {}", text,
                     planar::UnitName(job.layout->units));
}

std::vector<Row> SweepRows(const SweepJob& job, const Answer& answer,
                           const SweepFigures& figures) {
  const planar::Costs& costs = answer.costs;
  std::vector<Row> rows = {
      {"layout", MeshWords(job, answer)},
      {"frequencies", BandWords(answer.hz)},
      {"solved", SolvedWords(answer)},
  };
  const std::string planes = ShiftWords(job);
  if (!planes.empty()) rows.emplace_back("planes", planes);
  AddLeast(answer, 0, 0, rows);
  if (answer.z0.size() > 1) AddLeast(answer, 1, 0, rows);
  AddMoves(job, answer, rows);
  if (answer.measured) {
    rows.emplace_back(
        "measured",
        fmt::format("S differs by {:.2g} from an exact solution "
                    "at {}, which the model had not seen{}",
                    answer.measured->s_error,
                    FrequencyText(answer.hz[answer.measured->index]),
                    planes.empty() ? "" : " (before the planes moved)"));
  }
  bool first = true;
  for (const planar::Check& check : answer.verification.checks) {
    rows.emplace_back(
        std::exchange(first, false) ? "tests" : "",
        (check.passed ? "passed  " : "FAILED  ") + CheckWords(check));
  }
  rows.emplace_back(
      "time",
      fmt::format("{} (assembly {}, exact solutions {}, model {}, tests {})",
                  HumanTime(figures.sweep_s), HumanTime(costs.assemble_s),
                  HumanTime(costs.solve_s), HumanTime(costs.reduce_s),
                  HumanTime(costs.verify_s)));
  rows.emplace_back(
      "memory",
      fmt::format("{} planned, {} at the peak",
                  HumanBytes(static_cast<uint64_t>(costs.planned_bytes)),
                  HumanBytes(figures.peak_bytes)));
  return rows;
}

std::string SweepTable(const Answer& answer) {
  const size_t ports = answer.z0.size();
  const size_t columns = ports > 2 ? 1 : ports;
  std::string text = fmt::format("{:>14}", "frequency");
  for (size_t j = 0; j < columns; ++j) {
    for (size_t i = 0; i < ports; ++i) {
      const std::string name = ports > 9 ? fmt::format("S{},{}", i + 1, j + 1)
                                         : fmt::format("S{}{}", i + 1, j + 1);
      text += fmt::format("{:>10} dB {:>7}", name, "deg");
    }
  }
  text += '\n';
  for (size_t k = 0; k < answer.hz.size(); ++k) {
    text += fmt::format("{:>14}", FrequencyText(answer.hz[k]));
    for (size_t j = 0; j < columns; ++j) {
      for (size_t i = 0; i < ports; ++i) {
        const Complex s = answer.s[k](i, j);
        text += fmt::format("{:>13} {:>7.1f}", Decibel(s), Degrees(s));
      }
    }
    text += '\n';
  }
  return text;
}

Json SweepJson(const SweepJob& job, const Answer& answer,
               const SweepFigures& figures) {
  const planar::Mesh& mesh = answer.raster.mesh;
  const double unit = planar::Metres(job.layout->units);
  Json json;
  json["layout"] = job.path;
  json["verified"] = answer.verification.passed();
  json["checks"] = ChecksJson(answer.verification);
  json["pixels"] = {mesh.nx, mesh.ny};
  json["pixel_m"] = {mesh.dx, mesh.dy};
  json["unknowns"] = mesh.unknowns();
  json["largest_move_m"] = answer.raster.largest_move * unit;
  PutMoves(job, answer, json);
  json["solver"] = std::string(SolverName(answer.solver));
  json["exact"] = ExactJson(answer);
  if (answer.measured) {
    json["measured"] = {{"frequency_hz", answer.hz[answer.measured->index]},
                        {"s_error", answer.measured->s_error},
                        {"before_shift", AnyMoves(job.shift_m)}};
  }
  json["costs"] = CostsJson(answer, figures);
  json["warnings"] = WarningsOf(answer);
  json["shift_m"] = job.shift_m;
  json["z0_ohm"] = answer.z0;
  json["frequency_hz"] = answer.hz;
  json["residual"] = answer.residual;
  json["s"] = Json::array();
  for (const planar::PortMatrix& s : answer.s) {
    json["s"].push_back(PairsJson(s));
  }
  json["y"] = Json::array();
  json["z"] = Json::array();
  for (size_t k = 0; k < answer.hz.size(); ++k) {
    json["y"].push_back(PairsOrNull(AdmittanceAt(answer, k)));
    json["z"].push_back(PairsOrNull(ImpedanceAt(answer, k)));
  }
  return json;
}

Result<std::string> TouchstoneText(const SweepJob& job, const Answer& answer,
                                   planar::TouchstoneOptions options) {
  ASSAY_ASSIGN(version, planar::VersionForPath(job.touchstone, answer.z0.size(),
                                               options.version));
  options.version = version;
  options.comments = {
      "assay sweep of " + MeshWords(job, answer),
      fmt::format("er {:.6g}, tand {:.6g}, h {:.6g} {}",
                  job.layout->substrate.er, job.layout->substrate.tand,
                  job.layout->substrate.h, planar::UnitName(job.layout->units)),
      "quasi-static: " + SolvedWords(answer),
  };
  const std::string planes = ShiftWords(job);
  if (!planes.empty()) options.comments.push_back("reference planes " + planes);
  for (const planar::Check& check : answer.verification.checks) {
    options.comments.push_back(fmt::format(
        "{} {}", check.passed ? "passed" : "FAILED", CheckWords(check)));
  }
  for (const std::string& warning : WarningsOf(answer)) {
    options.comments.push_back("warning: " + warning);
  }
  return planar::FormatTouchstone({answer.hz, answer.s, answer.z0}, options);
}

std::string FailedChecks(const planar::Verification& verification) {
  std::string text;
  for (const planar::Check& check : verification.checks) {
    if (check.passed) continue;
    text += (text.empty() ? "" : "; ") + CheckWords(check);
  }
  return text;
}

}  // namespace assay::cli
