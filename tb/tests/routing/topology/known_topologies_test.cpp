// Topologies wire by wire on small cases, and what their builders and check() refuse.
#include <gtest/gtest.h>

#include <fstream>

#include "routing/topology/hexagonal.h"
#include "routing/topology/topology.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::known_topologies_test {
namespace {

using namespace routing;

Configuration options_of(const char* kind) {
  Configuration options;
  options.set("topology.kind", kind);
  return options;
}
/// "peer router.peer port" of a connected port, "local node", or "-".
std::string end(const Topology& t, std::size_t router, std::size_t port) {
  const Port& p = t.routers[router][port];
  if (p.kind == PortKind::kUnconnected) return "-";
  if (p.kind == PortKind::kLocal) return "node " + std::to_string(p.node.value);
  return std::to_string(p.peer_router.value) + "." + std::to_string(p.peer_port.value);
}
std::vector<std::string> ends(const Topology& t, std::size_t router) {
  std::vector<std::string> all;
  for (std::size_t p = 0; p < t.routers[router].size(); ++p) all.push_back(end(t, router, p));
  return all;
}
using Ends = std::vector<std::string>;

/// Ports east, west, north, south, local; a link's far end is the opposite direction.
TEST(KnownMesh, ThreeByTwoWireByWire) {
  Configuration o = options_of("mesh");
  o.set("topology.width", 3);
  o.set("topology.height", 2);
  o.set("topology.local_ports", 2);
  o.set("topology.link_latency_cycles", 7);
  const Topology t = make_topology(o);
  EXPECT_EQ(ends(t, 0), (Ends{"1.1", "-", "3.3", "-", "node 0", "node 0"}));
  EXPECT_EQ(ends(t, 1), (Ends{"2.1", "0.0", "4.3", "-", "node 1", "node 1"}));
  EXPECT_EQ(ends(t, 5), (Ends{"-", "4.0", "-", "2.2", "node 5", "node 5"}));
  EXPECT_EQ(t.link_count(), 14U);  // 4 in x, 3 in y, both directions
  EXPECT_EQ(t.max_port_count(), 6U);
  EXPECT_EQ(t.port(RouterId{0}, kEast).latency_cycles, 7U);
  EXPECT_EQ(t.router_names, (Ends{"0,0", "1,0", "2,0", "0,1", "1,1", "2,1"}));
  Ends names;
  for (const Port& p : t.routers[3]) names.push_back(p.name);
  EXPECT_EQ(names, (Ends{"east", "west", "north", "south", "local0", "local1"}));
  EXPECT_EQ(t.nodes[3][1].port, PortId{5});
  EXPECT_EQ(t.name, "mesh 3x2");
  EXPECT_EQ(t.distances_to(RouterId{5}), (std::vector<std::uint32_t>{3, 2, 1, 2, 1, 0}));
}

TEST(KnownTorus, ClosesRowsAndColumns) {
  Configuration o = options_of("torus");
  o.set("topology.width", 3);
  o.set("topology.height", 4);
  const Topology t = make_topology(o);
  EXPECT_EQ(ends(t, 0), (Ends{"1.1", "2.0", "3.3", "9.2", "node 0"}));
  EXPECT_EQ(ends(t, 11), (Ends{"9.1", "10.0", "2.3", "8.2", "node 11"}));
  EXPECT_EQ(t.link_count(), 48U);
  EXPECT_EQ(t.distances_to(RouterId{0}), (std::vector<std::uint32_t>{0, 1, 1, 1, 2, 2, 2, 3, 3, 1, 2, 2}));
}

struct Range {
  const char* name;
  const char* kind;
  void (*set)(Configuration&, std::uint32_t);
  std::uint32_t good, bad;
  const char* message;
};
class OutOfRange : public testing::TestWithParam<Range> {};

TEST_P(OutOfRange, IsRefusedOneBeyondTheLimit) {
  const Range& r = GetParam();
  Configuration o = options_of(r.kind);
  o.set("topology.width", 3);
  o.set("topology.height", 3);
  o.set("topology.arity", 2);
  o.set("topology.levels", 2);
  o.set("topology.edge", 2);
  r.set(o, r.good);
  EXPECT_EQ(complaint([&] { make_topology(o); }), "");
  r.set(o, r.bad);
  EXPECT_EQ(complaint([&] { make_topology(o); }), r.message);
}
INSTANTIATE_TEST_SUITE_P(
    Options, OutOfRange,
    testing::Values(
        Range{"mesh_width", "mesh", [](Configuration& o, std::uint32_t v) { o.set("topology.width", v); }, 1, 0,
              "topology.width = 0: expected integer, 1 to 1024"},
        Range{"mesh_height", "mesh", [](Configuration& o, std::uint32_t v) { o.set("topology.height", v); }, 1024, 1025,
              "topology.height = 1025: expected integer, 1 to 1024"},
        Range{"torus_width", "torus", [](Configuration& o, std::uint32_t v) { o.set("topology.width", v); }, 3, 2,
              "topology.width = 2: expected integer, 3 to 1024"},
        Range{"torus_height", "torus", [](Configuration& o, std::uint32_t v) { o.set("topology.height", v); }, 3, 2,
              "topology.height = 2: expected integer, 3 to 1024"},
        Range{"mesh_ports", "mesh", [](Configuration& o, std::uint32_t v) { o.set("topology.local_ports", v); }, 60, 61,
              "topology.local_ports = 61: expected integer, 1 to 60"},
        Range{"mesh_latency", "mesh",
              [](Configuration& o, std::uint32_t v) { o.set("topology.link_latency_cycles", v); }, 256, 257,
              "topology.link_latency_cycles = 257: expected integer, 1 to 256"},
        Range{"hexagonal_edge", "hexagonal", [](Configuration& o, std::uint32_t v) { o.set("topology.edge", v); }, 2, 1,
              "topology.edge = 1: expected integer, 2 to 200"},
        Range{"hexagonal_ports", "hexagonal",
              [](Configuration& o, std::uint32_t v) { o.set("topology.local_ports", v); }, 58, 59,
              "topology.local_ports = 59: expected integer, 1 to 58"},
        Range{"tree_arity", "k_ary_n_tree", [](Configuration& o, std::uint32_t v) { o.set("topology.arity", v); }, 32,
              33, "topology.arity = 33: expected integer, 2 to 32"}),
    [](const auto& c) { return c.param.name; });

/// E2: seven routers, each joined to all six others. Steps 1, 3n - 1 = 5 and 3n - 2 = 4 modulo 7; north-east is one
/// east and one north-west.
TEST(KnownHexagonal, SmallestOneWireByWire) {
  Configuration o = options_of("hexagonal");
  o.set("topology.edge", 2);
  const Topology t = make_topology(o);
  EXPECT_EQ(ends(t, 0), (Ends{"1.3", "5.4", "4.5", "6.0", "2.1", "3.2", "node 0"}));
  EXPECT_EQ(ends(t, 6), (Ends{"0.3", "4.4", "3.5", "5.0", "1.1", "2.2", "node 6"}));
  for (const std::uint32_t edge : {2U, 6U}) {
    const RouterId east = hexagonal_neighbour(edge, RouterId{3}, PortId{0});
    EXPECT_EQ(hexagonal_neighbour(edge, east, PortId{2}), hexagonal_neighbour(edge, RouterId{3}, PortId{1}));
  }
  EXPECT_EQ(hexagonal_router_count(6), 91U);
}

/// 2-ary 3-tree: up port u of level l sets digit l to u; the way back is the old digit. Switches 0-3, 4-7, 8-11.
TEST(KnownTree, TwoAryThreeTreeWireByWire) {
  Configuration o = options_of("k_ary_n_tree");
  o.set("topology.arity", 2);
  o.set("topology.levels", 3);
  const Topology t = make_topology(o);
  EXPECT_EQ(ends(t, 0), (Ends{"node 0", "node 1", "4.0", "5.0"}));
  EXPECT_EQ(ends(t, 1), (Ends{"node 2", "node 3", "4.1", "5.1"}));
  EXPECT_EQ(ends(t, 6), (Ends{"2.2", "3.2", "8.1", "10.1"}));  // 1.2: digit 1 is 1
  EXPECT_EQ(ends(t, 9), (Ends{"5.2", "7.2"}));                 // 2.1: a root, no way up
  EXPECT_EQ(t.router_names[9], "2.1");
  Ends names;
  for (const Port& p : t.routers[6]) names.push_back(p.name);
  EXPECT_EQ(names, (Ends{"down0", "down1", "up0", "up1"}));
  EXPECT_EQ(t.routers[2][1].name, "node5");
  EXPECT_EQ(t.name, "2-ary 3-tree");
  EXPECT_EQ(t.tree->level(RouterId{9}), 2U);
  EXPECT_EQ(t.tree->word(RouterId{9}), 1U);
}

/// Keys: vertex name and nodes, edge name and latency; the defaults where one is missing, a vertex's id as its name.
TEST(GraphMl, GivesNamesLatenciesAndNodesTheirPlaces) {
  Configuration o = options_of("graph");
  o.set("topology.file", temporary_file("known.graphml"));
  o.set("topology.local_ports", 2);
  o.set("topology.link_latency_cycles", 5);
  std::ofstream(temporary_file("known.graphml")) << R"(<graphml>
    <key id="n" for="node" attr.name="name" attr.type="string"/><key id="k" for="node" attr.name="nodes" attr.type="int"/>
    <key id="e" for="edge" attr.name="name" attr.type="string"/><key id="l" for="edge" attr.name="latency" attr.type="int"/>
    <graph edgedefault="undirected">
      <node id="x"><data key="n">spine</data><data key="k">2</data></node>
      <node id="y"><data key="n">leaf</data><data key="k">0</data></node>
      <node id="z"/>
      <edge source="x" target="y"><data key="e">trunk</data><data key="l">64</data></edge>
      <edge source="y" target="z"/>
    </graph></graphml>)";
  const Topology t = make_topology(o);
  EXPECT_EQ(t.router_names, (Ends{"spine", "leaf", "z"}));
  EXPECT_EQ(ends(t, 0), (Ends{"1.0", "node 0", "node 0", "node 1", "node 1"}));
  EXPECT_EQ(ends(t, 1), (Ends{"0.0", "2.0"}));
  EXPECT_EQ(ends(t, 2), (Ends{"1.1", "node 2", "node 2"}));
  EXPECT_EQ(t.routers[0][0].name + " " + t.routers[1][0].name, "trunk trunk");
  EXPECT_EQ(t.routers[1][1].name + " " + t.routers[2][0].name, "to_z to_leaf");
  EXPECT_EQ(t.routers[0][0].latency_cycles, 64U);
  EXPECT_EQ(t.routers[2][0].latency_cycles, 5U);
  EXPECT_EQ(t.routers[0][3].name, "node1.local0");
  EXPECT_EQ(t.nodes[1][1].port, PortId{4});
}

TEST(GraphMl, NeedsAFileThatCanBeRead) {
  Configuration o = options_of("graph");
  EXPECT_EQ(complaint([&] { make_topology(o); }), "topology \"graph\" needs topology.file: expected a GraphML file");
  o.set("topology.file", "/nowhere.graphml");
  EXPECT_EQ(complaint([&] { make_topology(o); }), "/nowhere.graphml: cannot be read: expected a GraphML file");
}

/// Each fault alone, in a pair of routers that is good without it.
TEST(Check, RefusesLinksWhoseEndsDisagree) {
  const Topology good = graph_of(2, {{0, 1}});
  EXPECT_EQ(complaint([&] { good.check(); }), "");
  Topology slow = good, crooked = graph_of(2, {{0, 1}, {0, 1}}), apart = graph_of(2, {}), empty = good;
  slow.routers[1][0].latency_cycles = 2;
  EXPECT_EQ(complaint([&] { slow.check(); }), "router r0 port to_r1: the far end of the link does not lead back");
  crooked.routers[0][0].peer_port = PortId{1};
  EXPECT_EQ(complaint([&] { crooked.check(); }), "router r0 port to_r1: the far end of the link does not lead back");
  EXPECT_EQ(complaint([&] { apart.check(); }), "topology a graph: router r1 cannot be reached from router r0");
  EXPECT_EQ(apart.distances_to(RouterId{0}), (std::vector<std::uint32_t>{0, UINT32_MAX}));
  empty.nodes.clear();
  EXPECT_EQ(complaint([&] { empty.check(); }), "topology a graph has no router or no node");
}

/// Names go to terminals.
TEST(Check, RefusesNamesWithControlCharacters) {
  const Topology good = graph_of(2, {{0, 1}});
  Topology link = good, router = good;
  link.routers[1][0].name = "a\x1b";
  EXPECT_EQ(complaint([&] { link.check(); }), "router r1: link a\\x1b: expected a name without control characters");
  router.router_names[1] = "b\n";
  EXPECT_EQ(complaint([&] { router.check(); }),
            "topology a graph: router b\\x0a: expected a name without control characters");
}

TEST(Check, Takes64PortsNot65) {
  std::vector<std::pair<std::size_t, std::size_t>> links;
  for (std::size_t r = 1; r < 64; ++r) links.emplace_back(0, r);
  EXPECT_EQ(complaint([&] { graph_of(64, links).check(); }), "");
  links.emplace_back(0, 64);
  EXPECT_EQ(complaint([&] { graph_of(65, links).check(); }), "router r0 has 65 ports; at most 64");
}

}  // namespace
}  // namespace braid::test::known_topologies_test
