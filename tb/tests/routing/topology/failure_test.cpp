// Which link [failure] names, and the paths of source routing without it.
#include "routing/topology/failure.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/analysis/path_check.h"
#include "routing/paths/path_computation.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/paths.h"

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
  return complaint([&] { (void)routing::without_link(topology, routing::failed_end(topology, c)); });
}

TEST(Failure, TakesAwayBothEndsAndNoPortNumber) {
  const Configuration c = mesh("0,0", "east");
  const Topology whole = routing::make_topology(c);
  const Topology left = routing::without_link(whole, routing::failed_end(whole, c));
  EXPECT_EQ(left.link_count() + 2, whole.link_count());
  EXPECT_EQ(left.port(RouterId{0}, routing::kEast).kind, routing::PortKind::kUnconnected);
  EXPECT_EQ(left.port(RouterId{1}, routing::kWest).kind, routing::PortKind::kUnconnected);
  EXPECT_EQ(left.port_count(RouterId{0}), whole.port_count(RouterId{0}));
  EXPECT_EQ(left.port(RouterId{0}, routing::kEast).name, "east");
  EXPECT_EQ(left.port(RouterId{1}, routing::kWest).name, "west");
  EXPECT_EQ(left.port(RouterId{0}, routing::kNorth).kind, routing::PortKind::kNetwork) << "another link";
  const Configuration other_end = mesh("1,0", "west");
  const routing::Attachment end = routing::failed_end(whole, other_end);
  EXPECT_EQ(end.router, RouterId{1});
  EXPECT_EQ(end.port, routing::kWest);
  const Topology same = routing::without_link(whole, end);
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t p = 0; p < whole.port_count(RouterId{r}); ++p) {
      EXPECT_EQ(same.routers[r][p].kind, left.routers[r][p].kind) << r << ", " << p;
    }
  }
}

TEST(Failure, IsThereWhereItsSectionIs) {
  Configuration c;
  EXPECT_FALSE(routing::has_failure(c));
  EXPECT_EQ(routing::failure_options().read(c).cycle, 10000U);
  c.open("failure");
  EXPECT_TRUE(routing::has_failure(c));
  EXPECT_TRUE(routing::has_failure(mesh("0,0", "east")));
}

/// Only links are offered, of those the nearest name.
TEST(Failure, SaysWhichLinksThereAre) {
  EXPECT_EQ(refusal(mesh("0.0", "east")),
            "failure.router: unknown router \"0.0\" (did you mean \"0,0\"?); expected the name of one");
  EXPECT_EQ(refusal(mesh("0,0", "west")),
            "failure.port: unknown port \"west\" (did you mean \"east\"?); known: east, north");
  EXPECT_EQ(refusal(mesh("0,0", "local0")),
            "failure.port = \"local0\": a node's cable; expected a link to another router");
  EXPECT_EQ(
      refusal(mesh("1,0", "east", 4, 1)),
      "failure.port: without the link at router 1,0 port east router 0,0 has no path to router 2,0; expected a link "
      "on a ring");
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

/// Paths that a plugin of a user's could have computed: routers by name of the two ends, and of the network's links.
class ScriptedPaths final : public routing::PathComputation {
 public:
  using Rule = routing::PathSet (*)(const Topology&);
  explicit ScriptedPaths(Rule rule) : rule_(rule) {}
  routing::PathSet compute(const Topology& t, const routing::OnProgress&) const override { return rule_(t); }
  bool minimal() const override { return false; }
  bool acyclic() const override { return false; }

 private:
  Rule rule_;
};

/// In a process of its own, for nobody takes a registration back: does source routing over such paths, with that link
/// gone, say what it should? `check`: is it asked for deadlocks, too?
[[noreturn]] void expect_said(const Topology& t, ScriptedPaths::Rule rule, const char* router, const char* port,
                              const std::string& expected, bool check = false) {
  routing::PathComputationRegistry::instance().add(
      "scripted", "by a test", [rule](const routing::PathContext&) { return std::make_unique<ScriptedPaths>(rule); });
  routing::RoutingContext context;
  context.vcs = 1;
  context.configuration.set("routing.paths", "scripted");
  context.configuration.set("routing.in_transit", "none");
  context.configuration.set("failure.router", router);
  context.configuration.set("failure.port", port);
  const std::string said = complaint([&] {
    const auto algorithm = routing::RoutingRegistry::instance().make("source_routed", t, context);
    if (check) routing::check_deadlock_free(t, *algorithm, 1);
  });
  const bool as_expected = expected.empty() ? said.empty() : said.rfind(expected, 0) == 0;
  if (!as_expected) std::fputs(said.c_str(), stderr);
  std::_Exit(as_expected ? 0 : 1);
}

/// From r0 to r2 over r3 and back again: it takes the link to r3 once each way, the link to r1 once.
TEST(Failure, IsRefusedOfALinkThatAPathTakesTwice) {
  const auto rule = [](const Topology& t) {
    routing::PathSet paths = computed(t, "up_down");
    paths.at(RouterId{0}, RouterId{2}) = path_over(ring_of(4), {0, 3, 0, 1, 2});
    paths.at(RouterId{0}, RouterId{2}).in_transit = {2};
    return paths;
  };
  const auto exited_well = testing::ExitedWithCode(0);
  EXPECT_EXIT(expect_said(ring_of(4), rule, "r0", "to_r3",
                          "failure.port: the path from router r0 to router r2 takes this link twice; expected another "
                          "link"),
              exited_well, "");
  EXPECT_EXIT(expect_said(ring_of(4), rule, "r3", "to_r0",
                          "failure.port: the path from router r0 to router r2 takes this link twice; expected another "
                          "link"),
              exited_well, "")
      << "by its other end";
  EXPECT_EXIT(expect_said(ring_of(4), rule, "r0", "to_r1", ""), exited_well, "");
  EXPECT_EXIT(expect_said(ring_of(4), rule, "r2", "to_r3", ""), exited_well, "");
}

/// A ring of four, and r4 joined to r0 by two links. Without one of those all go round the ring the same way.
TEST(Failure, IsRefusedWherePathsAfterItCanDeadlock) {
  const auto rule = [](const Topology& t) {
    if (t.link_count() == 12) return computed(t, "up_down");
    routing::PathSet paths(5);
    for (std::size_t from = 0; from < 5; ++from) {
      for (std::size_t to = 0; to < 5; ++to) {
        if (from == to) continue;
        std::vector<std::size_t> routers{from};
        while (routers.back() != to) {
          const std::size_t here = routers.back();
          routers.push_back(here == 4 ? 0 : here == 0 && to == 4 ? 4 : (here + 1) % 4);
        }
        paths.at(RouterId{from}, RouterId{to}) = path_over(t, routers);
      }
    }
    return paths;
  };
  const Topology t = graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {0, 4}});
  EXPECT_EXIT(
      expect_said(t, rule, "r0", "to_r4",
                  "the paths after the failure can deadlock on a graph (expected another routing.in_transit, or "
                  "routing.paths that close no cycle): channels wait for each other in a cycle: (r",
                  true),
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace braid::test::topology_failure_test
