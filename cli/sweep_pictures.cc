// Pixel pictures inside of drawings, so that labels stay sharp.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "assay/base/text.h"
#include "assay/planar/picture.h"
#include "cli/page.h"
#include "cli/plot_axis.h"
#include "cli/quantity.h"
#include "cli/svg_path.h"

namespace assay::cli {
namespace {

using planar::Answer;
using planar::Field;
using planar::Mesh;
using planar::Picture;
using planar::PictureOptions;

constexpr double kWidth = 420;
constexpr double kMargin = 14;
constexpr double kMostHeight = 380;
constexpr double kRangeDb = 40;
// Peaks in corners would leave the rest of the charges pale.
constexpr double kShownShare = 0.995;

constexpr std::string_view kStyle = R"(
.picture image { image-rendering: pixelated; }
.port circle { fill: #fff; stroke: #b01058; stroke-width: 1.5; }
.picture .port text { fill: #b01058; font-size: 12px; font-weight: 600; }
.ruler { stroke: currentColor; stroke-width: 1.5; fill: none; }
)";

// Where the mesh lies in the drawing.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;  // of the image
  double a_column = 0, a_row = 0;              // of a pixel of the mesh
};

Box BoxOf(const Mesh& mesh, const Picture& picture) {
  const double across = picture.columns * mesh.dx;
  const double high = picture.rows * mesh.dy;
  const double most = kWidth - 2 * kMargin;
  const double scale = std::min(most / across, kMostHeight / high);
  Box box;
  box.width = std::max(across * scale, 2.0);
  box.height = std::max(high * scale, 2.0);
  box.x = (kWidth - box.width) / 2;
  box.y = kMargin;
  box.a_column = box.width / picture.columns;
  box.a_row = box.height / picture.rows;
  return box;
}

// A number in a circle beside each port, outwards where there is an outside,
// and along the side where another number is in the way.
std::string PortsSvg(const Mesh& mesh, const Box& box, double bottom) {
  constexpr double kAway = 15;
  constexpr double kApart = 18;
  std::vector<Dot> placed;
  std::string svg;
  for (size_t p = 0; p < mesh.ports.size(); ++p) {
    const planar::Port& port = mesh.ports[p];
    double i = 0;
    double j = 0;
    for (const planar::PortCurrent& current : port.currents) {
      i += current.pixel / static_cast<uint32_t>(mesh.ny) + 0.5;
      j += current.pixel % static_cast<uint32_t>(mesh.ny) + 0.5;
    }
    const auto count = static_cast<double>(port.currents.size());
    Dot at = {box.x + i / count * box.a_column,
              box.y + box.height - j / count * box.a_row};
    Dot along = {0, -1};
    switch (port.currents.front().side) {
      case planar::Side::kWest: at.x -= kAway; break;
      case planar::Side::kEast: at.x += kAway; break;
      case planar::Side::kSouth:
        at.y += kAway;
        along = {1, 0};
        break;
      case planar::Side::kNorth:
        at.y -= kAway;
        along = {1, 0};
        break;
    }
    at = {std::clamp(at.x, 10.0, kWidth - 10), std::clamp(at.y, 10.0, bottom)};
    const auto in_the_way = [&](const Dot& other) {
      return std::hypot(other.x - at.x, other.y - at.y) < kApart - 0.5;
    };
    while (std::any_of(placed.begin(), placed.end(), in_the_way) &&
           (along.x > 0 ? at.x + kApart < kWidth : at.y - kApart > 0)) {
      at = {at.x + along.x * kApart / 2, at.y + along.y * kApart / 2};
    }
    placed.push_back(at);
    svg += fmt::format(
        "<g class=\"port\"><circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"9\"/>"
        "<text x=\"{0:.1f}\" y=\"{2:.1f}\" text-anchor=\"middle\">{3}</text>"
        "</g>\n",
        at.x, at.y, at.y + 4.2, p + 1);
  }
  return svg;
}

// The longest rounded length that is at most a third of the picture.
std::string RulerSvg(const planar::Layout& layout, const Mesh& mesh,
                     const Box& box, double y) {
  const double unit = planar::Metres(layout.units);
  const double most = box.width / 3 / box.a_column * mesh.dx / unit;
  const double power = std::pow(10, std::floor(std::log10(most)));
  double length = power;
  for (const double factor : {2.0, 5.0}) {
    if (factor * power <= most) length = factor * power;
  }
  const double end = box.x + length * unit / mesh.dx * box.a_column;
  return fmt::format(
      "<path class=\"ruler\" d=\"M{0:.1f} {1}v8m0 -4H{2:.1f}m0 -4v8\"/>"
      "<text x=\"{3:.1f}\" y=\"{4}\">{5:.4g} {6}</text>\n",
      box.x, y, end, end + 7, y + 8.5, length, planar::UnitName(layout.units));
}

// A bar of the colours with values at its ends and in its middle.
std::string ScaleSvg(std::string_view gradient, const Box& box, double y,
                     const std::array<std::string, 3>& labels) {
  const double width = std::max(box.width, 260.0);
  const double x = (kWidth - width) / 2;
  return fmt::format(
      "<rect x=\"{0:.1f}\" y=\"{1}\" width=\"{2:.1f}\" height=\"10\" "
      "fill=\"url(#{3})\"/><text x=\"{0:.1f}\" y=\"{4}\">{5}</text><text "
      "x=\"{6}\" y=\"{4}\" text-anchor=\"middle\">{7}</text><text "
      "x=\"{8:.1f}\" y=\"{4}\" text-anchor=\"end\">{9}</text>\n",
      x, y, width, gradient, y + 25, EscapeHtml(labels[0]), kWidth / 2,
      EscapeHtml(labels[1]), x + width, EscapeHtml(labels[2]));
}

std::string Figure(const planar::Layout& layout, const Mesh& mesh,
                   const Picture& picture, const std::string& caption,
                   std::string_view gradient,
                   const std::array<std::string, 3>& labels) {
  const auto png = planar::EncodePng(picture.image);
  if (!png.ok()) {
    return fmt::format("<p class=\"note\">No picture: {}.</p>\n",
                       EscapeHtml(png.error().what));
  }
  const Box box = BoxOf(mesh, picture);
  double y = box.y + box.height + 12;
  std::string below;
  if (!gradient.empty()) {
    below = ScaleSvg(gradient, box, y, labels);
    y += 34;
  }
  below += RulerSvg(layout, mesh, box, y);
  return fmt::format(
      "<figure><figcaption>{0}</figcaption>\n<svg class=\"picture\" "
      "viewBox=\"0 0 {1} {2:.1f}\" role=\"img\" aria-label=\"{0}\">\n"
      "<image x=\"{3:.2f}\" y=\"{4}\" width=\"{5:.2f}\" height=\"{6:.2f}\" "
      "preserveAspectRatio=\"none\" href=\"data:image/png;base64,{7}\"/>\n"
      "{8}{9}</svg></figure>\n",
      EscapeHtml(caption), kWidth, y + 14, box.x, box.y, box.width, box.height,
      Base64(*png), below, PortsSvg(mesh, box, box.y + box.height + 10));
}

std::string FieldName(const Answer& answer, const Field& field) {
  std::vector<double> hz;
  for (const Field& kept : answer.fields) hz.push_back(answer.hz[kept.index]);
  return fmt::format("port {} at {}", field.port + 1,
                     HertzText(answer.hz[field.index], HertzDigits(hz)));
}

Picture DrawCurrent(const Answer& answer, const Field& field,
                    PictureOptions options) {
  options.what =
      "amplitude of the current density, " + FieldName(answer, field);
  options.unit = "A/m";
  options.decibel = true;
  options.range_db = kRangeDb;
  const Mesh& mesh = answer.raster.mesh;
  return planar::DrawField(mesh, planar::CurrentDensity(mesh, field.currents),
                           options);
}

Picture DrawCharge(const Answer& answer, const Field& field,
                   PictureOptions options) {
  options.what = "charge density at its greatest, " + FieldName(answer, field);
  options.unit = "C/m^2";
  options.with_sign = true;
  const Mesh& mesh = answer.raster.mesh;
  const std::vector<double> density = planar::ChargeDensity(
      mesh, field.charges, planar::PhaseOfMost(field.charges));
  options.top = planar::Quantile(density, kShownShare);
  return planar::DrawField(mesh, density, options);
}

std::string Gradient(std::string_view id,
                     const std::vector<planar::Colour>& colours) {
  std::string svg = fmt::format("<linearGradient id=\"{}\">", id);
  for (size_t k = 0; k < colours.size(); ++k) {
    svg += fmt::format(
        "<stop offset=\"{:.3f}\" stop-color=\"#{:02x}{:02x}{:02x}\"/>",
        static_cast<double>(k) / static_cast<double>(colours.size() - 1),
        colours[k].red, colours[k].green, colours[k].blue);
  }
  return svg + "</linearGradient>";
}

}  // namespace

std::string_view PictureStyle() { return kStyle; }

std::string PictureDefinitions() {
  return fmt::format("<svg class=\"defs\" aria-hidden=\"true\">{}{}</svg>\n",
                     Gradient("amplitude", planar::SequentialMap(21)),
                     Gradient("sign", planar::DivergingMap(21)));
}

std::string LayoutHtml(const planar::Layout& layout, const Answer& answer) {
  PictureOptions options;
  options.what = "layout";
  options.most_side = 1024;
  const Mesh& mesh = answer.raster.mesh;
  return "<div class=\"figures\">\n" +
         Figure(layout, mesh, planar::DrawLayout(mesh, options),
                mesh.vias.empty() ? "Metal and ports"
                                  : "Metal, ports and vias (blue)",
                "", {}) +
         "</div>\n";
}

std::string FieldsHtml(const planar::Layout& layout, const Answer& answer) {
  if (answer.fields.empty()) return "";
  // A page of many fields stays a few megabytes.
  PictureOptions options;
  options.least_side = 1;  // the browser enlarges
  options.most_side = answer.fields.size() > 12 ? 240 : 420;
  const Mesh& mesh = answer.raster.mesh;
  std::string html = "<div class=\"figures\">\n";
  for (const Field& field : answer.fields) {
    const std::string name = FieldName(answer, field);
    const Picture current = DrawCurrent(answer, field, options);
    html += Figure(layout, mesh, current, "Current, " + name, "amplitude",
                   {fmt::format("\u2212{} dB", kRangeDb),
                    fmt::format("\u2212{} dB", kRangeDb / 2),
                    "0 dB = " + QuantityText(current.greatest, "A/m")});
    const Picture charge = DrawCharge(answer, field, options);
    html += Figure(layout, mesh, charge, "Charge, " + name, "sign",
                   {"\u2212" + QuantityText(charge.high, "C/m\u00B2"), "0",
                    QuantityText(charge.high, "C/m\u00B2")});
  }
  return html + "</div>\n";
}

}  // namespace assay::cli
