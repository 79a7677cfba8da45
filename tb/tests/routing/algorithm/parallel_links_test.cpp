// Several links between the same two routers (`routing.parallel_links`): who takes which.
#include <gtest/gtest.h>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/analysis/channel_dependency.h"
#include "routing/analysis/link_loads.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::parallel_links_test {
namespace {

using namespace routing;

/// r0 - r1 by three links, r1 - r2 by one; `nodes` at r0 first, then as many at r2.
Topology trunk(std::size_t nodes) {
  Topology t = graph_of(3, {{0, 1}, {0, 1}, {0, 1}, {1, 2}}, 0);
  for (const std::size_t router : {0U, 2U}) {
    for (std::size_t i = 0; i < nodes; ++i) {
      const NodeId node{t.nodes.size()};
      t.nodes.push_back({{RouterId{router}, PortId{t.routers[router].size()}}});
      t.routers[router].push_back({PortKind::kLocal, RouterId{}, PortId{}, node, 1, "local" + std::to_string(i)});
    }
  }
  return t;
}

std::unique_ptr<RoutingAlgorithm> made(const Topology& t, const char* algorithm, const char* choice) {
  RoutingContext context;
  context.configuration.set("routing.parallel_links", choice);
  return RoutingRegistry::instance().make(algorithm, t, context);
}

/// The port of r0 that a packet takes to r1, or of r1 back to r0.
std::size_t taken(const Topology& t, const RoutingAlgorithm& routing, std::size_t source, std::size_t destination) {
  for (const Hop& hop : path_between(t, routing, NodeId{source}, NodeId{destination}, 0)) {
    if (t.port(hop.router, hop.port).kind != PortKind::kNetwork) continue;
    if (hop.router != RouterId{2} && t.port(hop.router, hop.port).peer_router != RouterId{2}) return hop.port.value;
  }
  return SIZE_MAX;
}

class Parallel : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Links, Parallel, testing::Values("table", "deterministic"));

TEST_P(Parallel, AreTakenByTheNumberOfTheNodeModuloTheLinks) {
  const Topology t = trunk(4);  // nodes 0 to 3 at r0, 4 to 7 at r2
  const auto lowest = made(t, GetParam(), "lowest");
  const auto destination = made(t, GetParam(), "by_destination");
  const auto source = made(t, GetParam(), "by_source");
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 4; b < 8; ++b) {
      EXPECT_EQ(taken(t, *lowest, a, b), 0U);
      EXPECT_EQ(taken(t, *destination, a, b), b % 3);
      EXPECT_EQ(taken(t, *source, a, b), a % 3);
      EXPECT_EQ(taken(t, *destination, b, a), a % 3);
      EXPECT_EQ(taken(t, *source, b, a), b % 3);
    }
  }
  EXPECT_FALSE(lowest->depends_on_source());
  EXPECT_FALSE(destination->depends_on_source());
  EXPECT_TRUE(source->depends_on_source());
  for (const auto* routing : {&lowest, &destination, &source}) {
    EXPECT_EQ(complaint([&] { check_deadlock_free(t, **routing, 1); }), "");
  }
}

/// Closed form: with all links of a trunk in use the fullest one has a third of what one had.
TEST_P(Parallel, ShareTheLoad) {
  const Topology t = trunk(3);
  std::vector<Flow> flows;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 3; b < 6; ++b) flows.push_back({NodeId{a}, NodeId{b}, 1.0});
  }
  for (const char* choice : {"lowest", "by_destination", "by_source"}) {
    const auto loads = link_loads(t, *made(t, GetParam(), choice), flows);
    const bool one = std::string(choice) == "lowest";
    EXPECT_EQ(loads[0][0], one ? 9.0 : 3.0) << choice;
    EXPECT_EQ(loads[0][1], one ? 0.0 : 3.0) << choice;
    EXPECT_EQ(loads[0][2], one ? 0.0 : 3.0) << choice;
    EXPECT_EQ(loads[1][3], 9.0) << choice << ": a single link has what it had";
  }
}

/// A table from a file names its links itself.
TEST(ParallelLinks, AreNoKeyOfATableFromAFile) {
  models::Experiment e;
  e.set("routing.algorithm", "table");
  e.set("routing.table_file", "t.txt");
  e.set("routing.parallel_links", "by_source");
  EXPECT_NE(complaint([&] { models::check_keys(e); }).find("routing.table_file"), std::string::npos);
}

}  // namespace
}  // namespace braid::test::parallel_links_test
