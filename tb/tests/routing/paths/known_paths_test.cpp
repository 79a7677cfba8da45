#include <gtest/gtest.h>

#include <map>

#include "routing/base/random.h"
#include "routing/paths/channels.h"
#include "tb/tests/support/paths.h"

namespace braid::test::known_paths_test {
namespace {

using namespace routing;

std::vector<std::uint32_t> routers(const Topology& t, const PathSet& paths, std::size_t from, std::size_t to) {
  std::vector<std::uint32_t> all;
  for (const RouterId r : routers_on(t, RouterId{from}, paths.at(RouterId{from}, RouterId{to}))) all.push_back(r.value);
  return all;
}
using Routers = std::vector<std::uint32_t>;

Configuration root(const std::string& name) {
  Configuration c;
  c.set("routing.root", name);
  return c;
}

TEST(KnownPaths, UpDownGoesTheLongWayRoundWhereTheShortOneGoesUpAfterDown) {
  const Topology ring = ring_of(5);  // r0 above r1 and r4, these above r2 and r3, r2 above r3
  const PathSet paths = computed(ring, "up_down");
  EXPECT_EQ(routers(ring, paths, 4, 2), (Routers{4, 0, 1, 2}));
  EXPECT_EQ(routers(ring, paths, 2, 4), (Routers{2, 1, 0, 4}));
  EXPECT_EQ(routers(ring, paths, 1, 3), (Routers{1, 2, 3}));
  EXPECT_EQ(routers(ring, paths, 3, 1), (Routers{3, 2, 1}));
  EXPECT_EQ(links(paths), 32U);  // 30 would do
}

TEST(KnownPaths, TheRootOfUpDownIsTheFirstTheBestConnectedTheCenterOrByName) {
  // A ring r0 to r6; r7 hangs at r4, r8 and r9 at r1.
  const Topology t = graph_of(10, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 0}, {4, 7}, {1, 8}, {1, 9}});
  EXPECT_EQ(routers(t, computed(t, "up_down", root("r5")), 1, 3), (Routers{1, 0, 6, 5, 4, 3}));  // r2 below r1 and r3
  EXPECT_EQ(routers(t, computed(t, "up_down", root("r5")), 2, 4), (Routers{2, 3, 4}));
  EXPECT_EQ(routers(t, computed(t, "up_down", root("first")), 5, 3), (Routers{5, 6, 0, 1, 2, 3}));
  EXPECT_EQ(routers(t, computed(t, "up_down", root("most_links")), 6, 4), (Routers{6, 0, 1, 2, 3, 4}));
  EXPECT_EQ(complaint([&] { computed(t, "up_down", root("r99")); }),
            "routing.root = \"r99\": expected first, most_links, center or the name of a router, such as r0");
}

TEST(KnownPaths, TheCenterIsNearestToAllOthers) {
  // A ring r0 to r6; r7, r8 and r9 hang at r3, the chain r10 - r11 at r0. r3 is the center, and r6 below r0 and r5.
  const Topology t =
      graph_of(12, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 0}, {3, 7}, {3, 8}, {3, 9}, {0, 10}, {10, 11}});
  EXPECT_EQ(routers(t, computed(t, "up_down", root("center")), 0, 5), (Routers{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(routers(t, computed(t, "up_down", root("first")), 0, 5), (Routers{0, 6, 5}));
}

TEST(KnownPaths, ShortestLegalPathsShareEqualWays) {
  const Topology ring = ring_of(4);  // r0 to r2 by r1 or r3, both legal
  std::size_t by_r1 = 0;
  for (int seed = 0; seed < 200; ++seed) {
    Configuration c;
    c.set("experiment.seed", seed);
    by_r1 += routers(ring, computed(ring, "up_down", c), 0, 2)[1] == 1 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(by_r1), 100.0, 30.0);
}

/// Three shortest ways from r0 to r5 and back: over r3 and r4, which have r1 in common, and over r6. Each is taken by a
/// third of the seeds.
TEST(KnownPaths, EachShortestLegalPathIsAsLikely) {
  const Topology t = graph_of(7, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {3, 5}, {4, 5}, {2, 6}, {6, 5}});
  std::map<std::uint32_t, int> down, up;
  for (int seed = 0; seed < 300; ++seed) {
    Configuration c;
    c.set("experiment.seed", seed);
    const PathSet paths = computed(t, "up_down", c);
    ++down[routers(t, paths, 0, 5)[2]];
    ++up[routers(t, paths, 5, 0)[1]];
  }
  for (const std::uint32_t by : {3U, 4U, 6U}) {
    EXPECT_NEAR(down[by], 100, 35) << "by r" << by;
    EXPECT_NEAR(up[by], 100, 35) << "by r" << by;
  }
}

TEST(KnownPaths, DepthFirstTreeForbidsOneTurnOfARing) {
  const Topology ring = ring_of(5);  // walked r0, r1, r2, r3, r4: only the turn at r4 goes up after down
  const PathSet paths = computed(ring, "dfs");
  EXPECT_EQ(routers(ring, paths, 0, 3), (Routers{0, 1, 2, 3}));
  EXPECT_EQ(routers(ring, paths, 3, 0), (Routers{3, 2, 1, 0}));
  EXPECT_EQ(routers(ring, paths, 1, 4), (Routers{1, 0, 4}));
  EXPECT_EQ(routers(ring, paths, 4, 2), (Routers{4, 3, 2}));
}

TEST(KnownPaths, DepthFirstWalkBeginsFarFromAllAndGoesWhereMostLinksAre) {
  // A ring r0 to r5 with r6 hanging at r2: as far from all as none. Walked r6, r2, then r1 (as far as r3, and first),
  // r0, r5, r4, r3: the turn at r3 is forbidden.
  const Topology t = graph_of(7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {2, 6}});
  EXPECT_EQ(routers(t, computed(t, "dfs"), 2, 4), (Routers{2, 1, 0, 5, 4}));
  EXPECT_EQ(routers(t, computed(t, "dfs"), 6, 3), (Routers{6, 2, 3}));
  // With the diagonal r1 - r3 more, r0 and r3 are to be had from r1: r3 has two links into the tree (r2, r1), r0 one.
  // Walked r6, r2, r1, r3, r4, r5, r0: the turn at r0 is forbidden.
  const Topology u = graph_of(7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {2, 6}, {1, 3}});
  EXPECT_EQ(routers(u, computed(u, "dfs"), 1, 5), (Routers{1, 3, 4, 5}));
  EXPECT_EQ(routers(u, computed(u, "dfs"), 3, 5), (Routers{3, 4, 5}));
}

/// r1 hangs at a ring r0, r4, r3, r2 and is as far from all as none: walked r1, r0, then r4, which is the first of two
/// as good, r3 and r2. The turn at r2 is forbidden.
TEST(KnownPaths, DepthFirstWalkMayBeginAtTheSecondRouter) {
  const Topology t = graph_of(5, {{4, 0}, {0, 2}, {2, 3}, {3, 4}, {0, 1}});
  EXPECT_EQ(routers(t, computed(t, "dfs"), 0, 3), (Routers{0, 4, 3}));
  EXPECT_EQ(routers(t, computed(t, "dfs"), 3, 0), (Routers{3, 4, 0}));
}

TEST(KnownPaths, RandomTakesEachMinimalPathAsOften) {
  const Topology ring = ring_of(4);
  std::size_t by_r1 = 0;
  for (int seed = 0; seed < 200; ++seed) {
    Configuration c;
    c.set("experiment.seed", seed);
    const PathSet paths = computed(ring, "random", c);
    EXPECT_EQ(links(paths), 16U);
    by_r1 += routers(ring, paths, 0, 2)[1] == 1 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(by_r1), 100.0, 30.0);
}

TEST(KnownPlacements, MinimumBreaksARingWithOneBuffer) {
  for (const std::size_t routers : {4U, 5U, 6U}) {  // up to 5 each dependency is of one path; of 6, of three
    const Topology ring = ring_of(routers);
    PathSet paths = clockwise(ring);
    EXPECT_FALSE(check_paths(ring, paths).good());
    place(ring, "minimum", paths);
    EXPECT_TRUE(check_paths(ring, paths).good());
    EXPECT_EQ(buffers(paths), routers == 4 ? 1U : routers == 5 ? 2U : 4U);
  }
}

/// Of a ring of four that all paths of two links take the same way round, and two of three links: dependencies have 1,
/// 2, 3 and 2 paths, the lightest at each place in turn. Whoever counts dependencies breaks the cycle at the same one.
TEST(KnownPlacements, MinimumBreaksARingWhereTheFewestPathsGo) {
  const Topology ring = ring_of(4);
  for (std::size_t lightest = 0; lightest < 4; ++lightest) {
    PathSet paths = clockwise(ring);
    for (std::size_t from = 0; from < 4; ++from) {
      const std::size_t behind = (from + 4 - lightest) % 4;
      std::vector<std::size_t> back{from, (from + 3) % 4}, two{from, (from + 1) % 4, (from + 2) % 4}, three = two;
      three.push_back((from + 3) % 4);
      paths.at(RouterId{from}, RouterId{two.back()}) = path_over(ring, two);
      paths.at(RouterId{from}, RouterId{back.back()}) = path_over(ring, behind == 1 || behind == 2 ? three : back);
    }
    place(ring, "minimum", paths);
    EXPECT_TRUE(check_paths(ring, paths).good()) << lightest;
    EXPECT_EQ(buffers(paths), 1U) << lightest;
    EXPECT_EQ(paths.at(RouterId{lightest}, RouterId{(lightest + 2) % 4}).in_transit, std::vector<std::uint16_t>{1});
  }
}

TEST(KnownPlacements, MinimumPlacesNothingWhereNoCycleIs) {
  const Topology ring = ring_of(9);
  PathSet paths = computed(ring, "up_down");
  place(ring, "minimum", paths);
  EXPECT_EQ(buffers(paths), 0U);
}

/// Who places buffers forgets those that stood there.
TEST(KnownPlacements, ReplaceEachOther) {
  const Topology ring = ring_of(9);
  for (const char* placement : {"minimum", "every_switch", "numbered", "up_down"}) {
    PathSet once = computed(ring, "up_down"), twice = computed(ring, "up_down");
    place(ring, placement, once);
    place(ring, "every_switch", twice);
    place(ring, placement, twice);
    for (std::size_t i = 0; i < once.size(); ++i) {
      EXPECT_EQ(twice.at_place(i).in_transit, once.at_place(i).in_transit) << placement;
    }
  }
}

/// r4 to r7 are a ring without nodes; r0 to r3 hang at it, with one each.
Topology ring_behind() { return graph_of(8, {{4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}, 4); }

TEST(KnownPlacements, MinimumRefusesACycleOverRoutersWithoutNodesByName) {
  const Topology t = ring_behind();
  PathSet paths(8);
  for (std::size_t from = 0; from < 4; ++from) {
    for (std::size_t steps = 1; steps < 4; ++steps) {
      std::vector<std::size_t> routers{from, from + 4};
      for (std::size_t i = 0; i < steps; ++i) routers.push_back((routers.back() - 4 + 1) % 4 + 4);
      routers.push_back((from + steps) % 4);
      paths.at(RouterId{from}, RouterId{(from + steps) % 4}) = path_over(t, routers);
    }
  }
  const std::string refusal = complaint([&] { place(t, "minimum", paths); });
  EXPECT_NE(refusal.find("cannot break a cycle over routers without nodes"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("(r5)->to_r6 waits for (r6)->to_r7"), std::string::npos) << refusal;
  for (const char* placement : {"up_down", "numbered", "every_switch"}) {
    place(t, placement, paths);
    EXPECT_EQ(buffers(paths), 0U) << placement;  // and the check says which cycle that leaves
  }
  EXPECT_EQ(check_paths(t, paths).cycle.size(), 4U);
}

/// Up to six channels of such a cycle are named; the others are counted.
TEST(KnownPlacements, MinimumNamesSixChannelsOfALongCycleAndCountsTheOthers) {
  for (const std::size_t n : {6U, 8U}) {
    std::vector<std::pair<std::size_t, std::size_t>> ring;
    for (std::size_t r = 0; r < n; ++r) {
      ring.emplace_back(n + r, n + (r + 1) % n);
      ring.emplace_back(r, n + r);
    }
    const Topology t = graph_of(2 * n, ring, n);
    PathSet paths(2 * n);
    for (std::size_t from = 0; from < n; ++from) {
      for (std::size_t steps = 1; steps < n; ++steps) {
        std::vector<std::size_t> routers{from, from + n};
        for (std::size_t i = 0; i < steps; ++i) routers.push_back((routers.back() + 1 - n) % n + n);
        routers.push_back((from + steps) % n);
        paths.at(RouterId{from}, RouterId{(from + steps) % n}) = path_over(t, routers);
      }
    }
    const std::string said = complaint([&] { place(t, "minimum", paths); });
    std::size_t waits = 0;
    for (std::size_t at = said.find(" waits for "); at != std::string::npos; at = said.find(" waits for ", at + 1))
      ++waits;
    EXPECT_EQ(waits, n == 6 ? 6U : 7U) << said;
    EXPECT_EQ(said.find("… (2 more) waits for (r") != std::string::npos, n == 8) << said;
    const std::size_t begin = said.find("(r"), end = said.find(" waits for ");
    const std::string first = said.substr(begin, end - begin);
    EXPECT_EQ(said.substr(said.size() - first.size()), first) << "back to where it begins";
  }
}

TEST(KnownPlacements, UpDownPlacesABufferWhereAPathGoesUpAfterDown) {
  const Topology ring = ring_of(5);
  PathSet paths = clockwise(ring);
  place(ring, "up_down", paths);
  EXPECT_EQ(buffers(paths), 2U);  // 4 - 3 - 2 and 2 - 3 - 4, both at r3
  EXPECT_EQ(paths.at(RouterId{4}, RouterId{2}).in_transit, std::vector<std::uint16_t>{1});
  EXPECT_EQ(paths.at(RouterId{2}, RouterId{4}).in_transit, std::vector<std::uint16_t>{1});
  Configuration c;
  c.set("routing.in_transit_root", "r3");
  place(ring, "up_down", paths, c);  // r3 above r2 and r4, these above r1 and r0; r0 above r1
  EXPECT_EQ(buffers(paths), 2U);
  EXPECT_EQ(paths.at(RouterId{0}, RouterId{2}).in_transit, std::vector<std::uint16_t>{1});
}

TEST(KnownPlacements, EverySwitchOnTheWayButItsEnds) {
  const Topology ring = ring_of(7);
  PathSet paths = clockwise(ring);
  place(ring, "every_switch", paths);
  EXPECT_EQ(paths.at(RouterId{0}, RouterId{3}).in_transit, (std::vector<std::uint16_t>{1, 2}));
  EXPECT_TRUE(paths.at(RouterId{0}, RouterId{1}).in_transit.empty());
  EXPECT_EQ(check_paths(ring, paths).dependencies, 0U);
}

TEST(KnownPlacements, NumberedPlacesABufferWhereTheNumberRises) {
  const Topology t = irregular(16, 0);
  const Channels channels(t);
  std::vector<std::uint32_t> number(channels.count());  // the same draws as the placement's
  for (std::uint32_t i = 0; i < number.size(); ++i) number[i] = i;
  Random random(1, "routing.numbered");
  for (std::size_t i = number.size(); i > 1; --i) std::swap(number[i - 1], number[random.below(i)]);
  PathSet paths = computed(t, "random");
  place(t, "numbered", paths);
  for (std::size_t from = 0; from < 16; ++from) {
    for (std::size_t to = 0; to < 16; ++to) {
      const Path& path = paths.at(RouterId{from}, RouterId{to});
      const std::vector<std::uint32_t> taken = channels.on(RouterId{from}, path);
      std::vector<std::uint16_t> rises;
      for (std::size_t i = 1; i < taken.size(); ++i) {
        if (number[taken[i - 1]] < number[taken[i]]) rises.push_back(static_cast<std::uint16_t>(i));
      }
      EXPECT_EQ(path.in_transit, rises);
    }
  }
}

}  // namespace
}  // namespace braid::test::known_paths_test
