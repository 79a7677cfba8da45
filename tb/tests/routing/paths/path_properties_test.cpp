// What every computation with every placement holds to, on irregular networks and others.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tb/tests/support/paths.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::path_properties_test {
namespace {

using namespace routing;

/// All but "fewest", whose proofs may take minutes.
std::vector<std::string> quick_placements() {
  std::vector<std::string> names = InTransitPlacementRegistry::instance().names();
  names.erase(std::remove(names.begin(), names.end(), "fewest"), names.end());
  return names;
}

/// `programs`: also those that solve linear programs, which take seconds of a network of 64 switches.
void expect_all_hold(const Topology& t, const Configuration& c, bool programs = true) {
  for (const std::string& name : PathComputationRegistry::instance().names()) {
    if (!programs && (name.rfind("smart", 0) == 0 || name == "balanced_lp")) continue;
    const auto computation = PathComputationRegistry::instance().make(name, {c});
    const PathClaims claims{computation->minimal(), computation->acyclic()};
    PathSet paths = computation->compute(t, {});
    const PathCheck bare = check_paths(t, paths, claims);
    EXPECT_EQ(bare.fault, "") << t.name << ", " << name;
    EXPECT_TRUE(!claims.acyclic || bare.cycle.empty()) << t.name << ", " << name << ": " << bare.cycle_text();
    for (const std::string& placement : quick_placements()) {
      place(t, placement, paths, c);
      const PathCheck check = check_paths(t, paths, claims);
      EXPECT_TRUE(check.good()) << t.name << ", " << name << ", " << placement << ": " << check.fault
                                << check.cycle_text();
      EXPECT_EQ(check.links_mean, bare.links_mean);
      EXPECT_TRUE(placement != "minimum" || !claims.acyclic || check.in_transit_mean == 0.0) << t.name << ", " << name;
    }
  }
}

class PathProperties : public testing::TestWithParam<std::uint32_t> {};

TEST_P(PathProperties, EveryComputationWithEveryPlacementHoldsOnSeveralNetworks) {
  const std::uint32_t networks = GetParam() == 16 ? (kBrief ? 2 : 10) : (kBrief ? 1 : 2);
  for (std::uint32_t i = 0; i < networks; ++i) expect_all_hold(irregular(GetParam(), i), {}, GetParam() < 64);
}
INSTANTIATE_TEST_SUITE_P(Switches, PathProperties, testing::Values(16, 32, 64));

TEST(PathProperties, TheyHoldOnRegularNetworksToo) {
  for (const char* kind : {"mesh", "torus"}) expect_all_hold(grid_of(kind, 5, 4), {});
  expect_all_hold(ring_of(7), {});
  // Two links between neighbours.
  expect_all_hold(graph_of(4, {{0, 1}, {0, 1}, {1, 2}, {2, 3}, {2, 3}, {3, 0}}), {});
}

/// Means over ten networks, as the papers' tables give them.
std::map<std::string, double> buffers_a_path(std::uint32_t switches, const std::string& computation) {
  std::map<std::string, double> means;
  for (std::uint32_t instance = 0; instance < 10; ++instance) {
    const Topology t = irregular(switches, instance);
    PathSet paths = computed(t, computation);
    for (const std::string& placement : quick_placements()) {
      place(t, placement, paths);
      means[placement] += check_paths(t, paths).in_transit_mean / 10.0;
    }
  }
  return means;
}

/// As few as can be on 8 switches, by an integer program; the search has few more (3.3 % more on 30 sets of paths of 16
/// switches; before it had kicks, 30 %).
TEST(PathFigures, MinimumIsNearTheFewestOnSmallNetworks) {
  double fewest = 0.0, minimum = 0.0;
  for (std::uint32_t instance = 0; instance < 10; ++instance) {
    const Topology t = irregular(8, instance);
    for (const char* computation : {"balanced", "random"}) {
      PathSet paths = computed(t, computation);
      place(t, "minimum", paths);
      minimum += check_paths(t, paths).in_transit_mean;
      place(t, "fewest", paths);
      const PathCheck check = check_paths(t, paths);
      EXPECT_TRUE(check.good()) << t.name << ", " << computation;
      fewest += check.in_transit_mean;
    }
  }
  EXPECT_LE(fewest, minimum * (1 + 1e-12));
  EXPECT_LE(minimum, 1.06 * fewest);
}

TEST(PathFigures, FewestSaysItsBoundWhereItHasNoProof) {
  const Topology t = irregular(32, 0);
  PathSet paths = computed(t, "random");
  Configuration c;
  c.set("routing.fewest_seconds", 0.01);
  PathSet minimum = paths;
  place(t, "minimum", minimum);
  try {
    place(t, "fewest", paths, c);
    FAIL() << "a proof within a hundredth of a second";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("no proof within routing.fewest_seconds = 0.01; no placement has fewer than "),
              std::string::npos)
        << e.what();
    const std::string has = "\"minimum\" has " + std::to_string(buffers(minimum));
    const std::string what = e.what();
    EXPECT_EQ(what.substr(what.size() - std::min(what.size(), has.size())), has) << "all dependencies, by their paths";
  }
}

TEST(PathFigures, MinimumBelowUpDownBelowNumberedWhichIsHalfOfEverySwitch) {
  if (kBrief) GTEST_SKIP() << kLong;
  for (const std::uint32_t switches : {16U, 32U, 64U}) {
    std::map<std::string, double> means = buffers_a_path(switches, "balanced");
    EXPECT_LT(means["minimum"], 0.85 * means["up_down"]) << switches;
    EXPECT_LT(means["up_down"], means["numbered"]) << switches;
    EXPECT_NEAR(means["numbered"] / means["every_switch"], 0.5, 0.03) << switches;
  }
}

TEST(PathFigures, UpDownPlacesThePapers038BuffersAMessageAt32Switches) {
  EXPECT_NEAR(buffers_a_path(32, "balanced")["up_down"], 0.38, 0.02);  // section 4.2.1
}

TEST(PathFigures, DepthFirstTreesGiveShorterPathsThanBreadthFirstOnes) {
  for (const std::uint32_t switches : {16U, 32U, 64U}) {
    std::size_t breadth = 0, depth = 0, minimal = 0;
    for (std::uint32_t instance = 0; instance < 10; ++instance) {
      const Topology t = irregular(switches, instance);
      breadth += links(computed(t, "up_down"));
      depth += links(computed(t, "dfs"));
      minimal += links(computed(t, "random"));
    }
    EXPECT_LT(minimal, depth) << switches;
    EXPECT_LT(depth, breadth) << switches;
  }
}

TEST(PathFigures, BalancedDeviatesLessThanRandomAndRandomLessThanTrees) {
  for (std::uint32_t instance = 0; instance < 10; ++instance) {
    const Topology t = irregular(32, instance);
    const auto deviation = [&](const char* name) { return check_paths(t, computed(t, name)).paths_per_link_deviation; };
    EXPECT_LT(deviation("balanced"), 0.8 * deviation("random")) << instance;
    EXPECT_LT(deviation("random"), 0.8 * deviation("dfs")) << instance;
    EXPECT_LT(deviation("random"), 0.5 * deviation("up_down")) << instance;
  }
}

}  // namespace
}  // namespace braid::test::path_properties_test
