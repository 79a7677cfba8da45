// The picture of loads by hand: nearest routers 110 pixels apart, the first of a row at (70, 130), lines six pixels
// right of a link's middle, from grey and 0.8 pixels to red and 7.
#include "tb/braid/draw_loads.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/bench.h"

namespace braid::test::draw_loads_test {
namespace {

using models::LinkResult;
using models::NodeLinkResult;
using routing::Topology;

constexpr PortId kEast{0}, kWest{1};

Topology of_kind(const char* kind, std::uint32_t width, std::uint32_t height) {
  models::Experiment e = uniform_mesh(0.1, width, height);
  e.set("topology.kind", kind);
  return routing::make_topology(e);
}

LinkResult link(std::uint32_t from, PortId port, double packets, double circuits = 0.0) {
  return {RouterId{from}, port, packets, circuits};
}

std::string drawn(const Topology& topology, const std::vector<LinkResult>& links, const std::string& title = "t",
                  const std::vector<NodeLinkResult>& nodes = {}) {
  return tb::loads_svg(topology, links, nodes, title);
}

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// The fullest link is the reddest and widest; another is what its share of that makes it.
TEST(LoadPicture, DrawsBothDirectionsByTheirShareOfTheFullest) {
  const std::string svg = drawn(of_kind("mesh", 2, 1), {link(0, kEast, 0.5), link(1, kWest, 0.15, 0.1)});
  EXPECT_EQ(times(svg,
                  "stroke=\"#d60000\" fill=\"#d60000\"><title>0,0 east -&gt; 1,0: 0.5 flits/cycle</title>"
                  "<line x1=\"90.0\" y1=\"136.0\" x2=\"160.0\" y2=\"136.0\" stroke-width=\"7.00\"/>"
                  "<path stroke=\"none\" d=\"M160.0 136.0L153.0 140.0L153.0 132.0z\"/></g>\n"
                  "<text x=\"111.0\" y=\"148.6\" text-anchor=\"middle\">0.5</text>"),
            1U)
      << svg;
  EXPECT_EQ(times(svg,
                  "stroke=\"#d16666\" fill=\"#d16666\"><title>1,0 west -&gt; 0,0: 0.25 flits/cycle</title>"
                  "<line x1=\"160.0\" y1=\"124.0\" x2=\"90.0\" y2=\"124.0\" stroke-width=\"3.90\"/>"),
            1U)
      << svg;
}

TEST(LoadPicture, OfAnIdleLinkIsGreyAndHasNoNumber) {
  const std::string svg = drawn(of_kind("mesh", 2, 1), {link(0, kEast, 0.0)});
  EXPECT_EQ(times(svg, "stroke=\"#cccccc\" fill=\"#cccccc\""), 1U) << svg;
  EXPECT_EQ(times(svg, "x2=\"160.0\" y2=\"136.0\" stroke-width=\"0.80\""), 1U) << svg;
  EXPECT_EQ(times(svg, "y=\"148.6\""), 0U) << svg;
}

/// 140 pixels around, 60 for the head; a title takes 7.5 a letter.
TEST(LoadPicture, IsAsWideAsItsRoutersOrItsTitle) {
  const Topology row = of_kind("mesh", 2, 1);
  EXPECT_EQ(times(drawn(row, {}), "width=\"250\" height=\"200\""), 2U);
  EXPECT_EQ(times(drawn(row, {}, std::string(40, 't')), "width=\"440\" height=\"200\""), 2U);
  EXPECT_EQ(times(drawn(of_kind("mesh", 3, 4), {}), "width=\"360\" height=\"530\""), 2U);
}

/// Networks of many routers are no wider than 6000 pixels: 100 routers in a row have 99 x 110 else.
TEST(LoadPicture, IsNoWiderThanItsLimit) {
  EXPECT_EQ(times(drawn(of_kind("mesh", 100, 1), {}), "width=\"6140\" height=\"200\""), 2U);
}

TEST(LoadPicture, DrawsStubsAroundATorus) {
  const std::string svg = drawn(of_kind("torus", 4, 4), {link(3, kEast, 1.0)});
  EXPECT_EQ(times(svg,
                  "<line x1=\"420.0\" y1=\"466.0\" x2=\"448.0\" y2=\"466.0\" stroke-width=\"7.00\"/>"
                  "<line x1=\"22.0\" y1=\"466.0\" x2=\"50.0\" y2=\"466.0\" stroke-width=\"7.00\"/>"),
            1U)
      << svg;
  EXPECT_EQ(times(svg, "<text x=\"434.0\" y=\"478.6\" text-anchor=\"middle\">1</text>"), 1U) << svg;
  const std::string inner = drawn(of_kind("torus", 4, 4), {link(2, kEast, 1.0)});
  EXPECT_EQ(times(inner, "<line x1=\"310.0\" y1=\"466.0\" x2=\"380.0\" y2=\"466.0\""), 1U) << inner;
}

/// More than 800 links have no numbers.
TEST(LoadPicture, HasNumbersOfEightHundredLinksAtMost) {
  const Topology row = of_kind("mesh", 2, 1);
  EXPECT_EQ(times(drawn(row, std::vector<LinkResult>(800, link(0, kEast, 0.5))), "y=\"148.6\""), 800U);
  EXPECT_EQ(times(drawn(row, std::vector<LinkResult>(801, link(0, kEast, 0.5))), "y=\"148.6\""), 0U);
}

/// A link of networks side by side is drawn once, with what goes over all three of them.
TEST(LoadPicture, AddsSubnetsUp) {
  std::vector<LinkResult> links;
  for (std::uint32_t s = 0; s < 3; ++s) {
    links.push_back(link(0, kEast, 0.125 * (s + 1), 0.0));
    links.back().subnet = s;
    links.push_back(link(1, kWest, 0.0, 0.25 * s));
    links.back().subnet = s;
  }
  const std::string svg = drawn(of_kind("mesh", 2, 1), links);
  EXPECT_EQ(times(svg, "class=\"load\""), 2U) << svg;
  EXPECT_EQ(times(svg, "0,0 east -&gt; 1,0: 0.75 flits/cycle"), 1U) << svg;
  EXPECT_EQ(times(svg, "1,0 west -&gt; 0,0: 0.75 flits/cycle"), 1U) << svg;
}

TEST(LoadPicture, SaysOfARouterWhatItsNodeSendsAndTakes) {
  const std::string svg = drawn(of_kind("mesh", 2, 1), {}, "t", {{NodeId{1}, 1, 0.25, 0.5}});
  EXPECT_EQ(times(svg,
                  "<title>router 0,0</title><rect x=\"50.0\" y=\"110.0\" width=\"40\" height=\"40\" "
                  "fill=\"#eeeeee\" stroke=\"#888888\"/><text x=\"70.0\" y=\"134.0\" "
                  "text-anchor=\"middle\">0,0</text>"),
            1U)
      << svg;
  EXPECT_EQ(times(svg, "<title>router 1,0; node 1: 0.25 flits/cycle in, 0.5 out</title>"), 1U) << svg;
}

/// Steps of a fifth of the fullest.
TEST(LoadPicture, HasALegendUpToTheFullestLink) {
  const std::string svg = drawn(of_kind("mesh", 2, 1), {link(0, kEast, 0.5)});
  for (const char* step : {"0", "0.1", "0.2", "0.3", "0.4", "0.5"}) {
    EXPECT_EQ(times(svg, "y=\"46\">" + std::string(step) + "</text>"), 1U) << step << svg;
  }
  EXPECT_EQ(times(svg, "y=\"46\">flits/cycle</text>"), 1U) << svg;
}

TEST(RouterPositions, AreColumnsAndRowsOfAGrid) {
  const auto at = tb::router_positions(of_kind("mesh", 3, 2));
  ASSERT_EQ(at.size(), 6U);
  EXPECT_EQ(at[5].x, 2.0);
  EXPECT_EQ(at[5].y, 1.0);
}

/// A tree's levels are two apart, its switches one.
TEST(RouterPositions, AreLevelsOfATree) {
  models::Experiment e;
  e.set("topology.kind", "k_ary_n_tree");
  const Topology tree = routing::make_topology(e);
  const auto at = tb::router_positions(tree);
  ASSERT_TRUE(tree.tree);
  ASSERT_EQ(at.size(), tree.router_count());
  const RouterId last{tree.router_count() - 1};
  EXPECT_EQ(at[0].x, 0.0);
  EXPECT_EQ(at[0].y, 0.0);
  EXPECT_EQ(at[last.value].x, static_cast<double>(tree.tree->switches_per_level() - 1));
  EXPECT_EQ(at[last.value].y, 2.0 * tree.tree->level(last));
}

/// Others stand in a circle whose radius is their number, the first in the north, then clockwise.
TEST(RouterPositions, AreACircleElsewhere) {
  models::Experiment e;
  e.set("topology.kind", "irregular");
  const Topology topology = routing::make_topology(e);
  ASSERT_FALSE(topology.grid || topology.tree);
  if (!topology.positions.empty()) GTEST_SKIP();
  const auto at = tb::router_positions(topology);
  const auto count = static_cast<double>(at.size());
  ASSERT_EQ(at.size() % 4, 0U);
  EXPECT_NEAR(at[0].x, 0.0, 1e-9);
  EXPECT_NEAR(at[0].y, count, 1e-9);
  EXPECT_NEAR(at[at.size() / 4].x, count, 1e-9);
  EXPECT_NEAR(at[at.size() / 4].y, 0.0, 1e-9);
  EXPECT_NEAR(at[at.size() / 2].y, -count, 1e-9);
}

}  // namespace
}  // namespace braid::test::draw_loads_test
