// Field elements, digests and points as JSON and text, canonical values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/number/ext4.h"
#include "assay/whir/proof.h"
#include "assay/whir/verify.h"
#include "cli/output.h"

namespace assay::cli {

Json ElementJson(const Ext4& x);
Json ElementsJson(const std::vector<Ext4>& xs);
Json DigestJson(const whir::Digest& digest);

// Fail with kInvalidInput on a wrong shape or a number that is not below p.
Result<Ext4> ElementFromJson(const Json& json);
Result<std::vector<Ext4>> ElementsFromJson(const Json& json);
Result<whir::Digest> DigestFromJson(const Json& json);

// "(1, 2, 3, 4)".
std::string ElementText(const Ext4& x);
// The first two elements in hexadecimal, enough to tell two apart by eye.
std::string DigestText(const whir::Digest& digest);

// Points from JSON (one point, or a list of points; a coordinate is a list of
// four) or from plain text (4n numbers a point, # starts a comment).
Result<std::vector<whir::Point>> ParsePoints(std::string_view text, int n);
Result<std::vector<whir::Point>> ReadPoints(const std::string& path, int n);

std::string_view AsText(std::span<const std::byte> bytes);

}  // namespace assay::cli
