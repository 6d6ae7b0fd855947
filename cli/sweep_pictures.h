// Shows a sweep's layout, currents and charges in a page.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "assay/planar/layout.h"
#include "assay/planar/simulate.h"

namespace assay::cli {

// The style of the figures below, and the colour scales that they refer to.
std::string_view PictureStyle();
std::string PictureDefinitions();

// Figures as HTML: the layout with numbered ports and a ruler; of each kept
// field the current density in decibel and the charge density at the moment
// when it is greatest. Large meshes are shrunk. Empty without fields.
std::string LayoutHtml(const planar::Layout& layout,
                       const planar::Answer& answer);
std::string FieldsHtml(const planar::Layout& layout,
                       const planar::Answer& answer);

}  // namespace assay::cli
