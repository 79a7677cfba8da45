// Paths of single pairs of nodes (`routing.paths_per`): who has which, and how much more evenly they can be spread.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "routing/paths/link_balance.h"
#include "routing/paths/route_table.h"
#include "tb/tests/support/paths.h"

namespace braid::test::node_pair_paths_test {
namespace {

using namespace routing;

/// A ring whose router r has `nodes[r]` nodes, numbered router by router.
Topology ring_with(const std::vector<std::size_t>& nodes) {
  Topology ring = ring_of(nodes.size(), 0, 0);
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    for (std::size_t i = 0; i < nodes[r]; ++i) {
      const NodeId node{ring.nodes.size()};
      ring.nodes.push_back({{RouterId{r}, PortId{ring.routers[r].size()}}});
      ring.routers[r].push_back(
          {PortKind::kLocal, RouterId{}, PortId{}, node, 1, std::string("local") + std::to_string(i)});
    }
  }
  return ring;
}

PathSet computed_for_nodes(const Topology& t, const std::string& paths) {
  return PathComputationRegistry::instance().make(paths, {{}, PathsPer::kNodePair})->compute(t, {});
}

/// [router][port] paths over it.
std::vector<std::vector<std::size_t>> uses(const Topology& t, const PathSet& paths) {
  std::vector<std::vector<std::size_t>> all;
  for (const auto& router : t.routers) all.emplace_back(router.size());
  for (std::size_t a = 0; a < t.router_count(); ++a) {
    for (std::size_t b = 0; b < t.router_count(); ++b) {
      for (std::size_t i = 0; i < paths.count(RouterId{a}, RouterId{b}); ++i) {
        RouterId here{a};
        for (const PortId port : paths.at(RouterId{a}, RouterId{b}, i).ports) {
          ++all[here.value][port.value];
          here = t.port(here, port).peer_router;
        }
      }
    }
  }
  return all;
}
std::size_t most(const std::vector<std::vector<std::size_t>>& uses) {
  std::size_t all = 0;
  for (const auto& router : uses) all = std::max(all, *std::max_element(router.begin(), router.end()));
  return all;
}

TEST(NodePairPaths, AreAsManyAsPairsOfNodesOfTwoRouters) {
  const Topology ring = ring_with({2, 3, 0, 1});
  const PathSet paths(ring, PathsPer::kNodePair);
  EXPECT_EQ(paths.count(RouterId{0}, RouterId{1}), 6U);
  EXPECT_EQ(paths.count(RouterId{1}, RouterId{3}), 3U);
  EXPECT_EQ(paths.count(RouterId{3}, RouterId{3}), 1U);
  EXPECT_EQ(paths.count(RouterId{0}, RouterId{2}), 1U) << "no node there";
  std::set<std::size_t> places;
  std::size_t all = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      for (std::size_t i = 0; i < paths.count(RouterId{a}, RouterId{b}); ++i, ++all) {
        places.insert(paths.place(RouterId{a}, RouterId{b}, i));
      }
    }
  }
  EXPECT_EQ(places.size(), all);
  EXPECT_EQ(*places.rbegin(), paths.size() - 1);
  EXPECT_EQ(PathSet(ring, PathsPer::kRouterPair).size(), 16U);
  EXPECT_EQ(PathSet(ring, PathsPer::kRouterPair).per(), PathsPer::kRouterPair);
}

/// Six routers in a ring: those opposite have two ways of three links each, which single paths cannot fill alike.
/// Channels carry 1 path of neighbours, 2 of routers two apart and 6 * 3 / 12 = 1.5 of opposite ones.
TEST(NodePairPaths, FillARingOfSixAlikeWhereSinglePathsCannot) {
  const Topology ring = ring_with({2, 2, 2, 2, 2, 2});
  for (const char* name : {"balanced", "balanced_lp"}) {
    EXPECT_EQ(most(uses(ring, computed(ring, name))), 5U) << name << ": four times as many for nodes, 20";
    const PathSet paths = computed_for_nodes(ring, name);
    EXPECT_EQ(most(uses(ring, paths)), 18U) << name << ": 4 * 4.5";
    EXPECT_EQ(check_paths(ring, paths, {true, false}).fault, "");
  }
}

/// What the linear program weighs is paths: a router with three nodes sends three times as many.
TEST(NodePairPaths, WeighRoutersByTheirNodes) {
  const Topology ring = ring_with({3, 1, 1, 1});  // r0 and r2 opposite: 3 paths each way, of 4 the middle is 2 and 1
  const PathSet paths = computed_for_nodes(ring, "balanced_lp");
  std::set<std::size_t> first_ports;
  std::size_t by_first = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const PortId port = paths.at(RouterId{0}, RouterId{2}, i).ports.front();
    first_ports.insert(port.value);
    by_first += port == PortId{0} ? 1 : 0;
  }
  const Channels channels(ring);
  const WayRules rules(ring, channels, all_dependencies(ring, channels));
  EXPECT_NEAR(balance_links(rules, routers_with_nodes(ring), PathSet(ring, PathsPer::kNodePair)).bound, 4.5, 0.01)
      << "out of r0: 3 to each neighbour and half of 3";
  EXPECT_EQ(first_ports.size(), 2U);
  EXPECT_TRUE(by_first == 1 || by_first == 2);
}

TEST(NodePairPaths, AreFoundByTheirNodes) {
  const Topology ring = ring_with({2, 3, 1, 1});
  PathSet paths = computed_for_nodes(ring, "random");
  // By hand: node 1 (the second of r0) to node 4 (the third of r1) goes the long way, all others the short one.
  for (std::size_t i = 0; i < 6; ++i) paths.at(RouterId{0}, RouterId{1}, i) = path_over(ring, {0, 1});
  paths.at(RouterId{0}, RouterId{1}, 5) = path_over(ring, {0, 3, 2, 1});
  paths.at(RouterId{0}, RouterId{1}, 5).in_transit = {1, 2};
  const RouteTable table(ring, paths);
  const RouteId is_long = table.first(NodeId{1}, NodeId{4});
  EXPECT_EQ(table.links(is_long), 1U) << "its first leg, to r3";
  EXPECT_EQ(table.in_transit_ahead(is_long), 2U);
  EXPECT_EQ(table.last_router(table.next(table.next(is_long))), RouterId{1});
  EXPECT_TRUE(table.leads(table.next(is_long), NodeId{1}, NodeId{4}));
  for (const std::size_t source : {0U, 1U}) {
    for (const std::size_t destination : {2U, 3U, 4U}) {
      if (source == 1 && destination == 4) continue;
      const RouteId route = table.first(NodeId{source}, NodeId{destination});
      EXPECT_TRUE(table.is_last(route)) << source << " to " << destination;
      EXPECT_FALSE(table.leads(is_long, NodeId{source}, NodeId{destination}));
      EXPECT_TRUE(table.leads(route, NodeId{source}, NodeId{destination}));
    }
  }
  EXPECT_EQ(table.links(table.first(NodeId{0}, NodeId{1})), 0U) << "of the same router";
}

/// Every computation and placement, on a network with several nodes a router.
TEST(NodePairPaths, HoldWhatTheirComputationClaims) {
  const Topology t = irregular(8, 1);
  for (const std::string& name : PathComputationRegistry::instance().names()) {
    const auto computation = PathComputationRegistry::instance().make(name, {{}, PathsPer::kNodePair});
    PathSet paths = computation->compute(t, {});
    const PathClaims claims{computation->minimal(), computation->acyclic()};
    const PathCheck bare = check_paths(t, paths, claims);
    EXPECT_EQ(bare.fault, "") << name;
    EXPECT_TRUE(!claims.acyclic || bare.cycle.empty()) << name;
    EXPECT_EQ(bare.pairs, 32U * 28) << name;
    for (const char* placement : {"minimum", "numbered", "every_switch", "up_down"}) {
      place(t, placement, paths);
      EXPECT_TRUE(check_paths(t, paths, claims).good()) << name << ", " << placement;
    }
  }
}

/// A fault in one path of many is found and named.
TEST(NodePairPaths, AreEachChecked) {
  const Topology ring = ring_with({2, 2, 2, 2});
  PathSet paths = computed_for_nodes(ring, "random");
  paths.at(RouterId{1}, RouterId{2}, 3).ports.clear();
  EXPECT_EQ(check_paths(ring, paths).fault, "path number 3 from r1 to r2 is missing");
}

}  // namespace
}  // namespace braid::test::node_pair_paths_test
