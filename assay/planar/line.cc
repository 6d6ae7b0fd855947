// Solve the cross-section of parallel strips over a grounded dielectric.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/ops/green/images.h"
#include "assay/planar/blas.h"
#include "assay/planar/surface.h"

namespace assay::planar {
namespace {

constexpr int kFewestSegments = 8;

// A piece of a strip. Lengths here are in units of the substrate's height.
struct Segment {
  double middle = 0;
  double length = 0;
  size_t strip = 0;
  // The strip's half width, and where the piece lies on it, from -1 to 1.
  double half = 0, from = 0, to = 0;
};

// The potential of a line charge, less its sign: the real part of ln z.
struct Logarithm {
  static double Value(Complex z) { return 0.5 * std::log(std::norm(z)); }
  static double Second(Complex inverse) { return -(inverse * inverse).real(); }
  static double Fourth(Complex inverse) {
    const Complex square = inverse * inverse;
    return -6 * (square * square).real();
  }
  // Its second integral over x.
  static double Integral(double x, double depth) {
    const double square = x * x + depth * depth;
    if (square == 0) return 0;
    const double angle = depth == 0 ? 0 : 2 * depth * x * std::atan(x / depth);
    return 0.5 * (0.5 * (x * x - depth * depth) * std::log(square) -
                  1.5 * x * x + angle);
  }
};

// Its derivative by the depth, depth / (x^2 + depth^2).
struct Poisson {
  static double Value(Complex z) { return z.imag() / std::norm(z); }
  static double Second(Complex inverse) {
    return -2 * (inverse * inverse * inverse).imag();
  }
  static double Fourth(Complex inverse) {
    const Complex square = inverse * inverse;
    return -24 * (square * square * inverse).imag();
  }
  static double Integral(double x, double depth) {
    return x * std::atan(x / depth) -
           0.5 * depth * std::log(x * x + depth * depth);
  }
};

// The mean of a kernel over two segments, one of them `depth` below.
template <class Kernel>
double Mean(const Segment& a, const Segment& b, double depth) {
  const double x = a.middle - b.middle;
  const double longer = std::max(a.length, b.length);
  // Far apart the second difference would cancel, and the moments of the
  // segments up to the fourth suffice (below 1e-9 at this distance).
  constexpr double kNear = 16;
  if (x * x + depth * depth > kNear * kNear * longer * longer) {
    const Complex z(x, depth);
    const Complex inverse = 1.0 / z;
    const double aa = a.length * a.length, bb = b.length * b.length;
    return Kernel::Value(z) + (aa + bb) / 24 * Kernel::Second(inverse) +
           ((aa * aa + bb * bb) / 1920 + aa * bb / 576) *
               Kernel::Fourth(inverse);
  }
  const double outer = (a.length + b.length) / 2;
  const double inner = (a.length - b.length) / 2;
  return (Kernel::Integral(x + outer, depth) +
          Kernel::Integral(x - outer, depth) -
          Kernel::Integral(x + inner, depth) -
          Kernel::Integral(x - inner, depth)) /
         (a.length * b.length);
}

std::vector<Segment> Grade(std::span<const Strip> strips, int segments,
                           double unit) {
  std::vector<Segment> graded;
  graded.reserve(strips.size() * segments);
  for (size_t s = 0; s < strips.size(); ++s) {
    const double middle = (strips[s].x0 + strips[s].x1) / 2 / unit;
    const double half = (strips[s].x1 - strips[s].x0) / 2 / unit;
    for (int k = 0; k < segments; ++k) {
      const double step = green::kPi / segments;
      // cos(a) - cos(b) as a product, which keeps the digits at the rims.
      const double centre = (k + 0.5) * step;
      graded.push_back({middle - half * std::cos(centre) * std::cos(step / 2),
                        2 * half * std::sin(centre) * std::sin(step / 2), s,
                        half, -std::cos(k * step), -std::cos((k + 1) * step)});
    }
  }
  return graded;
}

// What lies on the segments (rows; by columns) while strip b is at 1 and the
// others are at 0: charges, or currents where the series is the vector's.
Result<std::vector<Complex>> Solve(const green::Series& series,
                                   std::span<const Segment> segments,
                                   size_t strips) {
  const size_t n = segments.size();
  std::vector<Complex> matrix(n * n);
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = j; i < n; ++i) {
      Complex sum = 0;
      for (const green::Image& image : series.images) {
        sum += image.weight *
               Mean<Logarithm>(segments[i], segments[j], image.depth);
      }
      matrix[i + j * n] = -2.0 * series.factor * sum;
    }
  }
  const PivotedFactor factor(Pivoting::kBunchKaufman, n, matrix.data());
  if (!factor.ok()) {
    return Error{Code::kInternal, "the matrix of a cross-section is singular",
                 "strips of less unequal widths"};
  }
  std::vector<Complex> held(n * strips);
  for (size_t i = 0; i < n; ++i) held[i + segments[i].strip * n] = 1;
  factor.Solve(strips, held.data());
  return held;
}

// Sums over each strip: strips x strips.
std::vector<Complex> Totals(const std::vector<Complex>& held,
                            std::span<const Segment> segments, size_t strips) {
  const size_t n = segments.size();
  std::vector<Complex> totals(strips * strips);
  for (size_t b = 0; b < strips; ++b) {
    for (size_t i = 0; i < n; ++i) {
      totals[segments[i].strip * strips + b] += held[i + b * n];
    }
  }
  return totals;
}

// The integral of 1/(1 - u^2) over a segment, up to `rim` from the strip's
// edges.
double RimIntegral(const Segment& s, double rim) {
  const double end = std::max(0.0, 1 - rim / s.half);
  return std::atanh(std::clamp(s.to, -end, end)) -
         std::atanh(std::clamp(s.from, -end, end));
}

// Losses of a current of 1 in one strip (columns of `currents`), times the
// currents of another: what Rs multiplies, on the strips and on the ground.
void AddLosses(std::span<const Segment> segments, int pieces,
               const std::vector<double>& currents, double rim, double unit,
               LineModel& model) {
  const size_t n = segments.size(), strips = model.strips;
  // Upper and lower face carry the sheet's current together; they differ by
  // twice the mean field along the sheet, which only the image causes.
  std::vector<double> difference(n * strips);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      const double field =
          Mean<Poisson>(segments[i], segments[j], 2) / green::kPi;
      for (size_t b = 0; b < strips; ++b) {
        difference[i + b * n] += field * currents[j + b * n];
      }
    }
  }
  // Over angles the current is smooth up to the rim. The two pulses there are
  // off by 4 and 3 % for any number of pieces, the third by 0.05 %: it stands
  // for them (measured on a strip alone, whose density is constant).
  const double step = green::kPi / pieces;
  const auto density = [&](size_t i, size_t b) {
    const int k = static_cast<int>(i) % pieces;
    const int inside = std::clamp(k, 2, pieces - 3);
    return currents[i - k + inside + b * n] / step;
  };
  for (size_t a = 0; a < strips; ++a) {
    for (size_t b = 0; b < strips; ++b) {
      double strip = 0, ground = 0;
      for (size_t i = 0; i < n; ++i) {
        strip +=
            density(i, a) * density(i, b) / segments[i].half *
                RimIntegral(segments[i], rim) +
            difference[i + a * n] * difference[i + b * n] * segments[i].length;
        // The image's field at the strip, by a current, is the integral of
        // the squared field at the ground.
        ground += currents[i + a * n] * difference[i + b * n];
      }
      model.strip_loss.push_back(strip / 2 / unit);
      model.ground_loss.push_back(ground / unit);
    }
  }
}

Status CheckLine(const Conductor& conductor, std::span<const Strip> strips,
                 int segments) {
  const auto refuse = [](std::string what, std::string hint) {
    return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
  };
  if (strips.empty()) return refuse("a line has no strip", "name one");
  if (segments < kFewestSegments ||
      strips.size() * segments > kMostLineSegments) {
    return refuse(
        fmt::format("{} strips of {} segments", strips.size(), segments),
        fmt::format("3 segments a strip at least, {} in all at most",
                    kMostLineSegments));
  }
  for (size_t s = 0; s < strips.size(); ++s) {
    const Strip& strip = strips[s];
    if (!std::isfinite(strip.x0) || !std::isfinite(strip.x1) ||
        strip.x1 <= strip.x0) {
      return refuse(fmt::format("strip {} reaches from {:g} to {:g} m", s + 1,
                                strip.x0, strip.x1),
                    "its second edge has to be the greater");
    }
    if (s != 0 && strip.x0 <= strips[s - 1].x1) {
      return refuse(fmt::format("strip {} begins at {:g} m, strip {} ends at "
                                "{:g} m",
                                s + 1, strip.x0, s, strips[s - 1].x1),
                    "list strips from left to right with gaps between them");
    }
    if (conductor.sigma == 0) continue;
    if (!(conductor.sigma > 0 && conductor.thickness > 0 &&
          conductor.thickness <= strip.x1 - strip.x0)) {
      return refuse(
          fmt::format("strip {} is {:g} m wide, of {:g} S/m and {:g} m thick",
                      s + 1, strip.x1 - strip.x0, conductor.sigma,
                      conductor.thickness),
          "lossy metal has a thickness, at most the strip's width");
    }
  }
  return {};
}

// What all modes are made of: a row of each matrix times (1, sign).
LineMode Combine(const LineModel& model, double sign) {
  const auto take = [&](const auto& matrix) {
    using T = std::decay_t<decltype(matrix[0])>;
    if (matrix.empty()) return T(0);
    if (model.strips == 1) return T(matrix[0]);
    // The two diagonals differ by rounding.
    return T((matrix[0] + matrix[3]) / 2.0 + sign * matrix[1]);
  };
  return {take(model.capacitance), take(model.inductance),
          take(model.strip_loss), take(model.ground_loss)};
}

}  // namespace

double LineMode::Impedance() const {
  return std::sqrt(inductance / capacitance.real());
}
double LineMode::Permittivity() const {
  return inductance * capacitance.real() / (green::kMu0 * green::kEps0);
}
double LineMode::Delay() const {
  return std::sqrt(inductance * capacitance.real());
}

Result<LineModel> SolveLine(const Substrate& substrate,
                            const Conductor& conductor,
                            std::span<const Strip> strips, int segments) {
  ASSAY_TRY(CheckLine(conductor, strips, segments));
  const double h = substrate.h;
  ASSAY_TRY(green::ScalarPotential(substrate.er, substrate.tand, h));
  const green::Series scalar =
      *green::ScalarPotential(substrate.er, substrate.tand, 1);
  const std::vector<Segment> graded = Grade(strips, segments, h);
  const size_t n = graded.size(), count = strips.size();
  const double terms = 0.5 * static_cast<double>(n) * static_cast<double>(n) *
                       static_cast<double>(scalar.images.size());
  if (terms > kMostLineTerms) {
    return Error{
        Code::kOverBudget,
        fmt::format("{} strips over er {:g} would take about {:.0f} minutes",
                    count, substrate.er, terms / 3e9),
        "fewer strips, or fewer segments a strip; one strip at er 1000 takes "
        "seconds"};
  }

  LineModel model;
  model.strips = count;
  ASSAY_ASSIGN(charges, Solve(scalar, graded, count));
  model.capacitance = Totals(charges, graded, count);

  // Currents of unit flux, then the inverse of their sums: fluxes of unit
  // currents.
  ASSAY_ASSIGN(fluxes, Solve(green::VectorPotential(1), graded, count));
  std::vector<Complex> sums = Totals(fluxes, graded, count);
  std::vector<Complex> inductance(count * count);
  for (size_t s = 0; s < count; ++s) inductance[s * (count + 1)] = 1;
  const PivotedFactor inverse(Pivoting::kBunchKaufman, count, sums.data());
  inverse.Solve(count, inductance.data());
  for (const Complex& l : inductance) model.inductance.push_back(l.real());
  if (conductor.sigma == 0) return model;

  std::vector<double> currents(n * count);
  for (size_t b = 0; b < count; ++b) {
    for (size_t c = 0; c < count; ++c) {
      for (size_t i = 0; i < n; ++i) {
        currents[i + b * n] +=
            fluxes[i + c * n].real() * model.inductance[c + b * count];
      }
    }
  }
  // The rim of a right-angled edge (Lewin).
  AddLosses(graded, segments, currents, conductor.thickness / 290 / h, h,
            model);
  return model;
}

LineMode SingleMode(const LineModel& model) { return Combine(model, 0); }
LineMode EvenMode(const LineModel& model) { return Combine(model, 1); }
LineMode OddMode(const LineModel& model) { return Combine(model, -1); }

LineWave WaveAt(const LineMode& mode, const Conductor& conductor, double hz,
                bool lossy_ground) {
  const double omega = 2 * green::kPi * hz;
  // Faces are counted one by one here, each with half of a two-sided metal.
  const double faces = conductor.two_sided ? 2 : 1;
  Complex series = mode.strip_loss * faces * SurfaceImpedance(conductor, omega);
  if (lossy_ground) {
    series += mode.ground_loss * GroundImpedance(conductor, omega);
  }
  // Both factors lie near the positive axis, where the root is the right one.
  const Complex inductance = mode.inductance + series / Complex(0, omega);
  return {Complex(0, omega) * std::sqrt(inductance * mode.capacitance),
          std::sqrt(inductance / mode.capacitance)};
}

}  // namespace assay::planar
