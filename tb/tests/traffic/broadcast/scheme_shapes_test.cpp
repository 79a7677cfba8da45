// Schemes of few positions, spanning trees of networks with any number of nodes a router, roles of all-reduces.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/filled.h"
#include "tb/tests/support/graphs.h"
#include "traffic/broadcast/all_reduce.h"
#include "traffic/broadcast/broadcast_station.h"
#include "traffic/broadcast/placed.h"

namespace braid::test::scheme_shapes_test {
namespace {

using namespace traffic;
using Ints = std::vector<std::uint32_t>;

std::unique_ptr<BroadcastScheme> scheme(const char* name, std::uint32_t positions, const Configuration& c = {}) {
  return BroadcastSchemeRegistry::instance().make(name, {positions, routing::Topology{}, NodeId{0}, c});
}

std::string roles(const std::vector<BroadcastPart>& parts) {
  std::string all;
  for (const BroadcastPart& part : parts) all += (all.empty() ? "" : " ") + part.role;
  return all;
}

/// Up, who is told by nobody is a leaf; down, who tells nobody.
TEST(AllReduceParts, HaveTheRolesOfTheirTrees) {
  const AllReduceParts tree = all_reduce_parts(scheme("balanced_tree", 6)->parts());
  EXPECT_EQ(roles(tree.up), "root inner inner leaf leaf leaf");
  EXPECT_EQ(roles(tree.down), "root inner inner leaf leaf leaf");
  // Positions 8 and 7 scatter, 2 and 1 gather: the root is told through 5 and 3, and tells 6 and 4 on to 2 and 1.
  const AllReduceParts ring = all_reduce_parts(scheme("diamond_ring", 9)->parts());
  EXPECT_EQ(roles(ring.up), "root inner inner inner leaf inner leaf leaf leaf");
  EXPECT_EQ(ring.up[3].heard, Ints{7});
  EXPECT_EQ(roles(ring.down), "root leaf leaf leaf inner leaf inner inner inner");
  EXPECT_EQ(ring.down[4].told_at_once, Ints{1});
  EXPECT_EQ(roles(all_reduce_parts(scheme("unicast", 2)->parts()).up), "root leaf");
  EXPECT_EQ(roles(all_reduce_parts(scheme("unicast", 1)->parts()).down), "root");
  EXPECT_EQ(all_reduce_path(all_reduce_parts(scheme("unicast", 1)->parts())), 0U);
  EXPECT_EQ(all_reduce_path(all_reduce_parts(scheme("unicast", 2)->parts())), 2U);
}

/// The root and its companion, and nobody else: one tells the other.
TEST(DiamondRing, ACompanionIsANodeOfItsOwn) {
  Configuration c;
  c.set("broadcast.companion", true);
  EXPECT_EQ(complaint([&] { (void)scheme("diamond_ring", 1, c); }),
            "broadcast.companion: the root's companion is a node of its own; expected 2 nodes or more");
  const auto two = scheme("diamond_ring", 2, c);
  EXPECT_EQ(roles(two->parts()), "root companion");
  EXPECT_EQ(two->parts()[0].told_at_once, Ints{1});
  EXPECT_EQ(two->parts()[1].heard, Ints{0});
  EXPECT_EQ(two->parts()[1].told_when_done, Ints{0});
  EXPECT_EQ(longest_path(two->parts()), 2U);
  const auto three = scheme("diamond_ring", 3, c);
  EXPECT_EQ(roles(three->parts()), "root centre companion");
  EXPECT_EQ(three->parts()[2].heard, (Ints{1}));
}

/// An answer that comes soon is not the last one: the way through the deepest position counts.
TEST(BroadcastScheme, TheLongestPathIsThatOfTheLastAnswer) {
  std::vector<BroadcastPart> parts(5);
  parts[0] = {"root", {1, 4}, {1, 4}, {}, false};
  parts[1] = {"inner", {0, 2}, {2}, {0}, false};
  parts[2] = {"inner", {1, 3}, {3}, {1}, false};
  parts[3] = {"leaf", {2}, {}, {2}, false};
  parts[4] = {"leaf", {0}, {}, {0}, false};
  EXPECT_EQ(longest_path(parts), 6U);
  EXPECT_EQ(message_count(parts), 8U);
}

/// Over two links, sequenced: both messages are put aside, the third is one too many; another broadcast's count apart.
TEST(BroadcastStation, PutsAsideOnceForEachLink) {
  const BroadcastPart twice{"gather", {4, 4, 5}, {}, {0}, false};
  BroadcastStation station(1, twice, true);
  const auto said = [&](std::uint32_t broadcast, std::uint32_t from) {
    return complaint<BroadcastError>([&] { station.hear(broadcast, from); });
  };
  EXPECT_EQ(said(2, 4), "");
  EXPECT_EQ(said(1, 4), "");
  EXPECT_EQ(said(1, 4), "");
  EXPECT_EQ(said(1, 5), "");
  EXPECT_EQ(said(2, 4), "");
  EXPECT_EQ(said(1, 4), "position 1 (gather) was told of broadcast 1 by position 4, once more");
  EXPECT_EQ(said(1, 7), "position 1 (gather) was told of broadcast 1 by position 7, whom it does not hear");
  EXPECT_EQ(station.under_way(), 0U);
}

TEST(BroadcastStation, StepsAndProgressHoldNothingAtFirst) {
  EXPECT_EQ(filled_fields<BroadcastStation::Step>(), std::vector<std::size_t>{});
  EXPECT_EQ(filled_fields<BroadcastStation::Progress>(), std::vector<std::size_t>{});
  EXPECT_EQ(filled_fields<BroadcastPart>(), std::vector<std::size_t>{});
  const BroadcastPart part{"root", {1}, {1}, {}, false};
  EXPECT_FALSE(BroadcastStation(0, part, false).has_begun(0));
}

struct Spanned {
  std::vector<std::uint32_t> nodes;
  std::vector<Ints> told;  ///< [position] nodes
  std::string roles;
};

Spanned spanned(const routing::Topology& topology, std::uint32_t root) {
  const PlacedBroadcast placed = place_broadcast("spanning_tree", "", topology, NodeId{root}, 1, {});
  Spanned s;
  for (const NodeId n : placed.nodes) s.nodes.push_back(n.value);
  for (const BroadcastPart& part : placed.scheme->parts()) {
    s.told.emplace_back();
    for (const std::uint32_t to : part.told_at_once) s.told.back().push_back(placed.nodes[to].value);
    EXPECT_LE(part.told_when_done.size(), 1U);
  }
  s.roles = roles(placed.scheme->parts());
  return s;
}

/// r0 has three neighbours; behind r1 nobody, behind r2 two in a row, behind r3 one.
TEST(SpanningTreeScheme, TellsTheDeepestSubtreesFirst) {
  const Spanned s = spanned(graph_of(7, {{0, 1}, {0, 2}, {0, 3}, {2, 4}, {4, 5}, {3, 6}}), 0);
  EXPECT_EQ(s.nodes, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 6, 5}));
  EXPECT_EQ(s.told, (std::vector<Ints>{{2, 3, 1}, {}, {4}, {6}, {5}, {}, {}}));
  EXPECT_EQ(s.roles, "root leaf inner inner inner leaf leaf");
  const Spanned from_the_end = spanned(graph_of(7, {{0, 1}, {0, 2}, {0, 3}, {2, 4}, {4, 5}, {3, 6}}), 5);
  EXPECT_EQ(from_the_end.nodes, (std::vector<std::uint32_t>{5, 4, 2, 0, 1, 3, 6}));
  EXPECT_EQ(from_the_end.told, (std::vector<Ints>{{4}, {2}, {0}, {3, 1}, {}, {6}, {}}));
}

/// r0 - r1 - r2 - r3, of which r1 has no node: what is behind it belongs to r0's node.
TEST(SpanningTreeScheme, ARouterWithoutNodesLeavesItsChildrenToItsParent) {
  routing::Topology t = graph_of(4, {{0, 1}, {1, 2}, {2, 3}}, 1);  // node 0 at r0
  for (const std::size_t router : {2U, 3U}) {
    t.nodes.push_back({{RouterId{router}, PortId{t.routers[router].size()}}});
    t.routers[router].push_back(
        {routing::PortKind::kLocal, RouterId{}, PortId{}, NodeId{t.nodes.size() - 1}, 1, "local0"});
  }
  const Spanned s = spanned(t, 0);
  EXPECT_EQ(s.nodes, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(s.told, (std::vector<Ints>{{1}, {2}, {}}));
  const Spanned middle = spanned(t, 1);
  EXPECT_EQ(middle.told.front(), (Ints{0, 2})) << "two links to node 0, one to node 2";
}

/// Three nodes at each of two routers: the root, or the first, is above the others of its router and what is behind it.
TEST(SpanningTreeScheme, TheFirstOfARouterIsAboveTheOthers) {
  routing::Topology t = graph_of(2, {{0, 1}});
  for (std::size_t more = 0; more < 4; ++more) {
    const std::size_t router = more % 2;
    t.nodes.push_back({{RouterId{router}, PortId{t.routers[router].size()}}});
    t.routers[router].push_back({routing::PortKind::kLocal, RouterId{}, PortId{}, NodeId{t.nodes.size() - 1}, 1,
                                 "local" + std::to_string(more)});
  }
  const Spanned s = spanned(t, 4);  // of 0, 2 and 4 at r0
  EXPECT_EQ(s.nodes, (std::vector<std::uint32_t>{4, 0, 2, 1, 3, 5}));
  EXPECT_EQ(s.told, (std::vector<Ints>{{1, 0, 2}, {}, {}, {3, 5}, {}, {}}));
  EXPECT_EQ(s.roles, "root leaf leaf inner leaf leaf");
}

}  // namespace
}  // namespace braid::test::scheme_shapes_test
