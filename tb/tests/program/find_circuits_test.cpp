// What braid circuits counts over layouts.
#include "tb/braid/find_circuits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace braid::test::find_circuits_test {
namespace {

using namespace tb;

/// Values of the published formula, computed elsewhere.
TEST(FindCircuits, WilsonsIntervalIsWithinZeroAndOneAndNarrowsWithN) {
  const auto expect_near = [](std::uint32_t hits, std::uint32_t all, double low, double high) {
    const auto [l, h] = wilson_95(hits, all);
    EXPECT_NEAR(l, low, 5e-5) << hits << " of " << all;
    EXPECT_NEAR(h, high, 5e-5) << hits << " of " << all;
  };
  expect_near(0, 100, 0.0, 0.0370);
  expect_near(100, 100, 0.9630, 1.0);
  expect_near(50, 100, 0.4038, 0.5962);
  expect_near(1, 10, 0.0179, 0.4042);
}

TEST(FindCircuits, RandomLayoutsHaveAnActorANodeAndDifferByNumberAndSeed) {
  std::set<std::vector<NodeId>> drawn;
  for (std::uint32_t i = 0; i < 20; ++i) {
    const std::vector<NodeId> layout = random_layout(5, 9, 1, i);
    EXPECT_EQ(layout, random_layout(5, 9, 1, i));
    EXPECT_NE(layout, random_layout(5, 9, 2, i));
    EXPECT_EQ(std::set<NodeId>(layout.begin(), layout.end()).size(), 5U);
    for (const NodeId n : layout) EXPECT_LT(n.value, 9U);
    drawn.insert(layout);
  }
  EXPECT_GE(drawn.size(), 19U);
  EXPECT_EQ(random_layout(3, 3, 1, 0).size(), 3U);
}

/// Three actors on four nodes: each of the 24 layouts as often as any other; four on four: each node has one.
TEST(FindCircuits, EveryRandomLayoutIsAsLikely) {
  std::map<std::vector<NodeId>, int> drawn;
  for (std::uint32_t i = 0; i < 4800; ++i) ++drawn[random_layout(3, 4, 1, i)];
  EXPECT_EQ(drawn.size(), 24U);
  for (const auto& [layout, times] : drawn) EXPECT_NEAR(times, 200, 70);  // five standard deviations
  for (const std::size_t nodes : {1U, 4U, 16U}) {
    std::vector<NodeId> all = random_layout(nodes, nodes, 1, 0);
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), nodes);
    for (std::size_t n = 0; n < nodes; ++n) EXPECT_EQ(all[n], NodeId{n});
  }
  EXPECT_TRUE(random_layout(0, 4, 1, 0).empty());
}

FinderAnswer answer(routing::DisjointAnswer what, std::vector<std::vector<std::uint32_t>> paths) {
  FinderAnswer a{"finder", {}, 0.5};
  a.found.answer = what;
  a.found.paths = std::move(paths);
  return a;
}

TEST(FindCircuits, ExcessIsCountedWhereTheFewestLinksAreKnown) {
  using Answer = routing::DisjointAnswer;
  FinderCounts counts;
  counts.count(answer(Answer::kFound, {{1, 2}, {3}}), 2);
  counts.count(answer(Answer::kFound, {{1, 2}, {}}), std::nullopt);
  counts.count(answer(Answer::kUnknown, {}), 7);
  FinderAnswer none = answer(Answer::kNone, {});
  none.found.cut = routing::DemandCut{{RouterId{1}}, true, 5, 4};
  counts.count(none, std::nullopt);
  EXPECT_EQ(counts.found, 2U);
  EXPECT_EQ(counts.unknown, 1U);
  EXPECT_EQ(counts.none, 1U);
  EXPECT_EQ(counts.one_router, 1U);
  EXPECT_EQ(counts.layouts(), 4U);
  EXPECT_EQ(counts.links, 5U);
  EXPECT_EQ(counts.compared, 1U);
  EXPECT_EQ(counts.excess, 1U);
  EXPECT_DOUBLE_EQ(counts.cpu_seconds, 2.0);
}

/// Of every layout whose fewest links are known, and a cut counts if it is one router's.
TEST(FindCircuits, CountsAddUpOverLayouts) {
  using Answer = routing::DisjointAnswer;
  FinderCounts counts;
  counts.count(answer(Answer::kFound, {{1, 2}, {3}}), 2);
  counts.count(answer(Answer::kFound, {{1, 2}, {3, 4, 5}}), 2);
  counts.count(answer(Answer::kFound, {{1}}), 1);
  FinderAnswer none = answer(Answer::kNone, {});
  none.found.cut = routing::DemandCut{{RouterId{1}, RouterId{2}}, true, 5, 4};
  counts.count(none, std::nullopt);
  none.found.cut = routing::DemandCut{{RouterId{3}}, false, 5, 4};
  counts.count(none, std::nullopt);
  counts.count(none, std::nullopt);
  EXPECT_EQ(counts.finder, "finder");
  EXPECT_EQ(counts.compared, 3U);
  EXPECT_EQ(counts.excess, 1U + 3U);
  EXPECT_EQ(counts.links, 3U + 5U + 1U);
  EXPECT_EQ(counts.none, 3U);
  EXPECT_EQ(counts.one_router, 2U);
  EXPECT_EQ(counts.layouts(), 6U);
}

/// Links of all paths, and of the longest, wherever it stands.
TEST(FindCircuits, AnswersKnowTheirLinks) {
  using Answer = routing::DisjointAnswer;
  EXPECT_EQ(answer(Answer::kFound, {{1, 2}, {3, 4, 5}, {6}}).links(), 6U);
  EXPECT_EQ(answer(Answer::kFound, {{1, 2}, {3, 4, 5}, {6}}).longest(), 3U);
  EXPECT_EQ(answer(Answer::kFound, {{}, {}}).longest(), 0U);
  EXPECT_EQ(answer(Answer::kFound, {}).links(), 0U);
}

TEST(FindCircuits, DemandsComeNodeByNode) {
  traffic::StreamGraph graph;
  graph.actors.resize(3);
  graph.edges.resize(3);
  graph.edges[0].from = 1, graph.edges[0].to = 2;
  graph.edges[1].from = 0, graph.edges[1].to = 2;
  graph.edges[2].from = 0, graph.edges[2].to = 1;
  routing::Topology topology;
  for (std::size_t n = 0; n < 3; ++n) topology.nodes.push_back({{RouterId{n}, PortId{0}}});
  const StreamDemands in_order = stream_demands(graph, {NodeId{0}, NodeId{1}, NodeId{2}}, topology);
  EXPECT_EQ(in_order.edges, (std::vector<std::uint32_t>{1, 2, 0}));
  const StreamDemands swapped = stream_demands(graph, {NodeId{2}, NodeId{0}, NodeId{1}}, topology);
  EXPECT_EQ(swapped.edges, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(swapped.demands[0].from, RouterId{0});
  EXPECT_EQ(swapped.demands[0].to, RouterId{1});
}

}  // namespace
}  // namespace braid::test::find_circuits_test
