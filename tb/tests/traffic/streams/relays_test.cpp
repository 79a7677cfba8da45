// Relays one by one: who may pass a stream on, who does, and what both ends see then; tiles of splitters.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "routing/base/random.h"
#include "tb/tests/support/graphs.h"
#include "traffic/streams/bounded_degree.h"
#include "traffic/streams/queue_room.h"

namespace braid::test::relays_test {
namespace {

using namespace traffic;
using Numbers = std::vector<std::uint32_t>;

StreamGraph actors(std::size_t count, const std::vector<std::uint32_t>& tiles = {}) {
  StreamGraph g;
  g.name = "g";
  g.file = "g.toml";
  for (std::size_t a = 0; a < count; ++a) g.actors.push_back({"a" + std::to_string(a), 10, {}});
  for (std::size_t a = 0; a < tiles.size(); ++a) g.actors[a].placement = RouterId{tiles[a]};
  return g;
}

Numbers of(const StreamEdge& e) { return {e.from, e.to, e.push, e.pop, e.peek}; }

std::vector<Numbers> edges_of(const StreamGraph& g) {
  std::vector<Numbers> all;
  for (const StreamEdge& e : g.edges) all.push_back(of(e));
  return all;
}

/// In a corner of four tiles; actor 2 is opposite, so that 1, which comes before 3, passes its stream on. That is seen
/// as far ahead as before, the stream that carries both as many rounds ahead as its own was.
TEST(Relays, OnTheWayOutKeepWhatIsSeenAhead) {
  StreamGraph g = actors(4, {0, 1, 3, 2});
  g.edges = {{0, 2, 1, 1, 4}, {0, 1, 1, 1, 3}, {0, 3}};
  const StreamGraph bound = bound_degree(g, 4, true, grid_of("mesh", 2, 2));
  EXPECT_EQ(edges_of(bound), (std::vector<Numbers>{{1, 2, 1, 1, 4}, {0, 1, 2, 2, 2 + 2 * 2}, {0, 3, 1, 1, 1}}));
  EXPECT_EQ(bound.actors[1].work_cycles, 10U + kPassCycles);
}

/// The other way round: who passes on takes what comes, and the last sees as many rounds ahead as the farther of both.
TEST(Relays, OnTheWayInAreSeenAsFarAheadAsEither) {
  for (const auto& [far, near] : {std::pair(5U, 1U), {1U, 5U}, {5U, 3U}}) {
    StreamGraph g = actors(4, {0, 1, 3, 2});
    g.edges = {{2, 0, 1, 1, far}, {1, 0, 1, 1, near}, {3, 0}};
    const StreamGraph bound = bound_degree(g, 4, true, grid_of("mesh", 2, 2));
    EXPECT_EQ(edges_of(bound), (std::vector<Numbers>{{2, 1, 1, 1, 1}, {1, 0, 2, 2, 2 + 4 * 2}, {3, 0, 1, 1, 1}}));
    EXPECT_EQ(bound.actors[1].work_cycles, 10U + kPassCycles);
  }
  StreamGraph pairs = actors(4, {0, 1, 3, 2});  // three items beyond two are two rounds
  pairs.edges = {{2, 0, 2, 2, 5}, {1, 0, 2, 2, 2}, {3, 0}};
  EXPECT_EQ(of(bound_degree(pairs, 4, true, grid_of("mesh", 2, 2)).edges[1]), (Numbers{1, 0, 4, 4, 4 + 2 * 4}));
}

/// b fires twice for what a sends, c three times: neither can hand on the other's items evenly, nor d's. d can.
TEST(Relays, HandOnWholeItemsInEachFiring) {
  StreamGraph out = actors(4);
  out.edges = {{0, 1, 2, 1, 1}, {0, 2, 3, 1, 1}, {0, 3, 1, 1, 1}};
  const StreamGraph bound = bound_degree(out, 2, true, grid_of("mesh", 2, 2));
  EXPECT_EQ(edges_of(bound), (std::vector<Numbers>{{3, 1, 2, 1, 1}, {0, 2, 3, 1, 1}, {0, 3, 3, 3, 3}}));
  EXPECT_EQ(bound.actors[3].work_cycles, 10U + 2 * kPassCycles) << "two items a firing";
  StreamGraph in = actors(4);
  in.edges = {{1, 0, 1, 2, 2}, {2, 0, 1, 3, 3}, {3, 0, 1, 1, 1}};
  EXPECT_EQ(edges_of(bound_degree(in, 2, true, grid_of("mesh", 2, 2))),
            (std::vector<Numbers>{{1, 3, 1, 2, 2}, {2, 0, 1, 3, 3}, {3, 0, 3, 3, 3}}));
}

/// a sends to b, c and d, and c to b: b cannot pass on what goes to c. The same towards a.
TEST(Relays, CloseNoCycle) {
  StreamGraph out = actors(4);
  out.edges = {{0, 1}, {0, 2}, {0, 3}, {2, 1}};
  EXPECT_EQ(edges_of(bound_degree(out, 2, true, grid_of("mesh", 2, 2))),
            (std::vector<Numbers>{{0, 1, 2, 2, 2}, {0, 2, 1, 1, 1}, {1, 3, 1, 1, 1}, {2, 1, 1, 1, 1}}));
  StreamGraph in = actors(4);
  in.edges = {{1, 0}, {2, 0}, {3, 0}, {1, 2}};
  EXPECT_EQ(edges_of(bound_degree(in, 2, true, grid_of("mesh", 2, 2))),
            (std::vector<Numbers>{{1, 0, 2, 2, 2}, {2, 0, 1, 1, 1}, {3, 1, 1, 1, 1}, {1, 2, 1, 1, 1}}));
  StreamGraph far = actors(6);  // c reaches b through two others
  far.edges = {{0, 1}, {0, 2}, {0, 3}, {2, 4}, {4, 5}, {5, 1}};
  EXPECT_EQ(of(bound_degree(far, 2, true, grid_of("mesh", 3, 2)).edges[2]), (Numbers{1, 3, 1, 1, 1}));
}

/// Tiles 0 1 2 above 3 4 5. b, beside a, is the nearest, but sends two streams already, which is all that it may.
TEST(Relays, WhoHasAsManyStreamsAsItMayComesLast) {
  StreamGraph g = actors(6, {0, 1, 4, 5, 2, 3});
  g.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}};
  EXPECT_EQ(
      edges_of(bound_degree(g, 2, true, grid_of("mesh", 3, 2))),
      (std::vector<Numbers>{{2, 1, 1, 1, 1}, {0, 2, 2, 2, 2}, {0, 3, 1, 1, 1}, {1, 4, 1, 1, 1}, {1, 5, 1, 1, 1}}));
  g.edges.pop_back();  // one stream: it may pass one on
  g.edges.push_back({2, 5});
  EXPECT_EQ(of(bound_degree(g, 2, true, grid_of("mesh", 3, 2)).edges[1]), (Numbers{1, 2, 1, 1, 1}));
}

/// Without tiles no way is longer than another: the one that has the fewest streams, of several the first.
TEST(Relays, OfEqualWaysTheOneWithTheFewestStreams) {
  StreamGraph g = actors(6);
  g.edges = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 5}, {2, 5}, {4, 5}};
  EXPECT_EQ(of(bound_degree(g, 3, true, grid_of("mesh", 3, 2)).edges[0]), (Numbers{3, 1, 1, 1, 1}));
}

/// Six streams at the middle of nine tiles, where four may be: three too many for one stream to a splitter, but the
/// only free tile is a corner, whose two links are two branches.
TEST(Relays, ASplitterHasNoMoreBranchesThanItsTileHasLinks) {
  StreamGraph g = actors(8, {4, 0, 1, 2, 3, 5, 6, 7});
  for (std::uint32_t a = 1; a < 7; ++a) g.edges.push_back({0, a});
  g.edges.push_back({1, 7});
  EXPECT_EQ(complaint([&] { (void)bound_degree(g, 4, false, grid_of("mesh", 3, 3)); }),
            "g.toml: actor a0: 5 streams leave it, expected at most 4 (stream.degree, links of its tile): expected a "
            "free tile for a splitter or joiner, or stream.relays = true");
  g.edges.erase(g.edges.begin());  // five: two of them go to the corner
  g.edges.push_back({2, 7});
  const StreamGraph five = bound_degree(g, 4, false, grid_of("mesh", 3, 3));
  ASSERT_EQ(five.actors.size(), 9U);
  EXPECT_EQ(five.actors[8].placement, RouterId{8});
}

/// Of four free tiles round a middle one it is the nearest that has links for what it splits; of equals the first.
TEST(Relays, ASplitterStandsWhereItsStreamsHaveLinks) {
  const auto tile = [](std::uint32_t at, std::uint32_t ways, std::uint32_t degree) {
    StreamGraph g = actors(ways + 1);
    const auto taken = [&](std::uint32_t t) { return t == at || t % 5 == 4 || t > 14; };  // of 5x5, not the last column
    g.actors[0].placement = RouterId{at};
    std::uint32_t next = 0;
    for (std::uint32_t a = 1; a <= ways; ++a) {
      while (!taken(next) || next == at) ++next;
      g.actors[a].placement = RouterId{next++};
      g.edges.push_back({0, a});
    }
    return bound_degree(g, degree, false, grid_of("mesh", 5, 5)).actors[ways + 1].placement->value;
  };
  EXPECT_EQ(tile(6, 5, 4), 1U) << "two branches: any tile, so the first of those beside it";
  EXPECT_EQ(tile(0, 3, 2), 1U);
  EXPECT_EQ(tile(6, 7, 4), 7U) << "four: only the inner ones have as many links";
}

/// place() says what is wrong with a tile that is not there; until then it is no tile, and no way to it is long.
TEST(Relays, ATileThatIsNotThereHasAnyNumberOfLinks) {
  StreamGraph g = actors(7, {16, 0, 1, 2, 3, 4, 5});
  for (std::uint32_t a = 1; a < 6; ++a) g.edges.push_back({0, a});
  g.edges.push_back({1, 6});
  const StreamGraph bound = bound_degree(g, 4, false, grid_of("mesh", 4, 4));
  ASSERT_EQ(bound.actors.size(), 8U);
  EXPECT_FALSE(bound.actors[7].placement);
  StreamGraph four = actors(4, {4, 0, 1, 2});
  four.edges = {{0, 2}, {0, 1}, {0, 3}};
  EXPECT_EQ(edges_of(bound_degree(four, 2, true, grid_of("mesh", 2, 2))),
            (std::vector<Numbers>{{0, 2, 2, 2, 2}, {2, 1, 1, 1, 1}, {0, 3, 1, 1, 1}}));
}

/// Copies have a number in common, whatever numbers they had, from 0 in the order of the edges; what is alone has none.
TEST(Relays, CopiesKeepTogetherAndApartFromOthers) {
  StreamGraph g = actors(6);
  g.edges = {{0, 1, 1, 1, 1, 9}, {0, 2}, {0, 3, 1, 1, 1, 4}, {0, 4, 1, 1, 1, 4}, {1, 5, 1, 1, 1, 4}};
  const StreamGraph same = bound_degree(g, 4, true, grid_of("mesh", 3, 2));
  EXPECT_FALSE(same.edges[0].group);
  EXPECT_FALSE(same.edges[1].group);
  ASSERT_TRUE(same.edges[2].group);
  EXPECT_EQ(same.edges[2].group, same.edges[3].group);
  EXPECT_FALSE(same.edges[4].group);
  StreamGraph first = actors(3);
  first.edges = {{0, 1, 1, 1, 1, 9}, {0, 2, 1, 1, 1, 9}};
  EXPECT_EQ(bound_degree(first, 4, true, grid_of("mesh", 3, 2)).edges[1].group, std::optional<std::uint32_t>(0));
}

/// Five streams, of which none is a copy: each that joins another on the way in is of a kind by itself, and what comes
/// of them is of none of the kinds of others.
TEST(Relays, WhatIsJoinedIsNoCopyOfAnyOther) {
  StreamGraph g = actors(6);
  g.edges = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {3, 5}};
  const StreamGraph bound = bound_degree(g, 2, true, grid_of("mesh", 3, 2));
  ASSERT_EQ(bound.edges.size(), 5U);
  for (const StreamEdge& e : bound.edges) EXPECT_FALSE(e.group) << e.from << "->" << e.to;
}

/// Random layers on as many tiles as there are actors, so that only relays help: every actor fires as often, takes and
/// sends as much as before but for what it passes on, nothing is a copy that was none, and the graph goes on for ever.
TEST(Relays, KeepRandomGraphsAsTheyAre) {
  std::size_t relayed = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed, "relays");
    StreamGraph g = actors(12);
    std::vector<std::uint64_t> firings;
    for (std::size_t a = 0; a < 12; ++a) firings.push_back(1 + random.below(2));
    for (std::uint32_t from = 0; from < 8; ++from) {
      for (std::uint32_t to = 4 + from / 4 * 4; to < 8 + from / 4 * 4; ++to) {
        if (to % 4 != from % 4 && random.below(3) == 0) continue;
        const auto push = static_cast<std::uint32_t>(firings[to] * (1 + random.below(2)));
        const auto pop = static_cast<std::uint32_t>(push * firings[from] / firings[to]);
        g.edges.push_back({from, to, push, pop, pop + static_cast<std::uint32_t>(random.below(3))});
      }
    }
    StreamGraph bound;
    try {
      bound = bound_degree(g, 3, true, grid_of("mesh", 4, 3));
    } catch (const InputError&) {
      continue;
    }
    const auto before = g.repetitions(), after = bound.repetitions();
    std::vector<std::int64_t> balance(12), bound_balance(12);
    for (const StreamEdge& e : g.edges) {
      balance[e.to] += static_cast<std::int64_t>(before[e.to] * e.pop);
      balance[e.from] -= static_cast<std::int64_t>(before[e.from] * e.push);
    }
    for (const StreamEdge& e : bound.edges) {
      bound_balance[e.to] += static_cast<std::int64_t>(after[e.to] * e.pop);
      bound_balance[e.from] -= static_cast<std::int64_t>(after[e.from] * e.push);
      EXPECT_FALSE(e.group) << seed;
      relayed += of(e) == of(g.edges[static_cast<std::size_t>(&e - bound.edges.data())]) ? 0 : 1;
    }
    EXPECT_EQ(after, before) << seed;
    EXPECT_EQ(bound_balance, balance) << seed;
    EXPECT_EQ(bound.edges.size(), g.edges.size());
    EXPECT_FALSE(deadlock(bound, {1U << 20U, 1U << 20U, 1, 1})) << seed;
  }
  EXPECT_GT(relayed, 100U);
}

}  // namespace
}  // namespace braid::test::relays_test
