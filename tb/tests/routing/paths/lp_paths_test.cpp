// The paths that a linear program balances: what they claim, and how close they come to what is possible.
#include <gtest/gtest.h>

#include <cmath>

#include "routing/paths/dependency_removal.h"
#include "routing/paths/link_balance.h"
#include "routing/paths/path_computation.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/path_facts.h"

namespace braid::test::lp_paths_test {
namespace {

using namespace routing;

PathSet computed(const char* name, const Topology& t) {
  return PathComputationRegistry::instance().make(name, PathContext{})->compute(t, {});
}
Topology irregular(std::uint32_t switches, std::uint32_t instance) {
  Configuration options;
  options.set("topology.kind", "irregular");
  options.set("topology.switches", switches);
  options.set("topology.instance", instance);
  return make_topology(options);
}
std::vector<Topology> networks() {
  std::vector<Topology> all{ring_of(3),
                            ring_of(7),
                            grid_of("mesh", 4, 3),
                            grid_of("torus", 4, 4),
                            ring_of(8, 0, 3),
                            graph_of(2, {{0, 1}}),
                            graph_of(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}})};
  for (const std::uint32_t instance : {0U, 1U, 2U}) all.push_back(irregular(16, instance));
  return all;
}

TEST(LpPaths, AreCompleteAndWhatTheyClaim) {
  for (const Topology& t : networks()) {
    for (const char* name : {"smart", "balanced_lp"}) {
      const auto computation = PathComputationRegistry::instance().make(name, PathContext{});
      EXPECT_EQ(computation->acyclic(), std::string(name) == "smart");
      EXPECT_EQ(computation->minimal(), std::string(name) == "balanced_lp");
      const PathSet paths = computation->compute(t, {});
      EXPECT_TRUE(is_complete(t, paths)) << name << " on " << t.name;
      if (computation->minimal()) {
        EXPECT_TRUE(is_minimal(t, paths)) << name << " on " << t.name;
      }
      if (computation->acyclic()) {
        EXPECT_TRUE(closes_no_cycle(t, paths)) << name << " on " << t.name;
      }
    }
  }
}

/// Without in-transit buffers minimal paths on these networks close cycles: what smart-routing removes is not nothing.
TEST(LpPaths, MinimalOnesCloseCycles) {
  EXPECT_FALSE(closes_no_cycle(ring_of(7), computed("balanced_lp", ring_of(7))));
  EXPECT_FALSE(closes_no_cycle(irregular(16, 0), computed("balanced_lp", irregular(16, 0))));
}

TEST(LpPaths, AreBestWhereTheBestIsKnown) {
  EXPECT_EQ(loads_of(ring_of(4), computed("balanced_lp", ring_of(4))).most, 2U);
  EXPECT_EQ(loads_of(ring_of(7), computed("balanced_lp", ring_of(7))).most, 6U);
  const Topology mesh = grid_of("mesh", 4, 4);  // bisection
  EXPECT_EQ(loads_of(mesh, computed("balanced_lp", mesh)).most, 16U);
  EXPECT_LE(loads_of(mesh, computed("smart", mesh)).most, 24U);
}

/// The fullest channel has at most one path more than any paths under the same rules must have.
TEST(LpPaths, AreCloseToTheBoundOfTheProgram) {
  for (const std::uint32_t instance : {0U, 1U, 2U, 3U}) {
    const Topology t = irregular(16, instance);
    const Channels channels(t);
    const WayRules rules(t, channels, acyclic_dependencies(t, channels).after);
    const double smart = balance_links(rules, routers_with_nodes(t)).bound;
    EXPECT_LE(loads_of(t, computed("smart", t)).most, std::ceil(smart) + 1) << instance;
    const WayRules all(t, channels, all_dependencies(t, channels));
    const double least = balance_links(all, routers_with_nodes(t)).bound;
    EXPECT_GE(loads_of(t, computed("balanced_lp", t)).most, least) << instance;
    EXPECT_LE(loads_of(t, computed("balanced_lp", t)).most, 1.3 * least + 1) << instance;
  }
}

/// in-transit-buffers, section 4.2.1: smart-routing's paths are longer than minimal ones, its balance is that of
/// BSMART; up*/down* is far from both.
TEST(LpPaths, StandToEachOtherAsThePaperSays) {
  for (const std::uint32_t instance : {0U, 1U}) {
    const Topology t = irregular(32, instance);
    const PathLoads smart = loads_of(t, computed("smart", t)), minimal = loads_of(t, computed("balanced_lp", t));
    const PathLoads up_down = loads_of(t, computed("up_down", t)), random = loads_of(t, computed("random", t));
    EXPECT_GT(smart.links, minimal.links);
    EXPECT_LT(static_cast<double>(smart.links), 1.25 * static_cast<double>(minimal.links));
    EXPECT_LT(static_cast<double>(smart.most), 1.2 * static_cast<double>(minimal.most));
    EXPECT_GT(static_cast<double>(up_down.most), 1.8 * static_cast<double>(smart.most));
    EXPECT_GT(static_cast<double>(random.most), 1.2 * static_cast<double>(minimal.most));
  }
}

TEST(LpPaths, AreTheSameEveryTime) {
  const Topology t = irregular(16, 4);
  for (const char* name : {"smart", "balanced_lp"}) {
    const PathSet one = computed(name, t), two = computed(name, t);
    for (std::size_t a = 0; a < 16; ++a) {
      for (std::size_t b = 0; b < 16; ++b) {
        EXPECT_EQ(one.at(RouterId{a}, RouterId{b}).ports, two.at(RouterId{a}, RouterId{b}).ports);
      }
    }
  }
}

}  // namespace
}  // namespace braid::test::lp_paths_test
