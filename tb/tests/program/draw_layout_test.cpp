// A layout's picture by hand: routers 150 pixels apart, the first one's middle at (60, 164) with north above it; lines
// seven pixels right of a link's middle.
#include "tb/braid/draw_layout.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/bench.h"

namespace braid::test::draw_layout_test {
namespace {

using models::CircuitResult;
using routing::Topology;

Topology grid(const char* kind, std::uint32_t width, std::uint32_t height) {
  models::Experiment e = uniform_mesh(0.1, width, height);
  e.set("topology.kind", kind);
  return routing::make_topology(e);
}

/// Actors on the first nodes; no loads.
struct Drawn {
  Topology topology;
  traffic::StreamGraph graph;
  std::vector<NodeId> place;
  std::vector<CircuitResult> circuits;
  tb::Loads loads;

  explicit Drawn(Topology t) : topology(std::move(t)) {
    for (const auto& ports : topology.routers) loads.emplace_back(ports.size());
  }
  void add(const std::string& actor, std::uint64_t work = 0) {
    place.push_back(NodeId{graph.actors.size()});
    graph.actors.push_back({actor, work, {}});
  }
  void circuit(const std::string& stream, std::vector<CircuitResult::Step> path) {
    circuits.emplace_back();
    circuits.back().stream = stream;
    circuits.back().path = std::move(path);
  }
  std::string svg() const { return tb::layout_svg({topology, graph, place, circuits, loads, "a < b"}); }
};

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

constexpr PortId kEast{0}, kWest{1}, kNorth{2}, kSouth{3};

TEST(LayoutPicture, HasItsSizeAndTitle) {
  const std::string svg = Drawn(grid("mesh", 2, 1)).svg();
  EXPECT_EQ(times(svg, "width=\"420\" height=\"310\" viewBox=\"0 0 420 310\""), 1U) << svg;
  EXPECT_EQ(times(svg, "<rect width=\"420\" height=\"310\" fill=\"white\"/>"), 1U) << svg;
  EXPECT_EQ(times(svg, "<text x=\"40\" y=\"24\" font-size=\"15\">a &lt; b</text>"), 1U) << svg;
}

/// Two rows: the first router is in the south. Every link once, routers over them.
TEST(LayoutPicture, HasRoutersAndEachLinkOnce) {
  const std::string svg = Drawn(grid("mesh", 2, 2)).svg();
  EXPECT_EQ(times(svg, "class=\"link\""), 4U) << svg;
  EXPECT_EQ(times(svg, "x1=\"60\" y1=\"314\" x2=\"210\" y2=\"314\""), 1U) << svg;
  EXPECT_EQ(times(svg, "x1=\"60\" y1=\"314\" x2=\"60\" y2=\"164\""), 1U) << svg;
  EXPECT_EQ(times(svg, "class=\"router\""), 4U) << svg;
  EXPECT_EQ(times(svg, "x=\"40\" y=\"294\" width=\"40\" height=\"40\""), 1U) << svg;
}

/// Links around a torus's edge are not drawn behind everything.
TEST(LayoutPicture, OfATorusHasTheLinksOfAMesh) {
  EXPECT_EQ(times(Drawn(grid("torus", 4, 4)).svg(), "class=\"link\""), 24U);
}

TEST(LayoutPicture, HasATileUpAndRightOfTheRouter) {
  Drawn d(grid("mesh", 2, 1));
  d.add("a&b", 77);
  const std::string svg = d.svg();
  EXPECT_EQ(times(svg, "<title>a&amp;b: node 0, 77 cycles a firing</title>"), 1U) << svg;
  EXPECT_EQ(times(svg, "<line x1=\"80\" y1=\"144\" x2=\"82\" y2=\"142\""), 1U) << svg;
  EXPECT_EQ(times(svg, "<rect x=\"82\" y=\"78\" width=\"112\" height=\"64\""), 1U) << svg;
  EXPECT_EQ(times(svg, "<text x=\"87\" y=\"91\">a&amp;b</text>"), 1U) << svg;
}

/// Sixteen letters a line, five lines, and dots where there is more.
TEST(LayoutPicture, CutsNamesIntoLines) {
  const std::string sixteen(16, 'a');
  const auto with = [](const std::string& name) {
    Drawn d(grid("mesh", 2, 1));
    d.add(name);
    return d.svg();
  };
  EXPECT_EQ(times(with(sixteen), ">" + sixteen + "</text></g>"), 1U);
  EXPECT_EQ(times(with(sixteen + "b"), ">" + sixteen + "</text><text x=\"87\" y=\"103\">b</text></g>"), 1U);
  const std::string four(64, 'a');
  EXPECT_EQ(times(with(four + std::string(16, 'b')), "y=\"139\">" + std::string(16, 'b') + "</text></g>"), 1U);
  EXPECT_EQ(times(with(four + std::string(17, 'b')), "y=\"139\">" + std::string(16, 'b') + "\u2026</text></g>"), 1U);
  EXPECT_EQ(times(with(four + std::string(40, 'b')), "y=\"139\">" + std::string(16, 'b') + "\u2026</text></g>"), 1U);
  std::string umlauts;
  for (int i = 0; i < 16; ++i) umlauts += "ä";
  EXPECT_EQ(times(with(umlauts), ">" + umlauts + "</text></g>"), 1U) << "letters, not bytes";
}

TEST(LayoutPicture, DrawsACircuitInEachDirection) {
  Drawn d(grid("mesh", 2, 1));
  d.circuit("s", {{RouterId{0}, kEast}, {RouterId{1}, PortId{4}}});
  std::string svg = d.svg();
  EXPECT_EQ(times(svg,
                  "<path class=\"circuit\" d=\"M80 171L190 171\" fill=\"none\" stroke=\"#1f77b4\" "
                  "stroke-width=\"2\"><title>s (1 link)</title></path>\n"
                  "<path d=\"M190 171L182 175L182 167z\" fill=\"#1f77b4\"/>\n"),
            1U)
      << svg;
  EXPECT_EQ(times(svg,
                  "<path d=\"M420 56h24\" fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"3\"/>"
                  "<text x=\"450\" y=\"60\">s (1 link)</text>"),
            1U)
      << svg;
  EXPECT_EQ(times(svg, "width=\"522\" height=\"310\""), 2U) << "the legend: 12 letters of 6, and 30";
  Drawn west(grid("mesh", 2, 1));
  west.circuit("s", {{RouterId{1}, kWest}});
  EXPECT_EQ(times(west.svg(), "d=\"M190 157L80 157\""), 1U) << west.svg();
  Drawn tall(grid("mesh", 1, 2));
  tall.circuit("n", {{RouterId{0}, kNorth}});
  tall.circuit("s", {{RouterId{1}, kSouth}});
  svg = tall.svg();
  EXPECT_EQ(times(svg, "d=\"M67 294L67 184\""), 1U) << svg;
  EXPECT_EQ(times(svg, "d=\"M67 184L71 192L63 192z\""), 1U) << svg;
  EXPECT_EQ(times(svg, "d=\"M53 184L53 294\""), 1U) << svg;
}

TEST(LayoutPicture, JoinsTheLinksOfACircuit) {
  Drawn d(grid("mesh", 3, 1));
  d.circuit("s", {{RouterId{0}, kEast}, {RouterId{1}, kEast}});
  EXPECT_EQ(times(d.svg(), "d=\"M80 171L190 171L230 171L340 171\""), 1U) << d.svg();
  EXPECT_EQ(times(d.svg(), "<title>s (2 links)</title>"), 1U) << d.svg();
}

/// Thirty pixels on either side are seen of a link around the edge.
TEST(LayoutPicture, DrawsStubsAroundATorus) {
  Drawn d(grid("torus", 4, 4));
  d.circuit("s", {{RouterId{3}, kEast}});
  EXPECT_EQ(times(d.svg(), "d=\"M530 621L560 621M10 621L40 621\""), 1U) << d.svg();
}

/// A circuit within one router has a line of the legend and none in the picture.
TEST(LayoutPicture, OfACircuitWithoutALinkHasNoLine) {
  Drawn d(grid("mesh", 2, 1));
  d.circuit("s", {{RouterId{0}, PortId{4}}});
  EXPECT_EQ(times(d.svg(), "class=\"circuit\""), 0U);
  EXPECT_EQ(times(d.svg(), ">s (0 links)</text>"), 1U) << d.svg();
}

/// Twelve colours, then the same with dashes, with short ones, and from the begin again; the legend makes it higher.
TEST(LayoutPicture, HasThirtySixKindsOfLines) {
  Drawn d(grid("mesh", 2, 1));
  for (int i = 0; i < 37; ++i) d.circuit("s" + std::to_string(i), {{RouterId{0}, kEast}});
  const std::string svg = d.svg();
  const auto legend = [&](int i, const std::string& stroke) {
    const std::string y = std::to_string(40 + (i + 1) * 16);
    return times(svg, "<path d=\"M420 " + y + "h24\" fill=\"none\" stroke=" + stroke + " stroke-width=\"3\"/>");
  };
  EXPECT_EQ(legend(11, "\"#006633\""), 1U) << svg;
  EXPECT_EQ(legend(12, "\"#1f77b4\" stroke-dasharray=\"7 3\""), 1U);
  EXPECT_EQ(legend(24, "\"#1f77b4\" stroke-dasharray=\"2 3\""), 1U);
  EXPECT_EQ(legend(36, "\"#1f77b4\""), 1U);
  EXPECT_EQ(times(svg, "height=\"664\""), 2U) << "39 rows of 16 under the head of 40";
}

/// Where nothing stands on circuits: as wide as there are streams, ten pixels at most, with their number.
TEST(LayoutPicture, DrawsLoadsOfPackets) {
  Drawn d(grid("mesh", 2, 1));
  d.loads[0][0] = 11.0;
  d.loads[1][1] = 2.5;
  d.loads[1][4] = 3.0;
  const std::string svg = d.svg();
  EXPECT_EQ(times(svg, "class=\"load\""), 2U) << svg;
  EXPECT_EQ(times(svg,
                  "<path class=\"load\" d=\"M80 171L190 171\" fill=\"none\" stroke=\"#1f77b4\" "
                  "stroke-width=\"10\"/><text x=\"95\" y=\"182\" text-anchor=\"middle\">11</text>"),
            1U)
      << svg;
  EXPECT_EQ(times(svg, "stroke-width=\"2.5\"/><text x=\"175\" y=\"154\" text-anchor=\"middle\">2.5</text>"), 1U) << svg;
}

TEST(LayoutPicture, NeedsRowsAndColumns) {
  models::Experiment e = uniform_mesh(0.1, 2, 2);
  e.set("topology.kind", "hexagonal");
  EXPECT_THROW(tb::check_can_draw(routing::make_topology(e)), InputError);
  tb::check_can_draw(grid("mesh", 2, 1));
}

}  // namespace
}  // namespace braid::test::draw_layout_test
