// Topologies and what their readers say of bad input.
#include "routing/topology/topology.h"

#include <gtest/gtest.h>

#include "routing/algorithm/routing_algorithm.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

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

/// A set of ports is a word of 64 bits.
TEST(Routers, HaveUpTo64Ports) {
  static_assert(kMaxPorts == 64);
  Configuration dragonfly;  // six routers: a link within the group, one to another
  dragonfly.set("topology.kind", "dragonfly");
  dragonfly.set("topology.routers_per_group", 2);
  dragonfly.set("topology.global_ports", 1);
  dragonfly.set("topology.nodes_per_router", 62);
  EXPECT_EQ(complaint([&] { EXPECT_EQ(make_topology(dragonfly).routers.front().size(), 64U); }), "");
  dragonfly.set("topology.nodes_per_router", 63);
  EXPECT_NE(complaint([&] { make_topology(dragonfly); }).find("has routers of 65 ports: expected at most 64"),
            std::string::npos);
  Configuration butterfly;  // one row: a port of the node, and 63 to the others
  butterfly.set("topology.kind", "flattened_butterfly");
  butterfly.set("topology.sizes", std::vector<std::uint32_t>{64});
  EXPECT_EQ(complaint([&] { EXPECT_EQ(make_topology(butterfly).routers.front().size(), 64U); }), "");
  butterfly.set("topology.sizes", std::vector<std::uint32_t>{65});
  EXPECT_NE(complaint([&] { make_topology(butterfly); }).find("65 ports"), std::string::npos);
}

/// Planes of two dimensions stand side by side with a column between them, rows of planes above each other for a fourth
/// dimension, and for a fifth all of that beside each other once more.
TEST(Positions, OfFiveDimensionsAreThoseOfPlanes) {
  Configuration options;
  options.set("topology.kind", "cube");
  options.set("topology.sizes", std::vector<std::uint32_t>{3, 2, 2, 2, 2});
  const Topology t = make_topology(options);
  ASSERT_EQ(t.positions.size(), 48U);
  for (std::size_t r = 0; r < 48; ++r) {
    const auto c = [r](std::size_t stride, std::size_t size) { return static_cast<double>(r / stride % size); };
    const double x = c(1, 3) + 4 * c(6, 2) + 9 * c(24, 2);  // planes are 3 wide, two of them with gaps 9
    const double y = c(3, 2) + 3 * c(12, 2);
    EXPECT_EQ(t.positions[r].x, x) << r;
    EXPECT_EQ(t.positions[r].y, y) << r;
  }
}

/// The most that a cube may have of everything, and one more or less.
TEST(CubeBounds, AreReached) {
  using Numbers = std::vector<std::uint32_t>;
  const auto said = [](const Numbers& sizes, const std::string& key = "concentration",
                       const OptionValue& value = std::int64_t{1}) {
    Configuration options;
    options.set("topology.kind", "cube");
    options.set("topology.sizes", sizes);
    options.set("topology." + key, value);
    return complaint([&] { make_topology(options); });
  };
  EXPECT_EQ(said(Numbers(8, 2)), "") << "eight dimensions";
  EXPECT_EQ(said(Numbers(8, 1)), "") << "one router";
  EXPECT_EQ(said({1024}), "");
  EXPECT_EQ(said({3, 3}, "wrap", true), "");
  EXPECT_EQ(said({3, 2}, "concentration", std::int64_t{60}), "");
  EXPECT_EQ(said({3, 2}, "concentration", std::int64_t{61}),
            "a router of a mesh 3x2 with 61 nodes has 65 ports: expected at most 64");
  EXPECT_EQ(said({3, 2}, "link_latencies", Numbers{1, 256}), "");
  EXPECT_EQ(said({3, 2}, "link_latencies", Numbers{0, 256}), "topology.link_latencies has 0: expected 1 to 256");
  EXPECT_EQ(said({3, 2}, "link_speeds", Numbers{1, 64}), "");
  EXPECT_EQ(said({3, 2}, "link_speeds", Numbers{1, 0}), "topology.link_speeds has 0: expected 1 to 64");
  EXPECT_EQ(said({3, 2}, "link_speeds", Numbers{1, 2, 3}),
            "topology.link_speeds has 3 numbers, topology.sizes 2: expected as many, or none");
}

TEST(Names, UnknownOnesAreAnsweredWithTheNearest) {
  Configuration options;
  options.set("topology.kind", "mehs");
  try {
    make_topology(options);
    FAIL();
  } catch (const InputError& e) {
    const std::string what = e.what();
    EXPECT_EQ(what.find("unknown topology \"mehs\" (did you mean \"mesh\"?); known: butterfly, chiplet_chain, "), 0U)
        << what;
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
