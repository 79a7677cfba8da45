// The shapes that networks may have, by themselves: places and numbers worked out by hand, sizes all different.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "routing/topology/topology.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::shapes_test {
namespace {

using namespace routing;

TEST(Shape, OfAGridCountsItsRowsUpwards) {
  const Grid grid{5, 3, false};
  EXPECT_EQ(grid.x(RouterId{7}), 2U);
  EXPECT_EQ(grid.y(RouterId{7}), 1U);
  EXPECT_EQ(grid.at(2, 1), RouterId{7});
  EXPECT_EQ(grid.at(4, 2), RouterId{14});
  EXPECT_FALSE(Grid{}.wrap);
}

/// Three levels of nine switches.
TEST(Shape, OfATreeCountsItsLevelsUpwards) {
  const Tree tree{3, 3};
  EXPECT_EQ(tree.switches_per_level(), 9U);
  EXPECT_EQ(tree.level(RouterId{8}), 0U);
  EXPECT_EQ(tree.level(RouterId{9}), 1U);
  EXPECT_EQ(tree.level(RouterId{18}), 2U);
  EXPECT_EQ(tree.word(RouterId{17}), 8U);
  EXPECT_EQ(tree.at(2, 5), RouterId{23});
  EXPECT_EQ((Tree{4, 1}.switches_per_level()), 1U);
}

TEST(Shape, OfACubeHasItsLowestDimensionNextToEachOther) {
  const Cube cube{Cube::Row::kLine, {3, 4, 5}};
  EXPECT_EQ(cube.stride(0), 1U);
  EXPECT_EQ(cube.stride(1), 3U);
  EXPECT_EQ(cube.stride(2), 12U);
  EXPECT_EQ(cube.stride(3), 60U);
  const RouterId last{2 + 3 * 3 + 12 * 4};
  EXPECT_EQ(cube.coordinate(last, 0), 2U);
  EXPECT_EQ(cube.coordinate(last, 1), 3U);
  EXPECT_EQ(cube.coordinate(last, 2), 4U);
  EXPECT_EQ(cube.coordinate(RouterId{13}, 0), 1U);
  EXPECT_EQ(cube.coordinate(RouterId{13}, 1), 0U);
  EXPECT_EQ(cube.coordinate(RouterId{13}, 2), 1U);
}

/// Two ports a dimension, or one to each other router of the row.
TEST(Shape, OfACubeHasItsPortsByDimension) {
  const Cube line{Cube::Row::kLine, {3, 4, 5}}, ring{Cube::Row::kRing, {3, 4, 5}},
      complete{Cube::Row::kComplete, {3, 4, 5}};
  for (std::size_t d = 0; d <= 3; ++d) {
    EXPECT_EQ(line.first_port(d), 2 * d);
    EXPECT_EQ(ring.first_port(d), 2 * d);
  }
  EXPECT_EQ(ring.ports(2), 2U);
  EXPECT_EQ(complete.ports(0), 2U);
  EXPECT_EQ(complete.ports(2), 4U);
  EXPECT_EQ(complete.first_port(0), 0U);
  EXPECT_EQ(complete.first_port(1), 2U);
  EXPECT_EQ(complete.first_port(2), 5U);
  EXPECT_EQ(complete.first_port(3), 9U);
  EXPECT_EQ(Cube{}.row, Cube::Row::kLine);
}

/// Seven groups of three routers with two links each: by each of the two arrangements, and back.
TEST(Shape, OfADragonflyHasALinkToEachGroup) {
  const Dragonfly palm{3, 2, Dragonfly::GlobalLinks::kPalmTree}, absolute{3, 2, Dragonfly::GlobalLinks::kAbsolute};
  EXPECT_EQ(palm.groups(), 7U);
  EXPECT_EQ(palm.group(RouterId{11}), 3U);
  EXPECT_EQ(palm.place(RouterId{11}), 2U);
  EXPECT_EQ(palm.link_to(2, 3), 0U);
  EXPECT_EQ(palm.link_to(2, 1), 5U);
  EXPECT_EQ(palm.link_to(2, 0), 4U);
  EXPECT_EQ(palm.end_of_link(2, 3), 6U);
  EXPECT_EQ(palm.end_of_link(2, 4), 0U) << "round the end";
  EXPECT_EQ(absolute.link_to(2, 1), 1U);
  EXPECT_EQ(absolute.link_to(2, 3), 2U);
  EXPECT_EQ(absolute.link_to(0, 1), 0U);
  EXPECT_EQ(absolute.end_of_link(2, 1), 1U);
  EXPECT_EQ(absolute.end_of_link(2, 2), 3U);
  EXPECT_EQ(absolute.end_of_link(6, 5), 5U);
  for (const Dragonfly& d : {palm, absolute}) {
    for (std::uint32_t g = 0; g < 7; ++g) {
      for (std::uint32_t link = 0; link < 6; ++link) EXPECT_EQ(d.link_to(g, d.end_of_link(g, link)), link);
    }
  }
  EXPECT_EQ(Dragonfly{}.global_links, Dragonfly::GlobalLinks::kPalmTree);
}

TEST(Shape, OfAButterflyCountsItsStages) {
  const Butterfly fly{3, 4};
  EXPECT_EQ(fly.power(0), 1U);
  EXPECT_EQ(fly.power(1), 3U);
  EXPECT_EQ(fly.power(3), 27U);
  EXPECT_EQ(fly.routers_per_stage(), 27U);
  EXPECT_EQ(fly.stage(RouterId{80}), 2U);
  EXPECT_EQ(fly.stage(RouterId{81}), 3U);
  EXPECT_EQ(fly.word(RouterId{80}), 26U);
}

TEST(Shape, OfAChainHasItsChipletsInARow) {
  const ChipletChain chain{3, 4, 5, {}};
  EXPECT_EQ(chain.length(), 12U);
  EXPECT_EQ(chain.x(RouterId{26}), 2U);
  EXPECT_EQ(chain.y(RouterId{26}), 2U);
  EXPECT_EQ(chain.chiplet(RouterId{27}), 0U);
  EXPECT_EQ(chain.chiplet(RouterId{28}), 1U);
  EXPECT_EQ(chain.chiplet(RouterId{35}), 2U);
}

/// By its kind: did what came in here come from a router, and does anything leave here?
TEST(Ports, AreInsOrOutsByTheirKind) {
  const std::vector<std::tuple<PortKind, bool, bool>> kinds{{PortKind::kUnconnected, false, false},
                                                            {PortKind::kNetwork, true, true},
                                                            {PortKind::kLocal, false, true},
                                                            {PortKind::kIncoming, true, false},
                                                            {PortKind::kEntry, false, false}};
  for (const auto& [kind, from_router, out] : kinds) {
    Port port;
    port.kind = kind;
    EXPECT_EQ(port.came_from_router(), from_router) << static_cast<int>(kind);
    EXPECT_EQ(port.leads_out(), out) << static_cast<int>(kind);
  }
}

TEST(Ports, LeadNowhereInACycleAndTakeAFlitUnlessItIsSaid) {
  const Port port;
  EXPECT_EQ(port.kind, PortKind::kUnconnected);
  EXPECT_EQ(port.latency_cycles, 1U);
  EXPECT_EQ(port.flits_per_cycle, 1U);
  EXPECT_EQ((Port{PortKind::kNetwork, RouterId{3}, PortId{2}, NodeId{}, 7, "x"}.flits_per_cycle), 1U);
  EXPECT_EQ(LinkOptions{}.local_ports, 1U);
  EXPECT_EQ(LinkOptions{}.link_latency_cycles, 1U);
  EXPECT_EQ(LinkOptions{}.link_flits_per_cycle, 1U);
}

/// A router is a list of ports and a name, a port itself, a node a list of one place.
TEST(TopologyBytes, AreThoseOfRoutersPortsAndNodes) {
  EXPECT_EQ(topology_bytes(0, 0, 0), 0U);
  EXPECT_EQ(topology_bytes(1, 0, 0), sizeof(std::vector<Port>) + sizeof(std::string));
  EXPECT_EQ(topology_bytes(0, 1, 0), sizeof(Port));
  EXPECT_EQ(topology_bytes(0, 0, 1), sizeof(std::vector<Attachment>) + sizeof(Attachment));
  EXPECT_EQ(topology_bytes(0, 0, 5), 5 * topology_bytes(0, 0, 1));
  EXPECT_EQ(topology_bytes(2, 3, 4),
            2 * topology_bytes(1, 0, 0) + 3 * topology_bytes(0, 1, 0) + 4 * topology_bytes(0, 0, 1));
}

/// What a kind says of local ports; "": it has no such key, for a node hangs at one port.
std::string local_ports_of(const std::string& kind) {
  for (const Option& option : *TopologyRegistry::instance().entries().at(kind).options) {
    if (option.name == "local_ports") return option.expected();
  }
  return "";
}

TEST(LocalPorts, AreAKeyWhereANodeMayHaveSeveral) {
  for (const char* kind : {"k_ary_n_tree", "dragonfly", "fat_tree", "butterfly"}) {
    EXPECT_EQ(local_ports_of(kind), "") << kind;
  }
  EXPECT_EQ(local_ports_of("mesh"), "integer, 1 to 60") << "four ports are links";
  EXPECT_EQ(local_ports_of("hexagonal"), "integer, 1 to 58") << "six are";
}

/// Each direction once; a port that leads nowhere or to a node is no link.
TEST(TopologyLinks, AreCountedEachWay) {
  Topology t = graph_of(3, {{0, 1}, {1, 2}, {0, 1}});
  EXPECT_EQ(t.link_count(), 6U);
  EXPECT_EQ(t.max_port_count(), 4U) << "of r1";
  EXPECT_FALSE(t.has_faster_links());
  t.routers[2].emplace_back();
  EXPECT_EQ(t.link_count(), 6U);
  t.routers[2][0].flits_per_cycle = 2;
  EXPECT_TRUE(t.has_faster_links()) << "the last router's";
}

TEST(TopologyDistances, AreTheFewestLinks) {
  const Topology t = graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}});
  EXPECT_EQ(t.distances_to(RouterId{0}), (std::vector<std::uint32_t>{0, 1, 2, 1, 2, UINT32_MAX}));
  EXPECT_EQ(t.distances_to(RouterId{4}), (std::vector<std::uint32_t>{2, 3, 2, 1, 0, UINT32_MAX}));
}

/// The first port that a topology's check names, and what it says of it.
TEST(TopologyCheck, NamesTheEndsThatDisagree) {
  const auto said = [](void (*change)(Topology&)) {
    Topology t = graph_of(3, {{0, 1}, {1, 2}});
    change(t);
    return complaint([&] { t.check(); });
  };
  EXPECT_EQ(said([](Topology&) {}), "");
  const std::string wrong = "router r0 port to_r1: the far end of the link does not lead back";
  EXPECT_EQ(said([](Topology& t) { t.routers[0][0].latency_cycles = 2; }), wrong);
  EXPECT_EQ(said([](Topology& t) { t.routers[1][0].peer_router = RouterId{2}; }), wrong);
  EXPECT_EQ(said([](Topology& t) { t.routers[1][0].peer_port = PortId{1}; }), wrong);
  EXPECT_EQ(said([](Topology& t) { t.routers[1][0].kind = PortKind::kLocal; }), wrong);
  EXPECT_EQ(said([](Topology& t) { t.routers[1][1].flits_per_cycle = 3; }),
            "router r1 port to_r2: 3 flits/cycle, 1 at the far end of the link");
  EXPECT_EQ(said([](Topology& t) { t.routers[2][1].flits_per_cycle = 5; }),
            "router r2 port local0: 5 flits/cycle; expected 1 but between routers");
  EXPECT_EQ(said([](Topology& t) { t.nodes.clear(); }), "topology a graph has no router or no node");
}

}  // namespace
}  // namespace braid::test::shapes_test
