// up*/down* paths by hand: never up after down, each of the shortest as likely, and more of them than 64 bits count.
#include "routing/paths/legal_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "routing/paths/up_down_ranks.h"
#include "tb/tests/support/paths.h"

namespace braid::test::legal_paths_test {
namespace {

using namespace routing;

Path legal(const Topology& t, const Ranks& ranks, std::size_t from, std::size_t to, std::uint64_t seed = 1) {
  return shortest_legal_paths(t, ranks, PathsPer::kRouterPair, Random(seed), {}).at(RouterId{from}, RouterId{to});
}
std::vector<RouterId> over(const Topology& t, const Ranks& ranks, std::size_t from, std::size_t to,
                           std::uint64_t seed = 1) {
  return routers_on(t, RouterId{from}, legal(t, ranks, from, to, seed));
}
std::vector<RouterId> routers(const std::vector<std::size_t>& numbers) {
  return std::vector<RouterId>(numbers.begin(), numbers.end());
}

/// Both ways between opposite routers of a ring have two links; down first and then up is not allowed.
TEST(LegalPaths, NeverGoUpAfterDown) {
  const Topology ring = ring_of(4);
  const Ranks ranks = up_down_ranks(ring, RouterId{0});
  EXPECT_EQ(ranks, (Ranks{0, 1, 3, 2})) << "by distance from the root, then by number";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(over(ring, ranks, 1, 3, seed), routers({1, 0, 3}));
    EXPECT_EQ(over(ring, ranks, 3, 1, seed), routers({3, 0, 1}));
  }
}

/// A ring of six with its root at r0: from r2 to r4 over r3 would be down and up again; all the way over the root.
TEST(LegalPaths, AreLongerThanTheShortestWhereThatIsNotAllowed) {
  const Topology ring = ring_of(6);
  const Ranks ranks = up_down_ranks(ring, RouterId{0});
  EXPECT_EQ(over(ring, ranks, 2, 4), routers({2, 1, 0, 5, 4}));
  EXPECT_EQ(over(ring, ranks, 4, 2), routers({4, 5, 0, 1, 2}));
  EXPECT_EQ(over(ring, ranks, 2, 3), routers({2, 3}));
  EXPECT_EQ(over(ring, ranks, 3, 4), routers({3, 4}));
}

/// One way over r1 and two, by either of two links, over r2: a third of the draws each, up as well as down.
TEST(LegalPaths, OfTheShortestEachIsAsLikely) {
  const Topology t = graph_of(4, {{0, 1}, {1, 3}, {0, 2}, {0, 2}, {2, 3}});
  for (const std::size_t root : {0U, 3U}) {
    const Ranks ranks = up_down_ranks(t, RouterId{root});
    std::map<std::vector<PortId>, int> drawn;
    constexpr int kDraws = 1500;
    for (int seed = 0; seed < kDraws; ++seed) ++drawn[legal(t, ranks, 0, 3, static_cast<std::uint64_t>(seed)).ports];
    EXPECT_EQ(drawn.size(), 3U);
    for (const auto& [ports, times] : drawn) EXPECT_NEAR(times, kDraws / 3.0, 75) << ports.front().value;
  }
}

/// 70 times two links to the next router, with nodes at both ends of the row only: 2^70 ways.
TEST(LegalPaths, BeyondWhat64BitsCountAreDrawnToo) {
  std::vector<std::pair<std::size_t, std::size_t>> links(2, {0, 2});
  for (std::size_t r = 2; r < 70; ++r) links.insert(links.end(), 2, {r, r + 1});
  links.insert(links.end(), 2, {70, 1});
  const Topology t = graph_of(71, links, 2);
  const Ranks ranks = up_down_ranks(t, RouterId{0});
  for (const auto& [from, to] : {std::pair{0U, 1U}, {1U, 0U}}) {
    const Path path = legal(t, ranks, from, to);
    EXPECT_EQ(path.ports.size(), 70U);
    EXPECT_EQ(routers_on(t, RouterId{from}, path).back(), RouterId{to});
  }
}

/// Pairs of nodes draw for themselves; each source is told once.
TEST(LegalPaths, AreDrawnForEachPairOfNodes) {
  Topology t = graph_of(4, {{0, 1}, {1, 3}, {0, 2}, {2, 3}}, 0);
  for (const std::size_t router : {0U, 0U, 0U, 0U, 3U, 3U, 3U}) {
    const NodeId node{t.nodes.size()};
    t.nodes.push_back({{RouterId{router}, PortId{t.routers[router].size()}}});
    t.routers[router].push_back({PortKind::kLocal, RouterId{}, PortId{}, node, 1, "local"});
  }
  std::vector<std::pair<std::size_t, std::size_t>> told;
  const PathSet paths = shortest_legal_paths(t, up_down_ranks(t, RouterId{0}), PathsPer::kNodePair, Random(1),
                                             [&](const char* counts, std::size_t done, std::size_t all) {
                                               EXPECT_STREQ(counts, "source");
                                               told.emplace_back(done, all);
                                             });
  EXPECT_EQ(told, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 4}, {3, 4}}));
  std::map<std::vector<PortId>, int> out, back;
  for (std::size_t i = 0; i < 12; ++i) {
    ++out[paths.at(RouterId{0}, RouterId{3}, i).ports];
    ++back[paths.at(RouterId{3}, RouterId{0}, i).ports];
  }
  EXPECT_EQ(out.size(), 2U) << "over r1 and over r2";
  EXPECT_EQ(back.size(), 2U);
  EXPECT_EQ(out.count({}), 0U);
  EXPECT_EQ(back.count({}), 0U);
}

/// Of those that are best the first; the best may be the first, the second or the last.
TEST(UpDownRanks, HaveTheirRootWhereItIsAskedFor) {
  const auto root = [](const Topology& t, const std::string& name) {
    const Ranks ranks = up_down_ranks(t, UpDownOptions{name}, "root");
    return std::find(ranks.begin(), ranks.end(), 0U) - ranks.begin();
  };
  const Topology row = graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  EXPECT_EQ(root(row, "first"), 0);
  EXPECT_EQ(root(row, "most_links"), 1) << "r1, r2 and r3 have two";
  EXPECT_EQ(root(row, "center"), 2);
  EXPECT_EQ(root(row, "r0"), 0);
  EXPECT_EQ(root(row, "r4"), 4);
  const Topology ring = ring_of(4);
  EXPECT_EQ(root(ring, "most_links"), 0);
  EXPECT_EQ(root(ring, "center"), 0);
  const Topology star_of_last = graph_of(4, {{3, 0}, {3, 1}, {3, 2}});
  EXPECT_EQ(root(star_of_last, "most_links"), 3);
  EXPECT_EQ(root(star_of_last, "center"), 3);
  const Topology pair_after_first = graph_of(4, {{1, 0}, {1, 2}, {1, 3}});
  EXPECT_EQ(root(pair_after_first, "most_links"), 1);
  EXPECT_EQ(root(pair_after_first, "center"), 1);
}

/// Ports of nodes are no links.
TEST(UpDownRanks, CountLinksWithoutThoseOfNodes) {
  Topology t = graph_of(3, {{0, 1}, {1, 2}});
  for (int extra = 0; extra < 3; ++extra) {
    const NodeId node{t.nodes.size()};
    t.nodes.push_back({{RouterId{0}, PortId{t.routers[0].size()}}});
    t.routers[0].push_back({PortKind::kLocal, RouterId{}, PortId{}, node, 1, "local"});
  }
  EXPECT_EQ(up_down_ranks(t, UpDownOptions{"most_links"}, "root"), (Ranks{1, 0, 2}));
}

}  // namespace
}  // namespace braid::test::legal_paths_test
