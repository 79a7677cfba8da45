// Which link [failure] names, and the paths of source routing without it.
#include "routing/topology/failure.h"

#include <gtest/gtest.h>

#include <string>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/analysis/path_check.h"
#include "routing/paths/path_computation.h"

namespace braid::test::topology_failure_test {
namespace {

using routing::Topology;

Configuration mesh(const std::string& router, const std::string& port, int width = 2, int height = 2) {
  Configuration c;
  c.set("topology.width", width);
  c.set("topology.height", height);
  c.set("failure.router", router);
  c.set("failure.port", port);
  return c;
}

std::string refusal(const Configuration& c) {
  const Topology topology = routing::make_topology(c);
  try {
    (void)routing::without_link(topology, routing::failed_end(topology, c));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Failure, TakesAwayBothEndsAndNoPortNumber) {
  const Configuration c = mesh("0,0", "east");
  const Topology whole = routing::make_topology(c);
  const Topology left = routing::without_link(whole, routing::failed_end(whole, c));
  EXPECT_EQ(left.link_count() + 2, whole.link_count());
  EXPECT_EQ(left.port(RouterId{0}, routing::kEast).kind, routing::PortKind::kUnconnected);
  EXPECT_EQ(left.port(RouterId{1}, routing::kWest).kind, routing::PortKind::kUnconnected);
  EXPECT_EQ(left.port_count(RouterId{0}), whole.port_count(RouterId{0}));
}

TEST(Failure, AnswersUnknownNamesWithTheNearest) {
  EXPECT_NE(refusal(mesh("0.0", "east")).find("did you mean \"0,0\"?"), std::string::npos);
  EXPECT_NE(refusal(mesh("0,0", "eats")).find("did you mean \"east\"?"), std::string::npos);
  EXPECT_NE(refusal(mesh("0,0", "west")).find("unknown port \"west\""), std::string::npos) << "the mesh's edge";
  EXPECT_NE(refusal(mesh("0,0", "local0")).find("a node's cable"), std::string::npos);
}

TEST(Failure, RefusesALinkWithoutWhichNodesAreCutOff) {
  EXPECT_NE(refusal(mesh("1,0", "east", 4, 1)).find("has no path to router 2,0"), std::string::npos)
      << refusal(mesh("1,0", "east", 4, 1));
  EXPECT_EQ(refusal(mesh("1,0", "east", 4, 2)), "");
}

/// Every computation with every placement, on a network of 8 switches.
TEST(Failure, NewPathsDoWithoutTheLinkAndCannotDeadlock) {
  for (const std::string& paths : routing::PathComputationRegistry::instance().names()) {
    for (std::string placement : routing::InTransitPlacementRegistry::instance().names()) {
      const auto computation = routing::PathComputationRegistry::instance().make(paths, {Configuration{}});
      if (computation->acyclic()) placement = "none";
      SCOPED_TRACE(paths + " " + placement);
      Configuration c;
      c.set("topology.kind", "irregular");
      c.set("topology.switches", 8);
      c.set("routing.algorithm", "source_routed");
      c.set("routing.vcs", 1);
      c.set("routing.paths", paths);
      c.set("routing.in_transit", placement);
      c.set("failure.router", "s2");
      c.set("failure.port", "link1");
      const Topology whole = routing::make_topology(c);
      const auto algorithm = routing::make_routing(whole, c);
      ASSERT_EQ(algorithm->routes()->epochs(), 2U);
      const Topology left = routing::without_link(whole, routing::failed_end(whole, c));
      const routing::PathClaims claims{computation->minimal(), computation->acyclic()};
      const routing::PathCheck check = routing::check_paths(left, algorithm->routes()->paths(1), claims);
      EXPECT_TRUE(check.good()) << check.fault << check.cycle_text();
      EXPECT_NO_THROW(routing::check_deadlock_free(whole, *algorithm, 1));
    }
  }
}

}  // namespace
}  // namespace braid::test::topology_failure_test
