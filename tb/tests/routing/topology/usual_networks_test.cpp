// What each kind of network is where nothing is said: its size, its links and what they take (docs/configuration.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "routing/topology/topology.h"

namespace braid::test::usual_networks_test {
namespace {

using namespace routing;

Topology usual(const std::string& kind) {
  Configuration options;
  options.set("topology.kind", kind);
  return make_topology(options);
}

struct Usual {
  const char* kind;
  const char* name;
  std::size_t routers, nodes, links;  // links of one direction
};
class UsualNetworks : public testing::TestWithParam<Usual> {};

TEST_P(UsualNetworks, HaveTheirSize) {
  const Usual& expected = GetParam();
  const Topology t = usual(expected.kind);
  EXPECT_EQ(t.name, expected.name);
  EXPECT_EQ(t.router_count(), expected.routers);
  EXPECT_EQ(t.node_count(), expected.nodes);
  EXPECT_EQ(t.link_count(), expected.links);
  EXPECT_FALSE(t.has_faster_links());
  for (const std::vector<Attachment>& node : t.nodes) EXPECT_EQ(node.size(), 1U) << "one local port";
}
INSTANTIATE_TEST_SUITE_P(
    Kinds, UsualNetworks,
    testing::Values(Usual{"mesh", "mesh 8x8", 64, 64, 2 * 2 * 7 * 8}, Usual{"torus", "torus 8x8", 64, 64, 4 * 64},
                    Usual{"chiplet_chain", "chain of 2 chiplets 8x8", 128, 128, 2 * (15 * 8 + 7 * 16)},
                    Usual{"cube", "mesh 4x4x4", 64, 64, 2 * 3 * 3 * 16},
                    Usual{"flattened_butterfly", "flattened butterfly 4x4x4", 64, 64, 64 * 9},
                    Usual{"dragonfly", "dragonfly a=4 p=2 h=2", 36, 72, 36 * 5},
                    Usual{"k_ary_n_tree", "4-ary 3-tree", 48, 64, 2 * 2 * 64},
                    // Four switches with two nodes and two links up, two with four up, and the root.
                    Usual{"fat_tree", "fat tree k=2 n=3", 7, 8, 2 * (4 * 2 + 2 * 4)},
                    Usual{"butterfly", "4-ary 3-fly", 48, 64, 2 * 64},
                    Usual{"hexagonal", "hexagonal E6", 91, 91, 6 * 91},
                    Usual{"irregular", "irregular network 0 of 16 switches", 16, 64, 16 * 4}),
    [](const auto& c) { return std::string(c.param.kind); });

/// Those between chiplets take four cycles.
TEST(UsualLinks, TakeACycle) {
  for (const std::string& kind : TopologyRegistry::instance().names()) {
    if (kind == "graph") continue;
    const Topology t = usual(kind);
    std::map<std::uint32_t, std::size_t> latencies;
    for (const auto& ports : t.routers) {
      for (const Port& port : ports) ++latencies[port.latency_cycles];
    }
    if (kind == "chiplet_chain") {
      EXPECT_EQ(latencies.size(), 2U);
      EXPECT_EQ(latencies[4], 16U) << "eight rows, at both ends";
    } else {
      EXPECT_EQ(latencies.size(), 1U) << kind;
    }
    EXPECT_GT(latencies[1], 0U) << kind;
  }
}

/// Palm trees, and all of a row's links as long.
TEST(UsualLinks, LeadWhereTheyDoMostOften) {
  const Topology dragonfly = usual("dragonfly");
  EXPECT_EQ(dragonfly.dragonfly->global_links, Dragonfly::GlobalLinks::kPalmTree);
  EXPECT_EQ(dragonfly.port(RouterId{0}, PortId{3}).name, "group_1");
  const Topology mesh = usual("cube");
  EXPECT_EQ(mesh.cube->row, Cube::Row::kLine);
  EXPECT_EQ(mesh.port(RouterId{0}, PortId{4}).kind, PortKind::kNetwork) << "vertical links are everywhere";
  const Topology irregular = usual("irregular");
  EXPECT_EQ(irregular.port_count(RouterId{5}), 8U);
}

TEST(UsualKind, IsAMeshOfEightByEight) { EXPECT_EQ(make_topology({}).name, "mesh 8x8"); }

}  // namespace
}  // namespace braid::test::usual_networks_test
