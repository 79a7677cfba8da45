// Cuts with fewer channels than demands: refused at one more than there is room for, not before.
#include "routing/paths/disjoint/demand_cuts.h"

#include <gtest/gtest.h>

#include "tb/tests/support/disjoint.h"

namespace braid::test::demand_cuts_test {
namespace {

using namespace routing;

std::vector<Demand> times(std::size_t count, Demand demand) { return std::vector<Demand>(count, demand); }

TEST(DemandCuts, AreOverfullAtOneDemandMoreThanARouterHasLinks) {
  const Topology t = grid_of("mesh", 3, 3);
  const Channels channels(t);
  for (const auto& [router, links] : {std::pair{0, 2U}, std::pair{1, 3U}, std::pair{4, 4U}}) {
    const Demand out{RouterId{static_cast<std::size_t>(router)}, RouterId{8}}, in{out.to, out.from};
    EXPECT_FALSE(overfull_router(t, channels, times(2, in))) << "the corner at the other end has two links";
    std::vector<Demand> demands;
    for (std::uint32_t i = 0; i < links; ++i) demands.push_back({out.from, RouterId{std::size_t{5} + i % 3}});
    EXPECT_FALSE(overfull_router(t, channels, demands)) << "at N";
    demands.push_back({out.from, RouterId{2}});
    const auto cut = overfull_router(t, channels, demands);
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->routers, std::vector<RouterId>{out.from});
    EXPECT_TRUE(cut->leaving);
    EXPECT_EQ(cut->channels, links);
    EXPECT_EQ(cut->demands, links + 1);
    for (Demand& d : demands) std::swap(d.from, d.to);
    const auto entering = overfull_router(t, channels, demands);
    ASSERT_TRUE(entering);
    EXPECT_FALSE(entering->leaving);
  }
}

TEST(DemandCuts, DoNotCountPathsWithinARouter) {
  const Topology t = grid_of("mesh", 2, 2);
  EXPECT_FALSE(overfull_router(t, Channels(t), times(5, {RouterId{0}, RouterId{0}})));
  EXPECT_FALSE(overfull_region(t, Channels(t), times(5, {RouterId{0}, RouterId{0}}), {}));
}

/// Four paths from the left two columns to the right two, of which no router starts or ends two.
TEST(DemandCuts, AreFoundBetweenHalvesWhereNoRouterIsOverfull) {
  const Topology t = grid_of("mesh", 4, 3);
  const Channels channels(t);
  std::vector<Demand> demands{{RouterId{0}, RouterId{2}}, {RouterId{1}, RouterId{3}}, {RouterId{4}, RouterId{6}}};
  EXPECT_FALSE(overfull_region(t, channels, demands, {})) << "three, and three rows";
  demands.push_back({RouterId{5}, RouterId{7}});
  EXPECT_FALSE(overfull_router(t, channels, demands));
  const auto cut = overfull_region(t, channels, demands, {});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->demands, 4U);
  EXPECT_EQ(cut->channels, 3U);
  EXPECT_EQ(found_by("exact", t, demands).proof, "cut");
}

TEST(DemandCuts, AreFoundAroundARouterOfAGraph) {
  // Two triangles joined by one link: two demands from one to the other, from different routers to different ones.
  const Topology t = graph_of(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {2, 3}});
  const Channels channels(t);
  std::vector<Demand> demands{{RouterId{0}, RouterId{5}}};
  EXPECT_FALSE(overfull_region(t, channels, demands, {}));
  demands.push_back({RouterId{1}, RouterId{4}});
  EXPECT_FALSE(overfull_router(t, channels, demands));
  const auto cut = overfull_region(t, channels, demands, {});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->routers, (std::vector<RouterId>{RouterId{0}, RouterId{1}, RouterId{2}}));
  EXPECT_EQ(cut->channels, 1U);
}

}  // namespace
}  // namespace braid::test::demand_cuts_test
