// Cuts with fewer channels than demands: refused at one more than there is room for, not before.
#include "routing/paths/disjoint/demand_cuts.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

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
  EXPECT_TRUE(cut->leaving);
  std::vector<RouterId> left;  // the left two columns
  for (const std::size_t r : {0U, 1U, 4U, 5U, 8U, 9U}) left.emplace_back(r);
  EXPECT_EQ(cut->routers, left);
  EXPECT_EQ(found_by("exact", t, demands).proof, "cut");
  for (Demand& d : demands) std::swap(d.from, d.to);
  const auto back = overfull_region(t, channels, demands, {});
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->leaving);
  EXPECT_EQ(back->routers, left);
  EXPECT_EQ(back->demands, 4U);
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

/// A row of six: two demands over the link in the middle, of which no router has both. The first region that is looked
/// at and has them is what is no farther than two links from the end of the row.
TEST(DemandCuts, AreFoundAroundARouterUpToAnyDistance) {
  const Topology t = graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  const Channels channels(t);
  const std::vector<Demand> demands{{RouterId{0}, RouterId{4}}, {RouterId{2}, RouterId{5}}};
  EXPECT_FALSE(overfull_router(t, channels, demands));
  std::vector<std::pair<std::size_t, std::size_t>> told;
  const auto cut = overfull_region(t, channels, demands, [&](const char* counts, std::size_t done, std::size_t all) {
    EXPECT_STREQ(counts, "router");
    told.emplace_back(done, all);
  });
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->routers, (std::vector<RouterId>{RouterId{0}, RouterId{1}, RouterId{2}}));
  EXPECT_EQ(cut->demands, 2U);
  EXPECT_EQ(cut->channels, 1U);
  EXPECT_TRUE(cut->leaving);
  EXPECT_EQ(told.size(), 1U);
}

/// Where there is none every corner, or every router, is told of; what cannot be reached ends no search.
TEST(DemandCuts, TellOfEachPlaceWhereTheyAreLookedFor) {
  using Told = std::vector<std::pair<std::size_t, std::size_t>>;
  const auto told_of = [](const Topology& t, const std::string& expected) {
    Told told;
    EXPECT_FALSE(overfull_region(t, Channels(t), {{RouterId{0}, RouterId{1}}},
                                 [&](const char* counts, std::size_t done, std::size_t all) {
                                   EXPECT_EQ(counts, expected);
                                   told.emplace_back(done, all);
                                 }));
    return told;
  };
  EXPECT_EQ(told_of(grid_of("mesh", 3, 2), "corner"), (Told{{0, 6}, {1, 6}, {2, 6}, {3, 6}, {4, 6}, {5, 6}}));
  EXPECT_EQ(told_of(graph_of(4, {{0, 1}, {2, 3}}), "router"), (Told{{0, 4}, {1, 4}, {2, 4}, {3, 4}}));
}

}  // namespace
}  // namespace braid::test::demand_cuts_test
