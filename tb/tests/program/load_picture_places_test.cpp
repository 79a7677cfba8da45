// The picture of loads where routers stand anywhere: what decides on its scale, which links go around, what is written
// in a router.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/braid/draw_layout.h"
#include "tb/braid/draw_loads.h"
#include "tb/tests/support/bench.h"

namespace braid::test::load_picture_places_test {
namespace {

using models::LinkResult;
using routing::Position;
using routing::Topology;

constexpr PortId kEast{0}, kWest{1}, kNorth{2}, kSouth{3};

Topology grid(const char* kind, std::uint32_t width, std::uint32_t height) {
  models::Experiment e = uniform_mesh(0.1, width, height);
  e.set("topology.kind", kind);
  return routing::make_topology(e);
}

/// Routers of a row, which stand at these places instead.
std::string at(std::vector<Position> places) {
  Topology t = grid("mesh", static_cast<std::uint32_t>(places.size()), 1);
  t.positions = std::move(places);
  return tb::loads_svg(t, {}, {}, "");
}

/// The picture has a margin of 70 pixels on each side, and 60 pixels above for the head.
bool has_size(const std::string& svg, int wide, int high) {
  const std::string w = std::to_string(wide + 140), h = std::to_string(high + 200);
  return svg.find("width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h + "\"") != std::string::npos;
}

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// Whatever their order: 110 pixels for the least distance, which is 1 between 4 and 5.
TEST(LoadPicturePlaces, AreScaledByTheTwoThatAreNearestInAnyOrder) {
  EXPECT_TRUE(has_size(at({{4, 0}, {0, 0}, {9, 0}, {5, 0}}), 990, 0));
  EXPECT_TRUE(has_size(at({{0, 0}, {4, 0}, {9, 0}, {5, 0}}), 990, 0));
  EXPECT_TRUE(has_size(at({{9, 0}, {5, 0}, {4, 0}, {0, 0}}), 990, 0));
}

/// The first along x and the third: one that stands between them is far above.
TEST(LoadPicturePlaces, OfTheNearestNeedNotFollowEachOther) {
  EXPECT_TRUE(has_size(at({{0, 0}, {1, 9}, {2, 0}}), 110, 495));
  EXPECT_TRUE(has_size(at({{-5, 0}, {0, 0}, {1, 9}, {2, 0}}), 385, 495));
}

/// By both coordinates, 3 and 4: a distance of 5.
TEST(LoadPicturePlaces, AreAsFarAsThePlaneHasThem) { EXPECT_TRUE(has_size(at({{0, 0}, {3, 4}}), 66, 88)); }

/// Two at one place have no distance; where all are at one place there is no scale.
TEST(LoadPicturePlaces, MayBeTheSame) {
  EXPECT_TRUE(has_size(at({{0, 0}, {0, 0}, {2, 0}}), 110, 0));
  EXPECT_TRUE(has_size(at({{3, 5}, {3, 5}}), 0, 0));
  EXPECT_TRUE(has_size(at({{3, 5}}), 0, 0));
}

/// 6000 pixels at most, wherever the network lies in the plane: 60 for a distance of 1 and not 110.
TEST(LoadPicturePlaces, AreNoFurtherApartThanTheLimitWhereverTheyLie) {
  EXPECT_TRUE(has_size(at({{100, 7}, {101, 7}, {200, 7}}), 6000, 0));
  EXPECT_TRUE(has_size(at({{7, 100}, {7, 101}, {7, 200}}), 0, 6000));
  EXPECT_TRUE(has_size(at({{-50, 7}, {-49, 7}, {50, 7}}), 6000, 0));
  EXPECT_TRUE(has_size(at({{7, -50}, {7, -49}, {7, 50}}), 0, 6000));
}

/// Leftmost and uppermost are at the margins; y grows upwards.
TEST(LoadPicturePlaces, BeginAtTheMargins) {
  const std::string svg = at({{-1, 10}, {0, 11}, {1, 10}});  // 110 for a distance of the square root of 2
  for (const char* router : {"<title>router 0,0</title><rect x=\"50.0\" y=\"187.8\"",
                             "<title>router 1,0</title><rect x=\"127.8\" y=\"110.0\"",
                             "<title>router 2,0</title><rect x=\"205.6\" y=\"187.8\""}) {
    EXPECT_EQ(times(svg, router), 1U) << router << svg;
  }
}

/// Six letters of a router's name; all of it where one points at it.
TEST(LoadPicturePlaces, HaveSixLettersOfAName) {
  Topology t = grid("mesh", 2, 1);
  t.router_names = {"abcdef", "ghijklm"};
  const std::string svg = tb::loads_svg(t, {}, {}, "t");
  EXPECT_EQ(times(svg, ">abcdef</text>"), 1U) << svg;
  EXPECT_EQ(times(svg, ">ghijkl</text>"), 1U) << svg;
  EXPECT_EQ(times(svg, "<title>router ghijklm</title>"), 1U) << svg;
}

/// Of one link: its arrow's head follows the last.
std::size_t lines_of(const Topology& t, std::uint32_t from, PortId port) {
  const std::string svg = tb::loads_svg(t, {LinkResult{RouterId{from}, port, 0.5, 0.0}}, {}, "t");
  return times(svg, "stroke-width=\"7.00\"/><line") + times(svg, "stroke-width=\"7.00\"/><path");
}

/// In two stubs, of a ring of three, too, in each of the four directions; a neighbour's link is one line.
TEST(LoadPicturePlaces, OfARingOfThreeHaveStubsAroundIt) {
  const Topology t = grid("torus", 3, 3);
  const auto stubs = [&](std::uint32_t from, PortId port) { return lines_of(t, from, port) == 2; };
  for (std::uint32_t r = 0; r < 9; ++r) {
    EXPECT_EQ(stubs(r, kEast), r % 3 == 2) << r;
    EXPECT_EQ(stubs(r, kWest), r % 3 == 0) << r;
    EXPECT_EQ(stubs(r, kNorth), r / 3 == 2) << r;
    EXPECT_EQ(stubs(r, kSouth), r / 3 == 0) << r;
  }
}

/// A mesh has a line a link, however far apart its routers are drawn.
TEST(LoadPicturePlaces, OfAMeshHaveNoStubs) {
  Topology t = grid("mesh", 3, 1);
  t.positions = {{0, 0}, {5, 0}, {1, 0}};
  EXPECT_EQ(lines_of(t, 0, kEast), 1U);
  EXPECT_EQ(lines_of(t, 1, kEast), 1U);
}

/// A link between routers at one place is none that can be seen.
TEST(LoadPicturePlaces, OfBothEndsAlikeHaveNoLine) {
  Topology t = grid("mesh", 3, 1);
  t.positions = {{0, 0}, {0, 0}, {1, 0}};
  EXPECT_EQ(lines_of(t, 0, kEast), 0U);
  EXPECT_EQ(lines_of(t, 1, kEast), 1U);
}

/// The layout's picture of a torus: thirty pixels of a link around the edge on either side, upwards and downwards, too.
TEST(LayoutPicture, DrawsStubsAboveAndBelow) {
  Topology t = grid("torus", 3, 3);
  traffic::StreamGraph graph;
  const auto drawn = [&](std::uint32_t from, PortId port) {
    models::CircuitResult circuit;
    circuit.stream = "s";
    circuit.path = {{RouterId{from}, port}};
    return tb::layout_svg({t, graph, {}, {circuit}, {}, "t"});
  };
  // Middles are at 60, 210, 360 across and 164, 314, 464 down; seven pixels right of the way.
  EXPECT_EQ(times(drawn(6, kNorth), "d=\"M67 144L67 114M67 514L67 484\""), 1U) << drawn(6, kNorth);
  EXPECT_EQ(times(drawn(0, kSouth), "d=\"M53 484L53 514M53 114L53 144\""), 1U) << drawn(0, kSouth);
  EXPECT_EQ(times(drawn(0, kWest), "d=\"M40 457L10 457M410 457L380 457\""), 1U) << drawn(0, kWest);
  EXPECT_EQ(times(drawn(0, kNorth), "d=\"M67 444L67 334\""), 1U) << drawn(0, kNorth);
}

}  // namespace
}  // namespace braid::test::load_picture_places_test
