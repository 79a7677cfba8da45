// Which way a packet is taken to go, and what flows put on each port of it.
#include "routing/analysis/link_loads.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tb/tests/support/graphs.h"

namespace braid::test::link_loads_test {
namespace {

using namespace routing;

constexpr VcMask kVc0 = 1, kVc1 = 2, kVc2 = 4;

/// Node 0 at r0, node 1 at r1, and two links between them: packets that drew `first` take port 0, others port 1.
class DrawnLink final : public RoutingAlgorithm {
 public:
  DrawnLink(const Topology& topology, std::uint32_t draws, std::uint32_t first)
      : RoutingAlgorithm(1), topology_(topology), draws_(draws), first_(first) {}
  std::uint32_t draws() const override { return draws_; }
  std::size_t max_candidates() const override { return 1; }
  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Attachment& end = topology_.nodes[q.destination.value].front();
    if (end.router == q.router) return out.add(end.port, all_vcs_);
    out.add(PortId{std::size_t{q.draw == first_ ? 0U : 1U}}, all_vcs_);
  }

 private:
  const Topology& topology_;
  std::uint32_t draws_, first_;
};

Topology two_links() { return graph_of(2, {{0, 1}, {0, 1}}); }

TEST(LinkLoads, DrawsAreAllOfThemOrSoManyEvenlyApart) {
  const Topology t = two_links();
  const DrawnLink algorithm(t, 256, 0);
  const Flow flow{NodeId{3}, NodeId{5}};
  for (const std::uint32_t most : {256U, 300U}) {
    const Draws all(algorithm, flow, most);
    EXPECT_EQ(all.first, 0U);
    EXPECT_EQ(all.step, 1U);
    EXPECT_EQ(all.count, 256U);
  }
  const Draws some(algorithm, flow, 16);
  EXPECT_EQ(some.first, (3 + 7 * 5) % 16U) << "another one for another pair";
  EXPECT_EQ(some.step, 16U);
  EXPECT_EQ(some.count, 16U);
  const Draws other(algorithm, {NodeId{5}, NodeId{3}}, 16);
  EXPECT_EQ(other.first, (5 + 7 * 3) % 16U);
  EXPECT_EQ(Draws(algorithm, flow, 128).step, 2U);
}

/// One packet in 32 takes port 0. Of flows in great number 16 draws each are followed, every other one from 7 % 2 on.
TEST(LinkLoads, OfMoreThan16384FlowsFollowSixteenDraws) {
  const Topology t = two_links();
  const DrawnLink by_one(t, 32, 1), by_none(t, 32, 2);
  std::vector<Flow> flows(16384, {NodeId{0}, NodeId{1}});
  EXPECT_EQ(link_loads(t, by_one, flows)[0], (std::vector<double>{16384 / 32.0, 16384 * 31 / 32.0, 0}));
  flows.push_back(flows.front());
  EXPECT_EQ(link_loads(t, by_one, flows)[0], (std::vector<double>{16385 / 16.0, 16385 * 15 / 16.0, 0}));
  EXPECT_EQ(link_loads(t, by_none, flows)[0], (std::vector<double>{0, 16385, 0})) << "an even draw";
}

/// A row r0 - r1 - r2: r1's ports lead to r0, to r2 and to its node.
TEST(LinkLoads, AreSumsOfWeightsOverTheWayToTheNodesOwnPort) {
  const Topology t = graph_of(3, {{0, 1}, {1, 2}});
  const Scripted algorithm(t, 1, {}, [&](const RouteQuery& q, CandidateList& out) {
    const bool up = q.destination.value > q.router.value;
    out.add(port_to(t, q.router, RouterId{q.router.value + (up ? 1U : ~0U)}), kVc0);
  });
  using Loads = std::vector<std::vector<double>>;
  EXPECT_EQ(
      link_loads(t, algorithm, {{NodeId{0}, NodeId{2}, 0.5}, {NodeId{1}, NodeId{2}, 2.0}, {NodeId{2}, NodeId{1}}}),
      (Loads{{0.5, 0}, {0, 2.5, 1}, {1, 2.5}}));
  EXPECT_EQ(link_loads(t, algorithm, {}), (Loads{{0, 0}, {0, 0, 0}, {0, 0}}));
}

/// What each router is asked, and which of several ways is taken: the first of highest priority, on its lowest VC.
TEST(PathBetween, TakesTheFirstOfHighestPriorityAndTellsTheNextRouterSo) {
  const Topology t = graph_of(3, {{0, 1}, {0, 1}, {0, 1}, {1, 2}});
  std::vector<RouteQuery> asked;
  const Scripted algorithm(t, 3, {}, [&](const RouteQuery& q, CandidateList& out) {
    asked.push_back(q);
    if (q.router != RouterId{0}) return out.add(PortId{std::size_t{3}}, kVc1);
    out.add(PortId{std::size_t{0}}, kVc0, 1);
    out.add(PortId{std::size_t{1}}, kVc1 | kVc2, 2);
    out.add(PortId{std::size_t{2}}, kVc0, 2);
  });
  const std::vector<Hop> path = path_between(t, algorithm, NodeId{0}, NodeId{2}, 77, 5);
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(path[0].port, PortId{1});
  EXPECT_EQ(path[1].router, RouterId{1});
  EXPECT_EQ(path[2].router, RouterId{2});
  EXPECT_EQ(t.port(path[2].router, path[2].port).node, NodeId{2});
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].in_port, PortId{3}) << "from the node";
  EXPECT_EQ(asked[0].in_vc, VcId{0});
  EXPECT_EQ(asked[1].in_port, PortId{1});
  EXPECT_EQ(asked[1].in_vc, VcId{1});
  for (const RouteQuery& q : asked) {
    EXPECT_EQ(q.draw, 77U);
    EXPECT_EQ(q.route, 5U);
    EXPECT_EQ(q.source, NodeId{0});
    EXPECT_EQ(q.destination, NodeId{2});
  }
}

/// Of a ring of five, where one way alone is shortest: out to the node of the router in the middle and in again.
TEST(PathBetween, LeavesTheNetworkForAnInTransitBuffer) {
  const Topology ring = ring_of(5);
  Configuration c;
  c.set("routing.algorithm", "source_routed");
  c.set("routing.paths", "random");
  c.set("routing.in_transit", "every_switch");
  const auto algorithm = make_routing(ring, c);
  const std::vector<Hop> path = path_between(ring, *algorithm, NodeId{0}, NodeId{2});
  ASSERT_EQ(path.size(), 4U);
  const std::vector<std::size_t> routers{0, 1, 1, 2};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(path[i].router, RouterId{routers[i]}) << i;
  EXPECT_EQ(path[0].port, port_to(ring, RouterId{0}, RouterId{1}));
  EXPECT_EQ(path[1].port, PortId{2}) << "the node's";
  EXPECT_EQ(path[2].port, port_to(ring, RouterId{1}, RouterId{2}));
  EXPECT_EQ(path[3].port, PortId{2});
  const auto loads = link_loads(ring, *algorithm, {{NodeId{0}, NodeId{2}, 0.5}});
  EXPECT_EQ(loads[1], (std::vector<double>{0, 0.5, 0.5})) << "a node in the middle carries the flow, too";
}

TEST(PathBetween, SaysWhereNoWayIsOffered) {
  const Topology t = graph_of(2, {{0, 1}});
  const Scripted algorithm(t, 1, {}, [](const RouteQuery&, CandidateList&) {});
  try {
    (void)path_between(t, algorithm, NodeId{1}, NodeId{0});
    FAIL() << "no candidate is no way";
  } catch (const std::logic_error& e) {
    EXPECT_STREQ(e.what(), "the routing algorithm gave no candidate at router r1 for node 0");
  }
}

}  // namespace
}  // namespace braid::test::link_loads_test
