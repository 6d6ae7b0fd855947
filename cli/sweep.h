// Simulates layouts and writes their S-parameters once they were tested.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/planar/options.h"
#include "assay/planar/touchstone.h"
#include "cli/frequencies.h"
#include "cli/sweep_csv.h"

namespace assay::cli {

struct SweepArgs {
  std::vector<std::string> layouts;
  FrequencyFlags frequencies;
  planar::Options options;
  std::string zref;   // "50" or one a port; empty: as the layout says
  std::string shift;  // lengths in the layout's unit, one or one a port
  int threads = 0;
  // Outputs, by the rules of sweep_files.h; empty: not written.
  std::string out;
  planar::TouchstoneOptions touchstone;
  std::string csv, report, trace;
  Parameters parameters = Parameters::kS;  // in the table of --csv
  std::string pictures;                    // a folder
  std::string fields_at;  // frequencies; empty: a choice of ours
  bool json = false;
};

// Sweeps one layout after the other; one that fails does not stop those that
// follow. Prints a summary of each, or with --json a line {"layout": ...} of
// JSON; a layout that failed has a key "error" there. Returns the exit status:
// 1 if a layout failed, else 2 if an answer did not pass its tests (it is
// printed and not written), else 0.
int RunSweep(const SweepArgs& args);

template <class V>
void Describe(V& v, SweepArgs& a) {
  using Touchstone = planar::TouchstoneOptions;
  Describe(v, a.frequencies);
  v.Text("zref", a.zref, "reference ohms of all ports, or z1,z2,...");
  v.Text("shift", a.shift,
         "move reference planes inwards by this length, or l1,l2,...");
  Describe(v, a.options);
  v.Int("threads", a.threads, {0, 1024}, "worker threads (0: all there are)");
  v.Text("out", a.out,
         "Touchstone file, a folder, or a pattern like out/{name}.s2p");
  v.Enum("touchstone", a.touchstone.version,
         {{"auto", Touchstone::Version::kAuto},
          {"1.1", Touchstone::Version::k11},
          {"2.0", Touchstone::Version::k20}},
         "version; auto: 2.0 where ports have several impedances");
  v.Enum("format", a.touchstone.format,
         {{"ri", Touchstone::Format::kRealImaginary},
          {"ma", Touchstone::Format::kMagnitudeAngle},
          {"db", Touchstone::Format::kDbAngle}},
         "how numbers are written; ri loses nothing");
  v.Enum("unit", a.touchstone.unit,
         {{"Hz", Touchstone::Unit::kHz},
          {"kHz", Touchstone::Unit::kKiloHz},
          {"MHz", Touchstone::Unit::kMegaHz},
          {"GHz", Touchstone::Unit::kGigaHz}},
         "of the frequencies in the file");
  v.Text("csv", a.csv, "where a table for spreadsheets goes; as --out");
  v.Enum("parameters", a.parameters,
         {{"s", Parameters::kS}, {"y", Parameters::kY}, {"z", Parameters::kZ}},
         "what --csv holds: S, Y in siemens, or Z in ohms");
  v.Text("report", a.report, "where a page about the sweep goes; as --out");
  v.Text("pictures", a.pictures,
         "a folder for pictures of currents and charges (--currents: "
         "./currents)");
  v.Text("fields-at", a.fields_at,
         "their frequencies (the band's ends and the least |S21|, or |S11|)");
  v.Text("trace", a.trace, "where a Chrome trace goes; as --out");
  v.Flag("json", a.json, "answer in JSON, one line a layout");
}

}  // namespace assay::cli
