// The channels of a network and the way of each pair of nodes over them, under a routing that a test says: what it is
// asked, which of its candidates count, and where it does not end.
#include "models/tlm/styles/packet_routes.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "routing/base/random.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::packet_routes_test {
namespace {

using models::ChannelKind;
using models::PacketRoute;
using models::PacketRoutes;
using models::RouterTiming;
using routing::CandidateList;
using routing::RouteQuery;

class Routing final : public routing::RoutingAlgorithm {
 public:
  using Act = std::function<void(const RouteQuery&, CandidateList&)>;
  explicit Routing(Act act) : RoutingAlgorithm(4), act_(std::move(act)) {}
  void route(const RouteQuery& query, CandidateList& out) const override {
    out.clear();
    asked.push_back(query);
    act_(query, out);
  }
  VcMask injection_vcs() const override { return 0b0100; }
  std::size_t max_candidates() const override { return 8; }
  mutable std::vector<RouteQuery> asked;

 private:
  Act act_;
};

/// Three routers in a row, a link of 4 cycles between each two: ports 0 to the east, 1 to the west, 4 to the node.
routing::Topology row() {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 1).set("topology.link_latency_cycles", 4);
  return routing::make_topology(e);
}
constexpr std::size_t kEast = 0, kWest = 1, kLocal = 4;
void to_the_east(const RouteQuery& query, CandidateList& out) {
  out.add(PortId{query.router.value == query.destination.value ? kLocal : kEast}, 0b1000);
}

/// Of each link both ways and of each node both ways a channel; half duplex one of each.
TEST(PacketRouteChannels, AreOfLinksAndNodes) {
  const routing::Topology topology = row();
  const Routing routing(to_the_east);
  RouterTiming routers;
  EXPECT_EQ(PacketRoutes(topology, routing, routers).channel_count(), 2U * 2 + 3 * 2);
  routers.half_duplex = true;
  PacketRoutes half(topology, routing, routers);
  EXPECT_EQ(half.channel_count(), 2U + 3);
  std::set<models::ChannelIndex> injections;
  for (std::size_t n = 0; n < 3; ++n) injections.insert(half.injection(NodeId{n}));
  EXPECT_EQ(injections.size(), 3U);
  for (const models::ChannelIndex channel : injections) EXPECT_LT(channel, 5U);
  EXPECT_EQ(half.between(NodeId{0}, NodeId{1}).steps.back().channel, half.injection(NodeId{1}))
      << "a node's port is one channel both ways";
}

/// Of the latency of the channel before all but the first cycle counts: of links, and of nodes' links only where the
/// routers say so.
TEST(PacketRouteSteps, HaveTheWireOfTheChannelBefore) {
  const routing::Topology topology = row();
  const Routing routing(to_the_east);
  for (const bool links : {true, false}) {
    RouterTiming routers;
    routers.link_latency = links;
    PacketRoutes routes(topology, routing, routers);
    const PacketRoute& route = routes.between(NodeId{0}, NodeId{2});
    ASSERT_EQ(route.steps.size(), 4U);
    const ChannelKind kinds[] = {ChannelKind::kInjection, ChannelKind::kLink, ChannelKind::kLink,
                                 ChannelKind::kEjection};
    std::set<models::ChannelIndex> channels;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(route.steps[i].kind, kinds[i]) << i;
      EXPECT_EQ(route.steps[i].ways, 1U) << i;
      EXPECT_EQ(route.steps[i].header, 0U) << i;
      EXPECT_EQ(route.steps[i].extra_wire, links && i >= 2 ? 3U : 0U) << i;
      channels.insert(route.steps[i].channel);
    }
    EXPECT_EQ(channels.size(), 4U);
    EXPECT_EQ(route.last_wire, 0U);
    EXPECT_FALSE(route.adaptive);
    EXPECT_EQ(route.steps.front().channel, routes.injection(NodeId{0}));
    EXPECT_EQ(&route, &routes.between(NodeId{0}, NodeId{2})) << "followed once";
  }
}

/// At each router with the port and the lowest VC that the packet comes by; all of a pair draw the same, pairs do not.
TEST(PacketRouteQueries, SayWhereThePacketIs) {
  const routing::Topology topology = row();
  const Routing routing([](const RouteQuery& query, CandidateList& out) {
    out.add(PortId{query.router.value == query.destination.value ? kLocal : kEast}, 0b1010);
  });
  PacketRoutes routes(topology, routing, RouterTiming{});
  routes.between(NodeId{0}, NodeId{2});
  ASSERT_EQ(routing.asked.size(), 3U);
  for (std::size_t r = 0; r < 3; ++r) {
    const RouteQuery& query = routing.asked[r];
    EXPECT_EQ(query.router, RouterId{r});
    EXPECT_EQ(query.in_port, PortId{r == 0 ? kLocal : kWest});
    EXPECT_EQ(query.in_vc, VcId{r == 0 ? 2U : 1U}) << "the injection's, then the candidate's";
    EXPECT_EQ(query.source, NodeId{0});
    EXPECT_EQ(query.destination, NodeId{2});
    EXPECT_EQ(query.route, routing::kNoRoute);
    EXPECT_EQ(query.draw, routing.asked[0].draw);
  }
  std::set<unsigned> draws{routing.asked[0].draw};
  for (const std::size_t from : {0U, 1U}) {
    for (const std::size_t to : {1U, 2U}) {
      if (from == 0 && to == 2) continue;
      routes.between(NodeId{from}, NodeId{to});
      draws.insert(routing.asked.back().draw);
    }
  }
  EXPECT_GT(draws.size(), 2U) << "of four pairs";
}

/// The highest byte of mix64 of the pair's number, from * nodes + to: the same on every machine.
TEST(PacketRouteQueries, DrawByThePairsNumber) {
  const routing::Topology topology = row();
  const Routing routing(to_the_east);
  PacketRoutes routes(topology, routing, RouterTiming{});
  for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}, {0, 0}, {1, 1}, {2, 2}}) {
    routing.asked.clear();
    routes.between(NodeId{from}, NodeId{to});
    EXPECT_EQ(routing.asked.at(0).draw, mix64(from * 3 + to) >> 56) << from << " " << to;
  }
}

/// From the corner of 4x4 to the others each router but those of the last column and row has two ways: the pair's
/// number, mixed once more at each router, says which.
TEST(PacketRouteWays, ArePickedByThePairsNumber) {
  models::Experiment e;
  e.set("topology.width", 4).set("topology.height", 4);
  const routing::Topology topology = routing::make_topology(e);
  constexpr std::size_t kNorth = 2, kSide = 4;
  const Routing routing([](const RouteQuery& query, CandidateList& out) {
    const std::size_t at = query.router.value, to = query.destination.value;
    if (at % kSide < to % kSide) out.add(PortId{kEast}, 1);
    if (at / kSide < to / kSide) out.add(PortId{kNorth}, 1);
    if (at == to) out.add(PortId{kLocal}, 1);
  });
  PacketRoutes routes(topology, routing, RouterTiming{});
  std::size_t turns = 0;
  for (std::size_t to = 0; to < kSide * kSide; ++to) {
    routing.asked.clear();
    const PacketRoute& route = routes.between(NodeId{0}, NodeId{to});
    EXPECT_EQ(route.adaptive, to % kSide != 0 && to / kSide != 0) << to;
    std::uint64_t turn = mix64(to);  // from node 0
    std::size_t at = 0;
    for (const RouteQuery& query : routing.asked) {
      EXPECT_EQ(query.router.value, at) << "on the way to " << to;
      const bool east = at % kSide < to % kSide, north = at / kSide < to / kSide;
      turn = mix64(turn + 1);
      turns += east && north ? 1 : 0;
      at += east && (!north || turn % 2 == 0) ? 1 : kSide;
    }
  }
  EXPECT_GT(turns, 10U);
}

/// Those of the highest priority, one for each port.
TEST(PacketRouteWays, AreTheCandidatesThatARouterMayChooseFrom) {
  models::Experiment e;
  e.set("topology.width", 2).set("topology.height", 2);
  const routing::Topology topology = routing::make_topology(e);
  constexpr std::size_t kNorth = 2;
  const Routing routing([](const RouteQuery& query, CandidateList& out) {
    const std::size_t at = query.router.value;
    if (at == 3) return out.add(PortId{kLocal}, 1);
    if (at != 0) return out.add(PortId{at == 1 ? kNorth : kEast}, 1);
    out.add(PortId{kLocal}, 1, 0);  // of no use
    out.add(PortId{kEast}, 0b0001, 5);
    out.add(PortId{kEast}, 0b0010, 5);
    out.add(PortId{kNorth}, 0b0100, 4);
    out.add(PortId{kNorth}, 0b1000, 5);
  });
  PacketRoutes routes(topology, routing, RouterTiming{});
  std::vector<std::size_t> offered;
  for (const std::size_t choice : {0U, 1U}) {
    routing.asked.clear();
    const PacketRoute route = routes.follow(NodeId{0}, NodeId{3}, [&](const std::vector<models::ChannelIndex>& ways) {
      offered.push_back(ways.size());
      return ways.size() > 1 ? choice : 0;
    });
    ASSERT_EQ(route.steps.size(), 4U);
    EXPECT_TRUE(route.adaptive);
    EXPECT_EQ(route.steps[1].ways, 2U);
    EXPECT_EQ(route.steps[2].ways, 1U);
    EXPECT_EQ(routing.asked[1].router, RouterId{choice == 0 ? 1U : 2U});
    EXPECT_EQ(routing.asked[1].in_vc, VcId{choice == 0 ? 0U : 3U}) << "of the candidate that is taken";
  }
  EXPECT_EQ(offered, (std::vector<std::size_t>{2, 1, 1, 2, 1, 1}));
}

/// Four routers for each that there is, and four more, are asked; then it is refused.
TEST(PacketRouteWays, EndSomewhere) {
  const routing::Topology topology = row();
  std::size_t ends_after = 1000;
  const Routing routing([&](const RouteQuery& query, CandidateList& out) {
    if (ends_after-- == 1) return out.add(PortId{kLocal}, 1);
    out.add(PortId{query.router.value == 0 ? kEast : kWest}, 1);  // to and fro
  });
  const auto follow = [&] {
    PacketRoutes routes(topology, routing, RouterTiming{});
    return complaint([&] { routes.between(NodeId{0}, NodeId{2}); });
  };
  EXPECT_EQ(follow(),
            "routing.algorithm: no end of the way from node 0 to node 2 after 16 routers; expected routes that arrive");
  ends_after = 17;
  EXPECT_EQ(follow(), "") << "from router 0 over 16 links";
  ends_after = 18;
  EXPECT_NE(follow(), "");
}

/// No routers: from the source's channel to the destination's.
TEST(PacketRouteDirect, IsFromNodeToNode) {
  const routing::Topology topology = row();
  const Routing routing(to_the_east);
  RouterTiming routers;
  routers.direct = true;
  PacketRoutes routes(topology, routing, routers);
  const PacketRoute& route = routes.between(NodeId{2}, NodeId{0});
  ASSERT_EQ(route.steps.size(), 2U);
  EXPECT_EQ(route.steps[0].channel, routes.injection(NodeId{2}));
  EXPECT_EQ(route.steps[0].kind, ChannelKind::kInjection);
  EXPECT_EQ(route.steps[1].kind, ChannelKind::kEjection);
  EXPECT_EQ(route.steps[1].ways, 1U);
  EXPECT_EQ(route.steps[1].extra_wire, 0U);
  EXPECT_NE(route.steps[1].channel, routes.between(NodeId{2}, NodeId{1}).steps[1].channel);
  EXPECT_FALSE(route.adaptive);
  EXPECT_TRUE(routing.asked.empty());
}

}  // namespace
}  // namespace braid::test::packet_routes_test
