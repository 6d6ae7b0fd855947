// Pixels of the mesh become blocks of picture elements, or share one.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::planar {
namespace {

using Complex = std::complex<double>;

constexpr Colour kGround = {0xF4, 0xF4, 0xF1};
// Steps that an eye just tells apart; more only make files larger.
constexpr size_t kLevels = 63;

enum LayoutColour : uint8_t { kNone, kMetal, kSeam, kPort, kVia };
constexpr std::array<Colour, 5> kLayoutColours = {{kGround,
                                                   {0xC0, 0x7A, 0x3C},
                                                   {0xB0, 0x6C, 0x31},
                                                   {0xB0, 0x10, 0x58},
                                                   {0x1B, 0x4E, 0x9B}}};

// How an axis is drawn: each pixel `scale` elements wide, or `block` pixels in
// one element.
struct AxisScale {
  int scale = 1, block = 1, elements = 0;
};

AxisScale ScaleOf(int pixels, double elements_a_pixel) {
  AxisScale axis;
  if (elements_a_pixel >= 1) {
    axis.scale = static_cast<int>(std::lround(elements_a_pixel));
  } else {
    axis.block = static_cast<int>(
        std::min(std::ceil(1 / elements_a_pixel), double(pixels)));
  }
  axis.elements = (pixels + axis.block - 1) / axis.block * axis.scale;
  return axis;
}

struct Scales {
  AxisScale x, y;
};

// Pixels that are not square keep their shape as far as whole numbers can.
Scales ScalesOf(const Mesh& mesh, const PictureOptions& options) {
  const double unit = std::min(mesh.dx, mesh.dy);
  const double side =
      std::max(mesh.nx * mesh.dx / unit, mesh.ny * mesh.dy / unit);
  double zoom = 1;
  if (side < options.least_side) zoom = std::ceil(options.least_side / side);
  if (side * zoom > options.most_side) zoom = options.most_side / side;
  return {ScaleOf(mesh.nx, zoom * mesh.dx / unit),
          ScaleOf(mesh.ny, zoom * mesh.dy / unit)};
}

Picture Blank(const Scales& scales) {
  Picture picture;
  picture.image.width = scales.x.elements;
  picture.image.height = scales.y.elements;
  picture.image.pixels.resize(static_cast<size_t>(scales.x.elements) *
                              static_cast<size_t>(scales.y.elements));
  picture.columns = double(scales.x.elements) * scales.x.block / scales.x.scale;
  picture.rows = double(scales.y.elements) * scales.y.block / scales.y.scale;
  return picture;
}

// Calls set(element, seam) for each element of a pixel.
template <class Set>
void EachElement(const Mesh& mesh, const Scales& scales, uint32_t pixel,
                 const Set& set) {
  const auto ny = static_cast<uint32_t>(mesh.ny);
  const int left =
      static_cast<int>(pixel / ny) / scales.x.block * scales.x.scale;
  const int low =
      static_cast<int>(pixel % ny) / scales.y.block * scales.y.scale;
  constexpr int kRoomForSeams = 6;
  for (int v = 0; v < scales.y.scale; ++v) {
    const int row = scales.y.elements - 1 - (low + v);
    for (int u = 0; u < scales.x.scale; ++u) {
      const bool seam = (u == 0 && scales.x.scale >= kRoomForSeams) ||
                        (v == 0 && scales.y.scale >= kRoomForSeams);
      set(static_cast<size_t>(row) * static_cast<size_t>(scales.x.elements) +
              static_cast<size_t>(left + u),
          seam);
    }
  }
}

// The colour of a value: 0 to levels - 1.
size_t LevelOf(double share, size_t levels) {
  const double level = std::clamp(share, 0.0, 1.0) * double(levels - 1);
  return static_cast<size_t>(std::lround(level));
}

}  // namespace

std::vector<double> CurrentDensity(const Mesh& mesh,
                                   std::span<const Complex> currents,
                                   std::optional<double> phase) {
  // Twice the mean flow through a pixel, in amperes.
  std::vector<Complex> along_x(mesh.cells.size());
  std::vector<Complex> along_y(mesh.cells.size());
  for (size_t e = 0; e < mesh.edges.size(); ++e) {
    const Edge& edge = mesh.edges[e];
    auto& flow = edge.axis == Axis::kX ? along_x : along_y;
    flow[edge.from] += currents[e];
    flow[edge.to] += currents[e];
  }
  size_t unknown = mesh.edges.size();
  for (const Port& port : mesh.ports) {
    if (port.kind == PortKind::kGap) continue;
    for (const PortCurrent& current : port.currents) {
      const Complex value = currents[unknown++];
      // The current of a ground port comes from below.
      if (port.kind != PortKind::kEdge) continue;
      const auto cell = static_cast<size_t>(mesh.cell_of[current.pixel]);
      switch (current.side) {
        case Side::kWest: along_x[cell] += value; break;
        case Side::kEast: along_x[cell] -= value; break;
        case Side::kSouth: along_y[cell] += value; break;
        case Side::kNorth: along_y[cell] -= value; break;
      }
    }
  }
  const Complex turn = std::polar(1.0, phase.value_or(0));
  std::vector<double> density(mesh.cells.size());
  for (size_t c = 0; c < density.size(); ++c) {
    const Complex jx = along_x[c] * turn / (2 * mesh.dy);
    const Complex jy = along_y[c] * turn / (2 * mesh.dx);
    density[c] = phase.has_value() ? std::hypot(jx.real(), jy.real())
                                   : std::hypot(std::abs(jx), std::abs(jy));
  }
  return density;
}

std::vector<double> ChargeDensity(const Mesh& mesh,
                                  std::span<const Complex> charges,
                                  std::optional<double> phase) {
  const Complex turn = std::polar(1.0, phase.value_or(0));
  const double area = mesh.dx * mesh.dy;
  std::vector<double> density(mesh.cells.size());
  for (size_t c = 0; c < density.size(); ++c) {
    density[c] = phase.has_value() ? (charges[c] * turn).real() / area
                                   : std::abs(charges[c]) / area;
  }
  return density;
}

double PhaseOfMost(std::span<const Complex> values) {
  // sum Re(v e^jp)^2 = (sum |v|^2 + Re(e^2jp sum v^2)) / 2.
  Complex squares = 0;
  for (const Complex& value : values) squares += value * value;
  return squares == Complex(0) ? 0 : -std::arg(squares) / 2;
}

double Quantile(std::span<const double> values, double share) {
  if (values.empty()) return 0;
  std::vector<double> sizes;
  sizes.reserve(values.size());
  for (const double value : values) sizes.push_back(std::abs(value));
  const auto index =
      static_cast<size_t>(std::ceil(share * double(sizes.size() - 1)));
  const auto place = sizes.begin() + static_cast<ptrdiff_t>(index);
  std::nth_element(sizes.begin(), place, sizes.end());
  return *place;
}

Picture DrawLayout(const Mesh& mesh, const PictureOptions& options) {
  const Scales scales = ScalesOf(mesh, options);
  Picture picture = Blank(scales);
  picture.image.palette.assign(kLayoutColours.begin(), kLayoutColours.end());
  picture.image.description = options.what;
  auto& pixels = picture.image.pixels;
  for (const uint32_t pixel : mesh.cells) {
    EachElement(mesh, scales, pixel, [&](size_t element, bool seam) {
      pixels[element] = seam ? kSeam : kMetal;
    });
  }
  const auto mark = [&](uint32_t pixel, LayoutColour colour) {
    EachElement(mesh, scales, pixel,
                [&](size_t element, bool) { pixels[element] = colour; });
  };
  for (const Via& via : mesh.vias) mark(via.pixel, kVia);
  for (const Port& port : mesh.ports) {
    for (const PortCurrent& current : port.currents) mark(current.pixel, kPort);
  }
  return picture;
}

Picture DrawField(const Mesh& mesh, std::span<const double> values,
                  const PictureOptions& options) {
  const Scales scales = ScalesOf(mesh, options);
  Picture picture = Blank(scales);
  for (const double value : values) {
    picture.greatest = std::max(picture.greatest, std::abs(value));
  }
  const double top = options.top > 0 ? options.top : picture.greatest;
  picture.colours =
      options.with_sign ? DivergingMap(kLevels) : SequentialMap(kLevels);
  picture.low =
      options.decibel ? -options.range_db : (options.with_sign ? -top : 0);
  picture.high = options.decibel ? 0 : top;
  picture.image.palette = {kGround};
  picture.image.palette.insert(picture.image.palette.end(),
                               picture.colours.begin(), picture.colours.end());
  picture.image.description =
      options.decibel ? fmt::format("{}: {} to 0 dB of {:.4g} {}", options.what,
                                    picture.low, top, options.unit)
                      : fmt::format("{}: {:.4g} to {:.4g} {}", options.what,
                                    picture.low, picture.high, options.unit);

  const auto share = [&](double value) {
    if (!(top > 0)) return options.with_sign ? 0.5 : 0.0;
    if (options.with_sign) return (value / top + 1) / 2;
    const double size = std::abs(value) / top;
    if (!options.decibel) return size;
    return size > 0 ? 1 + 20 * std::log10(size) / options.range_db : 0.0;
  };
  // Of a block the value that says most is shown: it is far from `middle`.
  const size_t middle = options.with_sign ? kLevels / 2 : 0;
  const auto weight = [&](size_t level) {
    return level > middle ? level - middle : middle - level;
  };
  auto& pixels = picture.image.pixels;
  for (size_t c = 0; c < mesh.cells.size(); ++c) {
    const size_t level = LevelOf(share(values[c]), kLevels);
    EachElement(mesh, scales, mesh.cells[c], [&](size_t element, bool) {
      uint8_t& shown = pixels[element];
      if (shown == 0 || weight(level) > weight(shown - 1U)) {
        shown = static_cast<uint8_t>(level + 1);
      }
    });
  }
  return picture;
}

}  // namespace assay::planar
