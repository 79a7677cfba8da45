// The same program in other graphs: which there are, in which order, and how fast each can be.
#include "traffic/streams/variants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "routing/base/input_error.h"

namespace braid::test::variants_test {
namespace {

using namespace traffic;

/// A source that deals out to so many actors, which a sink gathers.
StreamGraph fan(std::uint32_t branches, std::uint64_t work = 6) {
  StreamGraph g{"fan", "fan.toml", {{"source", work, {}}, {"sink", work, {}}}, {}};
  for (std::uint32_t b = 0; b < branches; ++b) {
    const auto actor = static_cast<std::uint32_t>(g.actors.size());
    g.actors.push_back({"b" + std::to_string(b), work, {}});
    g.edges.push_back({0, actor, 2, 2, 2});
    g.edges.push_back({actor, 1, 1, 1, 1});
  }
  return g;
}

routing::Topology mesh(std::uint32_t width, std::uint32_t height) {
  Configuration c;
  c.set("topology.width", width);
  c.set("topology.height", height);
  return routing::make_topology(c);
}

/// As a partitioner would have it: an actor less, a branch less.
Variant on_tiles(std::size_t tiles) { return {tiles, 0, fan(static_cast<std::uint32_t>(tiles) - 2)}; }
Variant of_file(const StreamGraph& graph) { return {0, 0, graph}; }

std::vector<Variant> of_fan(std::size_t tiles, const VariantOptions& options) {
  return variants(on_tiles, tiles, mesh(4, 4), options, {});
}

std::size_t most_streams(const StreamGraph& graph) {
  std::vector<std::size_t> in(graph.actors.size()), out(graph.actors.size());
  std::size_t most = 0;
  for (const StreamEdge& e : graph.edges) most = std::max({most, ++out[e.from], ++in[e.to]});
  return most;
}

/// a fires 3 times, b twice: 3 x 10 cycles of a, 2 x 20 of b, 6 items of the stream; c takes 6 + 2 items.
TEST(LeastCycles, AreThoseOfTheBusiestActorStreamOrNode) {
  StreamGraph g{"g", "", {{"a", 10, {}}, {"b", 20, {}}, {"c", 1, {}}}, {}};
  g.edges = {{0, 1, 2, 3, 3}, {1, 2, 3, 6, 6}, {1, 2, 1, 2, 2}};
  EXPECT_EQ(g.repetitions(), (std::vector<std::uint64_t>{3, 2, 1}));
  EXPECT_EQ(least_cycles(g, {1.0, 1, 1}), 40.0);
  EXPECT_EQ(least_cycles(g, {0.001, 1, 1}), 8.0);  // every firing takes a cycle; c takes 8 items
  EXPECT_EQ(least_cycles(g, {0.001, 2, 2}), 6.0);  // a stream's
}

TEST(Variants, BeginWithTheProgramAsItIs) {
  const std::vector<Variant> all = of_fan(16, {0, true, {0.001, 4}});
  EXPECT_EQ(all[0].degree, 0U);
  EXPECT_EQ(all[0].tiles, 16U);
  EXPECT_EQ(to_toml(all[0].graph), to_toml(fan(14)));
  for (std::size_t v = 1; v < all.size(); ++v) {
    EXPECT_LE(most_streams(all[v].graph), all[v].degree == 0 ? 4U : all[v].degree) << v;
    for (std::size_t w = 0; w < v; ++w) EXPECT_NE(to_toml(all[v].graph), to_toml(all[w].graph)) << v << " and " << w;
  }
  const auto has = [&](std::size_t tiles, std::uint32_t degree) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Variant& v) { return v.tiles == tiles && v.degree == degree; });
  };
  for (const std::size_t tiles : {16, 14, 12, 10, 8}) EXPECT_TRUE(has(tiles, 2) && has(tiles, 3)) << tiles;
  EXPECT_TRUE(has(6, 0)) << "four branches need no splitter";
  EXPECT_FALSE(has(8, 0)) << "six do";
}

/// Slower ones last; before them by the work of the busiest actor, for the load may become heavier.
TEST(Variants, AreSortedBySpeedThenByWork) {
  const std::vector<Variant> all = of_fan(16, {0, true, {0.001, 4}});
  ASSERT_GT(all.size(), 5U);
  bool slower_seen = false;
  for (std::size_t v = 2; v < all.size(); ++v) {
    const double before = std::max(all[v - 1].cycles, all[0].cycles), now = std::max(all[v].cycles, all[0].cycles);
    EXPECT_LE(before, now) << v;
    if (before == now) {
      EXPECT_LE(all[v - 1].bottleneck_work, all[v].bottleneck_work) << v;
    }
    slower_seen = slower_seen || now > all[0].cycles;
  }
  EXPECT_EQ(all[0].bottleneck_work, 6.0);
  EXPECT_TRUE(slower_seen || all.back().bottleneck_work > 6.0) << "splitters and relays cost work";
}

/// Two actors have little to send, so that a light load is faster on two tiles; but a remedy is not for speed.
TEST(Variants, DoNotLeaveTilesIdleForSpeedThatNobodyAskedFor) {
  const auto partition = [](std::size_t tiles) {
    const StreamGraph two{"two", "", {{"a", 1000, {}}, {"b", 1000, {}}}, {{0, 1, 1, 1, 1}}};
    return Variant{tiles, 0, tiles >= 8 ? fan(6) : two};
  };
  const std::vector<Variant> all = variants(partition, 8, mesh(4, 4), {0, true, {0.001, 1}}, {});
  EXPECT_EQ(all.back().cycles, 1.0);
  EXPECT_EQ(all.back().graph.name, "two");
  for (std::size_t v = 0; v + 1 < all.size(); ++v) {
    EXPECT_EQ(all[v].tiles, 8U);
    EXPECT_EQ(all[v].cycles, 12.0);
  }
}

TEST(Variants, OfAProgramInHalfAsManySteadyStatesCountTwiceTheCycles) {
  const auto twice = [](std::size_t tiles) {
    Variant v = on_tiles(tiles);
    v.steady_states = 2.0;
    return v;
  };
  const VariantOptions options{0, true, {1.0, 4}};
  const std::vector<Variant> one = of_fan(6, options), two = variants(twice, 6, mesh(4, 4), options, {});
  ASSERT_EQ(one.size(), two.size());
  EXPECT_EQ(one[0].cycles, 2.0 * two[0].cycles);
  EXPECT_EQ(one[0].bottleneck_work, 2.0 * two[0].bottleneck_work);
}

TEST(Variants, KeepToTheDegreeThatIsAskedFor) {
  for (const Variant& v : of_fan(14, {3, true, {1.0, 4}})) EXPECT_TRUE(v.degree == 3 || v.degree == 2) << v.degree;
}

TEST(Variants, OfAGraphsFileKeepItsActors) {
  const auto all = variants([](std::size_t) { return of_file(fan(6)); }, 0, mesh(4, 4), {}, {});
  ASSERT_EQ(all.size(), 4U);
  for (const Variant& v : all) EXPECT_EQ(v.tiles, 0U);
  EXPECT_EQ(all[0].graph.actors.size(), 8U);
  for (std::size_t v = 1; v < 4; ++v) EXPECT_GT(all[v].graph.actors.size(), 8U);
}

/// Items that are there first would have to be told to splitters.
TEST(Variants, OfAFeedbackLoopHaveItsStreams) {
  StreamGraph loop = fan(6);
  loop.edges.push_back({1, 0, 1, 1, 1, {}, 1});
  EXPECT_EQ(variants([&](std::size_t) { return of_file(loop); }, 0, mesh(4, 4), {}, {}).size(), 1U);
}

/// Work times scaling, rounded; no firing is done in less than a cycle.
TEST(FiringCycles, AreWholeAndAtLeastOne) {
  EXPECT_EQ(firing_cycles(0, 1.0), 1.0);
  EXPECT_EQ(firing_cycles(10, 0.04), 1.0);
  EXPECT_EQ(firing_cycles(10, 0.24), 2.0);
  EXPECT_EQ(firing_cycles(10, 0.25), 3.0);
  EXPECT_EQ(firing_cycles(10, 1.0), 10.0);
  EXPECT_EQ(firing_cycles(10, 2.5), 25.0);
}

/// The source's copies of two items leave once; the sink takes one of each of three branches.
TEST(LeastCycles, CountCopiesOnceWhereTheyLeaveAsOne) {
  StreamGraph copies = fan(3);
  for (StreamEdge& e : copies.edges) {
    if (e.from == 0) e.group = 1;
  }
  EXPECT_EQ(least_cycles(fan(3), {0.001, 1, 1, false}), 6.0);
  EXPECT_EQ(least_cycles(fan(3), {0.001, 1, 1, true}), 6.0);
  EXPECT_EQ(least_cycles(copies, {0.001, 1, 1, false}), 6.0);
  EXPECT_EQ(least_cycles(copies, {0.001, 1, 1, true}), 3.0);
  EXPECT_EQ(least_cycles(copies, {0.001, 3, 1, false}), 3.0);
  EXPECT_EQ(least_cycles(copies, {0.001, 3, 3, false}), 2.0);
}

/// All tiles, then seven eighths of the actors, and so on to two; no number twice, and not one actor.
TEST(Variants, AreOfFewerAndFewerTiles) {
  const auto asked = [](std::size_t tiles) {
    std::vector<std::size_t> all;
    (void)variants(
        [&](std::size_t most) {
          all.push_back(most);
          return on_tiles(most);
        },
        tiles, mesh(4, 4), {0, true, {1.0, 4}}, {});
    return all;
  };
  EXPECT_EQ(asked(16), (std::vector<std::size_t>{16, 14, 12, 10, 8, 6, 4}));
  EXPECT_EQ(asked(5), (std::vector<std::size_t>{5, 4, 3, 2}));
}

TEST(CrowdedActor, CountsCopiesOnceWhereTheyLeaveAsOne) {
  StreamGraph copies = fan(5);
  for (StreamEdge& e : copies.edges) {
    if (e.from == 0) e.group = 1;
  }
  const auto apart = crowded_actor(copies, mesh(4, 4)), as_one = crowded_actor(copies, mesh(4, 4), true);
  ASSERT_TRUE(apart && as_one);
  EXPECT_TRUE(apart->leaving);
  EXPECT_EQ(as_one->actor, 1U) << "the sink takes five streams";
  EXPECT_EQ(as_one->streams, 5U);
  EXPECT_FALSE(as_one->leaving);
  EXPECT_EQ(as_one->links, 4U);
}

TEST(CrowdedActor, IsTheOneWithTheMostStreamsOverTheLinksOfATile) {
  EXPECT_FALSE(crowded_actor(fan(4), mesh(4, 4)));
  const auto five = crowded_actor(fan(5), mesh(4, 4));
  ASSERT_TRUE(five);
  EXPECT_EQ(five->actor, 0U);
  EXPECT_EQ(five->streams, 5U);
  EXPECT_EQ(five->links, 4U);
  EXPECT_TRUE(five->leaving);
  EXPECT_FALSE(crowded_actor(fan(3), mesh(2, 8)));
  EXPECT_EQ(crowded_actor(fan(4), mesh(2, 8)).value_or(CrowdedActor{}).links, 3U) << "no tile of two rows has four";
}

/// Of one router alone, which has no links: whoever sends anything is crowded.
TEST(CrowdedActor, IsAnyWhereThereAreNoLinks) {
  const StreamGraph two{"two", "", {{"a", 1, {}}, {"b", 1, {}}}, {{0, 1, 1, 1, 1}}};
  const auto crowded = crowded_actor(two, mesh(1, 1));
  ASSERT_TRUE(crowded);
  EXPECT_EQ(crowded->actor, 0U);
  EXPECT_EQ(crowded->streams, 1U);
  EXPECT_EQ(crowded->links, 0U);
  EXPECT_FALSE(crowded_actor(two, mesh(2, 1)));
}

}  // namespace
}  // namespace braid::test::variants_test
