// Writes S-parameters as Touchstone 1.1 and 2.0, and reads them back strictly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/network.h"

namespace assay::planar {

// S-parameters over frequency.
struct NetworkSweep {
  std::vector<double> frequency_hz;  // rising
  std::vector<PortMatrix> s;         // one a frequency
  std::vector<double> z0;            // ohms, one a port
};

struct TouchstoneOptions {
  // kAuto: 1.1, or 2.0 where 1.1 cannot say the impedances.
  enum class Version : uint8_t { kAuto, k11, k20 };
  enum class Unit : uint8_t { kHz, kKiloHz, kMegaHz, kGigaHz };
  enum class Format : uint8_t { kRealImaginary, kMagnitudeAngle, kDbAngle };

  Version version = Version::kAuto;
  Unit unit = Unit::kHz;
  Format format = Format::kRealImaginary;
  std::vector<std::string> comments;  // a line each
};

// The file's text; numbers read back exactly, except through kDbAngle and
// kMagnitudeAngle. Fails with kInvalidInput: frequencies that do not rise,
// another number of entries, an explicit 1.1 with unequal impedances, values
// that are not finite.
Result<std::string> FormatTouchstone(const NetworkSweep& sweep,
                                     const TouchstoneOptions& options = {});

// The version that a file of that name takes: `.sNp` for N ports, or `.ts`
// for 2.0. Fails with kInvalidInput where the suffix does not fit the ports or
// the version.
Result<TouchstoneOptions::Version> VersionForPath(
    const std::string& path, size_t ports, TouchstoneOptions::Version version);

// FormatTouchstone into a file, whole or not at all. Fails as both above, and
// with kIo.
Status WriteTouchstone(const std::string& path, const NetworkSweep& sweep,
                       TouchstoneOptions options = {});

// Reads S-parameters with full matrices and real impedances. `name` gives the
// ports of a 1.x file by its suffix, and messages their file. Fails with
// kCorrupt, naming the line, and with kUnsupported for other keywords.
Result<NetworkSweep> ParseTouchstone(std::string_view text,
                                     const std::string& name);

}  // namespace assay::planar
