// Hands arbitrary bytes to the Gerber reader and checks what it draws.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "assay/planar/gerber.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using assay::planar::Polygon;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto layer = assay::planar::ParseGerber(text, "fuzz.gbr");
  if (!layer.ok()) return 0;
  for (const auto& shape : layer->shapes) {
    const auto* polygon = std::get_if<Polygon>(&shape.form);
    if (!polygon || polygon->points.size() < 3) std::abort();
    for (const auto& point : polygon->points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) std::abort();
    }
  }
  return 0;
}
