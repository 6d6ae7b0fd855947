// Tables of the page about a sweep.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "assay/base/text.h"
#include "cli/plot_axis.h"
#include "cli/quantity.h"

namespace assay::cli {
namespace {

using planar::Answer;

constexpr size_t kMostRows = 60;

std::string_view KindName(planar::PortKind kind) {
  switch (kind) {
    case planar::PortKind::kEdge: return "edge";
    case planar::PortKind::kGround: return "ground";
    case planar::PortKind::kGap: return "gap";
  }
  return "";
}

std::string ConductorWords(const planar::Conductor& conductor) {
  if (conductor.sigma == 0) return "perfect";
  std::string words = fmt::format("{:.4g} S/m, {} thick", conductor.sigma,
                                  QuantityText(conductor.thickness, "m"));
  if (conductor.roughness > 0) {
    words +=
        fmt::format(", roughness {}", QuantityText(conductor.roughness, "m"));
  }
  return words + (conductor.two_sided ? ", current on both faces" : "");
}

std::string Counted(size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string Folded(std::string_view summary, const std::string& header,
                   const std::vector<std::string>& rows) {
  std::string html = fmt::format(
      "<details><summary>{}</summary>\n<div class=\"wide\"><table "
      "class=\"checks\"><thead><tr>{}</tr></thead>\n",
      EscapeHtml(summary), header);
  for (size_t k = 0; k < std::min(rows.size(), kMostRows); ++k) {
    html += fmt::format("<tr>{}</tr>\n", rows[k]);
  }
  html += "</table></div>\n";
  if (rows.size() > kMostRows) {
    html += fmt::format("<p>{} more are not listed.</p>\n",
                        rows.size() - kMostRows);
  }
  return html + "</details>\n";
}

}  // namespace

std::string VerdictHtml(const planar::Verification& verification) {
  const auto& checks = verification.checks;
  if (checks.empty()) {
    return "<p class=\"verdict note\">The answer was not checked.</p>\n";
  }
  const auto failed = static_cast<size_t>(
      std::count_if(checks.begin(), checks.end(),
                    [](const planar::Check& check) { return !check.passed; }));
  std::string html =
      failed == 0
          ? fmt::format("<p class=\"verdict good\">Passed {}.</p>\n",
                        Counted(checks.size(), "check", "checks"))
          : fmt::format("<p class=\"verdict bad\">Failed {} of {}.</p>\n",
                        failed, Counted(checks.size(), "check", "checks"));
  html +=
      "<table class=\"checks\"><thead><tr><th>check</th><th>found</th>"
      "<th>bound</th><th></th></tr></thead>\n";
  for (const planar::Check& check : checks) {
    html += fmt::format(
        "<tr><td>{}<div class=\"small\">{}</div></td><td>{:.2g}</td>"
        "<td>{:.2g}</td><td class=\"{}\">{}</td></tr>\n",
        EscapeHtml(check.name), EscapeHtml(check.detail), check.value,
        check.bound, check.passed ? "good" : "bad",
        check.passed ? "passed" : "failed");
  }
  return html + "</table>\n";
}

std::string SolvedHtml(const Answer& answer, bool moved) {
  std::string words;
  const size_t exact = answer.exact.size();
  if (exact >= answer.hz.size()) {
    words = "Every frequency was solved exactly.";
  } else {
    double worst = 0;
    for (const double residual : answer.residual) {
      worst = std::max(worst, residual);
    }
    words = fmt::format(
        "Triangles mark the {} of {} that were solved exactly. The curves "
        "between them are solutions of a reduced model, whose residual is at "
        "most {:.2g}.",
        exact, Counted(answer.hz.size(), "frequency", "frequencies"), worst);
  }
  if (answer.measured.has_value()) {
    words += fmt::format(
        " An exact solution at {}, which the model had not seen, changed no "
        "S-parameter by more than {:.2g}{}.",
        HertzText(answer.hz[answer.measured->index]), answer.measured->s_error,
        moved ? ", before the reference planes moved" : "");
  }
  return fmt::format("<p>{}</p>\n", words);
}

std::vector<Row> ParameterRows(const planar::Layout& layout,
                               const Answer& answer) {
  const planar::Mesh& mesh = answer.raster.mesh;
  const planar::Substrate& substrate = mesh.substrate;
  std::vector<Row> rows;
  if (!layout.file.empty()) rows.emplace_back("layout", layout.file);
  rows.emplace_back("frequencies",
                    answer.hz.size() == 1
                        ? HertzText(answer.hz[0])
                        : fmt::format("{} from {} to {}", answer.hz.size(),
                                      HertzText(answer.hz.front()),
                                      HertzText(answer.hz.back())));
  rows.emplace_back(
      "substrate",
      fmt::format("\u03B5r {:.6g}, tan \u03B4 {:.6g}, {} high", substrate.er,
                  substrate.tand, QuantityText(substrate.h, "m")));
  rows.emplace_back("metal", ConductorWords(mesh.conductor));
  rows.emplace_back(
      "grid", fmt::format("{} x {} pixels of {} x {}, {} of metal", mesh.nx,
                          mesh.ny, QuantityText(mesh.dx, "m"),
                          QuantityText(mesh.dy, "m"), mesh.cells.size()));
  rows.emplace_back("unknown currents", std::to_string(mesh.unknowns()));
  for (size_t p = 0; p < mesh.ports.size(); ++p) {
    const planar::Port& port = mesh.ports[p];
    rows.emplace_back(
        fmt::format("port {}", p + 1),
        fmt::format("{}, {}, {:.6g} \u03A9", KindName(port.kind),
                    Counted(port.currents.size(), "pixel", "pixels"), port.z0));
  }
  if (!mesh.vias.empty()) {
    rows.emplace_back("vias", std::to_string(mesh.vias.size()));
  }
  if (answer.raster.islands > 0) {
    rows.emplace_back("islands without port",
                      std::to_string(answer.raster.islands));
  }
  rows.emplace_back("solver",
                    answer.solver == planar::Solver::kDense ? "dense" : "fast");
  return rows;
}

std::string MovesHtml(const planar::Layout& layout, const Answer& answer) {
  const planar::Raster& raster = answer.raster;
  if (raster.moves.empty() || raster.largest_move == 0) {
    return "<p>All edges lie on the grid.</p>\n";
  }
  std::vector<planar::EdgeMove> moves = raster.moves;
  std::stable_sort(moves.begin(), moves.end(),
                   [](const auto& p, const auto& q) {
                     return std::abs(p.moved) > std::abs(q.moved);
                   });
  std::vector<std::string> rows;
  for (const planar::EdgeMove& move : moves) {
    if (move.moved == 0) break;
    rows.push_back(fmt::format("<td>{}</td><td>{:.4g}{}</td>",
                               EscapeHtml(move.key), move.moved,
                               move.stair ? " (a stair)" : ""));
  }
  const std::string_view unit = planar::UnitName(layout.units);
  return Folded(fmt::format("Edges moved onto the grid by {:.4g} {} at most",
                            raster.largest_move, unit),
                fmt::format("<th>edge</th><th>moved in {}</th>", unit), rows);
}

std::vector<Row> CostRows(const Answer& answer) {
  const planar::Costs& costs = answer.costs;
  std::map<std::string, size_t> methods;
  int steps = 0;
  int most = 0;
  for (const planar::ExactPoint& point : answer.exact) {
    ++methods[point.report.method];
    steps += point.report.steps;
    most = std::max(most, point.report.steps);
  }
  std::string by;
  for (const auto& [method, count] : methods) {
    by += fmt::format("{}{} by {}", by.empty() ? "" : ", ", count, method);
  }
  std::vector<Row> rows = {
      {"exact solutions",
       fmt::format("{} of {}{}", answer.exact.size(),
                   Counted(answer.hz.size(), "frequency", "frequencies"),
                   by.empty() ? "" : ": " + by)},
      {"iterations or refinements",
       fmt::format("{}, at most {} a frequency", steps, most)}};
  if (costs.basis > 0) {
    rows.emplace_back("vectors of the reduced model",
                      std::to_string(costs.basis));
  }
  rows.emplace_back("assembling", HumanTime(costs.assemble_s));
  rows.emplace_back("exact solving", HumanTime(costs.solve_s));
  rows.emplace_back("reduced model", HumanTime(costs.reduce_s));
  rows.emplace_back("verifying", HumanTime(costs.verify_s));
  rows.emplace_back("memory planned",
                    HumanBytes(static_cast<uint64_t>(costs.planned_bytes)));
  return rows;
}

std::string SolutionsHtml(const Answer& answer) {
  std::vector<std::string> rows;
  for (const planar::ExactPoint& point : answer.exact) {
    std::string notes;
    for (const std::string& note : point.report.notes) {
      notes += fmt::format("<div class=\"small\">{}</div>", EscapeHtml(note));
    }
    rows.push_back(fmt::format(
        "<td>{}</td><td>{}{}</td><td>{}</td><td>{:.2g}</td>",
        HertzText(answer.hz[point.index]), EscapeHtml(point.report.method),
        notes, point.report.steps, point.report.backward_error));
  }
  return Folded("Exact solutions in their order",
                "<th>frequency</th><th>method</th><th>steps</th>"
                "<th>backward error</th>",
                rows);
}

}  // namespace assay::cli
