// Laws of the layout's JSON: what is read, and how each fault is named.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/layout_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "assay/base/files.h"
#include "assay/planar/json_position.h"

namespace assay::planar {
namespace {

constexpr const char* kLine = R"({
  "units": "mm",
  "substrate": {"er": 4.4, "tand": 0.02, "h": 1.6},
  "conductor": {"sigma": 5.8e7, "t": 0.035},
  "pixel": [0.5, 0.25],
  "metal": [
    {"rect": [-15, 15, -1.5, 1.5]},
    {"polygon": [[0, 0], [4, 0], [4, 4]]},
    {"mask": "dots.png", "origin": [1, 2], "invert": true, "clear": true}
  ],
  "vias": [{"at": [3, 0.5], "diameter": 0.3}],
  "ports": [
    {"axis": "x", "at": -15, "from": -1.5, "to": 1.5},
    {"kind": "gap", "axis": "y", "at": 0, "from": 1, "to": 2, "z0": 75},
    {"kind": "ground", "at": [14, 0.1]}
  ]
})";

std::string With(std::string text, const std::string& from,
                 const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The message of the fault in kLine after one edit.
std::string FaultAfter(const std::string& from, const std::string& to) {
  const auto layout = ParseLayout(With(kLine, from, to), "a.json");
  if (layout.ok()) return "accepted";
  EXPECT_EQ(layout.error().code, Code::kInvalidInput);
  return layout.error().what + " | " + layout.error().hint;
}

void ExpectFault(const std::string& from, const std::string& to,
                 const std::string& expected) {
  const std::string fault = FaultAfter(from, to);
  EXPECT_NE(fault.find(expected), std::string::npos)
      << fault << "\n  is not: " << expected;
}

TEST(LayoutJson, EveryKeyArrives) {
  const auto read = ParseLayout(kLine, "a.json");
  ASSERT_TRUE(read.ok()) << read.error().what;
  const Layout& layout = *read;
  EXPECT_EQ(layout.units, Units::kMillimetre);
  EXPECT_EQ(layout.substrate.er, 4.4);
  EXPECT_EQ(layout.substrate.tand, 0.02);
  EXPECT_EQ(layout.substrate.h, 1.6);
  ASSERT_TRUE(layout.conductor.has_value());
  EXPECT_EQ(layout.conductor->t, 0.035);
  EXPECT_FALSE(layout.conductor->two_sided);
  EXPECT_EQ(layout.dx, 0.5);
  EXPECT_EQ(layout.dy, 0.25);
  ASSERT_EQ(layout.metal.size(), 3u);
  EXPECT_EQ(std::get<Rect>(layout.metal[0].form).x0, -15);
  EXPECT_EQ(std::get<Polygon>(layout.metal[1].form).points.size(), 3u);
  const auto& mask = std::get<PixelMask>(layout.metal[2].form);
  EXPECT_EQ(mask.file, "dots.png");
  EXPECT_EQ(mask.origin, (Vec2{1, 2}));
  EXPECT_TRUE(mask.invert);
  EXPECT_TRUE(layout.metal[2].clear);
  EXPECT_EQ(layout.vias[0].diameter, 0.3);
  EXPECT_EQ(layout.ports[0].kind, PortKind::kEdge);
  EXPECT_EQ(layout.ports[0].z0, 50);
  EXPECT_EQ(layout.ports[1].kind, PortKind::kGap);
  EXPECT_EQ(layout.ports[1].axis, Axis::kY);
  EXPECT_EQ(layout.ports[1].z0, 75);
  EXPECT_EQ(layout.ports[2].point, (Vec2{14, 0.1}));
}

TEST(LayoutJson, WritingUndoesReading) {
  const std::string once = WriteLayout(*ParseLayout(kLine, "a.json"));
  const auto again = ParseLayout(once, "b.json");
  ASSERT_TRUE(again.ok()) << again.error().what << once;
  EXPECT_EQ(WriteLayout(*again), once);
  EXPECT_EQ(again->metal.size(), 3u);
  EXPECT_EQ(again->ports[1].z0, 75);
}

TEST(LayoutJson, MinusZeroIsZero) {
  const auto layout = ParseLayout(
      With(With(kLine, "[0, 0]", "[-0.0, -0]"), "0.02", "-0.0"), "a.json");
  ASSERT_TRUE(layout.ok()) << layout.error().what;
  const std::string once = WriteLayout(*layout);
  EXPECT_EQ(once.find("-0,"), std::string::npos) << once;
  EXPECT_EQ(WriteLayout(*ParseLayout(once, "b.json")), once);
}

TEST(LayoutJson, NamesTheNearestKnownKey) {
  ExpectFault("\"tand\"", "\"tanD\"", "did you mean \"tand\"?");
  ExpectFault("\"tand\"", "\"tanD\"", "a.json:3: substrate.tanD");
  ExpectFault("\"from\"", "\"form\"", "did you mean \"from\"?");
  ExpectFault("\"vias\"", "\"via\"", "did you mean \"vias\"?");
  ExpectFault("\"vias\"", "\"qqqqqq\"", "known are units");
}

TEST(LayoutJson, NamesFileLineAndKey) {
  ExpectFault("\"er\": 4.4", "\"er\": 0.9", "a.json:3: substrate.er: er 0.9");
  ExpectFault("0.02", "-0.02", "a.json:3: substrate.tand");
  ExpectFault("1.6", "0", "a.json:3: substrate.h: 0 is not above zero");
  ExpectFault("0.5, 0.25", "-0.5, 0.25", "a.json:5: pixel[0]: -0.5");
  ExpectFault("0.5, 0.25", "0.5, 0", "a.json:5: pixel[1]: 0 ");
  ExpectFault("5.8e7", "0", "a.json:4: conductor.sigma");
  ExpectFault("0.035", "-1", "a.json:4: conductor.t");
  ExpectFault("-15, 15, -1.5", "15, -15, -1.5", "a.json:7: metal[0].rect: x");
  ExpectFault("0.3}", "0}", "a.json:11: vias[0].diameter");
  ExpectFault("\"z0\": 75", "\"z0\": -75", "a.json:14: ports[1].z0");
  ExpectFault("\"z0\": 75", "\"z0\": 1e308", "0.001 to 1000000 ohms");
  ExpectFault("\"from\": 1,", "\"from\": 3,", "a.json:14: ports[1].from");
}

TEST(LayoutJson, TypesAreStrict) {
  ExpectFault("4.4", "\"4.4\"", "substrate.er: a number is wanted");
  ExpectFault("[0.5, 0.25]", "0.5", "pixel: 2 numbers");
  ExpectFault("[-15, 15, -1.5, 1.5]", "[1, 2, 3]", "4 numbers");
  ExpectFault("\"mm\"", "\"cm\"", "units: \"cm\" is no unit");
  ExpectFault("\"gap\"", "\"hole\"", "edge, ground or gap");
  ExpectFault("\"axis\": \"x\"", "\"axis\": \"z\"", "is no axis");
  ExpectFault("\"axis\": \"x\", ", "", "the key \"axis\" is missing");
  ExpectFault("\"rect\": [", "\"invert\": true, \"rect\": [",
              "belongs to a mask");
  ExpectFault("{\"rect\": [-15, 15, -1.5, 1.5]}", "{}", "0 of rect");
  ExpectFault("\"kind\": \"ground\", ", "", "only a ground port");
}

TEST(LayoutJson, BrokenTextIsNamedByLine) {
  ExpectFault("1.6},", "1.6}", "a.json:4: no JSON");
  ExpectFault("4.4", "NaN", "a.json:3: no JSON");
  ExpectFault("4.4", "1e999", "a.json");
  ExpectFault("\"h\": 1.6", "\"h\": 1.6, \"er\": 2",
              "a.json:3: the key \"er\" comes twice");
  EXPECT_FALSE(ParseLayout("", "a.json").ok());
  EXPECT_FALSE(ParseLayout("[]", "a.json").ok());
  EXPECT_FALSE(ParseLayout(std::string(100000, '['), "a.json").ok());
}

TEST(LayoutJson, NoPortNoMetalOpenAndCrossedPolygons) {
  const std::string text = kLine;
  const std::string ports = text.substr(text.find("\"ports\": ["));
  ExpectFault(ports, "\"ports\": []}", "ports: there is no port");
  ExpectFault("[[0, 0], [4, 0], [4, 4]]", "[[0, 0], [4, 0], [0, 0]]",
              "a.json:8: metal[1].polygon: an open polygon");
  ExpectFault("[[0, 0], [4, 0], [4, 4]]", "[[0, 0], [4, 0], [0, 3], [4, 3]]",
              "crosses itself near (2, 1.5)");
}

TEST(Layout, CombsAreSearchedAcrossTheirTeeth) {
  // Along the teeth this would compare 5e9 pairs of sides.
  for (const bool turned : {false, true}) {
    Layout layout = *ParseLayout(kLine, "a.json");
    layout.metal.resize(1);
    Polygon comb;
    for (int i = 0; i < 100'000; ++i) {
      comb.points.push_back({i % 2 == 0 ? -10.0 : 10.0, i * 1e-3});
    }
    comb.points.push_back({-20, 99.999});
    comb.points.push_back({-20, 0});
    if (turned) {
      for (Vec2& p : comb.points) std::swap(p.x, p.y);
    }
    layout.metal[0].form = comb;
    EXPECT_TRUE(CheckLayout(layout).ok());
    // One tooth reaches through its neighbour's.
    Vec2& tip = comb.points[50'001];
    (turned ? tip.x : tip.y) += 2.5e-3;
    layout.metal[0].form = comb;
    const Status crossed = CheckLayout(layout);
    ASSERT_FALSE(crossed.ok());
    EXPECT_NE(crossed.error().what.find("crosses itself near ("),
              std::string::npos)
        << crossed.error().what;
    EXPECT_NE(crossed.error().what.find("50.00"), std::string::npos)
        << crossed.error().what;
  }
}

TEST(Layout, RefusesNumbersThatAreNone) {
  Layout layout = *ParseLayout(kLine, "a.json");
  layout.dx = std::nan("");
  EXPECT_FALSE(CheckLayout(layout).ok());
  layout.dx = 1;
  std::get<Rect>(layout.metal[0].form).x1 =
      std::numeric_limits<double>::infinity();
  EXPECT_FALSE(CheckLayout(layout).ok());
}

TEST(LayoutJson, TheReaderKnowsTheKeysOfTheSchema) {
  const auto bytes = ReadFile(
      std::string(ASSAY_TESTDATA) + "/../docs/planar-layout.schema.json",
      1 << 20);
  ASSERT_TRUE(bytes.ok());
  using Json = nlohmann::json;
  const Json schema =
      Json::parse(reinterpret_cast<const char*>(bytes->data()),
                  reinterpret_cast<const char*>(bytes->data()) + bytes->size());
  // A key of no type that fits is a fault, and none of an unknown key.
  const auto expect_known = [](const Json& properties, const auto& place) {
    for (const auto& [key, meaning] : properties.items()) {
      Json layout = Json::parse(kLine);
      place(layout)[key] = nullptr;
      const auto read = ParseLayout(layout.dump(), "a.json");
      ASSERT_FALSE(read.ok()) << key;
      EXPECT_EQ(read.error().what.find("unknown"), std::string::npos)
          << read.error().what;
    }
  };
  const Json& top = schema["properties"];
  expect_known(top, [](Json& j) -> Json& { return j; });
  for (const char* name : {"substrate", "conductor"}) {
    expect_known(top[name]["properties"],
                 [&](Json& j) -> Json& { return j[name]; });
  }
  for (size_t i = 0; i < 3; ++i) {
    expect_known(top["metal"]["items"]["oneOf"][i]["properties"],
                 [&](Json& j) -> Json& { return j["metal"][i]; });
  }
  expect_known(top["vias"]["items"]["properties"],
               [](Json& j) -> Json& { return j["vias"][0]; });
  expect_known(top["ports"]["items"]["oneOf"][0]["properties"],
               [](Json& j) -> Json& { return j["ports"][0]; });
  expect_known(top["ports"]["items"]["oneOf"][1]["properties"],
               [](Json& j) -> Json& { return j["ports"][2]; });
}

TEST(LayoutJson, MasksStartAtTheLayoutsFolder) {
  const std::string folder = ::testing::TempDir();
  const std::string path = folder + "planar_layout.json";
  ASSERT_TRUE(WriteFile(path, std::string_view(kLine)).ok());
  const auto layout = ReadLayout(path, 1000);
  ASSERT_FALSE(layout.ok());
  EXPECT_NE(layout.error().what.find(folder + "dots.png"), std::string::npos)
      << layout.error().what;
}

TEST(JsonPosition, SkipsWhatItPasses) {
  const std::string text =
      "{\"a\": [{\"x\": \"}\\\"]\"},\n [1,\n {\"b\": 2}]],\n\"c\": 3}";
  EXPECT_EQ(LineOfKey(text, "a[0].x"), 1u);
  EXPECT_EQ(LineOfKey(text, "a[1]"), 2u);
  EXPECT_EQ(LineOfKey(text, "a[1][1].b"), 3u);
  EXPECT_EQ(LineOfKey(text, "c"), 4u);
  EXPECT_EQ(LineOfKey(text, "a[1][7].b"), 2u);
  EXPECT_EQ(LineOfKey(text, "a["), 1u);
}

}  // namespace
}  // namespace assay::planar
