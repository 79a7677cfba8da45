// Elevator-First: every pair's way beside the formula of the paper, in channels that cannot wait in a circle; which
// elevator; who is refused on a mesh with elevators.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "routing/analysis/channel_dependency.h"
#include "routing/base/random.h"
#include "routing/topology/elevators.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::elevator_first_test {
namespace {

using namespace routing;
using Numbers = std::vector<std::uint32_t>;

std::unique_ptr<RoutingAlgorithm> made(const Topology& t, const char* rule = "nearest", std::uint32_t vcs = 2,
                                       const char* name = "elevator_first") {
  RoutingContext context;
  context.vcs = vcs;
  context.configuration.set("routing.elevator", rule);
  return RoutingRegistry::instance().make(name, t, context);
}

/// A letter a link, E, W, N, S, U, D, small where it is for the lower of two VCs alone and followed by ' where for the
/// upper alone; then the node. A packet takes the lower VC where it may, or with `upper` the other.
std::string way(const Topology& t, const RoutingAlgorithm& algorithm, std::size_t from, std::size_t to,
                bool upper = false) {
  std::string text;
  const Attachment& start = t.nodes[from].front();
  RouteQuery q{start.router, start.port, VcId{0}, NodeId{from}, NodeId{to}};
  while (text.size() < 200) {
    CandidateList ways;
    algorithm.route(q, ways);
    EXPECT_EQ(ways.size(), 1U);
    const Port& out = t.port(q.router, ways[0].port);
    if (out.kind == PortKind::kLocal) return text + std::to_string(out.node.value);
    EXPECT_EQ(out.kind, PortKind::kNetwork) << text;
    text += (ways[0].vcs == 1 ? "ewnsud" : "EWNSUD")[ways[0].port.value];
    if (ways[0].vcs == 2) text += '\'';
    const VcId vc{std::size_t{ways[0].vcs == 2 || (upper && ways[0].vcs == 3)}};
    q = {out.peer_router, out.peer_port, vc, NodeId{from}, NodeId{to}};
  }
  return text + "...";
}

/// A network of 4x4 routers in each plane.
std::size_t at(std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x + 4 * y + 16 * z; }

TEST(ElevatorFirst, GoesToTheNearestElevatorAndFromIt) {
  const Topology t = stack_of({4, 4, 4}, {2, 3, 1, 0});
  const auto nearest = made(t);
  EXPECT_EQ(way(t, *nearest, at(3, 1, 0), at(0, 2, 3)), "wwsUUUwnn56") << "of two as near the lower number";
  EXPECT_EQ(way(t, *nearest, at(3, 2, 3), at(3, 0, 1)), "W'N'DDE'S'S'S'19") << "down on the upper VC";
  EXPECT_EQ(way(t, *nearest, at(0, 0, 1), at(2, 1, 1)), "Een22") << "who stays in a plane keeps to the lower VC";
  EXPECT_EQ(way(t, *nearest, at(0, 0, 1), at(2, 1, 1), true), "EE'N'22") << "... or to the upper";
  EXPECT_EQ(way(t, *nearest, at(1, 0, 0), at(1, 0, 2)), "UU33") << "on any VC";
  EXPECT_EQ(way(t, *nearest, 7, 7), "7");
}

TEST(ElevatorFirst, GoesByAnElevatorOnTheWay) {
  const Topology t = stack_of({4, 4, 4}, {2, 3, 1, 0});
  EXPECT_EQ(way(t, *made(t), at(2, 2, 0), at(0, 0, 1)), "nUwwsss16");
  EXPECT_EQ(way(t, *made(t, "on_the_way"), at(2, 2, 0), at(0, 0, 1)), "wssUw16");
  EXPECT_EQ(way(t, *made(t, "on_the_way"), at(3, 2, 3), at(3, 0, 1)), "W'N'DDE'S'S'S'19")
      << "of two whose ways are as long the nearer";
}

/// The paper's way, worked out here with the elevator that the source has: letters as of way() above.
class Reference {
 public:
  Reference(const Numbers& sizes, const Numbers& elevators, bool on_the_way)
      : sizes_(sizes), elevators_(elevators), on_the_way_(on_the_way) {
    const std::size_t count = elevators.size() / 2, positions = std::size_t{sizes[0]} * sizes[1];
    classes_ = count > 1 && count < positions && sizes[2] > 1;
  }
  std::string way(std::uint32_t from, std::uint32_t to) const {
    const Place a = place(from), b = place(to);
    std::string text;
    if (a.z == b.z) {
      leg(text, a, b, 0);
      if (!text.empty()) text[0] = static_cast<char>(std::toupper(text[0]));  // the first link takes either VC
    } else {
      const Place e = elevator(a, b);
      const bool up = b.z > a.z;
      leg(text, a, e, up ? 0 : 1);
      text += std::string(up ? b.z - a.z : a.z - b.z, up ? 'U' : 'D');
      leg(text, e, b, up ? 0 : 1);
    }
    return text + std::to_string(to);
  }
  /// |sx-ex| + |sy-ey| + |dz| + |ex-dx| + |ey-dy|
  std::uint32_t links(std::uint32_t from, std::uint32_t to) const {
    const Place a = place(from), b = place(to);
    if (a.z == b.z) return apart(a, b);
    const Place e = elevator(a, b);
    return apart(a, e) + std::max(a.z, b.z) - std::min(a.z, b.z) + apart(e, b);
  }

 private:
  struct Place {
    std::uint32_t x, y, z;
  };
  Place place(std::uint32_t r) const { return {r % sizes_[0], r / sizes_[0] % sizes_[1], r / (sizes_[0] * sizes_[1])}; }
  static std::uint32_t apart(const Place& a, const Place& b) {
    return std::max(a.x, b.x) - std::min(a.x, b.x) + std::max(a.y, b.y) - std::min(a.y, b.y);
  }
  Place elevator(const Place& a, const Place& b) const {
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> all;  // the first is taken
    for (std::size_t i = 0; i < elevators_.size(); i += 2) {
      const Place e{elevators_[i], elevators_[i + 1], 0};
      all.emplace(on_the_way_ ? apart(a, e) + apart(e, b) : 0, apart(a, e), e.y, e.x);
    }
    const auto& [cost, near, y, x] = *all.begin();
    return {x, y, 0};
  }
  void leg(std::string& text, Place a, const Place& b, int vc) const {
    const auto step = [&](char letter) {
      text += static_cast<char>(classes_ && vc == 0 ? std::tolower(letter) : letter);
      if (classes_ && vc == 1) text += '\'';
    };
    for (; a.x != b.x; a.x += b.x > a.x ? 1 : UINT32_MAX) step(b.x > a.x ? 'E' : 'W');
    for (; a.y != b.y; a.y += b.y > a.y ? 1 : UINT32_MAX) step(b.y > a.y ? 'N' : 'S');
  }

  Numbers sizes_, elevators_;
  bool on_the_way_, classes_;
};

struct Stack {
  Numbers sizes, elevators;  // x, y, x, y ...
};
/// Of 1 to 5 routers in x and y and up to 4 planes; any number of elevators, at any places.
Stack drawn(Random& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  Stack stack{{1 + below(5), 1 + below(5), 2 + below(3)}, {}};
  const std::uint32_t positions = stack.sizes[0] * stack.sizes[1];
  std::vector<std::uint32_t> all(positions);
  for (std::uint32_t i = 0; i < positions; ++i) all[i] = i;
  for (std::uint32_t left = 1 + below(positions); left > 0; --left) {
    const std::uint32_t i = below(all.size());
    stack.elevators.push_back(all[i] % stack.sizes[0]);
    stack.elevators.push_back(all[i] / stack.sizes[0]);
    all.erase(all.begin() + i);
  }
  return stack;
}

/// 120 placements that are drawn: every pair's way is the paper's, and no channels wait in a circle.
TEST(ElevatorFirst, TakesThePapersWayWithoutDeadlock) {
  Random random(57, "elevators");
  std::size_t with_classes = 0;
  for (unsigned n = 0; n < 120; ++n) {
    const Stack stack = drawn(random);
    const Topology t = stack_of(stack.sizes, stack.elevators);
    for (const char* rule : {"nearest", "on_the_way"}) {
      const bool on_the_way = std::string(rule) == "on_the_way";
      const auto algorithm = made(t, rule);
      const Reference reference(stack.sizes, stack.elevators, on_the_way);
      for (std::uint32_t to = 0; to < t.node_count(); ++to) {
        const auto distance = t.distances_to(RouterId{to});
        for (std::uint32_t from = 0; from < t.node_count(); ++from) {
          const std::string steps = way(t, *algorithm, from, to);
          ASSERT_EQ(steps, reference.way(from, to)) << t.name << ", " << rule << ", " << from << " to " << to;
          if (on_the_way) {
            ASSERT_EQ(reference.links(from, to), distance[from]) << t.name << ": not a shortest way";
          }
        }
      }
      for (const std::uint32_t vcs : {2U, 3U}) {
        const auto cycle = ChannelDependencyGraph(t, *made(t, rule, vcs), vcs).find_cycle();
        EXPECT_TRUE(cycle.empty()) << t.name << ", " << rule << ", " << vcs << " VCs: " << cycle.size() << " channels";
      }
    }
    with_classes += has_elevators(t) && stack.elevators.size() > 2 ? 1 : 0;
  }
  EXPECT_GE(with_classes, 60U) << "the others have one elevator, or one everywhere";
}

/// With elevators everywhere: the vertical links first, then x, then y, so links as of the distance in three
/// dimensions.
TEST(ElevatorFirst, IsDimensionOrderWhereElevatorsAreEverywhere) {
  const Topology t = stack_of({4, 3, 3});
  for (const char* rule : {"nearest", "on_the_way"}) {
    const auto algorithm = made(t, rule, 1);
    EXPECT_EQ(way(t, *algorithm, 3 + 4 * 2, 1 + 12 * 2), "uuwwss25");
    for (std::size_t to = 0; to < t.node_count(); ++to) {
      const auto distance = t.distances_to(RouterId{to});
      for (std::size_t from = 0; from < t.node_count(); ++from) {
        const std::string steps = way(t, *algorithm, from, to);
        ASSERT_EQ(std::count_if(steps.begin(), steps.end(), [](char c) { return std::isalpha(c) != 0; }),
                  distance[from]);
      }
    }
    EXPECT_TRUE(ChannelDependencyGraph(t, *algorithm, 1).find_cycle().empty());
  }
}

/// The same routes with every VC for every link.
class OneClass final : public RoutingAlgorithm {
 public:
  explicit OneClass(const RoutingAlgorithm& routes) : RoutingAlgorithm(1), routes_(routes) {}
  std::size_t max_candidates() const override { return routes_.max_candidates(); }
  void route(const RouteQuery& q, CandidateList& out) const override {
    CandidateList ways;
    routes_.route(q, ways);
    out.clear();
    for (const Candidate& c : ways) out.add(c.port, all_vcs_);
  }

 private:
  const RoutingAlgorithm& routes_;
};

/// Two classes of VCs are needed where there are two elevators, and one will do where there is one.
TEST(ElevatorFirst, NeedsItsClassesOfVcs) {
  const Topology two = stack_of({3, 3, 2}, {0, 0, 2, 2}), one = stack_of({3, 3, 3}, {1, 2});
  for (const char* rule : {"nearest", "on_the_way"}) {
    const auto by_two = made(two, rule), by_one = made(one, rule, 1);
    EXPECT_TRUE(ChannelDependencyGraph(two, *by_two, 2).find_cycle().empty());
    EXPECT_FALSE(ChannelDependencyGraph(two, OneClass(*by_two), 1).find_cycle().empty());
    EXPECT_TRUE(ChannelDependencyGraph(one, *by_one, 1).find_cycle().empty());
  }
}

TEST(ElevatorFirst, IsRefusedWhereItCannotWork) {
  const auto refusal = [](const Topology& t, std::uint32_t vcs) { return complaint([&] { made(t, "nearest", vcs); }); };
  EXPECT_EQ(refusal(stack_of({4, 4, 4}, {0, 0, 3, 3}), 1),
            "routing algorithm \"elevator_first\" on a mesh with several elevators, but not everywhere, needs "
            "router.vcs >= 2; it is 1");
  EXPECT_EQ(refusal(stack_of({4, 4, 4}, {0, 0}), 1), "");
  EXPECT_EQ(refusal(stack_of({4, 4, 4}), 1), "");
  const std::string needs =
      "routing algorithm \"elevator_first\" needs topology.kind = \"cube\" with three dimensions and without "
      "topology.wrap; topology is ";
  EXPECT_EQ(refusal(grid_of("mesh", 3, 3), 2), needs + "mesh 3x3");
  EXPECT_EQ(refusal(cube_of("cube", {3, 3}), 2), needs + "mesh 3x3");
  EXPECT_EQ(refusal(cube_of("cube", {3, 3, 3}, true), 2), needs + "torus 3x3x3");
  EXPECT_EQ(refusal(cube_of("flattened_butterfly", {2, 2, 2}), 2), needs + "flattened butterfly 2x2x2");
}

/// Ways of the others would lead over links that are not there, or wait in circles; up*/down* takes any graph.
TEST(ElevatorFirst, IsOneOfFewThatElevatorsAreFor) {
  const Topology t = stack_of({3, 3, 3}, {0, 0, 2, 2});
  for (const char* name : {"dimension_order", "valiant", "romm", "ugal", "ugal_g"}) {
    EXPECT_EQ(complaint([&] { made(t, "nearest", 4, name); }),
              "routing algorithm \"" + std::string(name) +
                  "\" needs vertical links at every router, \"elevator_first\" does not; topology is mesh 3x3x3 with 2 "
                  "elevators");
    EXPECT_EQ(complaint([&] { made(stack_of({3, 3, 3}), "nearest", 4, name); }), "");
  }
  for (const char* name : {"x_first", "odd_even", "minimal_adaptive", "xy_yx"}) {
    EXPECT_EQ(complaint([&] { made(t, "nearest", 4, name); }),
              "routing algorithm \"" + std::string(name) +
                  "\" needs a mesh or torus; topology is mesh 3x3x3 with 2 elevators");
  }
  EXPECT_EQ(complaint([&] { check_deadlock_free(t, *made(t, "nearest", 1, "table"), 1); }), "");
  const auto best = made(t, "nearest", 2, "best_paths");
  const std::string told = complaint([&] { check_deadlock_free(t, *best, 2); });
  EXPECT_NE(told.find("deadlock"), std::string::npos) << told;
}

}  // namespace
}  // namespace braid::test::elevator_first_test
