// What shortest ways put on channels where they part and meet again, and which of them a single path takes.
#include <gtest/gtest.h>

#include <vector>

#include "routing/paths/shortest_loads.h"
#include "tb/tests/support/disjoint.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::split_loads_test {
namespace {

using namespace routing;
using Loads = std::vector<std::uint64_t>;

/// r0 to r4 by r2 or r3, and from r4 to r1; nodes at r0 and r1. Channels in order: r0 to r2, r3; r1 to r4; r2 to r0,
/// r4; r3 to r0, r4; r4 to r2, r3, r1.
Topology kite() { return graph_of(5, {{0, 2}, {0, 3}, {2, 4}, {3, 4}, {4, 1}}, 2); }

Loads loads(const Topology& t, const std::vector<Dependency>& without = {}) {
  const Channels channels(t);
  DependencyGraph graph(all_dependencies(t, channels));
  for (const Dependency& d : without) graph.remove(d);
  return shortest_loads(channels, routers_with_nodes(t), graph);
}

TEST(SplitLoads, PartAndMeetAgain) {
  EXPECT_EQ(loads(kite()), (Loads{2048, 2048, 4096, 2048, 2048, 2048, 2048, 2048, 2048, 4096}));
}

/// From r0 by r2 no packet may go on; the other direction is as it was.
TEST(SplitLoads, GoRoundWhatIsRemoved) {
  EXPECT_EQ(loads(kite(), {{0, 4}}), (Loads{0, 4096, 4096, 2048, 0, 2048, 4096, 2048, 2048, 4096}));
}

/// A row of four, all ends: over the link in the middle go two times two paths, over the others three.
TEST(SplitLoads, AddUpOverAllPairs) {
  EXPECT_EQ(loads(graph_of(4, {{0, 1}, {1, 2}, {2, 3}})),
            (Loads{3 * 4096, 3 * 4096, 4 * 4096, 4 * 4096, 3 * 4096, 3 * 4096}));
}

TEST(SplitLoads, OfOneEndAreNone) { EXPECT_EQ(loads(graph_of(3, {{0, 1}, {1, 2}}, 1)), Loads(4, 0)); }

/// "Of equal costs the lower router, then the lower port" (negotiated.cpp): by r1, though r2's port is lower; by the
/// first of two links.
TEST(Negotiated, OfEqualWaysTakesThatOfTheLowerRouterAndPort) {
  const Topology t = graph_of(4, {{0, 2}, {0, 1}, {2, 3}, {1, 3}});
  const DisjointPaths found = found_by("negotiated", t, {{RouterId{0}, RouterId{3}}});
  ASSERT_EQ(found.paths.size(), 1U);
  const Channels channels(t);
  ASSERT_EQ(found.paths[0].size(), 2U);
  EXPECT_EQ(channels[found.paths[0][0]].to, RouterId{1});
  const DisjointPaths of_trunk = found_by("negotiated", graph_of(2, {{0, 1}, {0, 1}}), {{RouterId{0}, RouterId{1}}});
  EXPECT_EQ(of_trunk.paths, (std::vector<std::vector<std::uint32_t>>{{0}}));
}

/// Sequential finds the lowest port's of as short ways.
TEST(Sequential, OfEqualWaysTakesThatOfTheLowerPort) {
  const Topology t = graph_of(4, {{0, 2}, {0, 1}, {2, 3}, {1, 3}});
  const DisjointPaths found = found_by("sequential", t, {{RouterId{0}, RouterId{3}}});
  ASSERT_EQ(found.paths.size(), 1U);
  ASSERT_EQ(found.paths[0].size(), 2U);
  EXPECT_EQ(Channels(t)[found.paths[0][0]].to, RouterId{2});
}

}  // namespace
}  // namespace braid::test::split_loads_test
