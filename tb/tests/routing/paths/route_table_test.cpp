// What hosts read out of the paths that they follow: legs of two paths by hand, link by link; and of other paths that
// come later.
#include "routing/paths/route_table.h"

#include <gtest/gtest.h>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/paths.h"
#include "tb/tests/support/saved.h"

namespace braid::test::route_table_test {
namespace {

using namespace routing;

/// A ring r0 to r3 with nodes 0, then 1 and 2 at r1, then 3 and 4.
Topology ring_with_a_pair_at_r1() {
  Topology t = graph_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, 0);
  for (const std::size_t router : {0U, 1U, 1U, 2U, 3U}) {
    const NodeId node{t.nodes.size()};
    t.nodes.push_back({{RouterId{router}, PortId{t.routers[router].size()}}});
    t.routers[router].push_back({PortKind::kLocal, RouterId{}, PortId{}, node, 1, "local"});
  }
  return t;
}

/// The shorter way and of two that are as long the one upwards, but r0 to r3 the long way with two buffers on it, and
/// one in the middle of r0 to r2.
PathSet some_with_buffers(const Topology& t) {
  PathSet paths = clockwise(t);
  paths.at(RouterId{0}, RouterId{3}) = path_over(t, {0, 1, 2, 3});
  paths.at(RouterId{0}, RouterId{3}).in_transit = {1, 2};
  paths.at(RouterId{0}, RouterId{2}).in_transit = {1};
  return paths;
}

struct LegFacts {
  std::size_t from, to, links, routers_ahead, in_transit_ahead;
  bool last;
};
void expect_leg(const RouteTable& table, RouteId leg, const LegFacts& facts) {
  EXPECT_EQ(table.first_router(leg), RouterId{facts.from}) << leg;
  EXPECT_EQ(table.last_router(leg), RouterId{facts.to}) << leg;
  EXPECT_EQ(table.links(leg), facts.links) << leg;
  EXPECT_EQ(table.routers_ahead(leg), facts.routers_ahead) << leg;
  EXPECT_EQ(table.in_transit_ahead(leg), facts.in_transit_ahead) << leg;
  EXPECT_EQ(table.is_last(leg), facts.last) << leg;
}

/// A router where one leg ends and the next begins is passed twice.
TEST(RouteTable, HasALegBetweenTwoBuffers) {
  const Topology t = ring_with_a_pair_at_r1();
  const RouteTable table(t, some_with_buffers(t));
  EXPECT_EQ(table.size(), 16U + 2 + 1) << "a leg for each of 4 times 4 routers, and one more for each buffer";
  const RouteId one = table.first(NodeId{0}, NodeId{4}), two = table.next(one), three = table.next(two);
  expect_leg(table, one, {0, 1, 1, 6, 2, false});
  expect_leg(table, two, {1, 2, 1, 4, 1, false});
  expect_leg(table, three, {2, 3, 1, 2, 0, true});
  for (const RouteId leg : {one, two, three}) EXPECT_EQ(table.first_of(leg), one);
  EXPECT_EQ(table.port(one, 0), port_to(t, RouterId{0}, RouterId{1}));
  EXPECT_EQ(table.port(two, 0), port_to(t, RouterId{1}, RouterId{2}));
  EXPECT_EQ(table.port(three, 0), port_to(t, RouterId{2}, RouterId{3}));
  const RouteId half = table.first(NodeId{0}, NodeId{3});
  expect_leg(table, half, {0, 1, 1, 4, 1, false});
  expect_leg(table, table.next(half), {1, 2, 1, 2, 0, true});
  expect_leg(table, table.first(NodeId{1}, NodeId{2}), {1, 1, 0, 1, 0, true});
}

/// Nodes of a router with a buffer take turns among the pairs; the last leg ends at its destination.
TEST(RouteTable, EndsALegAtOneOfTheRoutersNodes) {
  const Topology t = ring_with_a_pair_at_r1();
  const RouteTable table(t, some_with_buffers(t));
  const RouteId to_four = table.first(NodeId{0}, NodeId{4}), to_three = table.first(NodeId{0}, NodeId{3});
  EXPECT_EQ(table.end(to_four, NodeId{0}, NodeId{4}), NodeId{1}) << "0 + 4 is even";
  EXPECT_EQ(table.end(to_three, NodeId{0}, NodeId{3}), NodeId{2}) << "0 + 3 is odd";
  EXPECT_EQ(table.end(table.next(to_four), NodeId{0}, NodeId{4}), NodeId{3}) << "the only one at r2";
  EXPECT_EQ(table.end(table.next(table.next(to_four)), NodeId{0}, NodeId{4}), NodeId{4});
  EXPECT_EQ(table.end(table.first(NodeId{0}, NodeId{2}), NodeId{0}, NodeId{2}), NodeId{2});
}

/// A damaged checkpoint may have a packet anywhere.
TEST(RouteTable, KnowsTheRoutersOfALegAndRefusesOthers) {
  const Topology t = ring_with_a_pair_at_r1();
  const RouteTable table(t, some_with_buffers(t));
  const RouteId leg = table.first(NodeId{1}, NodeId{4});  // r1, r2, r3
  expect_leg(table, leg, {1, 3, 2, 3, 0, true});
  EXPECT_EQ(table.port_at(leg, RouterId{1}), port_to(t, RouterId{1}, RouterId{2}));
  EXPECT_EQ(table.port_at(leg, RouterId{2}), port_to(t, RouterId{2}, RouterId{3}));
  for (const std::size_t off : {0U, 3U}) {
    EXPECT_EQ(complaint<CheckpointError>([&] { (void)table.port_at(leg, RouterId{off}); }),
              no_such_state("a packet off its route"))
        << "r" << off;
  }
}

TEST(RouteTable, KnowsWhoseALegIs) {
  const Topology t = ring_with_a_pair_at_r1();
  const RouteTable table(t, some_with_buffers(t));
  const RouteId first = table.first(NodeId{0}, NodeId{4});
  for (const RouteId leg : {first, first + 1, first + 2}) {
    EXPECT_TRUE(table.leads(leg, NodeId{0}, NodeId{4}));
    EXPECT_FALSE(table.leads(leg, NodeId{0}, NodeId{3}));
    EXPECT_FALSE(table.leads(leg, NodeId{4}, NodeId{0}));
  }
  EXPECT_FALSE(table.leads(first + 3, NodeId{0}, NodeId{4}));
  EXPECT_FALSE(table.leads(first - 1, NodeId{0}, NodeId{4}));
  const auto legs = static_cast<RouteId>(table.size());
  EXPECT_TRUE(table.leads(legs - 1, NodeId{4}, NodeId{4})) << "the last of all";
  EXPECT_FALSE(table.leads(legs, NodeId{4}, NodeId{4}));
  EXPECT_FALSE(table.leads(kNoRoute, NodeId{4}, NodeId{4}));
}

/// Side by side: legs of either keep their numbers.
TEST(RouteTable, HasOtherPathsThatComeLater) {
  const Topology t = ring_with_a_pair_at_r1();
  RouteTable table(t, some_with_buffers(t));
  const RouteId before = table.first(NodeId{0}, NodeId{4});
  table.add_epoch(clockwise(t));
  EXPECT_EQ(table.epochs(), 2U);
  EXPECT_EQ(table.size(), 19U + 16);
  EXPECT_EQ(table.first(NodeId{0}, NodeId{4}), before);
  EXPECT_EQ(table.paths(0).at(RouterId{0}, RouterId{3}).ports.size(), 3U);
  EXPECT_EQ(table.paths(1).at(RouterId{0}, RouterId{3}).ports.size(), 1U);
  const RouteId after = table.first(NodeId{0}, NodeId{4}, 1);
  EXPECT_EQ(after, 19U + 3) << "the fourth path of r0";
  expect_leg(table, after, {0, 3, 1, 2, 0, true});
  EXPECT_EQ(table.port(after, 0), port_to(t, RouterId{0}, RouterId{3}));
  EXPECT_TRUE(table.leads(after, NodeId{0}, NodeId{4}));
  EXPECT_FALSE(table.leads(after, NodeId{0}, NodeId{3}));
  expect_leg(table, before, {0, 1, 1, 6, 2, false});
}

}  // namespace
}  // namespace braid::test::route_table_test
