// The fat tree of one root: what is wired to what, what its trunks carry, what is refused.
#include <gtest/gtest.h>

#include <map>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/analysis/channel_dependency.h"
#include "routing/analysis/link_loads.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::fat_tree_test {
namespace {

using namespace routing;

Topology fat_tree(std::uint32_t arity, std::uint32_t levels, const std::vector<std::uint32_t>& trunk_links) {
  Configuration options;
  options.set("topology.kind", "fat_tree");
  options.set("topology.arity", arity);
  options.set("topology.levels", levels);
  options.set("topology.trunk_links", trunk_links);
  options.set("topology.link_latency_cycles", 3);
  return make_topology(options);
}

/// Links between each two routers.
std::map<std::pair<std::size_t, std::size_t>, std::size_t> trunks(const Topology& t) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> found;
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    for (const Port& port : t.routers[r]) {
      if (port.kind == PortKind::kNetwork && r < port.peer_router.value) ++found[{r, port.peer_router.value}];
    }
  }
  return found;
}

TEST(FatTree, HasOneWayUpFromEachSwitch) {
  const Topology t = fat_tree(2, 3, {2, 4});
  EXPECT_EQ(t.node_count(), 8U);
  EXPECT_EQ(t.router_names, (std::vector<std::string>{"2.0", "1.0", "1.1", "0.0", "0.1", "0.2", "0.3"}));
  const std::map<std::pair<std::size_t, std::size_t>, std::size_t> expected{{{0, 1}, 4}, {{0, 2}, 4}, {{1, 3}, 2},
                                                                            {{1, 4}, 2}, {{2, 5}, 2}, {{2, 6}, 2}};
  EXPECT_EQ(trunks(t), expected);
  for (std::size_t node = 0; node < 8; ++node) {
    EXPECT_EQ(t.router_of(NodeId{node}), RouterId{3 + node / 2});
    EXPECT_EQ(t.port(t.router_of(NodeId{node}), t.nodes[node].front().port).name, "node" + std::to_string(node));
  }
  EXPECT_EQ(t.port(RouterId{2}, PortId{3}).name, "down1_1");
  EXPECT_EQ(t.port(RouterId{2}, PortId{3}).peer_router, RouterId{6});
  EXPECT_EQ(t.port(RouterId{2}, PortId{3}).peer_port, PortId{3});
  EXPECT_EQ(t.port(RouterId{2}, PortId{3}).latency_cycles, 3U);
  EXPECT_EQ(t.port(RouterId{2}, PortId{5}).name, "up1");
  EXPECT_EQ(t.port(RouterId{2}, PortId{5}).peer_port, PortId{5}) << "behind the four links of 1.0";
}

TEST(FatTree, OfOneLevelIsOneSwitch) {
  const Topology t = fat_tree(5, 1, {});
  EXPECT_EQ(t.router_count(), 1U);
  EXPECT_EQ(t.node_count(), 5U);
}

TEST(FatTree, OfThreeAndFourHasItsSwitches) {
  const Topology t = fat_tree(3, 4, {1, 2, 5});
  EXPECT_EQ(t.router_count(), 1U + 3 + 9 + 27);
  EXPECT_EQ(t.node_count(), 81U);
  EXPECT_EQ(t.link_count(), 2U * (27 * 1 + 9 * 2 + 3 * 5));
  for (std::size_t node = 0; node < 81; ++node) {
    EXPECT_EQ(t.distances_to(RouterId{0})[t.router_of(NodeId{node}).value], 3U);
  }
}

/// The least and the most that links of the trunk from one router to another carry, a flow a pair of nodes.
std::pair<double, double> carried(const Topology& t, std::size_t from, std::size_t to) {
  RoutingContext context;
  context.configuration.set("routing.parallel_links", "by_destination");
  const auto routing = RoutingRegistry::instance().make("table", t, context);
  EXPECT_EQ(complaint([&] { check_deadlock_free(t, *routing, 1); }), "");
  std::vector<Flow> flows;
  for (std::size_t a = 0; a < t.node_count(); ++a) {
    for (std::size_t b = 0; b < t.node_count(); ++b) {
      if (a != b) flows.push_back({NodeId{a}, NodeId{b}, 1.0});
    }
  }
  const auto loads = link_loads(t, *routing, flows);
  std::pair<double, double> found(1e300, 0.0);
  for (std::size_t p = 0; p < t.port_count(RouterId{from}); ++p) {
    if (t.port(RouterId{from}, PortId{p}).peer_router != RouterId{to}) continue;
    if (t.port(RouterId{from}, PortId{p}).kind != PortKind::kNetwork) continue;
    found = {std::min(found.first, loads[from][p]), std::max(found.second, loads[from][p])};
  }
  return found;
}

/// Closed form: m of N nodes are below a trunk, which carries m (N - m) flows each way, as many on each of its links.
TEST(FatTree, SharesFlowsEvenlyOverEachTrunk) {
  for (const std::vector<std::uint32_t>& links :
       {std::vector<std::uint32_t>{2, 4}, std::vector<std::uint32_t>{1, 1}, std::vector<std::uint32_t>{2, 1}}) {
    const Topology t = fat_tree(2, 3, links);
    const double low = 2.0 * 6 / links[0], high = 4.0 * 4 / links[1];
    EXPECT_EQ(carried(t, 3, 1), std::pair(low, low));
    EXPECT_EQ(carried(t, 1, 3), std::pair(low, low));
    EXPECT_EQ(carried(t, 1, 0), std::pair(high, high));
    EXPECT_EQ(carried(t, 0, 1), std::pair(high, high));
  }
}

std::string refused(std::uint32_t arity, std::uint32_t levels, const std::vector<std::uint32_t>& trunk_links) {
  return complaint([&] { fat_tree(arity, levels, trunk_links); });
}

Configuration with_speeds(const std::vector<std::uint32_t>& trunk_links, const std::vector<std::uint32_t>& speeds) {
  Configuration options;
  options.set("topology.kind", "fat_tree");
  options.set("topology.trunk_links", trunk_links);
  options.set("topology.trunk_flits_per_cycle", speeds);
  return options;
}

/// Links of nodes have one.
TEST(FatTree, HasLinksOfTheSpeedOfTheirTrunk) {
  EXPECT_EQ(speeds_of(make_topology(with_speeds({1, 2}, {2, 4}))),
            (std::vector<std::vector<std::uint32_t>>{
                {4, 4, 4, 4}, {2, 2, 4, 4}, {2, 2, 4, 4}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}}));
}

TEST(FatTree, HasNoFasterLinksUnlessAsked) {
  for (const auto& none : {std::vector<std::uint32_t>{}, std::vector<std::uint32_t>{1, 1}}) {
    EXPECT_FALSE(make_topology(with_speeds({2, 4}, none)).has_faster_links());
  }
}

TEST(FatTree, RefusesSpeedsThatNoLinkHas) {
  const auto refused_speeds = [](const std::vector<std::uint32_t>& speeds) {
    return complaint([&] { make_topology(with_speeds({2, 4}, speeds)); });
  };
  EXPECT_EQ(refused_speeds({2}),
            "topology.trunk_flits_per_cycle has 1 numbers: expected none or 2, as topology.trunk_links has");
  EXPECT_EQ(refused_speeds({2, 0}), "topology.trunk_flits_per_cycle has 0: expected 1 to 64");
  EXPECT_EQ(refused_speeds({65, 1}), "topology.trunk_flits_per_cycle has 65: expected 1 to 64");
  EXPECT_EQ(refused_speeds({64, 1}), "");
}

TEST(FatTree, RefusesWhatCannotBe) {
  EXPECT_EQ(refused(2, 3, {2}), "topology.trunk_links has 1 numbers, topology.levels is 3: expected 2");
  EXPECT_EQ(refused(2, 3, {2, 0}), "topology.trunk_links has 0: expected 1 or more");
  EXPECT_EQ(refused(2, 3, {2, 32}), "");
  EXPECT_EQ(refused(2, 3, {2, 61}), "topology.trunk_links makes switches of 65 ports: expected at most 64");
  EXPECT_EQ(refused(2, 3, {2, 33}), "topology.trunk_links makes switches of 66 ports: expected at most 64");
  EXPECT_EQ(refused(63, 4, {1, 1, 1}),
            "topology.levels = 4 of topology.arity = 63 is out of range: expected at most 1048576 nodes");
}

}  // namespace
}  // namespace braid::test::fat_tree_test
