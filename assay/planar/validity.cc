// Tell where a quasi-static answer on a grid of pixels is not to be trusted.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/validity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "assay/ops/green/images.h"
#include "assay/planar/dispersion.h"

namespace assay::planar {
namespace {

constexpr double kMostShift = 0.005;
constexpr double kMostHeight = 0.03;  // wavelengths
constexpr double kPixelsAWave = 20;
constexpr int kFewPixels = 2;
constexpr double kThickForGap = 0.1;
constexpr double kThickForStrip = 0.05;

// The grid as lines along one axis.
struct Lines {
  const Mesh& mesh;
  Axis axis;

  int count() const { return axis == Axis::kX ? mesh.ny : mesh.nx; }
  int length() const { return axis == Axis::kX ? mesh.nx : mesh.ny; }
  double pitch() const { return axis == Axis::kX ? mesh.dx : mesh.dy; }
  double step() const { return axis == Axis::kX ? mesh.dy : mesh.dx; }
  size_t pixel(int line, int at) const {
    const auto [i, j] =
        axis == Axis::kX ? std::pair(at, line) : std::pair(line, at);
    return size_t(i) * mesh.ny + j;
  }
  bool metal(int line, int at) const {
    return mesh.metal[pixel(line, at)] != 0;
  }
};

struct Run {
  int begin = 0, end = 0;  // pixels on a line
  int lines = 1;           // how many such runs follow each other up to here
};

// All runs of metal (or of no metal between metal) of a line.
template <class F>
void ForRuns(const Lines& lines, int line, bool metal, const F& use) {
  const int length = lines.length();
  for (int begin = 0; begin < length;) {
    int end = begin + 1;
    const bool here = lines.metal(line, begin);
    while (end < length && lines.metal(line, end) == here) ++end;
    // A gap has metal on both sides.
    if (here == metal && (metal || (begin > 0 && end < length))) {
      use(Run{begin, end, 1});
    }
    begin = end;
  }
}

// A strip or a gap, across.
struct Passage {
  int pixels = 0;
  double width = 0;     // metres
  double x = 0, y = 0;  // its middle
};

// One of at most `most` pixels that goes on for 3 lines and twice its width.
std::optional<Passage> FindPassage(const Lines& lines, bool metal, int most) {
  const double along = std::max(3.0, 2 * most * lines.pitch() / lines.step());
  std::vector<Run> before, here;
  std::optional<Passage> found;
  for (int line = 0; line < lines.count() && !found; ++line) {
    here.clear();
    size_t first = 0;
    ForRuns(lines, line, metal, [&](Run run) {
      if (run.end - run.begin > most) return;
      while (first < before.size() && before[first].end <= run.begin) ++first;
      for (size_t k = first; k < before.size() && before[k].begin < run.end;
           ++k) {
        run.lines = std::max(run.lines, before[k].lines + 1);
      }
      here.push_back(run);
      if (run.lines < along - 1e-9 || found) return;
      const double at = (run.begin + run.end) / 2.0;
      const double across = line + 1 - run.lines / 2.0;
      const bool is_x = lines.axis == Axis::kX;
      found = {run.end - run.begin, (run.end - run.begin) * lines.pitch(),
               lines.mesh.x0 + (is_x ? at : across) * lines.mesh.dx,
               lines.mesh.y0 + (is_x ? across : at) * lines.mesh.dy};
    });
    std::swap(before, here);
  }
  return found;
}

// The one of fewest pixels that is narrower than `width` and has at most
// `most` pixels.
std::optional<Passage> Narrowest(const Mesh& mesh, bool metal, double width,
                                 int most) {
  std::optional<Passage> narrowest;
  for (const Axis axis : {Axis::kX, Axis::kY}) {
    const Lines lines = {mesh, axis};
    // Steps of a half keep the passes few where the limit is many pixels.
    for (int k = 1; k <= most && k * lines.pitch() < width;
         k = std::max(k + 1, k * 3 / 2)) {
      const auto found = FindPassage(lines, metal, k);
      if (!found) continue;
      if (!narrowest || found->width < narrowest->width) narrowest = found;
      break;
    }
  }
  return narrowest;
}

std::string Millimetres(double metres) {
  return fmt::format("{:.3g} mm", metres * 1e3);
}
std::string Gigahertz(double hz) {
  return fmt::format("{:.3g} GHz", hz * 1e-9);
}
std::string Place(const Passage& passage) {
  return fmt::format("near x = {:.4g} mm, y = {:.4g} mm", passage.x * 1e3,
                     passage.y * 1e3);
}

// How far features lie too high in frequency, as a share.
double Shift(const Substrate& substrate, double width, double hz) {
  const double u = width / substrate.h;
  const double low = StaticPermittivity(substrate.er, u);
  return std::sqrt(
             DispersedPermittivity(substrate.er, u, substrate.h, hz, low) /
             low) -
         1;
}

void WarnOfFrequency(const Mesh& mesh, double max_hz,
                     std::vector<std::string>& warnings) {
  const Substrate& substrate = mesh.substrate;
  const double light = 1 / std::sqrt(green::kMu0 * green::kEps0);
  const double width = TypicalWidth(mesh);
  if (width == 0 || max_hz <= 0) return;
  const double shift = Shift(substrate, width, max_hz);
  if (shift > kMostShift) {
    double fine = 0, wrong = max_hz;
    for (int k = 0; k < 50; ++k) {
      const double middle = (fine + wrong) / 2;
      (Shift(substrate, width, middle) > kMostShift ? wrong : fine) = middle;
    }
    warnings.push_back(fmt::format(
        "without dispersion, features near {} lie about {:.1f} % too high "
        "(Kirschning and Jansen, for a strip {} wide); below {} it is less "
        "than {:.1f} %, and a thinner substrate helps",
        Gigahertz(max_hz), shift * 100, Millimetres(width), Gigahertz(fine),
        kMostShift * 100));
  }
  const double most_hz = kMostHeight * light / substrate.h;
  if (max_hz > most_hz) {
    warnings.push_back(fmt::format(
        "the substrate is {:.2f} wavelengths high at {}: radiation and "
        "surface waves are left out; stay below {} or take a thinner "
        "substrate",
        substrate.h * max_hz / light, Gigahertz(max_hz), Gigahertz(most_hz)));
  }
  const double u = width / substrate.h;
  const double wave =
      light / max_hz /
      std::sqrt(DispersedPermittivity(substrate.er, u, substrate.h, max_hz,
                                      StaticPermittivity(substrate.er, u)));
  const double pixel = std::max(mesh.dx, mesh.dy);
  if (pixel > wave / kPixelsAWave) {
    warnings.push_back(fmt::format(
        "a wavelength on the line has {:.1f} pixels at {}, {:g} are the "
        "fewest: pixels of {} would do",
        wave / pixel, Gigahertz(max_hz), kPixelsAWave,
        Millimetres(wave / kPixelsAWave)));
  }
}

void WarnOfPixels(const Mesh& mesh, std::vector<std::string>& warnings) {
  const double pixel = std::max(mesh.dx, mesh.dy), h = mesh.substrate.h;
  if (pixel > h * (1 + 1e-9)) {
    warnings.push_back(fmt::format(
        "a pixel is {}, more than the substrate's height of {}: take smaller "
        "pixels",
        Millimetres(pixel), Millimetres(h)));
  }
  for (const bool metal : {true, false}) {
    const auto narrow = Narrowest(mesh, metal, INFINITY, kFewPixels);
    if (!narrow) continue;
    warnings.push_back(fmt::format(
        "a {} is {} pixel{} across {}: impedances need 3 or more, here pixels "
        "of {}",
        metal ? "strip" : "gap", narrow->pixels, narrow->pixels == 1 ? "" : "s",
        Place(*narrow), Millimetres(narrow->width / 3)));
  }
}

void WarnOfThickness(const Mesh& mesh, std::vector<std::string>& warnings) {
  const double t = mesh.conductor.thickness;
  if (t <= 0) return;
  for (const bool metal : {false, true}) {
    const double share = metal ? kThickForStrip : kThickForGap;
    const auto narrow =
        Narrowest(mesh, metal, t / share, std::max(mesh.nx, mesh.ny));
    if (!narrow) continue;
    warnings.push_back(fmt::format(
        "the metal is {} thick, {:.2f} of a {} of {} {}, and is computed as a "
        "sheet: impedances come out too high; strips drawn wider by the "
        "effective-width correction help",
        Millimetres(t), t / narrow->width, metal ? "strip" : "gap",
        Millimetres(narrow->width), Place(*narrow)));
  }
}

}  // namespace

double TypicalWidth(const Mesh& mesh) {
  std::vector<double> width(mesh.metal.size(), INFINITY);
  for (const Axis axis : {Axis::kX, Axis::kY}) {
    const Lines lines = {mesh, axis};
    for (int line = 0; line < lines.count(); ++line) {
      ForRuns(lines, line, true, [&](const Run& run) {
        for (int at = run.begin; at < run.end; ++at) {
          double& least = width[lines.pixel(line, at)];
          least = std::min(least, (run.end - run.begin) * lines.pitch());
        }
      });
    }
  }
  std::erase(width, INFINITY);
  if (width.empty()) return 0;
  const auto middle = width.begin() + static_cast<long>(width.size() / 2);
  std::nth_element(width.begin(), middle, width.end());
  return *middle;
}

std::vector<std::string> ValidityWarnings(const Mesh& mesh, double max_hz) {
  std::vector<std::string> warnings;
  WarnOfFrequency(mesh, max_hz, warnings);
  WarnOfPixels(mesh, warnings);
  WarnOfThickness(mesh, warnings);
  return warnings;
}

}  // namespace assay::planar
