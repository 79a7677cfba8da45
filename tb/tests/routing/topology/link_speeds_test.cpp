// Links of several flits a cycle, in every kind of topology: both ends, all links or those of a class, none of nodes.
#include <gtest/gtest.h>

#include <fstream>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::link_speeds_test {
namespace {

using namespace routing;
using Numbers = std::vector<std::uint32_t>;

Configuration options_of(const std::string& kind) {
  Configuration options;
  options.set("topology.kind", kind);
  if (kind == "graph") options.set("topology.file", std::string(kSourceFolder) + "/tb/experiments/ring.graphml");
  return options;
}

/// Of links between routers by the beginning of their ports' names, which end where a number does.
std::uint32_t speed_of(const Topology& t, RouterId router, const std::string& begin) {
  for (const Port& port : t.routers[router.value]) {
    if (port.kind == PortKind::kNetwork && port.name.rfind(begin, 0) == 0) return port.flits_per_cycle;
  }
  return 0;
}

bool joins_chiplets(const Topology& t, const Port& port) {
  if (!t.chain || port.kind != PortKind::kNetwork) return false;
  const RouterId back = t.port(port.peer_router, port.peer_port).peer_router;
  return t.chain->chiplet(back) != t.chain->chiplet(port.peer_router);
}

class LinkSpeeds : public testing::TestWithParam<std::string> {};

TEST_P(LinkSpeeds, AreThoseOfTheKeyForAllLinksBetweenRouters) {
  Configuration options = options_of(GetParam());
  EXPECT_FALSE(make_topology(options).has_faster_links());
  options.set("topology.link_flits_per_cycle", 3);
  const Topology t = make_topology(options);
  EXPECT_TRUE(t.has_faster_links());
  std::size_t faster = 0;
  for (const auto& ports : t.routers) {
    for (const Port& port : ports) {
      const bool apart = port.name.rfind("group_", 0) == 0 || joins_chiplets(t, port);
      const bool between = port.kind == PortKind::kNetwork || port.kind == PortKind::kIncoming;
      EXPECT_EQ(port.flits_per_cycle, between && !apart ? 3U : 1U) << port.name;
      faster += port.flits_per_cycle == 3 ? 1 : 0;
    }
  }
  EXPECT_GT(faster, 0U);
  for (const std::uint32_t none : {0U, 65U}) {
    options.set("topology.link_flits_per_cycle", none);
    EXPECT_EQ(complaint([&] { make_topology(options); }),
              "topology.link_flits_per_cycle = " + std::to_string(none) + ": expected integer, 1 to 64");
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LinkSpeeds, testing::ValuesIn(TopologyRegistry::instance().names()),
                         [](const auto& c) { return c.param; });

TEST(LinkSpeedsOf, ADimensionAreItsOwn) {
  for (const char* kind : {"cube", "flattened_butterfly"}) {
    Configuration options = options_of(kind);
    options.set("topology.sizes", Numbers{2, 3, 2});
    options.set("topology.link_flits_per_cycle", 7);
    options.set("topology.link_speeds", Numbers{1, 2, 64});
    const Topology t = make_topology(options);
    for (const RouterId r : {RouterId{0}, RouterId{11}}) {
      EXPECT_EQ(speed_of(t, r, "x_"), 1U) << kind;
      EXPECT_EQ(speed_of(t, r, "y_"), 2U) << kind;
      EXPECT_EQ(speed_of(t, r, "z_"), 64U) << kind;
    }
    options.set("topology.link_speeds", Numbers{1, 2});
    EXPECT_EQ(complaint([&] { make_topology(options); }),
              "topology.link_speeds has 2 numbers, topology.sizes 3: expected as many, or none");
    options.set("topology.link_speeds", Numbers{1, 2, 65});
    EXPECT_EQ(complaint([&] { make_topology(options); }), "topology.link_speeds has 65: expected 1 to 64");
  }
}

TEST(LinkSpeedsOf, LinksBetweenGroupsAreTheirOwn) {
  Configuration options = options_of("dragonfly");
  options.set("topology.link_flits_per_cycle", 2);
  options.set("topology.global_flits_per_cycle", 5);
  const Topology t = make_topology(options);
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    EXPECT_EQ(speed_of(t, RouterId{r}, "to_"), 2U);
    EXPECT_EQ(speed_of(t, RouterId{r}, "group_"), 5U);
  }
}

TEST(LinkSpeedsOf, TrunksGoBeforeThoseOfAllLinks) {
  Configuration options = options_of("fat_tree");
  options.set("topology.link_flits_per_cycle", 3);
  options.set("topology.trunk_flits_per_cycle", Numbers{1, 6});
  const Topology t = make_topology(options);
  EXPECT_EQ(speed_of(t, RouterId{0}, "down"), 6U);
  EXPECT_EQ(speed_of(t, RouterId{1}, "up"), 6U);
  EXPECT_EQ(speed_of(t, RouterId{1}, "down"), 1U);
  EXPECT_EQ(speed_of(t, RouterId{3}, "up"), 1U);
}

TEST(LinkSpeedsOf, AnEdgeGoBeforeThoseOfAllLinks) {
  const std::string file = temporary_file("edges.graphml");
  std::ofstream(file) << "<graphml><key id=\"s\" for=\"edge\" attr.name=\"flits_per_cycle\" attr.type=\"int\"/>\n"
                         "<graph><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/><edge source=\"a\" target=\"b\"/>\n"
                         "<edge source=\"b\" target=\"c\"><data key=\"s\">1</data></edge></graph></graphml>";
  Configuration options;
  options.set("topology.kind", "graph");
  options.set("topology.file", file);
  options.set("topology.link_flits_per_cycle", 4);
  EXPECT_EQ(speeds_of(make_topology(options)), (std::vector<Numbers>{{4, 1}, {4, 1, 1}, {1, 1}}));
}

TEST(LinkSpeedsOf, TheTwoEndsAreOne) {
  Topology t = graph_of(2, {{0, 1}});
  t.routers[0][0].flits_per_cycle = 2;
  EXPECT_EQ(complaint([&] { t.check(); }), "router r0 port to_r1: 2 flits/cycle, 1 at the far end of the link");
  t.routers[1][0].flits_per_cycle = 2;
  EXPECT_EQ(complaint([&] { t.check(); }), "");
}

TEST(LinkSpeedsOf, NodesAreOne) {
  Topology t = graph_of(2, {{0, 1}});
  t.routers[1][1].flits_per_cycle = 2;
  EXPECT_EQ(complaint([&] { t.check(); }), "router r1 port local0: 2 flits/cycle; expected 1 but between routers");
}

}  // namespace
}  // namespace braid::test::link_speeds_test
