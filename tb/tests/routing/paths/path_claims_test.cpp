// What each computation of paths claims of itself, by name; the defaults of section [routing]; and the tree that
// smart-routing keeps, by hand.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "routing/paths/dependency_removal.h"
#include "tb/tests/support/paths.h"

namespace braid::test::path_claims_test {
namespace {

using namespace routing;

/// Minimal, acyclic (docs/in-transit-buffers.md). Nobody claims both.
TEST(PathClaims, AreThoseOfTheirKind) {
  using Claims = std::map<std::string, std::pair<bool, bool>>;
  Claims claims;
  for (const std::string& name : PathComputationRegistry::instance().names()) {
    const auto computation = PathComputationRegistry::instance().make(name, {});
    claims[name] = {computation->minimal(), computation->acyclic()};
  }
  EXPECT_EQ(claims, (Claims{{"balanced", {true, false}},
                            {"balanced_lp", {true, false}},
                            {"dfs", {false, true}},
                            {"random", {true, false}},
                            {"smart", {false, true}},
                            {"smart_feedback", {false, true}},
                            {"up_down", {false, true}}}));
}

TEST(PathClaims, UsualPathsAreBalancedWithFewBuffers) {
  const PathOptions usual = path_options().read({});
  EXPECT_EQ(usual.paths, "balanced");
  EXPECT_EQ(usual.in_transit, "minimum");
  EXPECT_EQ(usual.paths_per, PathsPer::kRouterPair);
}

/// Buffers are placed where they are asked for, and only there.
TEST(PathClaims, PathsAreMadeWithTheBuffersThatAreAskedFor) {
  const Topology ring = ring_of(5);  // between any two routers one way is shortest: 10 pairs of neighbours, 10 others
  const auto with = [&](const std::string& in_transit) {
    Configuration c;
    c.set("routing.in_transit", in_transit);
    return buffers(make_paths(ring, c));
  };
  EXPECT_EQ(with("none"), 0U);
  EXPECT_EQ(with("every_switch"), 10U);
  EXPECT_EQ(with("minimum"), 2U) << "one of the five turns each way round";
  EXPECT_EQ(buffers(make_paths(ring, {})), 2U);
}

std::vector<bool> tree_of(const Topology& t) { return acyclic_dependencies(t, Channels(t)).tree; }

/// Channels of r0: to r1, r2; of r1: to r0, r2, r3; of r2: to r0, r1; of r3: to r1. From r0 to r2, which has one
/// neighbour left, before r1, which has two; from there to r1 and r3.
TEST(KeptTree, GoesToTheNeighbourWithTheFewestNeighboursLeft) {
  EXPECT_EQ(tree_of(graph_of(4, {{0, 1}, {0, 2}, {1, 2}, {1, 3}})),
            (std::vector<bool>{false, true, false, true, true, true, true, true}));
}

/// Of r0's two neighbours the lower port's; the link that closes the ring stays out, both ways.
TEST(KeptTree, OfEqualNeighboursTakesTheLowerPorts) {
  EXPECT_EQ(tree_of(ring_of(4)), (std::vector<bool>{true, false, true, true, true, true, true, false}));
}

/// A tree is kept whole, though the walk has to turn back.
TEST(KeptTree, OfATreeIsAll) {
  EXPECT_EQ(tree_of(graph_of(5, {{0, 1}, {0, 2}, {1, 3}, {1, 4}})), std::vector<bool>(8, true));
}

/// Of a ring of three one dependency goes each way round. Two of each cycle's three may go, for the third is in the
/// tree; each is told with the number of those that have gone, and then each that could come back.
TEST(KeptTree, RemovalsAreTold) {
  const Topology ring = ring_of(3);
  std::vector<std::size_t> told;
  (void)acyclic_dependencies(ring, Channels(ring), [&](const char* counts, std::size_t done, std::size_t) {
    EXPECT_STREQ(counts, "removal");
    told.push_back(done);
  });
  EXPECT_EQ(told, (std::vector<std::size_t>{0, 0, 1, 1, 2, 1}));
}

}  // namespace
}  // namespace braid::test::path_claims_test
