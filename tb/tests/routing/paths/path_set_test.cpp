// Where each path stands: of pairs of routers, and of pairs of nodes where routers have different numbers of them.
#include "routing/paths/path_set.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "routing/paths/route_table.h"
#include "tb/tests/support/paths.h"

namespace braid::test::path_set_test {
namespace {

using namespace routing;

/// A ring of three: nodes 0 and 3 at r0, none at r1, nodes 1, 2 and 4 at r2.
Topology uneven() {
  Topology t = ring_of(3, 0, 0);
  for (const std::size_t router : {0U, 2U, 2U, 0U, 2U}) {
    const NodeId node{t.nodes.size()};
    t.nodes.push_back({{RouterId{router}, PortId{t.routers[router].size()}}});
    t.routers[router].push_back({PortKind::kLocal, RouterId{}, PortId{}, node, 1, "local"});
  }
  return t;
}

/// Two times three pairs between r0 and r2; one place for each of the other pairs of routers.
TEST(PathSet, HasAPlaceForEachPairOfNodes) {
  const Topology t = uneven();
  const PathSet paths(t, PathsPer::kNodePair);
  EXPECT_EQ(paths.per(), PathsPer::kNodePair);
  EXPECT_EQ(paths.router_count(), 3U);
  const std::vector<std::vector<std::size_t>> counts{{1, 1, 6}, {1, 1, 1}, {6, 1, 1}};
  std::size_t place = 0;
  for (std::size_t from = 0; from < 3; ++from) {
    for (std::size_t to = 0; to < 3; ++to) {
      EXPECT_EQ(paths.count(RouterId{from}, RouterId{to}), counts[from][to]) << from << " to " << to;
      for (std::size_t i = 0; i < counts[from][to]; ++i) {
        EXPECT_EQ(paths.place(RouterId{from}, RouterId{to}, i), place) << from << " to " << to << ", " << i;
        EXPECT_EQ(&paths.at(RouterId{from}, RouterId{to}, i), &paths.at_place(place));
        ++place;
      }
    }
  }
  EXPECT_EQ(place, 19U);
  EXPECT_EQ(paths.size(), 19U);
}

TEST(PathSet, HasAPlaceForEachPairOfRouters) {
  const Topology t = uneven();
  for (const PathSet& paths : {PathSet(t, PathsPer::kRouterPair), PathSet(3)}) {
    EXPECT_EQ(paths.per(), PathsPer::kRouterPair);
    EXPECT_EQ(paths.size(), 9U);
    for (std::size_t pair = 0; pair < 9; ++pair) {
      EXPECT_EQ(paths.place(RouterId{pair / 3}, RouterId{pair % 3}), pair);
      EXPECT_EQ(paths.count(RouterId{pair / 3}, RouterId{pair % 3}), 1U);
    }
  }
}

TEST(PathSet, EndsAreRoutersWithNodes) {
  const Topology t = uneven();
  EXPECT_EQ(routers_with_nodes(t), (std::vector<RouterId>{RouterId{0}, RouterId{2}}));
  using Nodes = std::vector<NodeId>;
  EXPECT_EQ(nodes_by_router(t), (std::vector<Nodes>{{NodeId{0}, NodeId{3}}, {}, {NodeId{1}, NodeId{2}, NodeId{4}}}));
}

/// Those of the first node here come first, to each node there in order; nodes of one router share its one leg.
TEST(RouteTable, HasALegForEachPairOfNodes) {
  const Topology t = uneven();
  PathSet paths(t, PathsPer::kNodePair);
  for (std::size_t i = 0; i < 6; ++i) {
    paths.at(RouterId{0}, RouterId{2}, i) =
        path_over(t, i % 2 == 0 ? std::vector<std::size_t>{0, 2} : std::vector<std::size_t>{0, 1, 2});
    paths.at(RouterId{2}, RouterId{0}, i) =
        path_over(t, i < 3 ? std::vector<std::size_t>{2, 0} : std::vector<std::size_t>{2, 1, 0});
  }
  const RouteTable table(t, paths);
  EXPECT_EQ(table.size(), 14U) << "twelve, and one within each of the two routers";
  const std::vector<std::size_t> here{0, 3}, there{1, 2, 4};
  std::set<RouteId> legs;
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      const NodeId one{here[a]}, other{there[b]};
      const RouteId out = table.first(one, other), back = table.first(other, one);
      EXPECT_EQ(table.links(out), 1 + (3 * a + b) % 2) << a << " to " << b;
      EXPECT_EQ(table.links(back), 1 + (2 * b + a) / 3) << b << " to " << a;
      EXPECT_TRUE(table.leads(out, one, other));
      EXPECT_FALSE(table.leads(out, other, one));
      EXPECT_FALSE(table.leads(out, one, NodeId{there[(b + 1) % 3]}));
      EXPECT_FALSE(table.leads(out, NodeId{here[1 - a]}, other));
      legs.insert({out, back});
    }
  }
  EXPECT_EQ(legs.size(), 12U);
  EXPECT_EQ(table.first(NodeId{0}, NodeId{3}), table.first(NodeId{3}, NodeId{0}));
  EXPECT_EQ(table.links(table.first(NodeId{1}, NodeId{4})), 0U);
}

}  // namespace
}  // namespace braid::test::path_set_test
