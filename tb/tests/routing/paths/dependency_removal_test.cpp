// What smart-routing leaves of the dependencies; loads of shortest ways by hand.
#include "routing/paths/dependency_removal.h"

#include <gtest/gtest.h>

#include "routing/paths/dependency_graph.h"
#include "routing/paths/shortest_loads.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::dependency_removal_test {
namespace {

using namespace routing;

std::size_t count(const Dependencies& after) {
  std::size_t all = 0;
  for (const auto& list : after) all += list.size();
  return all;
}

std::vector<std::uint64_t> loads(const Topology& t) {
  const Channels channels(t);
  return shortest_loads(channels, routers_with_nodes(t), DependencyGraph(all_dependencies(t, channels)));
}

TEST(ShortestLoads, CountPathsOnTheirShortestWays) {
  for (const std::uint64_t load : loads(ring_of(5))) EXPECT_EQ(load, 3 * kSplitParts);
  for (const std::uint64_t load : loads(ring_of(4))) EXPECT_EQ(load, 2 * kSplitParts);
  EXPECT_EQ(loads(graph_of(2, {{0, 1}})), (std::vector<std::uint64_t>{kSplitParts, kSplitParts}));
}

/// Three ways: 4096 = 3 * 1365 + 1. A detour of three links carries nothing.
TEST(ShortestLoads, GiveWhatCannotBeDividedToTheFirstWay) {
  const Topology t = graph_of(7, {{0, 2}, {2, 1}, {0, 3}, {3, 1}, {0, 4}, {4, 1}, {0, 5}, {5, 6}, {6, 1}}, 2);
  const Channels channels(t);
  std::vector<std::uint64_t> out;
  const std::vector<std::uint64_t> all = loads(t);
  for (std::uint32_t c = 0; c < channels.count(); ++c) {
    if (channels[c].from == RouterId{0}) out.push_back(all[c]);
  }
  EXPECT_EQ(out, (std::vector<std::uint64_t>{1366, 1365, 1365, 0}));
}

/// A cycle each way round: one dependency of each goes.
TEST(AcyclicDependencies, OfARingLackOneEachWay) {
  for (const std::size_t n : {3U, 4U, 7U}) {
    const Topology ring = ring_of(n);
    EXPECT_EQ(count(acyclic_dependencies(ring, Channels(ring)).after), 2 * n - 2) << n;
  }
}

/// Channels of r0 lead to r1, r2; of r1 to r0, r2; of r2 to r1, r0; the tree is r0 - r1 - r2. Of the cycle 0, 3, 5 the
/// turn at r1 is in it; without either of the others nothing gets longer, so the first of them goes. So it is with 1,
/// 4, 2, the other way round.
TEST(AcyclicDependencies, OfEqualHarmLoseTheFirstOfTheCycle) {
  const Topology ring = ring_of(3);
  EXPECT_EQ(acyclic_dependencies(ring, Channels(ring)).after, (Dependencies{{3}, {}, {1}, {}, {2}, {0}}));
}

TEST(AcyclicDependencies, OfATreeAreAll) {
  const Topology tree = graph_of(6, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}});
  const Channels channels(tree);
  EXPECT_EQ(acyclic_dependencies(tree, channels).after, all_dependencies(tree, channels));
}

std::vector<Topology> networks() {
  std::vector<Topology> all{grid_of("mesh", 4, 4), grid_of("torus", 4, 4), ring_of(6, 0, 3)};
  all.push_back(graph_of(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}));
  Configuration options;
  options.set("topology.kind", "irregular");
  options.set("topology.switches", 16);
  all.push_back(make_topology(options));
  return all;
}

/// Each dependency that is gone would close a cycle; none that is left does.
TEST(AcyclicDependencies, AreAsManyAsCanBe) {
  for (const Topology& t : networks()) {
    const Channels channels(t);
    const Dependencies all = all_dependencies(t, channels), kept = acyclic_dependencies(t, channels).after;
    const DependencyGraph graph(kept);
    EXPECT_TRUE(graph.shortest_cycle().empty());
    for (std::uint32_t c = 0; c < all.size(); ++c) {
      for (const std::uint32_t next : all[c]) {
        const bool is_kept = std::find(kept[c].begin(), kept[c].end(), next) != kept[c].end();
        EXPECT_NE(is_kept, graph.reaches(next, c)) << t.name;
      }
    }
    EXPECT_GE(3 * count(kept), 2 * count(all)) << "no graph needs to lose more than a third of its turns";
  }
}

TEST(AcyclicDependencies, KeepATreeThatReachesAll) {
  for (const Topology& t : networks()) {
    const Channels channels(t);
    const AcyclicDependencies dependencies = acyclic_dependencies(t, channels);
    EXPECT_EQ(std::count(dependencies.tree.begin(), dependencies.tree.end(), true), 2 * (t.router_count() - 1));
    const WayRules rules(t, channels, dependencies.after);
    std::vector<CheapestWays::Cost> cost(channels.count(), 1000);
    for (std::size_t c = 0; c < cost.size(); ++c) cost[c] = dependencies.tree[c] ? 1 : 1000;
    for (std::size_t to = 0; to < t.router_count(); ++to) {
      const CheapestWays ways(rules, RouterId{to}, cost);
      for (std::size_t from = 0; from < t.router_count(); ++from) {
        EXPECT_LT(ways.cost(RouterId{from}), 1000) << t.name << ": r" << from << " to r" << to;
        if (from != to) {
          EXPECT_TRUE(is_simple(channels, ways.way(RouterId{from})));
        }
      }
    }
  }
}

}  // namespace
}  // namespace braid::test::dependency_removal_test
