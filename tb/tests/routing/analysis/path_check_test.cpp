#include "routing/analysis/path_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "routing/algorithm/routing_algorithm.h"
#include "tb/tests/support/paths.h"

namespace braid::test::path_check_test {
namespace {

using namespace routing;

/// The fault of a ring's clockwise paths with one of them changed.
std::string fault_with(const Path& path, const PathClaims& claims = {}, std::size_t from = 0, std::size_t to = 2) {
  const Topology ring = ring_of(6, 0, 5);  // r5 has no node
  PathSet paths = clockwise(ring);
  paths.at(RouterId{from}, RouterId{to}) = path;
  return check_paths(ring, paths, claims).fault;
}
Path on_ring(const std::vector<std::size_t>& routers, std::vector<std::uint16_t> in_transit = {}) {
  Path path = path_over(ring_of(6, 0, 5), routers);
  path.in_transit = std::move(in_transit);
  return path;
}

TEST(PathCheck, SaysWhichPathIsMissing) { EXPECT_EQ(fault_with({}), "path from r0 to r2 is missing"); }

TEST(PathCheck, SaysWhichPortIsNoLink) {
  EXPECT_EQ(fault_with({{PortId{2}}, {}}), "path from r0 to r2 takes port 2 of r0, which is no link");
  EXPECT_EQ(fault_with({{PortId{7}}, {}}), "path from r0 to r2 takes port 7 of r0, which is no link");
}

TEST(PathCheck, SaysWhereAPathEndsInstead) { EXPECT_EQ(fault_with(on_ring({0, 1})), "path from r0 to r2 ends at r1"); }

TEST(PathCheck, HoldsMinimalPathsToTheirClaim) {
  EXPECT_EQ(fault_with(on_ring({0, 5, 4, 3, 2}, {2})), "");
  EXPECT_EQ(fault_with(on_ring({0, 5, 4, 3, 2}, {2}), {true, false}),
            "path from r0 to r2 has 4 links where 2 are enough: it claims to be minimal");
}

TEST(PathCheck, SaysWhereNoInTransitBufferCanBe) {
  EXPECT_EQ(fault_with(on_ring({0, 1, 2}, {1})), "");
  EXPECT_EQ(fault_with(on_ring({0, 1, 2}, {0})),
            "path from r0 to r2 has an in-transit buffer before link 0: expected 1 to 1, ascending");
  EXPECT_EQ(fault_with(on_ring({0, 1, 2}, {2})),
            "path from r0 to r2 has an in-transit buffer before link 2: expected 1 to 1, ascending");
  EXPECT_EQ(fault_with(on_ring({0, 5, 4, 3, 2}, {3, 2})),
            "path from r0 to r2 has an in-transit buffer before link 2: expected 1 to 3, ascending");
  EXPECT_EQ(fault_with(on_ring({0, 5, 4, 3, 2}, {1})),
            "path from r0 to r2 has an in-transit buffer at r5, which has no node");
}

TEST(PathCheck, ALegComesToNoRouterTwice) {
  EXPECT_EQ(fault_with(on_ring({0, 1, 0, 1, 2})), "path from r0 to r2 comes to r0 twice without an in-transit buffer");
  EXPECT_EQ(fault_with(on_ring({0, 1, 0, 1, 2}, {1})),
            "path from r0 to r2 comes to r1 twice without an in-transit buffer");
  EXPECT_EQ(fault_with(on_ring({0, 1, 0, 1, 2}, {1, 2})), "");
}

/// Of several paths between two routers it is said which one: nodes 0, 1 at r0 and 2 at r1 have two paths each way.
TEST(PathCheck, SaysTheNumberWherePairsOfNodesHavePaths) {
  Topology t = graph_of(2, {{0, 1}}, 0);
  for (const std::size_t router : {0U, 0U, 1U}) {
    const NodeId node{t.nodes.size()};
    t.nodes.push_back({{RouterId{router}, PortId{t.routers[router].size()}}});
    t.routers[router].push_back({PortKind::kLocal, RouterId{}, PortId{}, node, 1, "local"});
  }
  PathSet paths(t, PathsPer::kNodePair);
  EXPECT_EQ(paths.count(RouterId{0}, RouterId{1}), 2U);
  EXPECT_EQ(paths.count(RouterId{1}, RouterId{0}), 2U);
  EXPECT_EQ(paths.count(RouterId{0}, RouterId{0}), 1U);
  EXPECT_EQ(paths.size(), 6U);
  for (std::size_t i = 0; i < 2; ++i) {
    for (const std::size_t from : {0U, 1U}) paths.at(RouterId{from}, RouterId{1 - from}, i).ports = {PortId{0}};
  }
  const PathCheck good = check_paths(t, paths, {true, true});
  EXPECT_EQ(good.fault, "");
  EXPECT_EQ(good.pairs, 4U);
  EXPECT_EQ(good.per, PathsPer::kNodePair);
  EXPECT_EQ(good.links_mean, 1.0);
  EXPECT_EQ(good.paths_per_link_most, 2U);
  EXPECT_EQ(good.paths_per_link_mean, 2.0);
  EXPECT_EQ(good.dependencies, 0U);
  paths.at(RouterId{0}, RouterId{1}, 1).ports.clear();
  EXPECT_EQ(check_paths(t, paths).fault, "path number 1 from r0 to r1 is missing");
  paths.at(RouterId{1}, RouterId{0}, 0).ports = {PortId{1}};
  EXPECT_EQ(check_paths(t, paths).fault, "path number 0 from r1 to r0 takes port 1 of r1, which is no link");
}

TEST(PathCheck, PathsOfAnotherNetworkAreRefused) {
  EXPECT_EQ(check_paths(ring_of(4), PathSet(3)).fault, "paths of 3 routers on a network of 4");
}

TEST(PathCheck, NamesTheCycleAndWhoHoldsIt) {
  const Topology ring = ring_of(4);
  const PathCheck check = check_paths(ring, clockwise(ring));
  EXPECT_EQ(check.fault, "");
  EXPECT_FALSE(check.good());
  EXPECT_EQ(check.cycle_of, "legs");
  EXPECT_EQ(check.cycle_text(),
            "(r0)->to_r1 (held by r0 to r2) waits for (r1)->to_r2 (held by r1 to r3) waits for (r2)->to_r3 (held by r2 "
            "to r0) waits for (r3)->to_r0 (held by r3 to r1) waits for (r0)->to_r1 (held by r0 to r2)");
  EXPECT_EQ(check_paths(ring, clockwise(ring), {true, true}).cycle_of, "legs") << "what closes one is named first";
}

TEST(PathCheck, ALongCycleIsCutShort) {
  const Topology ring = ring_of(16);
  const PathCheck check = check_paths(ring, clockwise(ring));
  EXPECT_EQ(check.cycle.size(), 16U);
  EXPECT_NE(check.cycle_text().find("… (10 more) waits for (r"), std::string::npos) << check.cycle_text();
}

TEST(PathCheck, APathThatClaimsToNeedNoBufferIsLookedAtWhole) {
  const Topology ring = ring_of(4);
  PathSet paths = clockwise(ring);
  place(ring, "every_switch", paths);
  EXPECT_TRUE(check_paths(ring, paths).good());
  const PathCheck check = check_paths(ring, paths, {true, true});
  EXPECT_EQ(check.cycle_of, "whole paths");
  EXPECT_EQ(check.cycle.size(), 4U);
}

TEST(PathCheck, CountsPathsBuffersAndDependencies) {
  const Topology ring = ring_of(4);
  PathSet paths = clockwise(ring);
  paths.at(RouterId{3}, RouterId{1}).in_transit = {1};
  const PathCheck check = check_paths(ring, paths, {true, false});
  EXPECT_TRUE(check.good());
  EXPECT_EQ(check.pairs, 12U);
  EXPECT_DOUBLE_EQ(check.links_mean, 16.0 / 12.0);
  EXPECT_DOUBLE_EQ(check.in_transit_mean, 1.0 / 12.0);
  EXPECT_EQ(check.in_transit_most, 1U);
  EXPECT_EQ(check.paths_per_link_most, 3U);  // clockwise 3, back 1
  EXPECT_DOUBLE_EQ(check.paths_per_link_mean, 2.0);
  EXPECT_DOUBLE_EQ(check.paths_per_link_deviation, 1.0);
  EXPECT_EQ(check.dependencies, 3U);
}

Configuration source_routed(const std::string& in_transit) {
  Configuration c;
  c.set("routing.algorithm", "source_routed");
  c.set("routing.paths", "random");
  c.set("routing.in_transit", in_transit);
  return c;
}

TEST(SourceRoutedRefusal, MinimalPathsWithoutBuffersAreRefusedWithTheirCycle) {
  const Topology t = irregular(16, 0);
  const auto bare = make_routing(t, source_routed("none"));
  const std::string refusal = complaint([&] { check_deadlock_free(t, *bare, 1); });
  EXPECT_EQ(refusal.find("these paths can deadlock on irregular network 0 of 16 switches (expected another "
                         "routing.in_transit, or routing.paths that close no cycle): channels wait for each other in "
                         "a cycle: (s"),
            0U)
      << refusal;
  for (const char* placement : {"minimum", "up_down", "numbered", "every_switch"}) {
    const auto algorithm = make_routing(t, source_routed(placement));
    EXPECT_EQ(complaint([&] { check_deadlock_free(t, *algorithm, 1); }), "") << placement;
  }
}

/// The first number that is no port, and a buffer twice before the same link.
TEST(PathCheck, TellsWhatIsJustBeyondTheEdge) {
  EXPECT_EQ(fault_with({{PortId{3}}, {}}), "path from r0 to r2 takes port 3 of r0, which is no link");
  EXPECT_EQ(fault_with(on_ring({0, 5, 4, 3, 2}, {2, 2})),
            "path from r0 to r2 has an in-transit buffer before link 2: expected 1 to 3, ascending");
  EXPECT_EQ(fault_with(on_ring({0, 5, 4, 3, 2}, {4})),
            "path from r0 to r2 has an in-transit buffer before link 4: expected 1 to 3, ascending");
  EXPECT_EQ(fault_with(on_ring({0, 5, 4, 3, 2}, {2, 3})), "");
}

/// Six channels are named, what is beyond them is counted.
TEST(PathCheck, ACycleOfMoreThanSixIsCutShort) {
  PathCheck check;
  EXPECT_EQ(check.cycle_text(), "");
  EXPECT_TRUE(check.good());
  check.cycle = {"a"};
  EXPECT_EQ(check.cycle_text(), "a waits for a");
  check.cycle = {"a", "b", "c", "d", "e", "f"};
  const std::string six = "a waits for b waits for c waits for d waits for e waits for f waits for ";
  EXPECT_EQ(check.cycle_text(), six + "a");
  check.cycle.emplace_back("g");
  EXPECT_EQ(check.cycle_text(), six + "… (1 more) waits for a");
  EXPECT_FALSE(check.good());
  check.cycle.clear();
  check.fault = "a path is missing";
  EXPECT_FALSE(check.good());
}

/// A row needs no buffer, and each of its four channels has as many paths as routers on either side of it are.
TEST(PathCheck, CountsNoBufferWhereThereIsNone) {
  const Topology row = graph_of(3, {{0, 1}, {1, 2}});
  PathSet paths(3);
  for (std::size_t from = 0; from < 3; ++from) {
    for (std::size_t to = 0; to < 3; ++to) {
      std::vector<std::size_t> routers{from};
      while (routers.back() != to) routers.push_back(routers.back() < to ? routers.back() + 1 : routers.back() - 1);
      paths.at(RouterId{from}, RouterId{to}) = path_over(row, routers);
    }
  }
  const PathCheck check = check_paths(row, paths, {true, true});
  EXPECT_TRUE(check.good());
  EXPECT_EQ(check.per, PathsPer::kRouterPair);
  EXPECT_EQ(check.in_transit_most, 0U);
  EXPECT_EQ(check.in_transit_mean, 0.0);
  EXPECT_EQ(check.pairs, 6U);
  EXPECT_DOUBLE_EQ(check.links_mean, 8.0 / 6.0);
  EXPECT_EQ(check.paths_per_link_most, 2U);
  EXPECT_DOUBLE_EQ(check.paths_per_link_mean, 2.0);
  EXPECT_DOUBLE_EQ(check.paths_per_link_deviation, 0.0);
  EXPECT_EQ(check.dependencies, 2U) << "one each way";
  EXPECT_EQ(check.cycle_of, "");
  paths.at(RouterId{2}, RouterId{0}).in_transit = {1};
  EXPECT_EQ(check_paths(row, paths).in_transit_most, 1U);
  EXPECT_EQ(check_paths(row, paths).dependencies, 1U) << "the buffer takes the other";
}

/// Nothing is divided by: no pair of routers, no link.
TEST(PathCheck, OfOneRouterCountsNothing) {
  const PathCheck check = check_paths(graph_of(1, {}), PathSet(1), {true, true});
  EXPECT_TRUE(check.good());
  EXPECT_EQ(check.pairs, 0U);
  EXPECT_EQ(check.links_mean, 0.0);
  EXPECT_EQ(check.in_transit_mean, 0.0);
  EXPECT_EQ(check.paths_per_link_mean, 0.0);
  EXPECT_EQ(check.paths_per_link_deviation, 0.0);
  EXPECT_EQ(check.paths_per_link_most, 0U);
}

/// Paths of fewer routers than the network has, and of more.
TEST(PathCheck, PathsOfALargerNetworkAreRefused) {
  EXPECT_EQ(check_paths(ring_of(3), PathSet(4)).fault, "paths of 4 routers on a network of 3");
}

/// The first fault in the order of destinations, then of sources.
TEST(PathCheck, NamesTheFirstOfSeveralFaults) {
  const Topology ring = ring_of(4);
  PathSet paths = clockwise(ring);
  paths.at(RouterId{0}, RouterId{3}).ports.clear();
  paths.at(RouterId{3}, RouterId{1}).ports.clear();
  paths.at(RouterId{2}, RouterId{1}).ports.clear();
  EXPECT_EQ(check_paths(ring, paths).fault, "path from r2 to r1 is missing");
}

}  // namespace
}  // namespace braid::test::path_check_test
