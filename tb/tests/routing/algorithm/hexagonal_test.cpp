// The wrapped hexagonal mesh: size, symmetry, diameter, and distances known without a search.
#include "routing/topology/hexagonal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "routing/algorithm/routing_algorithm.h"

namespace braid::test::hexagonal_test {
namespace {

using namespace routing;

Topology hexagonal(std::uint32_t edge) {
  Configuration options;
  options.set("topology.kind", "hexagonal");
  options.set("topology.edge", edge);
  return make_topology(options);
}

class Hexagonal : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Hexagonal, HasThePapersSizeAndSixDifferentNeighbours) {
  const std::uint32_t n = GetParam();
  const Topology mesh = hexagonal(n);
  EXPECT_EQ(mesh.router_count(), 3U * n * (n - 1) + 1);
  EXPECT_EQ(mesh.node_count(), mesh.router_count());
  EXPECT_EQ(mesh.link_count(), 6 * mesh.router_count());
  for (std::size_t r = 0; r < mesh.router_count(); ++r) {
    std::set<std::uint32_t> neighbours{static_cast<std::uint32_t>(r)};
    for (std::size_t p = 0; p < 6; ++p) neighbours.insert(mesh.port(RouterId{r}, PortId{p}).peer_router.value);
    EXPECT_EQ(neighbours.size(), 7U);
  }
  EXPECT_EQ(mesh.port(RouterId{0}, PortId{6}).kind, PortKind::kLocal);
}

/// Turning all routers by one is a symmetry, so every router sees the same network.
TEST_P(Hexagonal, IsVertexTransitive) {
  const Topology mesh = hexagonal(GetParam());
  const std::size_t routers = mesh.router_count();
  for (std::size_t r = 0; r < routers; ++r) {
    for (std::size_t p = 0; p < 6; ++p) {
      const std::size_t here = mesh.port(RouterId{r}, PortId{p}).peer_router.value;
      const std::size_t turned = mesh.port(RouterId{(r + 1) % routers}, PortId{p}).peer_router.value;
      EXPECT_EQ(turned, (here + 1) % routers);
    }
  }
}

/// Ring k of a hexagon has 6k routers, so the diameter is n - 1 and nothing is further.
TEST_P(Hexagonal, HasSixKRoutersAtDistanceK) {
  const Topology mesh = hexagonal(GetParam());
  std::vector<std::size_t> at(GetParam() + 1);
  for (const std::uint32_t d : mesh.distances_to(RouterId{0})) {
    ASSERT_LT(d, GetParam()) << "beyond the diameter";
    ++at[d];
  }
  EXPECT_EQ(at[0], 1U);
  for (std::uint32_t k = 1; k < GetParam(); ++k) EXPECT_EQ(at[k], 6U * k);
}

/// The name "q,r" is the place on the flat hexagon: the distance from its middle follows without a search.
TEST_P(Hexagonal, NamesTellTheDistance) {
  const Topology mesh = hexagonal(GetParam());
  const auto distance = mesh.distances_to(RouterId{0});
  std::set<std::string> names;
  for (std::size_t router = 0; router < mesh.router_count(); ++router) {
    int q = 0, r = 0;
    char comma = 0;
    std::istringstream(mesh.router_names[router]) >> q >> comma >> r;
    const int steps = std::max({std::abs(q), std::abs(r), std::abs(q - r)});
    EXPECT_EQ(distance[router], static_cast<std::uint32_t>(steps)) << mesh.router_names[router];
    names.insert(mesh.router_names[router]);
  }
  EXPECT_EQ(names.size(), mesh.router_count());
}
INSTANTIATE_TEST_SUITE_P(Sizes, Hexagonal, testing::Values(2U, 3U, 6U, 9U, 20U));

TEST(HexagonalMesh, RefusesAnEdgeOfOne) { EXPECT_THROW(hexagonal(1), InputError); }

std::unique_ptr<RoutingAlgorithm> algorithm(const char* name, const Topology& topology, std::uint32_t deroutes = 1) {
  RoutingContext options;
  options.configuration.set("routing.max_deroutes", deroutes);
  return RoutingRegistry::instance().make(name, topology, options);
}

TEST(Po2Routing, DeterministicGoesOneMinimalWay) {
  const Topology mesh = hexagonal(6);
  const auto routing = algorithm("deterministic", mesh);
  CandidateList out;
  for (std::size_t s = 0; s < mesh.node_count(); ++s) {
    const auto distance = mesh.distances_to(RouterId{7});
    routing->route({RouterId{s}, PortId{6}, VcId{0}, NodeId{s}, NodeId{7}}, out);
    ASSERT_EQ(out.size(), 1U);
    if (s == 7) continue;
    EXPECT_EQ(distance[mesh.port(RouterId{s}, out[0].port).peer_router.value] + 1, distance[s]);
  }
}

TEST(Po2Routing, BestPathsOffersEveryMinimalWayAndNoOther) {
  const Topology mesh = hexagonal(5);
  const auto routing = algorithm("best_paths", mesh);
  CandidateList out;
  for (std::size_t d = 0; d < mesh.node_count(); ++d) {
    const auto distance = mesh.distances_to(RouterId{d});
    for (std::size_t s = 0; s < mesh.node_count(); ++s) {
      if (s == d) continue;
      std::set<std::uint16_t> minimal, offered;
      for (std::uint16_t p = 0; p < 6; ++p) {
        if (distance[mesh.port(RouterId{s}, PortId{p}).peer_router.value] < distance[s]) minimal.insert(p);
      }
      routing->route({RouterId{s}, PortId{6}, VcId{0}, NodeId{s}, NodeId{d}}, out);
      for (const Candidate& c : out) offered.insert(c.port.value);
      EXPECT_EQ(offered, minimal);
    }
  }
}

/// Follows every way on from every pair: no deroute goes back, never more deroutes than allowed, so at most two links
/// more each.
TEST(Po2Routing, DeroutingIsBounded) {
  const Topology mesh = hexagonal(4);
  const auto distance = mesh.distances_to(RouterId{0});
  for (const std::uint32_t deroutes : {0U, 1U, 2U}) {
    const auto routing = algorithm("derouting", mesh, deroutes);
    std::uint32_t longest = 0;
    struct Step {
      RouteQuery query;
      std::uint32_t links;
    };
    CandidateList out;
    for (std::size_t s = 0; s < mesh.node_count(); ++s) {
      std::vector<Step> frontier{{{RouterId{s}, PortId{6}, VcId{0}, NodeId{s}, NodeId{0}}, 0}};
      while (!frontier.empty()) {
        const Step step = frontier.back();
        frontier.pop_back();
        routing->route(step.query, out);
        ASSERT_GT(out.size(), 0U);
        for (const Candidate& c : out) {
          const Port& port = mesh.port(step.query.router, c.port);
          if (port.kind == PortKind::kLocal) {
            longest = std::max(longest, step.links);
            continue;
          }
          const auto vc = static_cast<std::size_t>(__builtin_ctz(c.vcs));
          ASSERT_LE(vc, deroutes);
          const bool deroute = vc > step.query.in_vc.value;
          EXPECT_FALSE(deroute && c.port == step.query.in_port) << "a deroute back";
          EXPECT_EQ(deroute, distance[port.peer_router.value] >= distance[step.query.router.value]);
          frontier.push_back({{port.peer_router, port.peer_port, VcId{vc}, NodeId{s}, NodeId{0}}, step.links + 1});
        }
      }
    }
    EXPECT_EQ(longest, 3 + 2 * deroutes) << "diameter 3, and a step away and back for each deroute";
  }
}

TEST(Po2Routing, DeroutingNeedsAVcForEachCount) {
  const Topology mesh = hexagonal(3);
  EXPECT_THROW(algorithm("derouting", mesh, 4), InputError);
}

}  // namespace
}  // namespace braid::test::hexagonal_test
