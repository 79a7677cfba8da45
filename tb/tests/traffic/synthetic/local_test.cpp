// Local traffic: who is near, counted by hand on rings and meshes.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tb/tests/support/graphs.h"
#include "traffic/synthetic/pattern.h"

namespace braid::test::local_test {
namespace {

using namespace traffic;

constexpr int kDraws = 40000;

std::unique_ptr<TrafficPattern> local(const routing::Topology& topology, int radius) {
  Configuration options;
  options.set("traffic.local_radius", radius);
  return PatternRegistry::instance().make("local", topology, options);
}
std::map<std::uint32_t, int> drawn(const TrafficPattern& pattern, std::uint32_t source) {
  Random random(source);
  std::map<std::uint32_t, int> times;
  for (int i = 0; i < kDraws; ++i) ++times[pattern.destination(NodeId{source}, random)->value];
  return times;
}
/// These, each as often as any other.
void expect_drawn(const std::map<std::uint32_t, int>& times, const std::vector<std::uint32_t>& nodes) {
  ASSERT_EQ(times.size(), nodes.size());
  const double share = 1.0 / static_cast<double>(nodes.size());
  for (const std::uint32_t n : nodes) {
    ASSERT_EQ(times.count(n), 1U) << n;
    EXPECT_NEAR(times.at(n), kDraws * share, 4.5 * std::sqrt(kDraws * share * (1 - share)) + 0.5);
  }
}
/// Each router of the graph gets a second node: node r and node routers + r.
routing::Topology with_two_nodes_each(routing::Topology t) {
  for (std::size_t r = 0; r < t.routers.size(); ++r) {
    t.routers[r].push_back({routing::PortKind::kLocal, RouterId{}, PortId{}, NodeId{t.nodes.size()}, 1, "local1"});
    t.nodes.push_back({{RouterId{r}, PortId{t.routers[r].size() - 1}}});
  }
  return t;
}

TEST(Local, GoesToEveryNodeWithinTheRadiusAlikeAndToNoOther) {
  const routing::Topology ring = ring_of(8);
  expect_drawn(drawn(*local(ring, 1), 0), {1, 7});
  expect_drawn(drawn(*local(ring, 2), 3), {1, 2, 4, 5});
  expect_drawn(drawn(*local(ring, 3), 7), {0, 1, 2, 4, 5, 6});
  expect_drawn(drawn(*local(ring, 4), 7), {0, 1, 2, 3, 4, 5, 6});
  expect_drawn(drawn(*local(ring, 4000), 2), {0, 1, 3, 4, 5, 6, 7});
}

TEST(Local, CountsLinksNotCoordinates) {
  expect_drawn(drawn(*local(grid_of("mesh", 4, 4), 1), 5), {1, 4, 6, 9});
  expect_drawn(drawn(*local(grid_of("mesh", 4, 4), 1), 0), {1, 4});
  expect_drawn(drawn(*local(grid_of("torus", 4, 4), 1), 0), {1, 3, 4, 12});
}

TEST(Local, NeighboursOfTheSameRouterAreNoLinkAway) {
  const routing::Topology ring = with_two_nodes_each(ring_of(4));
  for (const std::uint32_t r : {0U, 1U, 2U, 3U}) {
    expect_drawn(drawn(*local(ring, 0), r), {r + 4});
    expect_drawn(drawn(*local(ring, 0), r + 4), {r});
  }
  expect_drawn(drawn(*local(ring, 1), 4), {0, 1, 3, 5, 7});
}

/// in-transit-buffers, section 4.1: at most five switches, so four links between them.
TEST(Local, IsOfThePapersRadiusUnlessTold) {
  const auto pattern = PatternRegistry::instance().make("local", ring_of(16), {});
  expect_drawn(drawn(*pattern, 8), {4, 5, 6, 7, 9, 10, 11, 12});
}

TEST(Local, RefusesANodeThatHasNobodyNear) {
  EXPECT_EQ(complaint([] { local(ring_of(4), 0); }),
            "traffic pattern \"local\": node 0 has no other node within 0 links; raise traffic.local_radius");
  // r0 - r1 - r2 - r3: nodes at r0 and r1 alone, then r3 too far from both for one link
  EXPECT_EQ(complaint([] { local(graph_of(4, {{0, 1}, {1, 2}, {2, 3}}, 2), 1); }), "");
  routing::Topology far = graph_of(4, {{0, 1}, {1, 2}, {2, 3}}, 2);
  far.routers[3].push_back({routing::PortKind::kLocal, RouterId{}, PortId{}, NodeId{2}, 1, "local0"});
  far.nodes.push_back({{RouterId{3}, PortId{1}}});
  EXPECT_EQ(complaint([&] { local(far, 1); }),
            "traffic pattern \"local\": node 2 has no other node within 1 links; raise traffic.local_radius");
  EXPECT_EQ(complaint([&] { local(far, 2); }), "");
}

}  // namespace
}  // namespace braid::test::local_test
