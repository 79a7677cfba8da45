// Loads of links as a map, as lines and as JSON, character by character.
#include "tb/braid/link_map.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <string>

#include "routing/base/configuration.h"
#include "tb/tests/support/bench.h"

namespace braid::test::link_map_test {
namespace {

using routing::Topology;

/// What goes over a link names where it begins: ten times the router and its port (0 east, 1 west, 2 north, 3 south).
tb::Loads named_loads(const Topology& topology) {
  tb::Loads loads;
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    loads.emplace_back(topology.port_count(RouterId{r}), 0.0);
    for (std::size_t p = 0; p < loads[r].size(); ++p) {
      if (topology.port(RouterId{r}, PortId{p}).kind == routing::PortKind::kNetwork) {
        loads[r][p] = static_cast<double>(10 * r + p);
      } else {
        loads[r][p] = 1000.0;  // what goes to a node is on no link of the map
      }
    }
  }
  return loads;
}

std::string printed(const Topology& topology, const tb::Loads& loads, const char* columns) {
  setenv("COLUMNS", columns, 1);
  testing::internal::CaptureStdout();
  tb::print_loads(topology, "Loads", loads);
  return testing::internal::GetCapturedStdout();
}

Topology mesh(std::uint32_t width, std::uint32_t height) {
  return routing::make_topology(uniform_mesh(0.1, width, height));
}

/// East before ">", back west before "<"; north before "^", back south before "v"; a router and its link in 16 columns.
TEST(LinkMap, HasBothDirectionsOfEachLink) {
  const Topology topology = mesh(3, 2);
  EXPECT_EQ(printed(topology, named_loads(topology), "48"),
            "\nLoads (most on a link: 53)\n"
            "(0,1)- 30>41< --(1,1)- 40>51< --(2,1)\n"
            " 2^33v           12^43v          22^53v         \n"
            "(0,0)-- 0>11< --(1,0)- 10>21< --(2,0)\n");
}

TEST(LinkMap, ThatIsWiderThanTheOutputComesInBlocks) {
  const Topology topology = mesh(3, 1);
  EXPECT_EQ(printed(topology, named_loads(topology), "47"),
            "\nLoads (most on a link: 21)\n"
            "(0,0)-- 0>11< --(1,0)- 10>21< --\n"
            "\n"
            "(2,0)\n");
}

/// The longest text of any row is the width of all: " 0.333>0.667< " behind "(0,0)", or a number beneath.
TEST(LinkMap, IsAsWideAsItsLongestText) {
  const Topology topology = mesh(2, 2);
  tb::Loads loads = named_loads(topology);
  loads[0][0] = 1.0 / 3;
  loads[1][1] = 2.0 / 3;
  EXPECT_EQ(printed(topology, loads, "80"),
            "\nLoads (most on a link: 33)\n"
            "(0,1)--- 20>31< ---(1,1)\n"
            " 2^23v              12^33v            \n"
            "(0,0) 0.333>0.667< (1,0)\n");
  loads = named_loads(topology);
  loads[1][2] = 1.23456e-11;
  loads[3][3] = 1.23456e-11;
  EXPECT_EQ(printed(topology, loads, "80"),
            "\nLoads (most on a link: 31)\n"
            "(0,1)--- 20>31< ---(1,1)\n"
            " 2^23v              1.23e-11^1.23e-11v\n"
            "(0,0)--- 0>11< ----(1,0)\n");
}

/// 25 columns a router and its link: of forty columns they are blocks of one router each.
TEST(LinkMap, HasBlocksOfOneRouterWhereTwoAreTooWide) {
  const Topology topology = mesh(3, 1);
  tb::Loads loads = named_loads(topology);
  loads[0][0] = loads[1][1] = 1.23456e-11;
  EXPECT_EQ(printed(topology, loads, "40"),
            "\nLoads (most on a link: 21)\n"
            "(0,0) 1.23e-11>1.23e-11< \n"
            "\n"
            "(1,0)------ 10>21< ------\n"
            "\n"
            "(2,0)\n");
}

TEST(LinkMap, DrawsLinksBetweenChipletsDouble) {
  Configuration c;
  c.set("topology.kind", "chiplet_chain");
  c.set("topology.chiplets", 2);
  c.set("topology.width", 2);
  c.set("topology.height", 1);
  const Topology topology = routing::make_topology(c);
  tb::Loads loads = named_loads(topology);
  const std::string map = printed(topology, loads, "80");
  const std::size_t joint = map.find('=');
  ASSERT_NE(joint, std::string::npos) << map;
  EXPECT_LT(map.find("(1,0)="), map.find("(2,0)")) << map;
  EXPECT_EQ(map.find("(0,0)="), std::string::npos) << map;
  EXPECT_EQ(map.find("(2,0)="), std::string::npos) << map;
}

/// A hexagonal mesh has no rows: links one by one, those without a load left out.
TEST(LinkMap, OfAGraphIsALineALinkThatCarriesAnything) {
  Configuration c;
  c.set("topology.kind", "hexagonal");
  const Topology topology = routing::make_topology(c);
  tb::Loads loads;
  for (std::size_t r = 0; r < topology.router_count(); ++r) loads.emplace_back(topology.port_count(RouterId{r}), 0.0);
  ASSERT_FALSE(topology.grid);
  std::size_t port = 0;
  while (topology.port(RouterId{1}, PortId{port}).kind != routing::PortKind::kNetwork) ++port;
  loads[1][port] = 2.5;
  const routing::Port& p = topology.port(RouterId{1}, PortId{port});
  const auto padded = [](const std::string& text) { return text + std::string(16 - text.size(), ' '); };
  EXPECT_EQ(printed(topology, loads, "80"), "\nLoads (most on a link: 2.5)\n  " + padded(topology.router_names[1]) +
                                                " -> " + padded(topology.router_names[p.peer_router.value]) + " " +
                                                padded(p.name) + " 2.5\n");
}

TEST(LinkLoads, AsJsonNameBothEndsOfEachLink) {
  const Topology topology = mesh(2, 1);
  const boost::json::array all = tb::loads_json(topology, named_loads(topology));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].at("router"), "0,0");
  EXPECT_EQ(all[0].at("port"), "east");
  EXPECT_EQ(all[0].at("to"), "1,0");
  EXPECT_EQ(all[0].at("load").as_double(), 0.0);
  EXPECT_EQ(all[1].at("port"), "west");
  EXPECT_EQ(all[1].at("load").as_double(), 11.0);
}

/// Two circuits over one link are two on it; ports without any have none.
TEST(CircuitLoads, CountTheCircuitsOfEachPort) {
  const Topology topology = mesh(2, 1);
  std::vector<models::CircuitResult> circuits(2);
  circuits[0].path.push_back({RouterId{0}, PortId{0}});
  circuits[0].path.push_back({RouterId{1}, PortId{4}});
  circuits[1].path.push_back({RouterId{0}, PortId{0}});
  const tb::Loads loads = tb::circuit_loads(topology, circuits);
  ASSERT_EQ(loads.size(), 2U);
  ASSERT_EQ(loads[0].size(), topology.port_count(RouterId{0}));
  EXPECT_EQ(loads[0][0], 2.0);
  EXPECT_EQ(loads[0][1], 0.0);
  EXPECT_EQ(loads[1][4], 1.0);
}

}  // namespace
}  // namespace braid::test::link_map_test
