#include "routing/paths/minimal_paths.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tb/tests/support/paths.h"

namespace braid::test::minimal_paths_test {
namespace {

using namespace routing;

TEST(MinimalPaths, AMeshHasAsManyAsABinomialSays) {
  const Topology mesh = grid_of("mesh", 4, 4);
  const MinimalPaths paths(mesh, mesh.grid->at(3, 3));
  EXPECT_EQ(paths.count(mesh.grid->at(0, 0)), 20U);
  EXPECT_EQ(paths.count(mesh.grid->at(1, 2)), 3U);
  EXPECT_EQ(paths.count(mesh.grid->at(3, 3)), 1U);
  std::set<std::vector<PortId>> all;
  for (std::uint64_t n = 0; n < 20; ++n) {
    const std::vector<PortId> path = paths.path(RouterId{0}, n);
    EXPECT_EQ(path.size(), 6U);
    EXPECT_EQ(routers_on(mesh, RouterId{0}, {path, {}}).back(), mesh.grid->at(3, 3));
    EXPECT_TRUE(all.empty() || *all.rbegin() < path);  // in the order of port numbers
    all.insert(path);
  }
  EXPECT_EQ(all.size(), 20U);
}

TEST(MinimalPaths, TwoLinksBetweenTwoRoutersAreTwoPaths) {
  const Topology t = graph_of(3, {{0, 1}, {0, 1}, {1, 2}});
  EXPECT_EQ(MinimalPaths(t, RouterId{2}).count(RouterId{0}), 2U);
}

TEST(MinimalPaths, CountsBeyond64BitsStayThere) {
  std::vector<std::pair<std::size_t, std::size_t>> links;  // 70 times two links to the next router
  for (std::size_t r = 0; r < 70; ++r) links.insert(links.end(), 2, {r, r + 1});
  const Topology t = graph_of(71, links);
  const MinimalPaths paths(t, RouterId{70});
  EXPECT_EQ(paths.count(RouterId{0}), UINT64_MAX);
  Random random(1);
  for (const std::uint64_t n : paths.draw(RouterId{0}, 10, random)) EXPECT_EQ(paths.path(RouterId{0}, n).size(), 70U);
}

TEST(MinimalPaths, DrawsAreDistinctAscendingAndEachAsLikely) {
  const Topology mesh = grid_of("mesh", 3, 3);
  const MinimalPaths paths(mesh, mesh.grid->at(2, 2));
  Random random(3);
  std::map<std::uint64_t, int> drawn;
  for (int round = 0; round < 6000; ++round) {
    const std::vector<std::uint64_t> some = paths.draw(RouterId{0}, 2, random);
    ASSERT_EQ(some.size(), 2U);
    ASSERT_LT(some[0], some[1]);
    for (const std::uint64_t n : some) ++drawn[n];
  }
  ASSERT_EQ(drawn.size(), 6U);
  for (const auto& [n, times] : drawn) EXPECT_NEAR(times, 2000, 150) << n;
  EXPECT_EQ(paths.draw(RouterId{0}, 6, random), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(paths.draw(RouterId{0}, 99, random).size(), 6U);
}

/// Where there are no more than are wanted nothing is drawn; else a number each.
TEST(MinimalPaths, AreDrawnOnlyWhereThereIsAChoice) {
  const Topology mesh = grid_of("mesh", 3, 3);
  const MinimalPaths paths(mesh, mesh.grid->at(2, 2));
  const auto drawn = [&](std::size_t most) {
    Random random(9), counted(9);
    (void)paths.draw(RouterId{0}, most, random);
    const std::uint64_t next = random();
    for (std::size_t n = 0; n < 10; ++n) {
      if (counted() == next) return n;
    }
    return SIZE_MAX;
  };
  EXPECT_EQ(drawn(1), 1U);
  EXPECT_EQ(drawn(5), 5U);
  EXPECT_EQ(drawn(6), 0U) << "there are six";
  EXPECT_EQ(drawn(7), 0U);
}

}  // namespace
}  // namespace braid::test::minimal_paths_test
