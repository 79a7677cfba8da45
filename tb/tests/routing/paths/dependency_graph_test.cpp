// Dependencies that come and go, by hand.
#include "routing/paths/dependency_graph.h"

#include <gtest/gtest.h>

namespace braid::test::dependency_graph_test {
namespace {

using namespace routing;

std::vector<std::uint32_t> starts(const std::vector<Dependency>& cycle) {
  std::vector<std::uint32_t> channels;
  for (const Dependency& d : cycle) channels.push_back(d.channel);
  return channels;
}

/// 0 - 1 - 2 - 3 - 0, and the shorter 4 - 5 - 6 - 4; 3 leads to 4.
Dependencies two_cycles() { return {{1}, {2}, {3}, {0, 4}, {5}, {6}, {4}}; }

TEST(DependencyGraph, FindsTheShortestCycleInOrder) {
  DependencyGraph graph(two_cycles());
  const std::vector<Dependency> cycle = graph.shortest_cycle();
  EXPECT_EQ(starts(cycle), (std::vector<std::uint32_t>{4, 5, 6}));
  for (std::size_t i = 0; i < cycle.size(); ++i) EXPECT_EQ(cycle[i].next, cycle[(i + 1) % cycle.size()].channel);
  graph.remove({5, 6});
  EXPECT_EQ(starts(graph.shortest_cycle()), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  graph.remove({3, 0});
  EXPECT_TRUE(graph.shortest_cycle().empty());
  graph.add({5, 6});
  EXPECT_EQ(graph.shortest_cycle().size(), 3U);
}

TEST(DependencyGraph, FindsCyclesOfOneLengthByTheLowestChannel) {
  EXPECT_EQ(starts(DependencyGraph({{1}, {0}, {3}, {2}}).shortest_cycle()), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(starts(DependencyGraph({{1}, {0, 1}}).shortest_cycle()), std::vector<std::uint32_t>{1});
}

TEST(DependencyGraph, ReachesWhatFollows) {
  DependencyGraph graph(two_cycles());
  EXPECT_TRUE(graph.reaches(0, 6));
  EXPECT_FALSE(graph.reaches(6, 0));
  EXPECT_TRUE(graph.reaches(6, 6));
  graph.remove({3, 4});
  EXPECT_FALSE(graph.reaches(0, 6));
}

TEST(DependencyGraph, KeepsBothDirectionsInOrder) {
  DependencyGraph graph(two_cycles());
  EXPECT_EQ(graph.before()[4], (std::vector<std::uint32_t>{3, 6}));
  graph.remove({3, 4});
  EXPECT_EQ(graph.before()[4], std::vector<std::uint32_t>{6});
  EXPECT_EQ(graph.after()[3], std::vector<std::uint32_t>{0});
  graph.add({3, 4});
  EXPECT_EQ(graph.before()[4], (std::vector<std::uint32_t>{3, 6}));
  EXPECT_EQ(graph.after(), two_cycles());
}

}  // namespace
}  // namespace braid::test::dependency_graph_test
