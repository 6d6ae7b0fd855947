// Hands arbitrary bytes to the layout reader and what it reads to the pixels.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "assay/planar/layout_json.h"
#include "assay/planar/rasterise.h"

namespace {

constexpr uint64_t kMostPixels = 1 << 14;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto layout = assay::planar::ParseLayout(text, "fuzz.json");
  if (!layout.ok()) return 0;
  // What was read is written, read and written the same.
  const std::string once = assay::planar::WriteLayout(*layout);
  const auto again = assay::planar::ParseLayout(once, "again.json");
  if (!again.ok() || assay::planar::WriteLayout(*again) != once) std::abort();
  const auto raster = assay::planar::Rasterise(*layout, kMostPixels);
  if (!raster.ok()) return 0;
  if (raster->mesh.metal.size() > kMostPixels) std::abort();
  if (raster->mesh.ports.size() != layout->ports.size()) std::abort();
  return 0;
}
