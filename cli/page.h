// Frames the pages that the tool writes, which need no other file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"

namespace assay::cli {

// A whole HTML document in light and dark. `title` is text; `body` and
// `style`, which is added to the frame's own, are taken as they are.
std::string PageHtml(std::string_view title, std::string_view body,
                     std::string_view style = {});

// Two columns; labels and texts are escaped.
std::string TableHtml(const std::vector<Row>& rows);

// A heading, which is text, over a body, which is HTML.
std::string SectionHtml(std::string_view heading, std::string_view body);

// As in "data:image/png;base64,".
std::string Base64(std::span<const std::byte> bytes);

}  // namespace assay::cli
