// Runs of metal pixels along the sides, and how they go on inwards.
// SPDX-License-Identifier: Apache-2.0
#include "cli/import_rims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::cli {
namespace {

using planar::Across;
using planar::Axis;
using planar::Grid;

// Pixels seen from one side: row 0 lies on the side, along runs k.
class View {
 public:
  View(const Grid& grid, std::span<const uint8_t> metal, Axis axis, bool high)
      : grid_(grid), metal_(metal), axis_(axis), high_(high) {}

  int rows() const { return grid_.Count(axis_); }
  int length() const { return grid_.Count(Across(axis_)); }
  // The side's coordinate on its axis.
  double at() const { return Line(axis_, high_ ? rows() : 0); }
  double Along(int k) const { return Line(Across(axis_), k); }

  bool Metal(int row, int k) const {
    if (row >= rows() || k < 0 || k >= length()) return false;
    const int depth = high_ ? rows() - 1 - row : row;
    const int i = axis_ == Axis::kX ? depth : k;
    const int j = axis_ == Axis::kX ? k : depth;
    return metal_[static_cast<size_t>(i) * grid_.ny + j] != 0;
  }

  // Rows from the side on in which all of [begin, end) is metal.
  int Depth(int begin, int end) const {
    int row = 0;
    for (; row < rows(); ++row) {
      for (int k = begin; k < end; ++k) {
        if (!Metal(row, k)) return row;
      }
    }
    return row;
  }

  // How many pixels of `row` hang together around k.
  int Width(int row, int k) const {
    if (!Metal(row, k)) return 0;
    int begin = k;
    int end = k;
    while (Metal(row, begin - 1)) --begin;
    while (Metal(row, end)) ++end;
    return end - begin;
  }

 private:
  // A grid line without the rounding that would print as 5.6e-17.
  double Line(Axis axis, int k) const {
    const double step = grid_.Pitch(axis) * 1e-6;
    return std::round(grid_.Back(axis, k) / step) * step + 0.0;
  }

  const Grid& grid_;
  std::span<const uint8_t> metal_;
  Axis axis_;
  bool high_;
};

}  // namespace

std::string Rim::Flag() const {
  return fmt::format("edge,{},{:.9g},{:.9g},{:.9g}",
                     axis == Axis::kX ? 'x' : 'y', at, from, to);
}

std::string Rim::Words() const {
  const bool x = axis == Axis::kX;
  return fmt::format("metal meets {} = {:.6g} between {} = {:.6g} and {:.6g}",
                     x ? 'x' : 'y', at, x ? 'y' : 'x', from, to);
}

std::vector<Rim> FindRims(const Grid& grid, std::span<const uint8_t> metal) {
  std::vector<Rim> rims;
  for (const Axis axis : {Axis::kX, Axis::kY}) {
    for (const bool high : {false, true}) {
      const View view(grid, metal, axis, high);
      for (int begin = 0; begin < view.length(); ++begin) {
        if (!view.Metal(0, begin)) continue;
        int end = begin;
        while (view.Metal(0, end)) ++end;
        Rim rim;
        rim.axis = axis;
        rim.at = view.at();
        rim.from = view.Along(begin);
        rim.to = view.Along(end);
        const double pitch = grid.Pitch(axis);
        rim.is_end = 2 * view.Depth(begin, end) * pitch >= rim.to - rim.from;
        const int middle = (begin + end) / 2;
        rim.is_round = view.Width(1, middle) > end - begin &&
                       view.Width(2, middle) > view.Width(1, middle);
        rims.push_back(rim);
        begin = end;
      }
    }
  }
  std::ranges::stable_partition(rims,
                                [](const Rim& rim) { return rim.is_end; });
  return rims;
}

}  // namespace assay::cli
