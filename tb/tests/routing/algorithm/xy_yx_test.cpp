// XY-YX on meshes: every pair of nodes against ways written down by coordinates, loads against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "routing/algorithm/output_queues.h"
#include "routing/analysis/channel_dependency.h"
#include "routing/analysis/link_loads.h"
#include "routing/base/random.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::xy_yx_test {
namespace {

using namespace routing;

std::unique_ptr<RoutingAlgorithm> made(const char* name, const Topology& t, std::uint32_t vcs = 4) {
  RoutingContext context;
  context.vcs = vcs;
  return RoutingRegistry::instance().make(name, t, context);
}

struct Way {
  std::vector<RouterId> routers;
  std::vector<VcMask> vcs;  ///< of the links between routers
};
/// Of the VCs that are offered the packet takes the lowest, or the highest.
Way walk(const Topology& t, const RoutingAlgorithm& algorithm, NodeId from, NodeId to, std::uint32_t draw,
         bool highest = false) {
  Way way;
  const Attachment& start = t.nodes[from.value].front();
  const auto drawn = static_cast<std::uint8_t>(draw);
  RouteQuery q{start.router, start.port, VcId{highest ? 3U : 0U}, from, to, kNoRoute, drawn};
  while (way.routers.size() < 100) {
    CandidateList out;
    algorithm.route(q, out);
    EXPECT_EQ(out.size(), 1U);
    way.routers.push_back(q.router);
    const Port& port = t.port(q.router, out[0].port);
    if (port.kind != PortKind::kNetwork) {
      EXPECT_EQ(port.node, to);
      EXPECT_EQ(out[0].vcs, 15U) << "on the way out any VC";
      return way;
    }
    way.vcs.push_back(out[0].vcs);
    const int vc = highest ? 31 - __builtin_clz(out[0].vcs) : __builtin_ctz(out[0].vcs);
    q = {port.peer_router, port.peer_port, VcId{static_cast<std::size_t>(vc)}, from, to, kNoRoute, drawn};
  }
  ADD_FAILURE() << "node " << from.value << " to node " << to.value << " does not arrive";
  return way;
}

/// The routers from one place to another, a coordinate after the other.
std::vector<RouterId> by_coordinates(const Grid& grid, RouterId from, RouterId to, bool x_first) {
  std::uint32_t x = grid.x(from), y = grid.y(from);
  std::vector<RouterId> way{from};
  const auto towards = [&](std::uint32_t& at, std::uint32_t end) {
    while (at != end) {
      at = at < end ? at + 1 : at - 1;
      way.push_back(grid.at(x, y));
    }
  };
  for (const bool in_x : {x_first, !x_first}) {
    if (in_x) towards(x, grid.x(to));
    if (!in_x) towards(y, grid.y(to));
  }
  return way;
}

template <class Visit>
void for_each_pair(const Topology& t, Visit visit) {
  for (std::size_t from = 0; from < t.node_count(); ++from) {
    for (std::size_t to = 0; to < t.node_count(); ++to) visit(NodeId{from}, NodeId{to});
  }
}

TEST(XyYx, GoesOneOrderOnEachHalfOfTheVcs) {
  for (const auto& [width, height] : {std::pair{4U, 3U}, {1U, 5U}, {5U, 5U}}) {
    const Topology t = grid_of("mesh", width, height);
    const auto algorithm = made("xy_yx", t);
    EXPECT_EQ(algorithm->draws(), 2U);
    for_each_pair(t, [&](NodeId from, NodeId to) {
      for (std::uint32_t draw = 0; draw < 6; ++draw) {
        const bool x_first = draw % 2 == 0;
        const Way way = walk(t, *algorithm, from, to, draw, draw > 3);
        ASSERT_EQ(way.routers, by_coordinates(*t.grid, t.router_of(from), t.router_of(to), x_first));
        for (const VcMask vcs : way.vcs) ASSERT_EQ(vcs, x_first ? 3U : 12U);
      }
    });
  }
}

/// Flits by router and port, drawn anew: 0 to 2, so that many are alike.
class SomeQueues final : public OutputQueues {
 public:
  explicit SomeQueues(std::uint64_t seed) : random_(seed, "queues") {}
  std::uint32_t waiting_flits(RouterId router, PortId port) const override {
    return static_cast<std::uint32_t>(random_.nth(router.value * 8 + port.value) % 3);
  }
  std::uint32_t waited_flits(RouterId, PortId) const override { return 99; }

 private:
  Random random_;
};

/// The first step decides, and is told by the queues of its router: those on the way say something else.
TEST(AdaptiveXyYx, TakesTheOrderWhoseFirstPortIsEmptier) {
  const Topology t = grid_of("mesh", 4, 4);
  std::size_t ties = 0, chosen = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto algorithm = made("adaptive_xy_yx", t);
    const SomeQueues queues(seed);
    dynamic_cast<const ReadsOutputQueues&>(*algorithm).read_queues(queues);
    for_each_pair(t, [&](NodeId from, NodeId to) {
      const RouterId start = t.router_of(from), end = t.router_of(to);
      const auto xy = by_coordinates(*t.grid, start, end, true), yx = by_coordinates(*t.grid, start, end, false);
      const auto flits = [&](const std::vector<RouterId>& way) {
        return way.size() < 2 ? 0 : queues.waiting_flits(start, port_to(t, start, way[1]));
      };
      for (std::uint32_t draw = 0; draw < 2; ++draw) {
        const bool tie = flits(xy) == flits(yx), x_first = tie ? draw == 0 : flits(xy) < flits(yx);
        const Way way = walk(t, *algorithm, from, to, draw, seed % 2 != 0);
        ASSERT_EQ(way.routers, x_first ? xy : yx);
        for (const VcMask vcs : way.vcs) ASSERT_EQ(vcs, x_first ? 3U : 12U);
        ++(tie ? ties : chosen);
      }
    });
  }
  EXPECT_GT(ties, 1000U);
  EXPECT_GT(chosen, 1000U);
}

TEST(AdaptiveXyYx, DrawsWhereNobodyTellsOfQueues) {
  const Topology t = grid_of("mesh", 4, 3);
  const auto adaptive = made("adaptive_xy_yx", t), drawn = made("xy_yx", t);
  for_each_pair(t, [&](NodeId from, NodeId to) {
    for (std::uint32_t draw = 0; draw < 2; ++draw)
      ASSERT_EQ(walk(t, *adaptive, from, to, draw).routers, walk(t, *drawn, from, to, draw).routers);
  });
}

double busiest(const Topology& t, const RoutingAlgorithm& algorithm, const std::vector<Flow>& flows) {
  double most = 0.0;
  const auto loads = link_loads(t, algorithm, flows);
  for (std::size_t r = 0; r < loads.size(); ++r) {
    for (std::size_t p = 0; p < loads[r].size(); ++p) {
      if (t.port(RouterId{r}, PortId{p}).kind == PortKind::kNetwork) most = std::max(most, loads[r][p]);
    }
  }
  return most;
}

/// Of k x k routers where (x, y) sends to (y, x): x first, the link from column i to i + 1 of row y > i carries i + 1
/// flows, k - 1 at most; y first the same flows are on other links. So half of each makes (k - 1) / 2.
TEST(XyYx, CarriesATransposeTwiceAsWellAsOneOrder) {
  for (const std::uint32_t k : {4U, 5U, 8U}) {
    const Topology t = grid_of("mesh", k, k);
    std::vector<Flow> transpose;
    for (std::size_t n = 0; n < t.node_count(); ++n) transpose.push_back({NodeId{n}, NodeId{n % k * k + n / k}, 1.0});
    EXPECT_DOUBLE_EQ(busiest(t, *made("x_first", t), transpose), k - 1.0);
    EXPECT_DOUBLE_EQ(busiest(t, *made("y_first", t), transpose), k - 1.0);
    EXPECT_DOUBLE_EQ(busiest(t, *made("xy_yx", t), transpose), (k - 1.0) / 2);
  }
}

/// The largest sum that one entry of each row and each column has (Kuhn and Munkres, by potentials).
double largest_assignment(const std::vector<std::vector<double>>& gain) {
  const std::size_t n = gain.size();
  std::vector<double> row(n + 1), column(n + 1);
  std::vector<std::size_t> match(n + 1), back(n + 1);
  for (std::size_t i = 1; i <= n; ++i) {
    match[0] = i;
    std::size_t at = 0;
    std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());
    std::vector<bool> used(n + 1);
    do {
      used[at] = true;
      std::size_t next = 0;
      double step = std::numeric_limits<double>::infinity();
      for (std::size_t j = 1; j <= n; ++j) {
        if (used[j]) continue;
        const double cost = -gain[match[at] - 1][j - 1] - row[match[at]] - column[j];
        if (cost < least[j]) least[j] = cost, back[j] = at;
        if (least[j] < step) step = least[j], next = j;
      }
      for (std::size_t j = 0; j <= n; ++j) {
        if (used[j]) row[match[j]] += step, column[j] -= step;
        if (!used[j]) least[j] -= step;
      }
      at = next;
    } while (match[at] != 0);
    for (; at != 0; at = back[at]) match[at] = match[back[at]];
  }
  return column[0];  // of the negative costs
}

/// The worst permutation for the busiest link: a link's worst one is an assignment of sources to destinations.
double worst_load(const Topology& t, const RoutingAlgorithm& algorithm) {
  const std::size_t n = t.node_count();
  std::vector<std::vector<std::vector<double>>> on_link(t.router_count() * 4, {n, std::vector<double>(n)});
  for_each_pair(t, [&](NodeId from, NodeId to) {
    const auto loads = link_loads(t, algorithm, {{from, to, 1.0}});
    for (std::size_t r = 0; r < loads.size(); ++r) {
      for (std::size_t p = 0; p < 4; ++p) on_link[r * 4 + p][from.value][to.value] = loads[r][p];
    }
  });
  double worst = 0.0;
  for (const auto& gain : on_link) worst = std::max(worst, largest_assignment(gain));
  return worst;
}

/// Seo et al., ISCA 2005: of k x k routers, k even, no permutation loads a link with more than k / 2 nodes' traffic,
/// which no routing betters; dimension order has k - 1.
TEST(XyYx, IsAsGoodAsAnyUnderItsWorstPermutation) {
  for (const std::uint32_t k : {2U, 4U}) {
    const Topology t = grid_of("mesh", k, k);
    EXPECT_NEAR(worst_load(t, *made("xy_yx", t)), k / 2.0, 1e-9);
    EXPECT_NEAR(worst_load(t, *made("x_first", t)), k - 1.0, 1e-9);
  }
}

/// Both orders on the same VCs.
class OnOneVc final : public RoutingAlgorithm {
 public:
  explicit OnOneVc(const RoutingAlgorithm& two) : RoutingAlgorithm(1), two_(two) {}
  std::uint32_t draws() const override { return two_.draws(); }
  std::size_t max_candidates() const override { return two_.max_candidates(); }
  void route(const RouteQuery& q, CandidateList& out) const override {
    CandidateList ways;
    two_.route(q, ways);
    out.clear();
    for (const Candidate& c : ways) out.add(c.port, 1);
  }

 private:
  const RoutingAlgorithm& two_;
};

TEST(XyYx, HasNoCycleOfWaitingChannelsOnTwoHalvesAndOneOnOne) {
  const Topology t = grid_of("mesh", 4, 3);
  for (const char* name : {"xy_yx", "adaptive_xy_yx"}) {
    for (const std::uint32_t vcs : {2U, 3U, 4U, 7U}) {
      EXPECT_TRUE(ChannelDependencyGraph(t, *made(name, t, vcs), vcs).find_cycle().empty()) << name << " " << vcs;
    }
  }
  const auto two = made("xy_yx", t, 2);
  EXPECT_FALSE(ChannelDependencyGraph(t, OnOneVc(*two), 1).find_cycle().empty());
}

TEST(XyYx, IsRefusedWhereItCannotWork) {
  for (const std::string name : {"xy_yx", "adaptive_xy_yx"}) {
    const auto refusal = [&](const Topology& t, std::uint32_t vcs) {
      return complaint([&] { made(name.c_str(), t, vcs); });
    };
    const std::string who = "routing algorithm \"" + name + "\"";
    EXPECT_EQ(refusal(grid_of("mesh", 4, 4), 1), who + " on a mesh needs router.vcs >= 2; it is 1");
    EXPECT_EQ(refusal(grid_of("mesh", 4, 4), 2), "");
    EXPECT_EQ(refusal(grid_of("torus", 4, 4), 4), who + " needs a mesh; topology is torus 4x4");
    EXPECT_EQ(refusal(ring_of(3), 4), who + " needs a mesh or torus; topology is a graph");
    RoutingContext context;
    context.configuration.set("router.architecture", std::string("po2"));
    const Topology mesh = grid_of("mesh", 3, 3);
    EXPECT_EQ(complaint([&] { RoutingRegistry::instance().make(name, mesh, context); }),
              who + " needs router.architecture = \"hybrid\"");
  }
}

}  // namespace
}  // namespace braid::test::xy_yx_test
