// Topologies and what their readers say of bad input.
#include "routing/topology/topology.h"

#include <gtest/gtest.h>

#include <fstream>

#include "routing/algorithm/routing_algorithm.h"
#include "tb/tests/support/bench.h"

namespace braid::test::topology_test {
namespace {

using namespace routing;

TEST(Mesh, HasTheLinksOfAMesh) {
  Configuration options;
  options.set("topology.width", 5);
  options.set("topology.height", 3);
  options.set("topology.local_ports", 2);
  const Topology mesh = make_topology(options);
  EXPECT_EQ(mesh.link_count(), 2U * (4 * 3 + 5 * 2));
  EXPECT_EQ(mesh.node_count(), 15U);
  EXPECT_EQ(mesh.port(RouterId{0}, kWest).kind, PortKind::kUnconnected);
  EXPECT_EQ(mesh.port(RouterId{0}, kEast).peer_router, RouterId{1});
  EXPECT_EQ(mesh.nodes[4].size(), 2U);
  EXPECT_EQ(mesh.distances_to(RouterId{14})[0], 6U);
}

TEST(Torus, WrapsAndRefusesRingsOfTwo) {
  Configuration options;
  options.set("topology.kind", "torus");
  options.set("topology.width", 4);
  options.set("topology.height", 4);
  EXPECT_EQ(make_topology(options).link_count(), 64U);
  EXPECT_EQ(make_topology(options).distances_to(RouterId{15})[0], 2U);
  options.set("topology.width", 2);
  EXPECT_THROW(make_topology(options), InputError);
}

struct BadFile {
  const char* name;
  const char* text;
  const char* message;
};

class BadGraphMl : public testing::TestWithParam<BadFile> {};

TEST_P(BadGraphMl, GivesOneLine) {
  Configuration options;
  options.set("topology.kind", "graph");
  const std::string file = temporary_file(GetParam().name + std::string(".graphml"));
  options.set("topology.file", file);
  std::ofstream(file) << GetParam().text;
  try {
    make_topology(options);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find(GetParam().message), std::string::npos) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    EXPECT_NE(what.find(file), std::string::npos) << what;
  }
}

#define GRAPH(body)                                                               \
  "<graphml><key id=\"l\" for=\"edge\" attr.name=\"latency\" attr.type=\"int\"/>" \
  "<key id=\"n\" for=\"node\" attr.name=\"nodes\" attr.type=\"int\"/>"            \
  "<graph edgedefault=\"undirected\">" body "</graph></graphml>"
INSTANTIATE_TEST_SUITE_P(
    Corpus, BadGraphMl,
    testing::Values(
        BadFile{"empty", "", "not a GraphML network"}, BadFile{"text", "hello", "not well-formed XML"},
        BadFile{"unclosed", "<graphml><graph>", ":1: not well-formed XML"},
        BadFile{"no_graph", "<other/>", "not a GraphML network"}, BadFile{"no_vertex", GRAPH(""), "no node"},
        BadFile{"self_loop", GRAPH("<node id=\"a\"/><edge source=\"a\" target=\"a\"/>"), "to itself"},
        BadFile{"unknown_vertex", GRAPH("<node id=\"a\"/><edge source=\"a\" target=\"b\"/>"), "no <node> declares"},
        BadFile{"no_nodes", GRAPH("<node id=\"a\"><data key=\"n\">0</data></node>"), "no node"},
        BadFile{"negative", GRAPH("<node id=\"a\"><data key=\"n\">-1</data></node>"), "at least 0"},
        BadFile{"word", GRAPH("<node id=\"a\"><data key=\"n\">many</data></node>"), "not a GraphML"},
        BadFile{
            "latency",
            GRAPH("<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"><data key=\"l\">99</data></edge>"),
            "expected 1 to 64"},
        BadFile{"too_many", GRAPH("<node id=\"a\"><data key=\"n\">65</data></node>"), "more than 64 ports"}),
    [](const auto& c) { return c.param.name; });

TEST(GraphMl, DisconnectedNetworkIsRefused) {
  Configuration options;
  options.set("topology.kind", "graph");
  options.set("topology.file", temporary_file("apart.graphml"));
  std::ofstream(temporary_file("apart.graphml")) << GRAPH("<node id=\"a\"/><node id=\"b\"/>");
  EXPECT_THROW(make_topology(options), InputError);
}

TEST(Names, UnknownOnesAreAnsweredWithTheNearest) {
  Configuration options;
  options.set("topology.kind", "mehs");
  try {
    make_topology(options);
    FAIL();
  } catch (const InputError& e) {
    const std::string what = e.what();
    EXPECT_EQ(what.find("unknown topology \"mehs\" (did you mean \"mesh\"?); known: graph, "), 0U) << what;
  }
}

TEST(Algorithms, SayWhatTheyNeed) {
  Configuration options;
  options.set("topology.kind", "torus");
  options.set("topology.width", 4);
  options.set("topology.height", 4);
  const Topology torus = make_topology(options);
  RoutingContext one_vc;
  one_vc.vcs = 1;
  EXPECT_THROW(RoutingRegistry::instance().make("x_first", torus, one_vc), InputError);
  EXPECT_THROW(RoutingRegistry::instance().make("odd_even", torus, RoutingContext{}), InputError);
  RoutingContext missing;
  missing.configuration.set("routing.table_file", "/nowhere");
  EXPECT_THROW(RoutingRegistry::instance().make("table", torus, missing), InputError);
}

}  // namespace
}  // namespace braid::test::topology_test
