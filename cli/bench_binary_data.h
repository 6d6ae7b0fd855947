// What `assay bench binary` measured, and the forms in which it leaves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"

namespace assay::cli {

// The names of figures, in the order of the page.
inline constexpr std::string_view kReadFigure = "read";
inline constexpr std::string_view kSumcheckFigure = "sum-check";

struct BenchPoint {
  std::string figure;  // "GHASH", "AES-GCM", "sum-check"
  std::string curve;   // "AES-256-GCM", "d=3", "portable, one thread"
  std::string device;  // "cpu", "cuda"
  double x = 0;        // bytes of input; of a sum-check n
  int runs = 0;
  // Of one dispatch in the device's clock; of a sum-check the whole proof.
  double median_s = 0, least_s = 0, most_s = 0;
  double host_s = 0;       // as the host's clock sees it
  double moved_bytes = 0;  // read and written at least; 0: not counted
  double roof = 0;         // bytes a second that the memory gives; 0: unknown

  bool OfBytes() const { return figure != kSumcheckFigure; }
  double Rate() const { return OfBytes() ? x / median_s : 0; }
  // Of what the memory gives; caches give more.
  double Share() const { return roof > 0 ? moved_bytes / median_s / roof : 0; }
};

struct BenchDevice {
  std::string device;  // "cuda"
  std::string title;   // "NVIDIA H200, sm_90, ..."
  double roof = 0;     // bytes a second, the largest read of the run
  double roof_bytes = 0;
  std::vector<std::string> notes;  // what was left out, and why
};

struct BenchBinaryData {
  std::string host;  // the processor and its threads
  std::vector<BenchDevice> devices;
  std::vector<BenchPoint> points;
};

// A curve of the data: points of one figure, curve and device, x rising.
struct BenchCurve {
  std::string figure, curve, device;
  std::vector<const BenchPoint*> points;
};
std::vector<BenchCurve> CurvesOf(const BenchBinaryData& data);

// "cpu: GHASH"; without what all curves of a figure share.
std::string CurveName(const BenchCurve& curve);

// One line a point, under a line of names.
std::string BenchCsv(const BenchBinaryData& data);
// Reads such lines back; of the columns, figure, curve, x and median_s must be
// there. Fails with kInvalidInput, naming the line.
Result<std::vector<BenchPoint>> ParseBenchCsv(std::string_view text);

Json BenchJson(const BenchBinaryData& data);

// How much faster one curve is than another where they are measured at the
// same x: the greatest ratio and its x.
struct SpeedUp {
  double ratio = 0;
  double x = 0;
};
SpeedUp SpeedUpOf(const BenchCurve& fast, const BenchCurve& slow);

// A page with plots, which needs no other file.
std::string BenchPage(const BenchBinaryData& data);

// "1.23 GB/s", "17.2 us at 1 MiB".
std::string SayRate(double bytes_a_second);

}  // namespace assay::cli
