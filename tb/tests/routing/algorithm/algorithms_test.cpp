// Every routing algorithm on every pair of nodes: arrival, minimality, forbidden turns, freedom from deadlock.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "routing/algorithm/port_table.h"
#include "routing/analysis/channel_dependency.h"
#include "routing/analysis/link_loads.h"
#include "tb/tests/support/bench.h"

namespace braid::test::algorithms_test {
namespace {

using namespace routing;

struct Setting {
  const char* algorithm;
  const char* topology;
  bool minimal;
};

Topology topology_of(const char* kind, std::uint32_t width = 5, std::uint32_t height = 4) {
  Configuration options;
  options.set("topology.kind", kind);
  options.set("topology.width", width);
  options.set("topology.height", height);
  if (std::string(kind) == "graph") options.set("topology.file", source_file("tb/experiments/ring.graphml"));
  return make_topology(options);
}

std::unique_ptr<RoutingAlgorithm> algorithm_of(const char* name, const Topology& topology, bool sticky = true) {
  RoutingContext options;
  options.configuration.set("routing.sticky_escape", sticky);
  return RoutingRegistry::instance().make(name, topology, options);
}

class EveryPair : public testing::TestWithParam<Setting> {};

/// Follows every candidate of every state, not only the first.
TEST_P(EveryPair, ArrivesWhateverCandidateIsTaken) {
  const Topology topology = topology_of(GetParam().topology);
  const auto algorithm = algorithm_of(GetParam().algorithm, topology);
  for (std::size_t d = 0; d < topology.node_count(); ++d) {
    const RouterId destination = topology.router_of(NodeId{d});
    const auto distance = topology.distances_to(destination);
    for (std::size_t i = 0; i < topology.node_count() * algorithm->draws(); ++i) {
      const std::size_t s = i / algorithm->draws();
      const auto draw = static_cast<std::uint8_t>(i % algorithm->draws());
      const Attachment& start = topology.nodes[s].front();
      std::vector<RouteQuery> frontier{{start.router, start.port, VcId{0}, NodeId{s}, NodeId{d}, kNoRoute, draw}};
      std::set<std::tuple<std::uint32_t, std::uint16_t, std::uint8_t>> seen;
      while (!frontier.empty()) {
        const RouteQuery q = frontier.back();
        frontier.pop_back();
        if (!seen.insert({q.router.value, q.in_port.value, q.in_vc.value}).second) continue;
        CandidateList candidates;
        algorithm->route(q, candidates);
        ASSERT_GT(candidates.size(), 0U);
        ASSERT_LE(candidates.size(), algorithm->max_candidates());
        for (const Candidate& c : candidates) {
          ASSERT_NE(c.vcs, 0U);
          const Port& out = topology.port(q.router, c.port);
          if (q.router == destination) {
            ASSERT_EQ(out.kind, PortKind::kLocal);
            ASSERT_EQ(out.node, NodeId{d});
            continue;
          }
          ASSERT_EQ(out.kind, PortKind::kNetwork);
          const bool nearer = distance[out.peer_router.value] < distance[q.router.value];
          ASSERT_TRUE(nearer || !GetParam().minimal);
          for (VcMask vcs = c.vcs; vcs != 0; vcs &= vcs - 1) {
            const VcId vc{static_cast<std::size_t>(__builtin_ctz(vcs))};
            frontier.push_back({out.peer_router, out.peer_port, vc, NodeId{s}, NodeId{d}, kNoRoute, draw});
          }
        }
      }
    }
  }
}

TEST_P(EveryPair, CannotDeadlock) {
  const Topology topology = topology_of(GetParam().topology);
  EXPECT_NO_THROW(check_deadlock_free(topology, *algorithm_of(GetParam().algorithm, topology), 4));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, EveryPair,
                         testing::Values(Setting{"x_first", "mesh", true}, Setting{"y_first", "mesh", true},
                                         Setting{"west_first", "mesh", true}, Setting{"odd_even", "mesh", true},
                                         Setting{"minimal_adaptive", "mesh", true}, Setting{"table", "mesh", false},
                                         Setting{"x_first", "torus", true}, Setting{"y_first", "torus", true},
                                         Setting{"minimal_adaptive", "torus", true}, Setting{"table", "torus", false},
                                         Setting{"table", "graph", false}),
                         [](const auto& c) { return std::string(c.param.algorithm) + "_on_" + c.param.topology; });

/// On a mesh the ways in few words are those that route() gives; on a torus there are none.
TEST(DimensionOrder, SaysItsWaysByPlaceOnAMesh) {
  const auto sides = [](int from, int to) { return to < from ? 0U : to > from ? 2U : 1U; };
  const Topology mesh = topology_of("mesh"), torus = topology_of("torus");
  for (const char* const name : {"x_first", "y_first"}) {
    EXPECT_FALSE(dynamic_cast<const PortTable&>(*algorithm_of(name, torus)).by_place().has_value());
    const auto algorithm = algorithm_of(name, mesh);
    const auto ways = dynamic_cast<const PortTable&>(*algorithm).by_place();
    ASSERT_TRUE(ways.has_value());
    for (std::size_t r = 0; r < mesh.router_count(); ++r) {
      for (std::size_t n = 0; n < mesh.node_count(); ++n) {
        if (mesh.router_of(NodeId{n}) == RouterId{r}) continue;
        CandidateList out;
        algorithm->route({RouterId{r}, PortId{0}, VcId{0}, NodeId{0}, NodeId{n}}, out);
        const GridPlace here = ways->routers[r], there = ways->nodes[n];
        EXPECT_EQ(ways->ports[3 * sides(here.x, there.x) + sides(here.y, there.y)], out[0].port) << r << " to " << n;
      }
    }
  }
}

TEST(DeadlockCheck, AcceptsEscapeThatMayBeLeft) {
  for (const char* kind : {"mesh", "torus"}) {
    const Topology grid = topology_of(kind, 4, 6);
    EXPECT_NO_THROW(check_deadlock_free(grid, *algorithm_of("minimal_adaptive", grid, false), 4)) << kind;
  }
}

/// Two datelines a ring, whatever its length; with 2 and 3 VCs a half is a single one.
TEST(DeadlockCheck, AcceptsDimensionOrderOnEveryTorus) {
  for (std::uint32_t size = 3; size <= 9; ++size) {
    for (const std::uint32_t other : {size, size + 1}) {
      const Topology torus = topology_of("torus", size, other);
      for (std::uint32_t vcs = 2; vcs <= 4; ++vcs) {
        for (const char* name : {"x_first", "y_first"}) {
          const auto algorithm = RoutingRegistry::instance().make(name, torus, {vcs, {}});
          EXPECT_NO_THROW(check_deadlock_free(torus, *algorithm, vcs)) << torus.name << ", " << vcs << " VCs";
        }
      }
    }
  }
}

/// Every minimal direction on every VC: the textbook's example of what deadlocks.
class NoEscape final : public RoutingAlgorithm {
 public:
  explicit NoEscape(const Topology& topology) : RoutingAlgorithm(2), topology_(topology) {}
  std::size_t max_candidates() const override { return 4; }
  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const RouterId to = topology_.router_of(q.destination);
    if (to == q.router) {
      out.add(topology_.nodes[q.destination.value].front().port, all_vcs_);
      return;
    }
    const auto distance = topology_.distances_to(to);
    for (std::size_t p = 0; p < topology_.port_count(q.router); ++p) {
      const Port& port = topology_.port(q.router, PortId{p});
      if (port.kind == PortKind::kNetwork && distance[port.peer_router.value] < distance[q.router.value]) {
        out.add(PortId{p}, all_vcs_);
      }
    }
  }

 private:
  const Topology& topology_;
};

TEST(DeadlockCheck, RefusesAdaptiveRoutingWithoutEscapeAndNamesTheCycle) {
  const Topology mesh = topology_of("mesh", 3, 3);
  try {
    check_deadlock_free(mesh, NoEscape(mesh), 2);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("wait for each other in a cycle: ("), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("vc 0 waits for ("), std::string::npos) << e.what();
  }
}

TEST(DeadlockCheck, RefusesAOneWayRing) {
  const Topology ring = topology_of("graph");
  RoutingContext options;
  options.configuration.set("routing.table_file", source_file("tb/experiments/ring_clockwise.txt"));
  const auto table = RoutingRegistry::instance().make("table", ring, options);
  EXPECT_THROW(check_deadlock_free(ring, *table, 4), InputError);
}

/// Clockwise on a ring of four. Packets to node 0 may use VCs 0 and 1, to node 2 VCs 1 and 2, to nodes 1 and 3 a VC
/// each. No destination alone closes the ring; only VC 1, which two masks share, does.
class OverlappingMasks final : public RoutingAlgorithm {
 public:
  explicit OverlappingMasks(const Topology& topology, bool overlap)
      : RoutingAlgorithm(5), topology_(topology), masks_{0b00011, 0b01000, overlap ? 0b00110U : 0b00100U, 0b10000} {}
  std::size_t max_candidates() const override { return 1; }
  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const bool here = topology_.router_of(q.destination) == q.router;
    const PortId clockwise{q.router.value == 0 ? 0U : 1U};
    out.add(here ? topology_.nodes[q.destination.value].front().port : clockwise, masks_[q.destination.value]);
  }

 private:
  const Topology& topology_;
  std::vector<VcMask> masks_;
};

TEST(DeadlockCheck, TellsVcsOfOverlappingMasksApart) {
  const Topology ring = topology_of("graph");
  EXPECT_NO_THROW(check_deadlock_free(ring, OverlappingMasks(ring, false), 5));
  EXPECT_THROW(check_deadlock_free(ring, OverlappingMasks(ring, true), 5), InputError);
}

TEST(OddEven, NeverTakesAForbiddenTurn) {
  const Topology mesh = topology_of("mesh", 6, 6);
  const auto algorithm = algorithm_of("odd_even", mesh);
  const Grid& grid = *mesh.grid;
  for (std::size_t s = 0; s < 36; ++s) {
    for (std::size_t d = 0; d < 36; ++d) {
      for (std::size_t r = 0; r < 36; ++r) {
        for (const PortId in : {kEast, kWest, kNorth, kSouth}) {
          if (mesh.port(RouterId{r}, in).kind != PortKind::kNetwork || r == d) continue;
          // Only states that odd-even can reach: follow one step from the neighbour.
          const Port& from = mesh.port(RouterId{r}, in);
          CandidateList before, here;
          if (from.peer_router == mesh.router_of(NodeId{d})) continue;
          algorithm->route({from.peer_router, kFirstGridLocalPort, VcId{0}, NodeId{s}, NodeId{d}}, before);
          bool reached = false;
          for (const Candidate& c : before) reached = reached || c.port == from.peer_port;
          if (!reached) continue;
          algorithm->route({RouterId{r}, in, VcId{0}, NodeId{s}, NodeId{d}}, here);
          const bool even = grid.x(RouterId{r}) % 2 == 0;
          for (const Candidate& c : here) {
            const bool turns_north_or_south = c.port == kNorth || c.port == kSouth;
            const bool came_east = in == kWest, came_vertical = in == kNorth || in == kSouth;
            EXPECT_FALSE(even && came_east && turns_north_or_south && grid.x(RouterId{r}) != grid.x(RouterId{s}));
            EXPECT_FALSE(!even && came_vertical && c.port == kWest);
          }
        }
      }
    }
  }
}

TEST(Paths, MeanDistanceOfAMeshIsTheClosedForm) {
  for (const std::uint32_t k : {4U, 8U}) {
    const Topology mesh = topology_of("mesh", k, k);
    const auto algorithm = algorithm_of("x_first", mesh);
    double links = 0.0;
    for (std::size_t s = 0; s < mesh.node_count(); ++s) {
      for (std::size_t d = 0; d < mesh.node_count(); ++d) {
        links += static_cast<double>(path_between(mesh, *algorithm, NodeId{s}, NodeId{d}).size()) - 1.0;
      }
    }
    const double pairs = static_cast<double>(mesh.node_count() * mesh.node_count());
    EXPECT_NEAR(links / pairs, 2.0 * (k * k - 1.0) / (3.0 * k), 1e-9);
  }
}

TEST(Paths, UniformLoadPeaksAtTheBisection) {
  const Topology mesh = topology_of("mesh", 8, 8);
  std::vector<Flow> flows;
  for (std::size_t s = 0; s < 64; ++s) {
    for (std::size_t d = 0; d < 64; ++d) flows.push_back({NodeId{s}, NodeId{d}, 1.0 / 64.0});
  }
  const auto loads = link_loads(mesh, *algorithm_of("x_first", mesh), flows);
  EXPECT_NEAR(loads[mesh.grid->at(3, 0).value][kEast.value], 8.0 / 4.0, 1e-9);  // k/4 flits a cycle a link
  for (std::uint32_t y = 0; y < 8; ++y) {
    for (std::uint32_t x = 0; x + 1 < 8; ++x) {
      EXPECT_NEAR(loads[mesh.grid->at(x, y).value][kEast.value], loads[mesh.grid->at(7 - x, y).value][kWest.value],
                  1e-9);
    }
  }
}

double most_loaded(const Topology& t, const char* algorithm, const std::vector<Flow>& flows,
                   const char* ties = "drawn") {
  RoutingContext context;
  context.configuration.set("topology.kind", "torus");
  context.configuration.set("routing.ties", ties);
  double most = 0.0;
  for (const std::vector<double>& loads :
       link_loads(t, *RoutingRegistry::instance().make(algorithm, t, context), flows)) {
    most = std::max(most, *std::max_element(loads.begin(), loads.begin() + kFirstGridLocalPort.value));
  }
  return most;
}

/// Half-way round a ring of 8 half of the packets go each way: under uniform traffic every link carries k/8 flits a
/// cycle at a flit a node and cycle. (All eastwards it would be 10/8, a bound of 0.8 for accepted traffic.)
TEST(LinkLoads, OfATorusAreEvenBothWaysRound) {
  const Topology torus = topology_of("torus", 8, 8);
  std::vector<Flow> uniform, across, transpose;
  for (std::size_t s = 0; s < 64; ++s) {
    for (std::size_t d = 0; d < 64; ++d) uniform.push_back({NodeId{s}, NodeId{d}, 1.0 / 64.0});
    transpose.push_back({NodeId{s}, NodeId{s % 8 * 8 + s / 8}, 1.0});
    across.push_back({NodeId{s}, NodeId{(s / 8 + 4) % 8 * 8 + (s + 4) % 8}, 1.0});
  }
  for (const char* ties : {"drawn", "fixed"}) {
    for (const char* algorithm : {"x_first", "y_first"}) {
      EXPECT_NEAR(most_loaded(torus, algorithm, uniform, ties), 1.0, 1e-9) << algorithm << ", " << ties;
    }
    EXPECT_EQ(most_loaded(torus, "x_first", across, ties), 2.0)
        << "in each ring 8 packets of 4 links, half of them each way; " << ties;
  }
  // The eight ways of half a ring, split: the busiest channel has 3 flows whole and one of them half.
  EXPECT_EQ(most_loaded(torus, "x_first", transpose, "fixed"), 4.0);
  EXPECT_EQ(most_loaded(torus, "x_first", transpose, "drawn"), 3.5);
}

}  // namespace
}  // namespace braid::test::algorithms_test
