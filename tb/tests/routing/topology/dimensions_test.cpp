// Meshes, tori and flattened butterflies of several dimensions, and dragonflies: wire by wire on small ones, and closed
// forms of degree, links, distance and bisection (Dally and Towles, "Principles and practices of interconnection
// networks", chapters 3 and 5).
#include "tb/tests/support/dimensions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "tb/tests/support/graphs.h"

namespace braid::test::dimensions_test {
namespace {

using namespace routing;
using Sizes = std::vector<std::uint32_t>;

std::string end(const Topology& t, std::size_t router, std::size_t port) {
  const Port& p = t.routers[router][port];
  if (p.kind == PortKind::kUnconnected) return "-";
  if (p.kind == PortKind::kLocal) return "node " + std::to_string(p.node.value);
  return t.router_names[p.peer_router.value] + "." + t.port(p.peer_router, p.peer_port).name;
}
std::vector<std::string> ends(const Topology& t, std::size_t router) {
  std::vector<std::string> all;
  for (std::size_t p = 0; p < t.routers[router].size(); ++p) all.push_back(end(t, router, p));
  return all;
}
using Ends = std::vector<std::string>;

TEST(Cube, ThreeByTwoByTwoWireByWire) {
  const Topology t = cube_of("cube", {3, 2, 2});
  EXPECT_EQ(t.name, "mesh 3x2x2");
  EXPECT_EQ(t.router_names[7], "1,0,1");  // 1 + 0 * 3 + 1 * 6
  EXPECT_EQ(ends(t, 7), (Ends{"2,0,1.x_down", "0,0,1.x_up", "1,1,1.y_down", "-", "-", "1,0,0.z_up", "node 7"}));
}

TEST(Cube, RingsAreClosed) {
  const Topology t = cube_of("cube", {3, 4}, true, 2);
  EXPECT_EQ(t.name, "torus 3x4");
  EXPECT_EQ(ends(t, 0), (Ends{"1,0.x_down", "2,0.x_up", "0,1.y_down", "0,3.y_up", "node 0", "node 1"}));
  EXPECT_EQ(t.node_count(), 24U);
}

TEST(FlattenedButterfly, ThreeByTwoWireByWire) {
  const Topology t = cube_of("flattened_butterfly", {3, 2}, false, 2);
  EXPECT_EQ(t.name, "flattened butterfly 3x2");
  EXPECT_EQ(ends(t, 4), (Ends{"0,1.x_to_1", "2,1.x_to_1", "1,0.y_to_1", "node 8", "node 9"}));  // router 1,1
}

/// a = 2, h = 1: three groups of two routers; link j of group g leads to group g + j + 1.
TEST(Dragonfly, ThreeGroupsWireByWire) {
  const Topology t = dragonfly_of(2, 1, 1);
  EXPECT_EQ(t.router_names, (Ends{"0,0", "0,1", "1,0", "1,1", "2,0", "2,1"}));
  EXPECT_EQ(ends(t, 0), (Ends{"0,1.to_0", "1,1.group_0", "node 0"}));
  EXPECT_EQ(ends(t, 1), (Ends{"0,0.to_1", "2,0.group_0", "node 1"}));
  EXPECT_EQ(ends(t, 2), (Ends{"1,1.to_0", "2,1.group_1", "node 2"}));
}

/// The same, each group's links to the first group first.
TEST(Dragonfly, ThreeGroupsWireByWireInTheAbsoluteArrangement) {
  const Topology t = dragonfly_of(2, 1, 1, "absolute");
  EXPECT_EQ(t.name, "dragonfly a=2 p=1 h=1, absolute");
  EXPECT_EQ(ends(t, 0), (Ends{"0,1.to_0", "1,0.group_0", "node 0"}));
  EXPECT_EQ(ends(t, 1), (Ends{"0,0.to_1", "2,0.group_0", "node 1"}));
  EXPECT_EQ(ends(t, 2), (Ends{"1,1.to_0", "0,0.group_1", "node 2"}));
  EXPECT_EQ(ends(t, 3), (Ends{"1,0.to_1", "2,1.group_1", "node 3"}));
  EXPECT_EQ(ends(t, 4), (Ends{"2,1.to_0", "0,1.group_2", "node 4"}));
  EXPECT_EQ(ends(t, 5), (Ends{"2,0.to_1", "1,1.group_2", "node 5"}));
}

/// The arrangements by their definitions (Hastings et al., CLUSTER 2015): over a group's routers and their ports the
/// groups that its links lead to are all others, ascending (absolute), or the next ones, one after the other
/// (relative).
TEST(Dragonfly, LinksLeadToTheGroupsOfTheirArrangement) {
  for (const auto& [a, p, h] : {std::tuple{4U, 2U, 2U}, {3U, 1U, 2U}, {2U, 2U, 3U}, {1U, 1U, 4U}, {8U, 1U, 4U}}) {
    const std::uint32_t groups = a * h + 1;
    for (const bool absolute : {true, false}) {
      const Topology t = dragonfly_of(a, p, h, absolute ? "absolute" : "palm_tree");
      for (std::uint32_t g = 0; g < groups; ++g) {
        std::vector<std::uint32_t> expected, found;
        for (std::uint32_t other = 0; other < groups; ++other) {
          if (absolute && other != g) expected.push_back(other);
          if (!absolute && other != 0) expected.push_back((g + other) % groups);
        }
        for (std::uint32_t r = g * a; r < (g + 1) * a; ++r) {
          for (const Port& port : t.routers[r]) {
            if (port.name.rfind("group_", 0) == 0) found.push_back(port.peer_router.value / a);
          }
        }
        EXPECT_EQ(found, expected) << t.name << ", group " << g;
      }
    }
  }
}

std::uint64_t routers_of(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{1}, std::multiplies<>());
}
struct Distances {
  std::uint32_t most = 0;
  double mean = 0.0;  // of all pairs, a router and itself among them
};
Distances distances_in(const Topology& t) {
  Distances d;
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    for (const std::uint32_t links : t.distances_to(RouterId{r})) {
      d.most = std::max(d.most, links);
      d.mean += links;
    }
  }
  d.mean /= static_cast<double>(t.router_count() * t.router_count());
  return d;
}
/// Links, one direction, from the lower half of dimension `d` to the upper.
std::size_t cut_of(const Topology& t, std::size_t d) {
  const Cube& cube = *t.cube;
  const auto upper = [&](RouterId r) { return 2 * cube.coordinate(r, d) >= cube.sizes[d]; };
  std::size_t links = 0;
  for (std::size_t r = 0; r < t.router_count(); ++r) {
    for (const Port& p : t.routers[r]) {
      links += p.kind == PortKind::kNetwork && !upper(RouterId{r}) && upper(p.peer_router) ? 1 : 0;
    }
  }
  return links;
}

class Dimensions : public testing::TestWithParam<Sizes> {};

TEST_P(Dimensions, MeshHasItsClosedForms) {
  const Topology t = cube_of("cube", GetParam());
  const std::uint64_t n = routers_of(GetParam());
  std::uint64_t links = 0;
  Distances expected;
  for (const std::uint32_t k : GetParam()) {
    links += 2 * (k - 1) * (n / k);
    expected.most += k - 1;
    expected.mean += (k * static_cast<double>(k) - 1) / (3.0 * k);
  }
  EXPECT_EQ(t.link_count(), links);
  EXPECT_EQ(distances_in(t).most, expected.most);
  EXPECT_NEAR(distances_in(t).mean, expected.mean, 1e-9);
  EXPECT_EQ(cut_of(t, 0), n / GetParam()[0]);
}

TEST_P(Dimensions, TorusHasItsClosedForms) {
  const Topology t = cube_of("cube", GetParam(), true);
  const std::uint64_t n = routers_of(GetParam());
  Distances expected;
  for (const std::uint32_t k : GetParam()) {
    expected.most += k / 2;
    expected.mean += k % 2 == 0 ? k / 4.0 : k / 4.0 - 1 / (4.0 * k);
  }
  EXPECT_EQ(t.link_count(), 2 * n * GetParam().size());
  EXPECT_EQ(distances_in(t).most, expected.most);
  EXPECT_NEAR(distances_in(t).mean, expected.mean, 1e-9);
  EXPECT_EQ(cut_of(t, 0), 2 * n / GetParam()[0]);
}

TEST_P(Dimensions, FlattenedButterflyHasItsClosedForms) {
  const Topology t = cube_of("flattened_butterfly", GetParam(), false, 3);
  const std::uint64_t n = routers_of(GetParam());
  std::uint64_t degree = 0;
  double mean = 0.0;
  for (const std::uint32_t k : GetParam()) {
    degree += k - 1;
    mean += (k - 1.0) / k;
  }
  EXPECT_EQ(t.max_port_count(), degree + 3);
  EXPECT_EQ(t.link_count(), n * degree);
  EXPECT_EQ(distances_in(t).most, GetParam().size());
  EXPECT_NEAR(distances_in(t).mean, mean, 1e-9);
  const std::uint64_t k = GetParam()[0];
  EXPECT_EQ(cut_of(t, 0), (k / 2) * ((k + 1) / 2) * (n / k));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Dimensions,
                         testing::Values(Sizes{7}, Sizes{3, 5}, Sizes{4, 4, 4}, Sizes{5, 3, 4}, Sizes{3, 4, 3, 3}));

void expect_each_two_groups_joined_once(const char* global_links) {
  for (const auto& [a, p, h] : {std::tuple{4U, 2U, 2U}, {3U, 1U, 2U}, {2U, 2U, 3U}, {1U, 1U, 4U}}) {
    const Topology t = dragonfly_of(a, p, h, global_links);
    const std::size_t groups = std::size_t{a} * h + 1;
    EXPECT_EQ(t.router_count(), groups * a);
    EXPECT_EQ(t.node_count(), groups * a * p);
    EXPECT_EQ(t.link_count(), groups * (a * (a - 1) + a * h));
    EXPECT_LE(distances_in(t).most, 3U);
    std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
    for (std::size_t r = 0; r < t.router_count(); ++r) {
      for (const Port& port : t.routers[r]) {
        if (port.kind != PortKind::kNetwork) continue;
        const std::uint32_t from = t.dragonfly->group(RouterId{r}), to = t.dragonfly->group(port.peer_router);
        EXPECT_EQ(port.name.rfind("group_", 0) == 0, from != to);
        if (from != to) {
          EXPECT_TRUE(joined.emplace(from, to).second);
        }
      }
    }
    EXPECT_EQ(joined.size(), groups * (groups - 1));
  }
}
TEST(Dragonfly, JoinsEachTwoGroupsOnce) {
  for (const char* global_links : {"palm_tree", "absolute"}) expect_each_two_groups_joined_once(global_links);
}

TEST(Cube, LinksOfADimensionHaveItsLatency) {
  Configuration options;
  options.set("topology.kind", "cube");
  options.set("topology.sizes", Sizes{2, 2, 2});
  options.set("topology.link_latencies", Sizes{1, 2, 9});
  const Topology t = make_topology(options);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_EQ(t.port(RouterId{0}, PortId{2 * d}).latency_cycles, (Sizes{1, 2, 9})[d]);
    EXPECT_EQ(t.port(RouterId{7}, PortId{2 * d + 1}).latency_cycles, (Sizes{1, 2, 9})[d]);
  }
}

/// On a chip whose routers stand in rows a link takes as long as it passes positions (Kim, Balfour, Dally, "Flattened
/// butterfly topology for on-chip networks", MICRO 2007): from router 3 of a row of five to router 0 three times its
/// dimension's latency.
TEST(FlattenedButterfly, LinksAreAsLongAsTheirEndsStandApart) {
  Configuration options;
  options.set("topology.kind", "flattened_butterfly");
  options.set("topology.sizes", Sizes{5, 3});
  options.set("topology.link_latencies", Sizes{2, 7});
  for (const bool by_distance : {false, true}) {
    options.set("topology.latency_by_distance", by_distance);
    const Topology t = make_topology(options);
    std::size_t links = 0;
    for (std::size_t r = 0; r < t.router_count(); ++r) {
      const int x = static_cast<int>(r % 5), y = static_cast<int>(r / 5);
      for (const Port& port : t.routers[r]) {
        if (port.kind != PortKind::kNetwork) {
          EXPECT_EQ(port.latency_cycles, 1U);  // a node's
          continue;
        }
        const int dx = std::abs(x - static_cast<int>(port.peer_router.value % 5)),
                  dy = std::abs(y - static_cast<int>(port.peer_router.value / 5));
        const int expected = by_distance ? 2 * dx + 7 * dy : dx != 0 ? 2 : 7;
        EXPECT_EQ(static_cast<int>(port.latency_cycles), expected) << port.name << " of router " << r;
        ++links;
      }
    }
    EXPECT_EQ(links, 15U * (4 + 2));
  }
}

TEST(Dragonfly, LinksBetweenGroupsHaveALatencyOfTheirOwn) {
  Configuration options;
  options.set("topology.kind", "dragonfly");
  options.set("topology.link_latency_cycles", 2);
  options.set("topology.global_latency_cycles", 9);
  for (const auto& ports : make_topology(options).routers) {
    for (const Port& p : ports) {
      if (p.kind == PortKind::kNetwork) {
        EXPECT_EQ(p.latency_cycles, p.name.rfind("group_", 0) == 0 ? 9U : 2U) << p.name;
      }
    }
  }
}

std::string refusal(const std::string& kind, const std::vector<std::pair<std::string, OptionValue>>& given) {
  Configuration options;
  options.set("topology.kind", kind);
  for (const auto& [key, value] : given) options.set("topology." + key, value);
  return complaint([&] { make_topology(options); });
}

TEST(Cube, RefusesWhatItCannotBe) {
  EXPECT_EQ(refusal("cube", {{"sizes", Sizes{}}}), "topology.sizes has 0 dimensions: expected 1 to 8");
  EXPECT_EQ(refusal("cube", {{"sizes", Sizes(9, 2)}}), "topology.sizes has 9 dimensions: expected 1 to 8");
  EXPECT_EQ(refusal("cube", {{"sizes", Sizes{4, 0}}}), "topology.sizes has a row of 0 routers: expected 1 to 1024");
  EXPECT_EQ(refusal("cube", {{"sizes", Sizes{4, 2}}, {"wrap", true}}),
            "topology.sizes has a row of 2 routers: expected 3 to 1024 in a torus");
  EXPECT_EQ(refusal("cube", {{"sizes", Sizes{1024, 1024, 2}}}), "topology.sizes: expected at most 1048576 routers");
  EXPECT_EQ(refusal("cube", {{"sizes", Sizes{4, 4}}, {"link_latencies", Sizes{1}}}),
            "topology.link_latencies has 1 numbers, topology.sizes 2: expected as many, or none");
  EXPECT_EQ(refusal("cube", {{"sizes", Sizes{4, 4}}, {"link_latencies", Sizes{1, 257}}}),
            "topology.link_latencies has 257: expected 1 to 256");
  const OptionValue yes{true};
  EXPECT_EQ(refusal("flattened_butterfly",
                    {{"sizes", Sizes{4, 9}}, {"link_latencies", Sizes{1, 33}}, {"latency_by_distance", yes}}),
            "topology.latency_by_distance: the longest link of dimension 1 takes 264 cycles, 33 for each position: "
            "expected at most 256");
  EXPECT_EQ(refusal("flattened_butterfly",
                    {{"sizes", Sizes{4, 9}}, {"link_latencies", Sizes{1, 32}}, {"latency_by_distance", yes}}),
            "");  // 256 are not too many
  EXPECT_EQ(refusal("flattened_butterfly", {{"sizes", Sizes{33, 33}}}),
            "a router of a flattened butterfly 33x33 with 1 nodes has 65 ports: expected at most 64");
  EXPECT_EQ(refusal("dragonfly", {{"routers_per_group", 40}, {"global_ports", 20}, {"nodes_per_router", 6}}),
            "a dragonfly a=40 p=6 h=20 has routers of 65 ports: expected at most 64");
}

}  // namespace
}  // namespace braid::test::dimensions_test
