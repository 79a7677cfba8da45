// Graphs with too many streams at an actor, and what splitters, joiners and relays make of them.
#include "traffic/streams/bounded_degree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "routing/base/random.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::bounded_degree_test {
namespace {

using namespace traffic;

StreamGraph actors(std::size_t count) {
  StreamGraph g;
  g.name = "g";
  g.file = "g.toml";
  for (std::size_t a = 0; a < count; ++a) g.actors.push_back({"a" + std::to_string(a), 10, {}});
  return g;
}

/// One source, `ways` filters, one sink; the source sends each `push` items a firing.
StreamGraph split_join(std::uint32_t ways, std::uint32_t push, std::optional<std::uint32_t> group) {
  StreamGraph g = actors(ways + 2);
  for (std::uint32_t w = 1; w <= ways; ++w) g.edges.push_back({0, w, push, push, push, group});
  for (std::uint32_t w = 1; w <= ways; ++w) g.edges.push_back({w, ways + 1, push, push, push, {}});
  return g;
}

std::size_t most_streams(const StreamGraph& g) {
  std::map<std::uint32_t, std::size_t> out, in;
  std::size_t most = 0;
  for (const StreamEdge& e : g.edges) most = std::max({most, ++out[e.from], ++in[e.to]});
  return most;
}

/// Items of an edge in a steady state in which actor 0 fires once.
double items(const StreamGraph& g, const StreamEdge& e) {
  const auto firings = g.repetitions();
  return static_cast<double>(firings[e.from]) * e.push / static_cast<double>(firings[0]);
}

TEST(BoundedDegree, AGraphWithinTheBoundStaysAsItIs) {
  const StreamGraph g = split_join(4, 1, {});
  const StreamGraph same = bound_degree(g, 4, true, grid_of("mesh", 4, 4));
  EXPECT_EQ(same.actors.size(), 6U);
  ASSERT_EQ(same.edges.size(), g.edges.size());
  for (std::size_t e = 0; e < g.edges.size(); ++e) EXPECT_EQ(same.edges[e].to, g.edges[e].to);
}

/// 5 streams where 4 may be: the last two places of the source go to one splitter, the sink's to one joiner.
TEST(BoundedDegree, OneStreamTooManyTakesOneSplitterAndOneJoiner) {
  const StreamGraph g = bound_degree(split_join(5, 1, {}), 4, false, grid_of("mesh", 4, 4));
  EXPECT_EQ(g.actors.size(), 7U + 2U);
  EXPECT_EQ(g.edges.size(), 10U + 2U);
  EXPECT_EQ(most_streams(g), 4U);
}

TEST(BoundedDegree, SharesOfARoundRobinBecomeOneStreamWithTheirSum) {
  const StreamGraph g = bound_degree(split_join(5, 3, {}), 4, false, grid_of("mesh", 4, 4));
  const StreamEdge& trunk = g.edges[10];  // behind those that were there
  EXPECT_EQ(g.actors[trunk.to].name, "a0 splitter 1");
  EXPECT_EQ(trunk.push, 6U);  // two branches of 3
  EXPECT_EQ(trunk.pop, 2U);   // one item of each a firing
  EXPECT_EQ(g.actors[trunk.to].work_cycles, 2U * kPassCycles);
}

TEST(BoundedDegree, CopiesTravelOnceAndAreDuplicatedByTheSplitter) {
  const StreamGraph g = bound_degree(split_join(5, 3, 7), 4, false, grid_of("mesh", 4, 4));
  const StreamEdge& trunk = g.edges[10];
  EXPECT_EQ(trunk.push, 3U);
  EXPECT_EQ(trunk.pop, 1U);
  EXPECT_EQ(g.actors[trunk.to].work_cycles, kPassCycles);
  std::size_t copies = 0;
  for (const StreamEdge& e : g.edges) {
    if (e.from == trunk.to) copies += e.push == 1 && e.group ? 1 : 0;
  }
  EXPECT_EQ(copies, 2U);
  EXPECT_EQ(trunk.group, g.edges[3].group);  // the trunk is a copy like the source's other streams
}

/// What a consumer must see beyond its pop stays: 2 firings ahead of the joined stream.
TEST(BoundedDegree, AJoinedStreamIsSeenAsFarAhead) {
  StreamGraph g = split_join(3, 2, {});
  g.edges[5].peek = 5;  // of the sink's third stream: 3 items more than it pops, so 2 firings
  const StreamGraph bound = bound_degree(g, 2, false, grid_of("mesh", 4, 4));
  const StreamEdge& trunk = bound.edges.back();
  EXPECT_EQ(bound.actors[trunk.from].name, "a4 joiner 1");
  EXPECT_EQ(trunk.pop, 4U);
  EXPECT_EQ(trunk.peek, 4U);  // the first two streams
  StreamGraph first = split_join(3, 2, {});
  first.edges[3].peek = 5;
  EXPECT_EQ(bound_degree(first, 2, false, grid_of("mesh", 4, 4)).edges.back().peek, 4U + 2U * 4U);
}

TEST(BoundedDegree, WithoutAFreeTileOneLineSaysSo) {
  EXPECT_EQ(complaint([] { (void)bound_degree(split_join(7, 1, {}), 4, false, grid_of("mesh", 3, 3)); }),
            "g.toml: actor a0: 7 streams leave it, expected at most 4 (stream.degree, links of its tile): expected a "
            "free tile for a splitter or joiner, or stream.relays = true");
}

TEST(BoundedDegree, RelaysTakeNoTileAndNoStreamMore) {
  const StreamGraph g = bound_degree(split_join(7, 2, 1), 4, true, grid_of("mesh", 3, 3));
  EXPECT_EQ(g.actors.size(), 9U);
  EXPECT_EQ(g.edges.size(), 14U);
  EXPECT_EQ(most_streams(g), 4U);
  std::uint64_t passed = 0;
  for (const Actor& a : g.actors) passed += a.work_cycles - 10;
  // 3 streams too many on either side, 2 items a firing each; one that is passed on carries two others' as well.
  EXPECT_EQ(passed, (3U + 3U + 1U) * 2U * kPassCycles);
}

/// Three streams leave an actor whose tile has two links, and there is no other tile for a splitter. The other actors
/// have none, so that no way is longer than another and the first stream carries the next, wherever they were before.
TEST(BoundedDegree, AnActorWithoutATileIsNeitherNearNorFar) {
  StreamGraph g = actors(4);
  for (std::uint32_t a = 1; a < 4; ++a) g.edges.push_back({0, a});
  const std::uint32_t before[] = {0, 3, 1, 2};
  for (std::size_t a = 0; a < 4; ++a) g.actors[a].placement = RouterId{before[a]};
  for (std::size_t a = 1; a < 4; ++a) g.actors[a].placement.reset();
  const StreamGraph bound = bound_degree(g, 4, true, grid_of("mesh", 2, 2));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (const StreamEdge& e : bound.edges) ends.emplace_back(e.from, e.to);
  EXPECT_EQ(ends, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {1, 2}, {0, 3}}));
}

/// A chain of relays passes each stream on as long as it must: only one actor may have room.
TEST(BoundedDegree, AnActorThatIsFullPassesOnInTurn) {
  const StreamGraph g = bound_degree(split_join(14, 1, 1), 2, true, grid_of("mesh", 4, 4));
  EXPECT_EQ(g.actors.size(), 16U);
  EXPECT_EQ(most_streams(g), 2U);
}

/// A corner has two links, so an actor in one has two streams at most.
TEST(BoundedDegree, AnActorHasNoMoreStreamsThanItsTileHasLinks) {
  StreamGraph g = split_join(3, 1, {});
  for (std::size_t a = 0; a < g.actors.size(); ++a) g.actors[a].placement = RouterId{a};  // the source in the corner
  const StreamGraph bound = bound_degree(g, 4, false, grid_of("mesh", 4, 4));
  EXPECT_EQ(bound.actors.size(), 6U);
  EXPECT_EQ(bound.actors[5].name, "a0 splitter 1");
  EXPECT_EQ(bound.actors[5].placement, RouterId{5});  // the nearest with links for a trunk and two branches
}

/// Three streams of two items where two may be. The splitter and the joiner fire twice, for one item of each branch.
TEST(BoundedDegree, RatesAndWorkOfASplitterAndAJoinerAreTheirBranches) {
  const StreamGraph g = bound_degree(split_join(3, 2, {}), 2, false, grid_of("mesh", 4, 4));
  ASSERT_EQ(g.actors.size(), 7U);
  EXPECT_EQ(g.actors[5].name, "a0 splitter 1");
  EXPECT_EQ(g.actors[6].name, "a4 joiner 1");
  EXPECT_EQ(g.actors[5].work_cycles, 2U * kPassCycles);
  EXPECT_EQ(g.actors[6].work_cycles, 2U * kPassCycles);
  EXPECT_EQ(g.repetitions(), (std::vector<std::uint64_t>{1, 1, 1, 1, 1, 2, 2}));
  const auto of = [&](std::size_t e) {
    const StreamEdge& one = g.edges.at(e);
    return std::vector<std::uint32_t>{one.from, one.to, one.push, one.pop, one.peek};
  };
  using Numbers = std::vector<std::uint32_t>;
  ASSERT_EQ(g.edges.size(), 8U);
  EXPECT_EQ(of(0), (Numbers{5, 1, 1, 2, 2}));
  EXPECT_EQ(of(1), (Numbers{5, 2, 1, 2, 2}));
  EXPECT_EQ(of(2), (Numbers{0, 3, 2, 2, 2})) << "as it was";
  EXPECT_EQ(of(3), (Numbers{1, 6, 2, 1, 1}));
  EXPECT_EQ(of(4), (Numbers{2, 6, 2, 1, 1}));
  EXPECT_EQ(of(5), (Numbers{3, 4, 2, 2, 2}));
  EXPECT_EQ(of(6), (Numbers{0, 5, 4, 2, 2})) << "to the splitter";
  EXPECT_EQ(of(7), (Numbers{6, 4, 2, 4, 4})) << "from the joiner";
  for (const StreamEdge& e : g.edges) EXPECT_FALSE(e.group);
}

/// a0 in a corner has two links; a1 and a3 are beside it, a2 opposite. Two links by way of a1, three by way of a2 or
/// from a1 to a3: a1 passes on to a2, as it comes before a3.
TEST(BoundedDegree, TheShortestWayIsRelayed) {
  StreamGraph g = actors(4);
  g.edges = {{0, 2}, {0, 1}, {0, 3}};
  const std::uint32_t tiles[] = {0, 1, 3, 2};
  for (std::size_t a = 0; a < 4; ++a) g.actors[a].placement = RouterId{tiles[a]};
  const StreamGraph bound = bound_degree(g, 4, true, grid_of("mesh", 2, 2));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<std::uint32_t> rates;
  for (const StreamEdge& e : bound.edges) {
    ends.emplace_back(e.from, e.to);
    rates.insert(rates.end(), {e.push, e.pop});
  }
  EXPECT_EQ(ends, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 2}, {0, 1}, {0, 3}}));
  EXPECT_EQ(rates, (std::vector<std::uint32_t>{1, 1, 2, 2, 1, 1})) << "a1 gets both";
  EXPECT_EQ(bound.actors[1].work_cycles, 10U + kPassCycles);
  EXPECT_EQ(bound.actors[2].work_cycles, 10U);
}

TEST(BoundedDegree, ASplittersNameIsItsOwn) {
  StreamGraph g = split_join(5, 1, {});
  g.actors[3].name = "a0 splitter 1";
  EXPECT_EQ(bound_degree(g, 4, false, grid_of("mesh", 4, 4)).actors[7].name, "a0 splitter 2");
}

/// All three streams have the same two ends: nobody else is there to pass one on.
TEST(BoundedDegree, WhereNobodyCanPassAStreamOnOneLineSaysSo) {
  StreamGraph g = actors(2);
  g.edges = {{0, 1}, {0, 1}, {0, 1}};
  EXPECT_EQ(complaint([&] { (void)bound_degree(g, 2, true, grid_of("mesh", 2, 1)); }),
            "g.toml: actor a0: 3 streams leave it, expected at most 2 (stream.degree, links of its tile): no actor at "
            "their other ends can pass one on");
  StreamGraph into = actors(4);
  into.edges = {{0, 3}, {1, 3}, {2, 3}};
  EXPECT_EQ(complaint([&] { (void)bound_degree(into, 2, false, grid_of("mesh", 2, 2)); }),
            "g.toml: actor a3: 3 streams enter it, expected at most 2 (stream.degree, links of its tile): expected a "
            "free tile for a splitter or joiner, or stream.relays = true");
}

TEST(BoundedDegree, OfAFeedbackLoopIsRefused) {
  StreamGraph g = actors(2);
  g.edges = {{0, 1}, {1, 0, 1, 1, 1, {}, 1}};
  EXPECT_EQ(complaint([&] { (void)bound_degree(g, 4, true, grid_of("mesh", 2, 2)); }),
            "stream.degree: edge a1 -> a0 has initial items; expected 0 (any number of streams)");
}

/// The trunk of two branches carries what both do: up to 2^32 - 1 items a firing.
TEST(BoundedDegree, ATrunkHasItsBranchesItemsAsLongAsARateHoldsThem) {
  const auto trunk = [](std::uint32_t first, std::uint32_t second) {
    StreamGraph g = split_join(3, 1, {});
    for (const auto& [e, items] : {std::pair(0U, first), {3U, first}, {1U, second}, {4U, second}}) {
      g.edges[e].push = g.edges[e].pop = g.edges[e].peek = items;
    }
    return bound_degree(g, 2, false, grid_of("mesh", 4, 4)).edges[6].push;
  };
  constexpr std::uint32_t kHalf = 1U << 31U;
  EXPECT_EQ(trunk(5, 7), 12U);
  EXPECT_EQ(trunk(kHalf, kHalf - 1), 4294967295U);
  EXPECT_EQ(complaint([&] { (void)trunk(kHalf, kHalf); }),
            "g.toml: stream.degree: expected less than 2^32 items a firing of a0 and a0 splitter 1");
}

/// Graphs of random layers: degrees are bounded, rates balance, no cycle comes in, and every actor that was there takes
/// and sends what it did.
TEST(BoundedDegree, KeepsWhatEveryActorTakesInRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed, "graphs");
    const std::uint32_t layers = 3, width = 4 + random.below(4);
    StreamGraph g = actors(layers * width);
    std::vector<std::uint64_t> firings;
    for (std::size_t a = 0; a < g.actors.size(); ++a) firings.push_back(1 + random.below(3));
    for (std::uint32_t layer = 0; layer + 1 < layers; ++layer) {
      for (std::uint32_t a = 0; a < width; ++a) {
        for (std::uint32_t b = 0; b < width; ++b) {
          if (a != b && random.below(2) == 0) continue;
          const std::uint32_t from = layer * width + a, to = (layer + 1) * width + b;
          const std::uint64_t items = firings[from] * firings[to];
          const auto push = static_cast<std::uint32_t>(items / firings[from]);
          const auto pop = static_cast<std::uint32_t>(items / firings[to]);
          g.edges.push_back({from, to, push, pop, pop + static_cast<std::uint32_t>(random.below(2)), {}});
        }
      }
    }
    const StreamGraph bound = bound_degree(g, 3, seed % 2 == 0, grid_of("mesh", 10, 10));
    EXPECT_LE(most_streams(bound), 3U);
    const auto before = g.repetitions(), after = bound.repetitions();
    for (std::size_t a = 0; a < g.actors.size(); ++a) EXPECT_EQ(after[a] * before[0], before[a] * after[0]);
    std::vector<double> in(g.actors.size()), bound_in(bound.actors.size());
    for (const StreamEdge& e : g.edges) in[e.to] += items(g, e);
    for (const StreamEdge& e : bound.edges) bound_in[e.to] += items(bound, e);
    for (std::size_t a = 0; a < g.actors.size(); ++a) EXPECT_DOUBLE_EQ(bound_in[a], in[a]);
  }
}

}  // namespace
}  // namespace braid::test::bounded_degree_test
