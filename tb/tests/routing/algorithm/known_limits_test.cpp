// Where something just goes and just does not: latencies of links, local ports, names that are near enough to offer;
// and routers that are numbered otherwise than their nodes.
#include <gtest/gtest.h>

#include <fstream>

#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::known_limits_test {
namespace {

std::string refusal_of_latency(int latency) {
  const std::string file = temporary_file("latency.graphml");
  std::ofstream(file) << "<?xml version=\"1.0\"?><graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
                         "<key id=\"l\" for=\"edge\" attr.name=\"latency\" attr.type=\"int\"/>"
                         "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
                         "<edge source=\"a\" target=\"b\"><data key=\"l\">"
                      << latency << "</data></edge></graph></graphml>";
  Configuration options;
  options.set("topology.kind", "graph");
  options.set("topology.file", file);
  try {
    routing::make_topology(options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(GraphMl, TakesLatenciesUpTo256) {
  EXPECT_EQ(refusal_of_latency(256), "");
  EXPECT_NE(refusal_of_latency(257).find("latency = 257: expected integer, 1 to 256"), std::string::npos);
  EXPECT_NE(refusal_of_latency(0).find("latency = 0: expected integer, 1 to 256"), std::string::npos);
  EXPECT_NE(refusal_of_latency(-1).find("latency = -1: expected integer, 1 to 256"), std::string::npos);
}

TEST(Hexagonal, GivesEachNodeItsLocalPorts) {
  Configuration options;
  options.set("topology.kind", "hexagonal");
  options.set("topology.edge", 2);
  options.set("topology.local_ports", 3);
  const routing::Topology t = routing::make_topology(options);
  for (const auto& attachments : t.nodes) EXPECT_EQ(attachments.size(), 3U);
  EXPECT_EQ(t.port_count(RouterId{0}), 6U + 3U);
}

/// A name of six letters: three changes are near, four are not.
TEST(DidYouMean, OffersWhatHasHalfInCommon) {
  EXPECT_EQ(did_you_mean("abcdef", {"abcxyz"}), " (did you mean \"abcxyz\"?)");
  EXPECT_EQ(did_you_mean("abcdef", {"abwxyz"}), "");
  EXPECT_EQ(did_you_mean("abcdef", {"abcxyz", "abcdez"}), " (did you mean \"abcdez\"?)");
}

/// A chain of routers 0 - 1 - 2 with nodes 0 and 1 at router 2 and node 2 at router 0.
TEST(MinimalPorts, LeadToTheDestinationsRouterNotToTheRouterOfItsNumber) {
  routing::Topology t = graph_of(3, {{0, 1}, {1, 2}}, 0);
  for (const std::size_t router : {2U, 2U, 0U}) {
    const NodeId node{t.nodes.size()};
    t.nodes.push_back({{RouterId{router}, PortId{t.routers[router].size()}}});
    t.routers[router].push_back({routing::PortKind::kLocal, RouterId{}, PortId{}, node, 1, "local"});
  }
  for (const char* name : {"best_paths", "deterministic"}) {
    routing::RoutingContext options;
    const auto algorithm = routing::RoutingRegistry::instance().make(name, t, options);
    const auto port_from_middle = [&](std::size_t to) {
      routing::CandidateList list;
      algorithm->route({RouterId{1}, PortId{0}, VcId{0}, NodeId{0}, NodeId{to}}, list);
      return list[0].port;
    };
    EXPECT_EQ(port_from_middle(0), PortId{1}) << name << ": to router 2";
    EXPECT_EQ(port_from_middle(1), PortId{1}) << name;
    EXPECT_EQ(port_from_middle(2), PortId{0}) << name << ": to router 0";
  }
}

}  // namespace
}  // namespace braid::test::known_limits_test
