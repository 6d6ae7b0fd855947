// Laws of a sweep's page and table: complete, harmless, and not too large.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/planar/test_layouts.h"
#include "assay/planar/unknowns.h"
#include "cli/one_port.h"
#include "cli/page.h"
#include "cli/sweep_csv.h"

namespace assay::cli {
namespace {

using planar::Answer;
using planar::Complex;
using planar::PortMatrix;

constexpr std::string_view kHostile =
    "<script>alert(1)</script>\"' onload=x &amp; <img src=x>";

// S of a formula: passive, with a notch and a phase that turns.
Answer AnswerOf(planar::Mesh mesh, std::vector<double> hz) {
  EXPECT_TRUE(planar::NumberUnknowns(mesh).ok());
  Answer answer;
  const size_t ports = mesh.ports.size();
  for (const planar::Port& port : mesh.ports) answer.z0.push_back(port.z0);
  for (const double f : hz) {
    PortMatrix s(ports);
    for (size_t i = 0; i < ports; ++i) {
      for (size_t j = 0; j < ports; ++j) {
        const double size =
            0.4 * std::abs(std::sin(f / 1e9 + double(i + j))) + 1e-3;
        s(i, j) = std::polar(size, -f / 3e8 - double(i + j));
      }
    }
    const auto y = planar::YFromS(s, answer.z0);
    EXPECT_TRUE(y.ok());
    answer.y.push_back(*y);
    answer.s.push_back(std::move(s));
  }
  for (const size_t k : {size_t{0}, hz.size() - 1}) {
    answer.exact.push_back({k, {"ldlt", 1e-12, 1, {}}});
  }
  answer.residual.assign(hz.size(), 1e-5);
  answer.hz = std::move(hz);
  answer.verification.checks = {{"residual", "rows", 1e-5, 1e-3, true},
                                {"passivity", "", 1e-15, 1e-9, true}};
  answer.raster.mesh = std::move(mesh);
  return answer;
}

std::vector<double> Frequencies(size_t count) {
  std::vector<double> hz;
  for (size_t k = 1; k <= count; ++k) hz.push_back(double(k) * 7e9 / count);
  return hz;
}

void KeepField(Answer& answer, size_t index, size_t port) {
  planar::Field field;
  field.index = index;
  field.port = port;
  const planar::Mesh& mesh = answer.raster.mesh;
  for (size_t k = 0; k < mesh.unknowns(); ++k) {
    field.currents.push_back(std::polar(0.01, 0.01 * double(k)));
  }
  for (size_t c = 0; c < mesh.cells.size(); ++c) {
    field.charges.push_back(std::polar(1e-12, 0.02 * double(c)));
  }
  answer.fields.push_back(std::move(field));
}

size_t Count(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

// The first tag that is closed by another or not at all; empty if none is.
std::string Unbalanced(std::string_view html) {
  const std::set<std::string> alone = {"meta", "!DOCTYPE"};
  std::vector<std::string> open;
  for (size_t at = html.find('<'); at != std::string_view::npos;
       at = html.find('<', at)) {
    const size_t end = html.find('>', at);
    if (end == std::string_view::npos) return "no >";
    const std::string_view tag = html.substr(at + 1, end - at - 1);
    const std::string name(tag.substr(0, tag.find_first_of(" \n/", 1)));
    at = end;
    if (tag.starts_with('/')) {
      if (open.empty() || "/" + open.back() != name) return name;
      open.pop_back();
    } else if (!tag.ends_with('/') && !alone.contains(name)) {
      open.push_back(name);
      // A script's text is no HTML.
      if (name == "script") at = html.find("</script", at);
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(SweepReport, NeedsNoOtherFile) {
  Answer answer = AnswerOf(planar::Stub(), Frequencies(51));
  KeepField(answer, 7, 0);
  KeepField(answer, 50, 1);
  const std::string page = SweepReport({}, answer);
  for (const char* part : {"http", "src=", "<link", "@import", "url(h"}) {
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(Count(page, "href="), Count(page, "href=\"data:image/png;base64,"));
  // The layout, and two pictures a field.
  EXPECT_EQ(Count(page, "base64,iVBORw0KGgo"), 5U);
  EXPECT_EQ(Unbalanced(page), "");
  for (const char* name : {"S11", "S21", "S12", "S22", "Smith", "2 mm"}) {
    EXPECT_NE(page.find(name), std::string::npos) << name;
  }
}

// The centres of the circles that hold ports' numbers.
std::vector<Complex> PortLabels(const std::string& page) {
  std::vector<Complex> centres;
  constexpr std::string_view kBegin = "<g class=\"port\"><circle cx=\"";
  for (size_t at = page.find(kBegin); at != std::string::npos;
       at = page.find(kBegin, at + 1)) {
    const size_t y = page.find("cy=\"", at) + 4;
    centres.emplace_back(std::stod(page.substr(at + kBegin.size())),
                         std::stod(page.substr(y)));
  }
  return centres;
}

TEST(SweepReport, NumbersOfNeighbouringPortsLieApart) {
  planar::Mesh mesh =
      planar::MeshOf(std::vector<std::string>(200, std::string(200, '#')));
  for (int p = 0; p < 4; ++p) {
    mesh.ports.push_back(
        planar::PortOfColumn(mesh, 0, 2 * p, 2 * p, planar::Side::kWest));
    mesh.ports.push_back(
        planar::PortOfColumn(mesh, 50 + 2 * p, 199, 199, planar::Side::kNorth));
  }
  const auto labels = PortLabels(SweepReport({}, AnswerOf(mesh, {1e9})));
  ASSERT_EQ(labels.size(), 8U);
  for (size_t p = 0; p < 8; ++p) {
    for (size_t q = 0; q < p; ++q) {
      EXPECT_GT(std::abs(labels[p] - labels[q]), 17) << p << " " << q;
    }
  }
}

TEST(SweepReport, WhatItIsToldIsText) {
  const std::string hostile(kHostile);
  Answer answer = AnswerOf(planar::Stub(), Frequencies(5));
  answer.warnings = {hostile};
  answer.raster.warnings = {hostile};
  answer.raster.moves = {{hostile, 0.1, false}};
  answer.raster.largest_move = 0.1;
  answer.verification.checks[0].name = hostile;
  answer.verification.checks[0].detail = hostile;
  answer.exact[0].report.method = hostile;
  answer.exact[0].report.notes = {hostile};
  planar::Layout layout;
  layout.file = hostile;
  SweepNotes notes;
  notes.parameters = {{hostile, hostile}};
  notes.figures = {{hostile, hostile}};
  for (const char* title : {"", kHostile.data()}) {
    notes.title = title;
    const std::string page = SweepReport(layout, answer, notes);
    EXPECT_EQ(Count(page, "<script"), 1U);
    EXPECT_EQ(Count(page, "<img"), 0U);
    EXPECT_GE(Count(page, "&lt;script&gt;alert(1)"), 12U);
    EXPECT_EQ(Unbalanced(page), "");
  }
}

TEST(SweepReport, SaysWhetherTheAnswerPassed) {
  Answer answer = AnswerOf(planar::Stub(), Frequencies(5));
  EXPECT_NE(SweepReport({}, answer).find("Passed 2 checks"), std::string::npos);
  answer.verification.checks[1].passed = false;
  const std::string failed = SweepReport({}, answer);
  EXPECT_NE(failed.find("Failed 1 of 2 checks"), std::string::npos);
  EXPECT_EQ(Count(failed, ">failed<"), 1U);
  EXPECT_EQ(Count(failed, ">passed<"), 1U);
  answer.verification.checks.clear();
  EXPECT_NE(SweepReport({}, answer).find("not checked"), std::string::npos);
}

TEST(SweepReport, TrianglesStandAtExactFrequenciesOnly) {
  Answer answer = AnswerOf(planar::Stub(), Frequencies(51));
  answer.exact.push_back({20, {"ldlt", 1e-12, 0, {}}});
  const std::string page = SweepReport({}, answer);
  // Three on each of four magnitudes, four phases and two reflections, and a
  // sample in each of three legends.
  EXPECT_EQ(Count(page, "l4 7h-8z"), 3U * 10 + 3);
  EXPECT_NE(page.find("the 3 of 51 frequencies"), std::string::npos);
}

TEST(SweepReport, ZeroHertzAndOneFrequencyAreDrawn) {
  std::vector<double> by_ratio = {0};
  for (int k = 0; k < 20; ++k) by_ratio.push_back(1e6 * std::pow(1.5, k));
  for (const auto& hz : {by_ratio, std::vector<double>{0, 1e9, 2e9},
                         std::vector<double>{0}, std::vector<double>{3e9}}) {
    const std::string page = SweepReport({}, AnswerOf(planar::Stub(), hz));
    EXPECT_EQ(Unbalanced(page), "");
    for (const char* part : {"nan", "inf ", "inf\"", "-inf"}) {
      // Not in any number: pictures' bytes may hold anything.
      for (size_t at = page.find(" d=\""); at != std::string::npos;
           at = page.find(" d=\"", at + 1)) {
        const std::string data =
            page.substr(at + 4, page.find('"', at + 4) - at - 4);
        ASSERT_EQ(data.find(part), std::string::npos) << data;
      }
    }
  }
}

TEST(SweepReport, NoTransmissionIsNoFault) {
  Answer answer = AnswerOf(planar::Stub(), Frequencies(11));
  for (PortMatrix& s : answer.s) s(0, 1) = s(1, 0) = 0;
  EXPECT_EQ(Unbalanced(SweepReport({}, answer)), "");
  // Rounding does not set the axis.
  for (PortMatrix& s : answer.s) s(0, 1) = s(1, 0) = 1e-17;
  EXPECT_EQ(SweepReport({}, answer).find(">-300<"), std::string::npos);
}

TEST(SweepReport, AThousandFrequenciesOfFourPortsAreAFewMegabytes) {
  Answer answer = AnswerOf(planar::Menagerie(), Frequencies(1001));
  for (size_t port = 0; port < 4; ++port) {
    for (const size_t k : {0, 500, 1000}) KeepField(answer, k, port);
  }
  const std::string page = SweepReport({}, answer);
  EXPECT_LT(page.size(), 2'000'000U);
  EXPECT_EQ(Unbalanced(page), "");
  // One plot of each kind a driven port.
  EXPECT_EQ(Count(page, "<figcaption>Magnitude"), 4U);
  EXPECT_EQ(Count(page, "<figcaption>Phase"), 4U);
}

planar::Mesh OnePortMesh() {
  planar::Mesh mesh = planar::MeshOf({"###"});
  mesh.ports = {planar::PortOfColumn(mesh, 0, 0, 0, planar::Side::kWest)};
  return mesh;
}

// R, L in series, C parallel to them.
Complex CoilAdmittance(double hz) {
  const double w = 2 * std::numbers::pi * hz;
  return 1.0 / Complex(2, w * 10e-9) + Complex(0, w * 1e-12);
}

Answer CoilAnswer(std::vector<double> hz) {
  Answer answer = AnswerOf(OnePortMesh(), std::move(hz));
  for (size_t k = 0; k < answer.hz.size(); ++k) {
    answer.y[k](0, 0) = CoilAdmittance(answer.hz[k]);
    answer.s[k] = *planar::SFromY(answer.y[k], answer.z0);
  }
  return answer;
}

TEST(OnePort, ACoilHasItsFiguresAndItsResonance) {
  const double w = 2 * std::numbers::pi * 1e6;
  const PortFigures low = OnePortAt(CoilAdmittance(1e6), 1e6);
  // For low frequencies L is that of the coil less R^2 C.
  EXPECT_NEAR(low.resistance, 2, 1e-4);
  EXPECT_NEAR(low.inductance, 10e-9 - 2 * 2 * 1e-12, 1e-14);
  EXPECT_NEAR(low.quality, w * 10e-9 / 2, 1e-4);
  EXPECT_TRUE(std::isnan(low.capacitance));

  const Answer answer = CoilAnswer(Frequencies(141));
  const auto resonances = Resonances(answer);
  ASSERT_EQ(resonances.size(), 1U);
  EXPECT_TRUE(resonances[0].parallel);
  const double expected =
      std::sqrt(1 / (10e-9 * 1e-12) - std::pow(2 / 10e-9, 2)) /
      (2 * std::numbers::pi);
  EXPECT_NEAR(resonances[0].hz, expected, 1e-3 * expected);
  const PortFigures above = OnePortAt(answer.y.back()(0, 0), 7e9);
  EXPECT_TRUE(std::isnan(above.inductance));
  EXPECT_GT(above.capacitance, 0);
}

TEST(OnePort, ASeriesResonanceIsFoundBetweenItsNeighbours) {
  Answer answer = AnswerOf(OnePortMesh(), {0.9e9, 1.0e9, 1.1e9, 1.2e9});
  const double at = 1.037e9;
  for (size_t k = 0; k < 4; ++k) {
    answer.y[k](0, 0) = 1.0 / Complex(1, (answer.hz[k] - at) * 1e-7);
  }
  const auto resonances = Resonances(answer);
  ASSERT_EQ(resonances.size(), 1U);
  EXPECT_FALSE(resonances[0].parallel);
  EXPECT_NEAR(resonances[0].hz, at, 1);
}

TEST(OnePort, WhatIsNotThereIsNoNumber) {
  EXPECT_TRUE(std::isnan(OnePortAt(0, 1e9).resistance));
  const PortFigures dc = OnePortAt(0.5, 0);
  EXPECT_EQ(dc.resistance, 2);
  EXPECT_TRUE(std::isnan(dc.inductance) && std::isnan(dc.quality));
  EXPECT_TRUE(std::isinf(OnePortAt({0, -1}, 1e9).quality));
}

TEST(OnePort, ThePageShowsItForOnePortOnly) {
  const std::string one = SweepReport({}, CoilAnswer(Frequencies(41)));
  for (const char* part : {"Inductance in nH", "Resonances: 1.5"}) {
    EXPECT_NE(one.find(part), std::string::npos) << part;
  }
  const std::string two =
      SweepReport({}, AnswerOf(planar::Stub(), Frequencies(5)));
  EXPECT_EQ(two.find("Inductance"), std::string::npos);
}

std::vector<std::string> Split(const std::string& text, char at) {
  std::vector<std::string> parts = {""};
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

TEST(SweepCsv, NumbersReadBackAndEveryLineHasEveryColumn) {
  const Answer answer = AnswerOf(planar::Stub(), Frequencies(13));
  const auto lines = Split(SweepCsv(answer), '\n');
  ASSERT_EQ(lines.size(), 15U);  // the last one is empty
  EXPECT_EQ(lines[0],
            "frequency_hz,s11_re,s11_im,s12_re,s12_im,s21_re,s21_im,s22_re,"
            "s22_im,s11_db,s11_deg,s12_db,s12_deg,s21_db,s21_deg,s22_db,"
            "s22_deg,solved_exactly");
  for (size_t k = 0; k < 13; ++k) {
    const auto cells = Split(lines[k + 1], ',');
    ASSERT_EQ(cells.size(), 18U);
    EXPECT_EQ(std::stod(cells[0]), answer.hz[k]);
    const Complex s21 = answer.s[k](1, 0);
    EXPECT_EQ(std::stod(cells[5]), s21.real());
    EXPECT_EQ(std::stod(cells[6]), s21.imag());
    EXPECT_NEAR(std::stod(cells[13]), 20 * std::log10(std::abs(s21)), 1e-6);
    EXPECT_NEAR(
        std::polar(1.0, std::stod(cells[14]) * std::numbers::pi / 180).real(),
        s21.real() / std::abs(s21), 1e-6);
    EXPECT_EQ(cells[17], k == 0 || k == 12 ? "1" : "0");
  }
}

TEST(SweepCsv, AdmittancesAndImpedancesAreEachOthersInverse) {
  const Answer answer = AnswerOf(planar::Stub(), {1e9});
  const auto y = Split(SweepCsv(answer, Parameters::kY), '\n');
  const auto z = Split(SweepCsv(answer, Parameters::kZ), '\n');
  EXPECT_EQ(y[0],
            "frequency_hz,y11_re,y11_im,y12_re,y12_im,y21_re,y21_im,y22_re,"
            "y22_im,solved_exactly");
  EXPECT_TRUE(z[0].starts_with("frequency_hz,z11_re,z11_im,"));
  const auto at = [](const std::string& line, size_t k) {
    const auto cells = Split(line, ',');
    EXPECT_EQ(cells.size(), 10U);
    return Complex(std::stod(cells[1 + 2 * k]), std::stod(cells[2 + 2 * k]));
  };
  const Complex one = at(y[1], 0) * at(z[1], 0) + at(y[1], 1) * at(z[1], 2);
  const Complex none = at(y[1], 0) * at(z[1], 1) + at(y[1], 1) * at(z[1], 3);
  EXPECT_LT(std::abs(one - 1.0), 1e-12);
  EXPECT_LT(std::abs(none), 1e-12);
  EXPECT_EQ(at(y[1], 2), answer.y[0](1, 0));
}

TEST(SweepCsv, WhatDoesNotExistIsEmpty) {
  Answer answer = AnswerOf(planar::Stub(), {0, 1e9});
  // A through at 0 Hz has neither; a series element has Y alone.
  answer.s[0](0, 0) = answer.s[0](1, 1) = 0;
  answer.s[0](0, 1) = answer.s[0](1, 0) = 1;
  answer.y[1](0, 0) = answer.y[1](1, 1) = 0.01;
  answer.y[1](0, 1) = answer.y[1](1, 0) = -0.01;
  const auto y = Split(SweepCsv(answer, Parameters::kY), '\n');
  const auto z = Split(SweepCsv(answer, Parameters::kZ), '\n');
  EXPECT_EQ(y[1], "0,,,,,,,,,1");
  EXPECT_EQ(z[1], "0,,,,,,,,,1");
  EXPECT_EQ(y[2], "1000000000,0.01,0,-0.01,0,-0.01,0,0.01,0,1");
  EXPECT_EQ(z[2], "1000000000,,,,,,,,,1");
  // Opens and shorts of perfect metal at 0 Hz are exact: Y or Z is 0.
  answer.s[0] = PortMatrix(2);
  answer.s[0](0, 0) = answer.s[0](1, 1) = 1;
  EXPECT_EQ(Split(SweepCsv(answer, Parameters::kY), '\n')[1],
            "0,0,0,0,0,0,0,0,0,1");
  answer.s[0](0, 0) = answer.s[0](1, 1) = -1;
  EXPECT_EQ(Split(SweepCsv(answer, Parameters::kZ), '\n')[1],
            "0,0,0,0,0,0,0,0,0,1");
}

TEST(SweepCsv, OnePortsHaveTheirFigures) {
  Answer answer = CoilAnswer({0, 1e6, 7e9});
  answer.y[0](0, 0) = 0.5;
  answer.s[0](0, 0) = 0;
  const auto lines = Split(SweepCsv(answer), '\n');
  EXPECT_TRUE(
      lines[0].ends_with(",r_ohm,x_ohm,l_henry,c_farad,q,"
                         "solved_exactly"));
  // S = 0 has neither decibels nor degrees, DC only a resistance.
  EXPECT_EQ(lines[1], "0,0,0,,,2,,,,,1");
  const auto coil = Split(lines[2], ',');
  EXPECT_NEAR(std::stod(coil[7]), 10e-9, 1e-11);
  EXPECT_EQ(coil[8], "");
  EXPECT_EQ(Split(lines[3], ',')[7], "");
}

TEST(SweepCsv, ManyPortsAreNamedApart) {
  planar::Mesh mesh = planar::MeshOf({std::string(11, '#')});
  for (int i = 0; i < 11; ++i) {
    mesh.ports.push_back(
        planar::PortOfColumn(mesh, i, 0, 0, planar::Side::kSouth));
  }
  const auto header =
      Split(Split(SweepCsv(AnswerOf(mesh, {1e9})), '\n')[0], ',');
  const std::set<std::string> names(header.begin(), header.end());
  EXPECT_EQ(names.size(), header.size());
  EXPECT_TRUE(names.contains("s1_11_re") && names.contains("s11_1_re"));
}

TEST(Page, Base64IsThatOfRfc4648) {
  const auto encoded = [](std::string_view text) {
    return Base64(std::as_bytes(std::span(text)));
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xFB\xFF"), "+/8=");
}

}  // namespace
}  // namespace assay::cli
