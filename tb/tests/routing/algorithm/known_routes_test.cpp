// Algorithms for any topology and for trees: single candidates by hand; paths and link loads.
#include <gtest/gtest.h>

#include <algorithm>

#include "routing/analysis/link_loads.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::known_routes_test {
namespace {

using namespace routing;

constexpr std::uint32_t kE = 0, kW = 1, kN = 2, kS = 3;
constexpr VcMask kAll = 15;

std::unique_ptr<RoutingAlgorithm> make(const char* name, const Topology& t, std::uint32_t deroutes = 1,
                                       std::uint32_t vcs = 4) {
  RoutingContext options;
  options.vcs = vcs;
  options.configuration.set("routing.max_deroutes", deroutes);
  return RoutingRegistry::instance().make(name, t, options);
}
/// On a 3x3 mesh node = router = 3 y + x; local port 4.
RouteQuery query(std::size_t router, std::size_t to, std::size_t in_port = 4, std::size_t vc = 0) {
  return {RouterId{router}, PortId{in_port}, VcId{vc}, NodeId{router}, NodeId{to}};
}

TEST(BestPaths, OffersEveryMinimalPortInOrder) {
  const Topology mesh = grid_of("mesh", 3, 3);
  const auto best = make("best_paths", mesh);
  EXPECT_EQ(ways(*best, query(0, 8)), (Ways{{kE, 0, kAll}, {kN, 0, kAll}}));
  EXPECT_EQ(ways(*best, query(4, 0)), (Ways{{kW, 0, kAll}, {kS, 0, kAll}}));
  EXPECT_EQ(ways(*best, query(0, 6)), (Ways{{kN, 0, kAll}}));
  EXPECT_EQ(ways(*best, query(5, 5)), (Ways{{4, 0, kAll}}));
}

TEST(Deterministic, TakesTheLowestMinimalPort) {
  const Topology mesh = grid_of("mesh", 3, 3);
  const auto one = make("deterministic", mesh);
  EXPECT_EQ(ways(*one, query(0, 8)), (Ways{{kE, 0, kAll}}));
  EXPECT_EQ(ways(*one, query(4, 0)), (Ways{{kW, 0, kAll}}));
  EXPECT_EQ(ways(*one, query(6, 0)), (Ways{{kS, 0, kAll}}));
  EXPECT_EQ(ways(*one, query(5, 5)), (Ways{{4, 0, kAll}}));
}

/// From (0,0) to (2,0): east is minimal, north a deroute, if one is left; VC k counts k deroutes.
TEST(Derouting, OffersDeroutesOnTheNextVcWhileOneIsLeft) {
  const Topology mesh = grid_of("mesh", 3, 3);
  const auto none = make("derouting", mesh, 0), one = make("derouting", mesh, 1), two = make("derouting", mesh, 2);
  EXPECT_EQ(ways(*none, query(0, 2)), (Ways{{kE, 1, 1}}));
  EXPECT_EQ(ways(*one, query(0, 2)), (Ways{{kE, 1, 1}, {kN, 0, 2}}));
  // One deroute taken, from (0,0) to (0,1): the way back south is minimal and stays open.
  EXPECT_EQ(ways(*one, query(3, 2, kS, 1)), (Ways{{kE, 1, 2}, {kS, 1, 2}}));
  EXPECT_EQ(ways(*two, query(3, 2, kS, 1)), (Ways{{kE, 1, 2}, {kS, 1, 2}, {kN, 0, 4}}));
  EXPECT_EQ(ways(*two, query(3, 2, kS, 2)), (Ways{{kE, 1, 4}, {kS, 1, 4}}));
}

/// At (1,0) to (2,0), come from the west: no deroute back there; injected here, west is one as well.
TEST(Derouting, NeverDeroutesBack) {
  const Topology mesh = grid_of("mesh", 3, 3);
  const auto one = make("derouting", mesh, 1);
  EXPECT_EQ(ways(*one, query(1, 2, kW)), (Ways{{kE, 1, 1}, {kN, 0, 2}}));
  EXPECT_EQ(ways(*one, query(1, 2)), (Ways{{kE, 1, 1}, {kW, 0, 2}, {kN, 0, 2}}));
}

/// At a corner of a hexagonal mesh ports that keep the distance come before or between those that lead away.
TEST(Derouting, SidewaysFirstOffersThoseThatComeNoFartherFirst) {
  Configuration options;
  options.set("topology.kind", "hexagonal");
  options.set("topology.edge", 4U);
  const Topology mesh = make_topology(options);
  const std::size_t here = 0;
  // Two links away, and two ways there: of the other four ports two keep the distance.
  const std::size_t to = mesh.port(mesh.port(RouterId{here}, PortId{0}).peer_router, PortId{1}).peer_router.value;
  const auto distance = mesh.distances_to(RouterId{to});
  ASSERT_EQ(distance[here], 2U);
  for (const bool sideways_first : {false, true}) {
    RoutingContext context;
    context.configuration.set("routing.deroute_order", sideways_first ? "sideways_first" : "ascending");
    const auto algorithm = RoutingRegistry::instance().make("derouting", mesh, context);
    RouteQuery q;
    q.router = RouterId{here};
    q.in_port = mesh.nodes[here].front().port;
    q.source = NodeId{here};
    q.destination = NodeId{to};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> offered;  // links more, port
    for (const auto& [port, priority, vcs] : ways(*algorithm, q)) {
      if (priority != 0) continue;
      offered.emplace_back(distance[mesh.port(q.router, PortId{port}).peer_router.value] - distance[here], port);
    }
    ASSERT_EQ(offered.size(), 4U);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = offered;
    if (sideways_first) {
      std::sort(expected.begin(), expected.end());
    } else {
      std::sort(expected.begin(), expected.end(), [](auto a, auto b) { return a.second < b.second; });
    }
    EXPECT_EQ(offered, expected);
    EXPECT_EQ(std::count_if(offered.begin(), offered.end(), [](auto o) { return o.first == 0; }), 2) << "sideways";
  }
}

/// In a triangle the third router is as far: a step that comes no nearer is a deroute.
TEST(Derouting, AStepThatStaysAsFarIsADeroute) {
  const Topology triangle = ring_of(3);
  EXPECT_EQ(ways(*make("derouting", triangle, 1), query(0, 1, 2)), (Ways{{0, 1, 1}, {1, 0, 2}}));
}

TEST(Derouting, InjectsOnVc0AndNeedsAVcForEachCount) {
  const Topology mesh = grid_of("mesh", 3, 3);
  EXPECT_EQ(make("derouting", mesh, 1)->injection_vcs(), 1U);
  EXPECT_EQ(make("best_paths", mesh)->injection_vcs(), kAll);
  EXPECT_EQ(complaint([&] { make("derouting", mesh, 2, 3); }), "");
  EXPECT_EQ(complaint([&] { make("derouting", mesh, 3, 3); }),
            "routing algorithm \"derouting\" with routing.max_deroutes = 3 needs router.vcs > 3; it is 3");
}

Topology tree_of(std::uint32_t arity, std::uint32_t levels) {
  Configuration options;
  options.set("topology.kind", "k_ary_n_tree");
  options.set("topology.arity", arity);
  options.set("topology.levels", levels);
  return make_topology(options);
}
RouteQuery in_tree(const Topology& t, std::uint32_t level, std::uint32_t word, std::size_t from, std::size_t to) {
  return {t.tree->at(level, word), PortId{0}, VcId{0}, NodeId{from}, NodeId{to}};
}

/// 2-ary 3-tree, digits of 5 = 101, 6 = 110, 0 = 000 from the lowest: up by the digit of the level (ports 2, 3), down
/// by the destination's (ports 0, 1); 5 and 6 meet at level 1, 5 and 0 at level 2.
TEST(TreeRouting, GoesUpByADigitAndDownByTheDestinations) {
  const Topology t = tree_of(2, 3);
  const auto source = make("tree_by_source", t), destination = make("tree_by_destination", t);
  EXPECT_EQ(ways(*source, in_tree(t, 0, 2, 5, 6)), (Ways{{3, 0, kAll}}));       // digit 1 of the source
  EXPECT_EQ(ways(*destination, in_tree(t, 0, 2, 5, 6)), (Ways{{2, 0, kAll}}));  // digit 0 of the destination
  EXPECT_EQ(ways(*source, in_tree(t, 1, 3, 5, 6)), (Ways{{1, 0, kAll}}));       // turns: level 1 of 6 is 1
  EXPECT_EQ(ways(*source, in_tree(t, 0, 3, 5, 6)), (Ways{{0, 0, kAll}}));       // level 0 of 6 is 0
  EXPECT_EQ(ways(*source, in_tree(t, 1, 3, 5, 0)), (Ways{{2, 0, kAll}}));       // level 1 of 5 is 0
  EXPECT_EQ(ways(*source, in_tree(t, 1, 3, 7, 0)), (Ways{{3, 0, kAll}}));       // level 1 of 7 is 1
  EXPECT_EQ(ways(*source, in_tree(t, 2, 1, 5, 0)), (Ways{{0, 0, kAll}}));       // the root: level 2 of 0
  EXPECT_EQ(ways(*source, in_tree(t, 2, 1, 0, 5)), (Ways{{1, 0, kAll}}));       // level 2 of 5 is 1
}

/// 3-ary 2-tree, 5 = (1,2) to 1 = (0,1): (2 + 1) mod 3 = 0; to 0: 2.
TEST(TreeRouting, ByPairAddsTheDigitsModuloTheArity) {
  const Topology t = tree_of(3, 2);
  const auto pair = make("tree_by_pair", t);
  EXPECT_EQ(ways(*pair, in_tree(t, 0, 1, 5, 1)), (Ways{{3, 0, kAll}}));
  EXPECT_EQ(ways(*pair, in_tree(t, 0, 1, 5, 0)), (Ways{{5, 0, kAll}}));
  EXPECT_EQ(ways(*pair, in_tree(t, 0, 1, 4, 0)), (Ways{{4, 0, kAll}}));
}

TEST(TreeRouting, AdaptiveOffersAllWaysUpAlikeAndTheOnlyWayDown) {
  const Topology t = tree_of(3, 2);
  const auto adaptive = make("tree_adaptive", t);
  EXPECT_EQ(ways(*adaptive, in_tree(t, 0, 1, 5, 1)), (Ways{{3, 0, kAll}, {4, 0, kAll}, {5, 0, kAll}}));
  EXPECT_EQ(ways(*adaptive, in_tree(t, 0, 1, 5, 4)), (Ways{{1, 0, kAll}}));
  EXPECT_EQ(ways(*adaptive, in_tree(t, 1, 2, 5, 1)), (Ways{{0, 0, kAll}}));
  EXPECT_EQ(adaptive->max_candidates(), 3U);
}

TEST(TreeRouting, SaysWhetherItLooksAtTheSourceAndWhatItNeeds) {
  const Topology t = tree_of(2, 2);
  EXPECT_TRUE(make("tree_by_source", t)->depends_on_source());
  EXPECT_TRUE(make("tree_by_pair", t)->depends_on_source());
  EXPECT_FALSE(make("tree_by_destination", t)->depends_on_source());
  EXPECT_FALSE(make("tree_adaptive", t)->depends_on_source());
  EXPECT_EQ(complaint([&] { make("tree_by_pair", grid_of("mesh", 2, 2)); }),
            "routing algorithm \"tree_by_pair\" needs a k_ary_n_tree; topology is mesh 2x2");
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> hops(const std::vector<Hop>& path) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  for (const Hop& h : path) result.emplace_back(h.router.value, h.port.value);
  return result;
}

/// "always takes the first candidate of highest priority", and arrives on the lowest of its VCs.
TEST(Paths, TakesTheFirstOfTheHighestPriorityOnItsLowestVc) {
  const Topology mesh = grid_of("mesh", 2, 2);
  std::vector<std::uint32_t> came_by;  // the VC at each router after the first
  const Scripted rule(mesh, 4, {}, [&](const RouteQuery& q, CandidateList& out) {
    if (q.router.value == 0) {
      out.add(kEast, 1, 0);
      out.add(kNorth, 12, 2);
      out.add(kEast, 2, 2);
      out.add(kNorth, 2, 1);
    } else {
      out.add(q.router.value == 1 ? kNorth : kWest, 15);
    }
  });
  using Hops = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(hops(path_between(mesh, rule, NodeId{0}, NodeId{2})), (Hops{{0, kN}, {2, 4}}));
  const Scripted three_hops(mesh, 4, {}, [&](const RouteQuery& q, CandidateList& out) {
    if (q.in_port.value < 4) came_by.push_back(q.in_vc.value);
    constexpr PortId kNext[] = {kEast, kNorth, kSouth, kWest};
    out.add(kNext[q.router.value], 12, 2);
  });
  EXPECT_EQ(hops(path_between(mesh, three_hops, NodeId{0}, NodeId{2})), (Hops{{0, kE}, {1, kN}, {3, kW}, {2, 4}}));
  EXPECT_EQ(came_by, (std::vector<std::uint32_t>{2, 2}));  // mask 12: VCs 2 and 3
}

/// A row of three: 0 -> 2 with weight 2, 1 -> 2 with 1/2, 0 -> 0 with 4.
TEST(Paths, LinkLoadsAddTheWeightsOnEveryPortAlongThePath) {
  const Topology row = grid_of("mesh", 3, 1);
  const auto loads =
      link_loads(row, *make("x_first", row),
                 {{NodeId{0}, NodeId{2}, 2.0}, {NodeId{1}, NodeId{2}, 0.5}, {NodeId{0}, NodeId{0}, 4.0}});
  EXPECT_EQ(loads, (std::vector<std::vector<double>>{{2, 0, 0, 0, 4}, {2.5, 0, 0, 0, 0}, {0, 0, 0, 0, 2.5}}));
}

}  // namespace
}  // namespace braid::test::known_routes_test
