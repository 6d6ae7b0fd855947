// The state of a Gerber plotter, one function a command.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/gerber.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "assay/base/files.h"
#include "assay/planar/gerber_canvas.h"
#include "assay/planar/gerber_lexer.h"
#include "assay/planar/gerber_shapes.h"

namespace assay::planar {
namespace {

constexpr uint64_t kMostFileBytes = uint64_t{64} << 20;
constexpr double kToleranceMetres = 2e-6;
// The radii at both ends of an arc may differ by so many steps of the format
// and by this share.
constexpr double kArcSteps = 5;
constexpr double kArcShare = 1e-2;

class Plotter {
 public:
  explicit Plotter(const std::string& file) : file_(file) {}

  Result<GerberLayer> Plot(const std::vector<GerberCommand>& commands) {
    for (const GerberCommand& command : commands) {
      line_ = command.line;
      if (ended_) return Corrupt("a command after M02");
      if (command.extended) {
        ASSAY_TRY(Extended(command.text));
      } else {
        ASSAY_TRY(Block(command.text));
      }
    }
    if (!ended_) {
      return Corrupt("the file ends without M02", "was it cut off?");
    }
    layer_.shapes = canvas_.Take();
    return std::move(layer_);
  }

 private:
  enum class Mode : uint8_t { kNone, kLine, kClockwise, kCounter };

  Error Corrupt(std::string what, std::string hint = "") const {
    return Error{Code::kCorrupt, fmt::format("{}:{}: {}", file_, line_, what),
                 std::move(hint)};
  }

  Error Unsupported(std::string_view command, std::string hint = "") const {
    return Error{Code::kUnsupported,
                 fmt::format("{}:{}: the command \"{}\" is not read here",
                             file_, line_, command.substr(0, 40)),
                 std::move(hint)};
  }

  // An error of what knows no lines, with this one.
  Status Located(const Status& status) const {
    if (status.ok()) return {};
    return At(status.error());
  }

  Error At(Error error) const {
    error.what = fmt::format("{}:{}: {}", file_, line_, error.what);
    return error;
  }

  // ---- extended commands ----

  Status Extended(const std::string& text) {
    const std::string_view rest =
        std::string_view(text).substr(std::min<size_t>(text.size(), 2));
    if (in_region_ && !text.starts_with('T')) {
      return Corrupt(fmt::format("\"{}\" inside a region", text.substr(0, 20)));
    }
    if (text.starts_with("FS")) return Format(rest);
    if (text.starts_with("MO")) return SetUnits(rest);
    if (text.starts_with("AD")) return Define(rest);
    if (text.starts_with("LP")) return Polarity(rest);
    if (text.starts_with("SR")) return StepRepeat(rest);
    // Attributes and names say nothing about the picture.
    for (const char* silent : {"TF", "TA", "TO", "TD", "LN", "IN"}) {
      if (text.starts_with(silent)) return {};
    }
    // What changes nothing in these values.
    for (const char* neutral :
         {"IPPOS", "ASAXBY", "MIA0B0", "OFA0B0", "IR0", "LMN", "LR0", "LS1",
          "LR0.0", "LS1.0", "SFA1B1", "SFA1.0B1.0", "OFA0.0B0.0"}) {
      if (text == neutral) return {};
    }
    if (text.starts_with("AM")) {
      return Unsupported("AM" + std::string(rest),
                         "plot without aperture macros (KiCad: \"Disable "
                         "aperture macros\")");
    }
    return Unsupported(text);
  }

  Status Format(std::string_view text) {
    if (decimals_) return Corrupt("a second FS");
    if (!text.starts_with("LA")) {
      return Unsupported("FS" + std::string(text),
                         "leading zeros left out, absolute: FSLA");
    }
    const auto words = GerberWords(text.substr(2));
    if (!words || words->size() != 2 || (*words)[0].letter != 'X' ||
        (*words)[1].letter != 'Y') {
      return Corrupt("FS without its digits", "like FSLAX46Y46");
    }
    const auto digits = (*words)[0].value;
    if (digits != (*words)[1].value || digits < 1 || digits > 69) {
      return Corrupt(fmt::format("FS{}: no usable format", text),
                     "the same digits for x and y, like FSLAX46Y46");
    }
    decimals_ = static_cast<int>(digits % 10);
    step_ = std::pow(10.0, -*decimals_);
    return {};
  }

  Status SetUnits(std::string_view text) {
    if (has_units_) return Corrupt("a second MO");
    if (text != "MM" && text != "IN") {
      return Corrupt(fmt::format("MO{}: no known unit", text), "MM or IN");
    }
    has_units_ = true;
    layer_.units = text == "MM" ? Units::kMillimetre : Units::kInch;
    tolerance_ = kToleranceMetres / Metres(layer_.units);
    return {};
  }

  // D10C,0.5
  Status Define(std::string_view text) {
    if (!has_units_) return Corrupt("AD before MO");
    const size_t end = text.find_first_not_of("0123456789", 1);
    if (!text.starts_with('D') || end == std::string_view::npos || end == 1) {
      return Corrupt(fmt::format("AD{}: no aperture", text.substr(0, 20)));
    }
    const auto words = GerberWords(text.substr(0, end));
    if (!words || (*words)[0].value < 10) {
      return Corrupt("aperture numbers start at D10");
    }
    const auto aperture = ParseAperture(text.substr(end));
    if (!aperture.ok()) return At(aperture.error());
    if (!apertures_.emplace((*words)[0].value, *aperture).second) {
      return Corrupt(fmt::format("D{} is defined twice", (*words)[0].value));
    }
    return {};
  }

  Status Polarity(std::string_view text) {
    if (text != "D" && text != "C")
      return Unsupported("LP" + std::string(text));
    canvas_.SetClear(text == "C");
    return {};
  }

  // SRX3Y2I5.0J4.0 opens a block, any SR closes the one before.
  Status StepRepeat(std::string_view text) {
    ASSAY_TRY(Located(canvas_.CloseRepeat()));
    if (text.empty()) return {};
    std::array<double, 4> values{};
    for (size_t k = 0; k < values.size(); ++k) {
      const size_t end = std::min(text.find_first_of("YIJ", 1), text.size());
      const auto number = GerberNumbers(text.substr(1, end - 1));
      if (text.empty() || text[0] != "XYIJ"[k] || !number) {
        return Corrupt("SR without its values", "like SRX3Y2I5.0J4.0");
      }
      values[k] = (*number)[0];
      text.remove_prefix(end);
      if (text.empty() && k + 1 < values.size()) text = "?";
    }
    if (!text.empty()) return Corrupt("SR with more than its values");
    for (const double count : {values[0], values[1]}) {
      if (!(count >= 1 && count <= 1e5) || count != std::floor(count)) {
        return Corrupt("SR repeats at least once");
      }
    }
    canvas_.OpenRepeat(static_cast<int>(values[0]), static_cast<int>(values[1]),
                       {values[2], values[3]});
    return {};
  }

  // ---- blocks of words ----

  Status Block(const std::string& text) {
    if (text.starts_with("G04") || text.starts_with("G4 ")) return {};
    const auto words = GerberWords(text);
    if (!words) {
      return Unsupported(text.empty() ? std::string_view("*") : text,
                         "is the file damaged here?");
    }
    Vec2 to = at_;
    Vec2 centre;
    bool moves = false;
    for (const GerberWord& word : *words) {
      const double length = static_cast<double>(word.value) * step_;
      if (std::string_view("XYIJ").find(word.letter) != std::string::npos) {
        if (!decimals_ || !has_units_) {
          return Corrupt("coordinates before FS and MO");
        }
        moves = true;
      }
      switch (word.letter) {
        case 'X': to.x = length; break;
        case 'Y': to.y = length; break;
        case 'I': centre.x = length; break;
        case 'J': centre.y = length; break;
        case 'G': ASSAY_TRY(Prepare(word.value)); break;
        case 'M':
          if (word.value != 2 || words->size() > 1) return Unsupported(text);
          return End();
        case 'D':
          if (&word != &words->back()) return Unsupported(text);
          if (word.value >= 10) return Select(word.value, moves);
          return Operate(word.value, to, {at_.x + centre.x, at_.y + centre.y});
        default: return Unsupported(text);
      }
    }
    if (moves) {
      return Corrupt(fmt::format("\"{}\" has no D01, D02 or D03", text),
                     "operations that carry over are not read here");
    }
    return {};
  }

  Status Prepare(long long code) {
    switch (code) {
      case 1: mode_ = Mode::kLine; return {};
      case 2: mode_ = Mode::kClockwise; return {};
      case 3: mode_ = Mode::kCounter; return {};
      case 36:
        if (in_region_) return Corrupt("G36 inside a region");
        in_region_ = true;
        return {};
      case 37:
        if (!in_region_) return Corrupt("G37 without G36");
        ASSAY_TRY(Located(canvas_.CloseContour()));
        in_region_ = false;
        return {};
      case 54:  // announces an aperture
      case 55:  // announces a flash
      case 90:  // absolute
        return {};
      case 70:
      case 71:
        if (has_units_ &&
            (code == 71) == (layer_.units == Units::kMillimetre)) {
          return {};
        }
        return Unsupported(fmt::format("G{}", code), "units by MO");
      case 74: multi_quadrant_ = false; return {};
      case 75: multi_quadrant_ = true; return {};
      default: return Unsupported(fmt::format("G{:02}", code));
    }
  }

  Status Select(long long number, bool moves) {
    if (moves) return Corrupt("coordinates beside an aperture's number");
    if (in_region_) return Corrupt("an aperture is chosen inside a region");
    const auto found = apertures_.find(number);
    if (found == apertures_.end()) {
      return Corrupt(fmt::format("D{} was not defined", number),
                     "each aperture needs its %ADD...*%");
    }
    aperture_ = &found->second;
    return {};
  }

  Status Operate(long long code, Vec2 to, Vec2 centre) {
    if (code < 1 || code > 3) return Unsupported(fmt::format("D{:02}", code));
    if (!decimals_ || !has_units_) return Corrupt("D before FS and MO");
    const Vec2 from = std::exchange(at_, to);
    if (code == 2)
      return in_region_ ? Located(canvas_.CloseContour()) : Status();
    if (code == 3) {
      if (in_region_) return Corrupt("D03 inside a region");
      if (!aperture_) return Corrupt("D03 before an aperture was chosen");
      if (aperture_->width == 0) return {};
      return Located(canvas_.Add(FlashOutline(*aperture_, to, tolerance_)));
    }
    ASSAY_ASSIGN(path, Path(from, to, centre));
    if (in_region_) {
      return Located(canvas_.Lengthen(from, path));
    }
    return Stroke(from, path);
  }

  // The points after `from`.
  Result<Points> Path(Vec2 from, Vec2 to, Vec2 centre) const {
    if (mode_ == Mode::kNone) return Corrupt("D01 before G01, G02 or G03");
    if (mode_ == Mode::kLine) return Points{to};
    if (!multi_quadrant_) {
      return Unsupported("G74", "plot arcs in multi-quadrant mode, G75");
    }
    const double begin = std::hypot(from.x - centre.x, from.y - centre.y);
    const double end = std::hypot(to.x - centre.x, to.y - centre.y);
    if (begin == 0 ||
        std::abs(begin - end) > kArcSteps * step_ + kArcShare * begin) {
      return Corrupt(
          fmt::format("the arc's ends are {:.6g} and {:.6g} from its centre",
                      begin, end),
          "I and J lead from the arc's begin to its centre");
    }
    return ArcPoints(from, to, centre, mode_ == Mode::kClockwise, tolerance_);
  }

  Status Stroke(Vec2 from, const Points& path) {
    if (!aperture_) return Corrupt("D01 before an aperture was chosen");
    const bool round = aperture_->kind == Aperture::Kind::kCircle;
    const bool square = aperture_->kind == Aperture::Kind::kRectangle;
    if (aperture_->hole > 0 || !(round || (square && mode_ == Mode::kLine))) {
      return Unsupported("D01",
                         "lines are drawn with solid circles or rectangles, "
                         "arcs with solid circles");
    }
    if (aperture_->width == 0) return {};
    for (const Vec2& to : path) {
      ASSAY_TRY(Located(
          canvas_.Add(StrokeOutline(*aperture_, from, to, tolerance_))));
      from = to;
    }
    return {};
  }

  Status End() {
    if (in_region_) return Corrupt("the file ends inside a region");
    ASSAY_TRY(Located(canvas_.CloseRepeat()));
    ended_ = true;
    return {};
  }

  const std::string& file_;
  size_t line_ = 1;
  GerberLayer layer_;
  GerberCanvas canvas_;
  std::optional<int> decimals_;
  double step_ = 0;
  bool has_units_ = false;
  double tolerance_ = 0;
  std::map<long long, Aperture> apertures_;
  const Aperture* aperture_ = nullptr;
  Mode mode_ = Mode::kNone;
  bool multi_quadrant_ = false;
  bool in_region_ = false;
  Vec2 at_;
  bool ended_ = false;
};

}  // namespace

Result<GerberLayer> ParseGerber(std::string_view text,
                                const std::string& file) {
  ASSAY_ASSIGN(commands, SplitGerber(text, file));
  return Plotter(file).Plot(commands);
}

Result<GerberLayer> ReadGerber(const std::string& path) {
  ASSAY_ASSIGN(bytes, ReadFile(path, kMostFileBytes));
  return ParseGerber(
      std::string_view(reinterpret_cast<const char*>(bytes.data()),
                       bytes.size()),
      path);
}

}  // namespace assay::planar
