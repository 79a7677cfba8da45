// What is usual where an experiment says nothing: each algorithm's routes without its option are those with the value
// that docs/ gives as the usual one, and others with another value.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "routing/algorithm/output_queues.h"
#include "routing/paths/disjoint/disjoint_finder.h"
#include "routing/paths/path_computation.h"
#include "tb/tests/support/dimensions.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::usual_options_test {
namespace {

using namespace routing;

struct Queues final : OutputQueues {
  std::uint32_t waiting_flits(RouterId router, PortId port) const override {
    return (router.value + 6 * port.value) % 7;
  }
  std::uint32_t waited_flits(RouterId router, PortId port) const override { return waiting_flits(router, port); }
};

/// All that packets from two nodes to all others are offered, wherever they come on the way.
using Routes = std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, Ways>;
Routes routes_of(const Topology& t, const RoutingAlgorithm& algorithm) {
  static const Queues queues;
  const auto* reads = dynamic_cast<const ReadsOutputQueues*>(&algorithm);
  if (reads != nullptr) reads->read_queues(queues);
  Routes all;
  for (std::size_t pair = 0; pair < 2 * t.node_count(); ++pair) {
    const NodeId from{pair % 2}, to{pair / 2};
    const Attachment& start = t.nodes[from.value].front();
    for (std::uint32_t draw = 0; draw < algorithm.draws(); draw += 1 + algorithm.draws() / 16) {
      std::vector<RouteQuery> open{
          {start.router, start.port, VcId{0}, from, to, kNoRoute, static_cast<std::uint8_t>(draw)}};
      while (!open.empty()) {
        const RouteQuery q = open.back();
        open.pop_back();
        const Ways here = ways(algorithm, q);
        if (!all.emplace(std::tuple{pair, draw, q.router.value, q.in_port.value, q.in_vc.value}, here).second) continue;
        for (const auto& [port, priority, vcs] : here) {
          const Port& out = t.port(q.router, PortId{port});
          for (std::size_t vc = 0; vc < 6 && out.kind == PortKind::kNetwork; ++vc) {
            if ((vcs >> vc & 1U) == 0) continue;
            open.push_back({out.peer_router, out.peer_port, VcId{vc}, from, to, kNoRoute, q.draw});
          }
        }
      }
    }
  }
  return all;
}

struct Usual {
  const char* algorithm;
  Topology (*network)();
  const char* key;
  OptionValue usual, other;
  friend std::ostream& operator<<(std::ostream& out, const Usual& u) { return out << u.algorithm << ' ' << u.key; }
};

Topology mesh() { return grid_of("mesh", 3, 3); }
Topology torus() { return grid_of("torus", 4, 4); }
Topology trunk() { return graph_of(4, {{0, 1}, {0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 0}}); }
Topology triangle() { return graph_of(4, {{0, 3}, {0, 1}, {0, 2}, {1, 2}}); }  // r3 stands outside
Topology stack() { return stack_of({3, 3, 2}, {1, 2, 2, 0}); }
Topology dragonfly() { return dragonfly_of(2, 1, 1); }
Topology line() { return cube_of("cube", {6}); }

class UsualOptions : public testing::TestWithParam<Usual> {};

TEST_P(UsualOptions, AreAsIfTheyWereSaid) {
  const Topology t = GetParam().network();
  const auto made = [&](const OptionValue* value) {
    RoutingContext context;
    context.vcs = 6;
    context.configuration.set("topology.kind", t.grid && t.grid->wrap ? "torus" : "other");
    if (value != nullptr) {
      std::visit([&](const auto& v) { context.configuration.set(std::string("routing.") + GetParam().key, v); },
                 *value);
    }
    return routes_of(t, *RoutingRegistry::instance().make(GetParam().algorithm, t, context));
  };
  EXPECT_EQ(made(nullptr), made(&GetParam().usual));
  EXPECT_NE(made(nullptr), made(&GetParam().other)) << "the option matters here";
}

INSTANTIATE_TEST_SUITE_P(
    OfAlgorithms, UsualOptions,
    testing::Values(Usual{"derouting", mesh, "max_deroutes", std::int64_t{1}, std::int64_t{2}},
                    Usual{"derouting", mesh, "max_deroutes", std::int64_t{1}, std::int64_t{0}},
                    Usual{"derouting", triangle, "deroute_order", std::string("ascending"),
                          std::string("sideways_first")},
                    Usual{"x_first", torus, "datelines", std::string("two"), std::string("one")},
                    Usual{"y_first", torus, "datelines", std::string("two"), std::string("two_drawn")},
                    Usual{"x_first", torus, "ties", std::string("auto"), std::string("fixed")},
                    Usual{"x_first", torus, "ties", std::string("drawn"), std::string("fixed")},
                    Usual{"minimal_adaptive", torus, "ties", std::string("auto"), std::string("fixed")},
                    Usual{"minimal_adaptive", mesh, "sticky_escape", true, false},
                    Usual{"elevator_first", stack, "elevator", std::string("nearest"), std::string("on_the_way")},
                    Usual{"dragonfly_minimal", dragonfly, "phase_vcs", std::string("halves"), std::string("one_each")},
                    Usual{"ugal", line, "ugal_threshold", std::int64_t{0}, std::int64_t{1}},
                    Usual{"table", trunk, "parallel_links", std::string("lowest"), std::string("by_destination")},
                    Usual{"deterministic", trunk, "parallel_links", std::string("lowest"), std::string("by_source")}));

/// What is beyond the range says what it is.
TEST(RangesOfAlgorithms, AreToldByWhoIsBelowOrAboveThem) {
  const auto said = [](const char* algorithm, const Topology& t, const char* key, std::int64_t value) {
    RoutingContext context;
    context.vcs = 16;
    context.configuration.set(std::string("routing.") + key, value);
    return complaint([&] { (void)RoutingRegistry::instance().make(algorithm, t, context); });
  };
  const std::string deroutes = ": expected integer, 0 to 15", flits = ": expected integer, 0 to 100000";
  EXPECT_EQ(said("derouting", mesh(), "max_deroutes", -1), "routing.max_deroutes = -1" + deroutes);
  EXPECT_EQ(said("derouting", mesh(), "max_deroutes", 16), "routing.max_deroutes = 16" + deroutes);
  EXPECT_EQ(said("derouting", mesh(), "max_deroutes", 15), "") << "16 VCs are more";
  EXPECT_EQ(said("ugal", line(), "ugal_threshold", -1), "routing.ugal_threshold = -1" + flits);
  EXPECT_EQ(said("ugal", line(), "ugal_threshold", 100001), "routing.ugal_threshold = 100001" + flits);
  EXPECT_EQ(said("ugal", line(), "ugal_threshold", 100000), "");
}

TEST(UsualRouting, IsXFirstOnFourVcsAndNeverMayDeadlock) {
  const RoutingOptions options = routing_options().read({});
  EXPECT_EQ(options.algorithm, "x_first");
  EXPECT_EQ(options.vcs, 4U);
  EXPECT_FALSE(options.allow_deadlock);
  EXPECT_EQ(RoutingContext{}.vcs, 4U) << "of who makes an algorithm without an experiment, too";
}

TEST(UsualPaths, AreBalancedWithTheFewestBuffersAndOneAPairOfRouters) {
  const PathOptions options = path_options().read({});
  EXPECT_EQ(options.paths, "balanced");
  EXPECT_EQ(options.in_transit, "minimum");
  EXPECT_EQ(options.paths_per, PathsPer::kRouterPair);
}

TEST(UsualFinders, AreAllOfThem) {
  const DisjointOptions options = disjoint_options().read({});
  EXPECT_EQ(options.finder, "all");
  EXPECT_EQ(options.layouts, 0U);
}

}  // namespace
}  // namespace braid::test::usual_options_test
