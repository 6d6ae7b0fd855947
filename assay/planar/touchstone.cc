// The layout of Touchstone lines: order of entries, breaks, and numbers.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/touchstone.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>

#include "assay/base/files.h"
#include "assay/base/text.h"

namespace assay::planar {
namespace {

using Version = TouchstoneOptions::Version;
using Format = TouchstoneOptions::Format;

constexpr std::array kUnitNames = {"Hz", "kHz", "MHz", "GHz"};
constexpr std::array kUnitHz = {1.0, 1e3, 1e6, 1e9};
constexpr std::array kFormatNames = {"RI", "MA", "DB"};
constexpr size_t kMostPairs = 4;  // on one line, for three ports or more
constexpr double kSmallestMagnitude = 1e-20;  // -400 dB, for exact zeros

Error Invalid(std::string what, std::string hint = "") {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

bool EqualImpedances(const NetworkSweep& sweep) {
  return std::ranges::all_of(sweep.z0,
                             [&](double z) { return z == sweep.z0[0]; });
}

Status CheckSweep(const NetworkSweep& sweep) {
  const size_t ports = sweep.z0.size();
  if (ports == 0) return Invalid("a network without ports has no file");
  for (const double z : sweep.z0) {
    if (!(z > 0) || !std::isfinite(z)) {
      return Invalid(
          fmt::format("the reference impedance {} is not above zero", z));
    }
  }
  if (sweep.s.size() != sweep.frequency_hz.size()) {
    return Invalid(fmt::format("{} matrices for {} frequencies", sweep.s.size(),
                               sweep.frequency_hz.size()));
  }
  for (size_t k = 0; k < sweep.s.size(); ++k) {
    const double hz = sweep.frequency_hz[k];
    if (!std::isfinite(hz) || hz < 0 ||
        (k > 0 && !(hz > sweep.frequency_hz[k - 1]))) {
      return Invalid(fmt::format("frequency {} of {} Hz does not rise", k, hz),
                     "sort the frequencies and drop repeats");
    }
    if (sweep.s[k].ports != ports) {
      return Invalid(fmt::format("a matrix of {} ports among {} impedances",
                                 sweep.s[k].ports, ports));
    }
    for (const Complex& value : sweep.s[k].values) {
      if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) {
        return Invalid(fmt::format("an S-parameter at {} Hz is no number", hz));
      }
    }
  }
  return {};
}

// Shortest digits that read back, and no negative zero.
std::string Number(double value) {
  return fmt::format("{}", value == 0 ? 0.0 : value);
}

void AppendPair(const Complex& value, Format format, std::string& out) {
  double first = value.real();
  double second = value.imag();
  if (format != Format::kRealImaginary) {
    first = std::abs(value);
    second = first == 0 ? 0 : std::arg(value) * 180 / std::numbers::pi;
  }
  if (format == Format::kDbAngle) {
    first = 20 * std::log10(std::max(first, kSmallestMagnitude));
  }
  out += fmt::format(" {} {}", Number(first), Number(second));
}

void AppendMatrix(const PortMatrix& s, Format format, std::string& out) {
  const size_t n = s.ports;
  if (n <= 2) {
    // Column by column: S11 S21 S12 S22.
    for (size_t j = 0; j < n; ++j) {
      for (size_t i = 0; i < n; ++i) AppendPair(s(i, j), format, out);
    }
    out += '\n';
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      if (j > 0 && j % kMostPairs == 0) out += '\n';
      AppendPair(s(i, j), format, out);
    }
    out += '\n';
  }
}

std::string Header20(const NetworkSweep& sweep) {
  const size_t ports = sweep.z0.size();
  std::string out = fmt::format("[Number of Ports] {}\n", ports);
  if (ports == 2) out += "[Two-Port Data Order] 21_12\n";
  out += fmt::format("[Number of Frequencies] {}\n[Reference]",
                     sweep.frequency_hz.size());
  for (const double z : sweep.z0) out += fmt::format(" {}", Number(z));
  return out + "\n[Matrix Format] Full\n[Network Data]\n";
}

}  // namespace

Result<std::string> FormatTouchstone(const NetworkSweep& sweep,
                                     const TouchstoneOptions& options) {
  ASSAY_TRY(CheckSweep(sweep));
  const bool equal = EqualImpedances(sweep);
  if (options.version == Version::k11 && !equal) {
    return Invalid(
        "Touchstone 1.1 has one reference impedance, these ports have several",
        "write version 2.0, or renormalise to one impedance");
  }
  const bool is_20 = options.version == Version::k20 || !equal;
  const auto unit = static_cast<size_t>(options.unit);
  std::string out;
  for (const std::string& comment : options.comments) {
    std::string line = comment;
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < 0x20 || c > 0x7E; }, ' ');
    out += "! " + line + "\n";
  }
  if (is_20) out += "[Version] 2.0\n";
  out += fmt::format("# {} S {} R {}\n", kUnitNames[unit],
                     kFormatNames[static_cast<size_t>(options.format)],
                     Number(sweep.z0[0]));
  if (is_20) out += Header20(sweep);
  for (size_t k = 0; k < sweep.s.size(); ++k) {
    out += Number(sweep.frequency_hz[k] / kUnitHz[unit]);
    AppendMatrix(sweep.s[k], options.format, out);
  }
  if (is_20) out += "[End]\n";
  return out;
}

Result<Version> VersionForPath(const std::string& path, size_t ports,
                               Version version) {
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  std::string suffix;
  if (dot != std::string::npos && (slash == std::string::npos || dot > slash)) {
    for (const char c : path.substr(dot + 1)) {
      suffix += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  if (suffix == "ts") {
    if (version == Version::k11) {
      return Invalid(path + ": a .ts file is Touchstone 2.0",
                     fmt::format("name it .s{}p for 1.1", ports));
    }
    return Version::k20;
  }
  if (suffix == fmt::format("s{}p", ports)) return version;
  return Invalid(
      fmt::format("{}: the suffix does not say {} port{}", path, ports,
                  ports == 1 ? "" : "s"),
      fmt::format("name it .s{}p, or .ts for Touchstone 2.0", ports));
}

Status WriteTouchstone(const std::string& path, const NetworkSweep& sweep,
                       TouchstoneOptions options) {
  ASSAY_ASSIGN(version, VersionForPath(path, sweep.z0.size(), options.version));
  options.version = version;
  ASSAY_ASSIGN(text, FormatTouchstone(sweep, options));
  return WriteFile(path, std::string_view(text));
}

}  // namespace assay::planar
