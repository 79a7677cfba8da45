// Copies of a filter: their order, and where a program gets any.
#include "traffic/streams/partition/fission.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tb/tests/traffic/streams/partition/programs.h"
#include "traffic/streams/partition/partition.h"

namespace braid::test::fission_test {
namespace {

using namespace traffic;

/// A filter without state that works for ninety cycles, between two that work for one.
Structure with_a_heavy_filter() {
  return pipeline("p", {filter("a", 0, 1, 1), filter("f", 1, 2, 90, 1, false), filter("b", 2, 0, 1)});
}

std::vector<std::string> names(const StreamGraph& graph) {
  std::vector<std::string> all;
  for (const Actor& actor : graph.actors) all.push_back(actor.name);
  return all;
}

/// The first stands where the filter stood; the others come behind all that were there, in their order.
TEST(Fission, CopiesStandInTheOrderInWhichTheyTakeTurns) {
  const Partitioned three = fuse_program(with_a_heavy_filter(), "p.str", {}, {{0, 1}, {1, 2, 3}, {2, 3}});
  std::vector<std::string> copies = names(three.graph);
  ASSERT_EQ(copies.size(), 6U);
  EXPECT_EQ(copies[1], "f.1") << "in place of f";
  copies.erase(std::remove_if(copies.begin(), copies.end(), [](const auto& name) { return name.find("f.") != 0; }),
               copies.end());
  copies.erase(std::remove(copies.begin(), copies.end(), "f.join"), copies.end());
  EXPECT_EQ(copies, (std::vector<std::string>{"f.1", "f.2", "f.3"}));
}

/// As docs/configuration.md says: `true` without a word. Six tiles hold the two others, three copies and their joiner.
TEST(Fission, IsTakenUnlessItIsForbidden) {
  for (const char* partitioner : {"dynamic_programming", "greedy"}) {
    PartitionOptions options;
    options.partition = partitioner;
    EXPECT_EQ(partition_program(with_a_heavy_filter(), "p.str", options, 6).bottleneck_work, 30.0) << partitioner;
    options.fission = false;
    const Partitioned apart = partition_program(with_a_heavy_filter(), "p.str", options, 6);
    EXPECT_EQ(apart.bottleneck_work, 90.0) << partitioner;
    EXPECT_EQ(names(apart.graph), (std::vector<std::string>{"a", "f", "b"})) << partitioner;
  }
}

using Numbers = std::vector<std::uint64_t>;

/// Node 1 of a flat graph, between two others, in so many copies; a firing of it pops one item and pushes two.
Fissed copied(std::uint64_t peek, std::uint32_t copies) {
  Structure p = pipeline("p", {filter("a", 0, 1, 1), filter("f", 1, 2, 90, peek, false), filter("b", 2, 0, 1)});
  p.children[1].where = {"p.str", 7, 3};
  FlatGraph flat = flatten(p, "p.str");
  flat.edges[0].words = 5;
  flat.edges[1].words = 7;
  return fissed(flat, flat.repetitions(), {1, copies, 1});
}

Numbers of(const FlatEdge& e) { return {e.from, e.to, e.push, e.pop, e.peek, e.initial, e.words}; }

/// Nodes 3 and 4 are the splitter and the joiner, 5 and 6 the second and third copy; a round is one firing of each.
TEST(Fission, DealsOutAndGathersInTurn) {
  const Fissed f = copied(1, 3);
  EXPECT_EQ(f.steady_states, 3U);
  EXPECT_EQ(f.repetitions, (Numbers{3, 1, 3, 1, 1, 1, 1}));
  EXPECT_EQ(f.original, (std::vector<std::size_t>{0, 1, 2, 3, 4, 1, 1}));
  EXPECT_EQ(f.made_joiner, (std::vector<char>{0, 0, 0, 0, 1, 0, 0}));
  std::vector<std::string> all;
  for (const FlatNode& n : f.flat.nodes) all.push_back(n.name);
  EXPECT_EQ(all, (std::vector<std::string>{"a", "f.1", "b", "f.split", "f.join", "f.2", "f.3"}));
  EXPECT_EQ(f.flat.nodes[3].kind, FlatNode::Kind::kSplitter);
  EXPECT_EQ(f.flat.nodes[4].kind, FlatNode::Kind::kJoiner);
  EXPECT_EQ(f.flat.nodes[3].split, Split::kRoundRobin);
  EXPECT_EQ(f.flat.nodes[3].weights, (Numbers{1, 1, 1}));
  EXPECT_EQ(f.flat.nodes[4].weights, (Numbers{2, 2, 2}));
  ASSERT_EQ(f.flat.edges.size(), 2U + 2 * 3);
  EXPECT_EQ(of(f.flat.edges[0]), (Numbers{0, 3, 1, 3, 3, 0, 5})) << "what comes in";
  EXPECT_EQ(of(f.flat.edges[1]), (Numbers{4, 2, 6, 2, 2, 0, 7})) << "what goes out";
  for (const std::size_t n : {3U, 4U, 5U, 6U}) EXPECT_EQ(f.flat.nodes[n].where.line, 7U) << "where the filter stands";
  const std::size_t copies[] = {1, 5, 6};
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t in = 2 + 2 * c, out = in + 1;
    EXPECT_EQ(of(f.flat.edges[in]), (Numbers{3, copies[c], 1, 1, 1, 0, 5})) << c;
    EXPECT_EQ(of(f.flat.edges[out]), (Numbers{copies[c], 4, 2, 2, 2, 0, 7})) << c;
    const FlatNode& n = f.flat.nodes[copies[c]];
    EXPECT_EQ(n.inputs, std::vector<std::size_t>{in});
    EXPECT_EQ(n.outputs, std::vector<std::size_t>{out});
    EXPECT_EQ(n.filter.work.work_cycles, 90U);
    EXPECT_FALSE(n.filter.stateful);
  }
  EXPECT_EQ(f.flat.nodes[3].inputs, std::vector<std::size_t>{0});
  EXPECT_EQ(f.flat.nodes[3].outputs, (std::vector<std::size_t>{2, 4, 6}));
  EXPECT_EQ(f.flat.nodes[4].inputs, (std::vector<std::size_t>{3, 5, 7}));
  EXPECT_EQ(f.flat.nodes[4].outputs, std::vector<std::size_t>{1});
}

/// A window of nine is more than the three items of a round: each copy gets them all, drops two, and the last one sees
/// two items further than the first.
TEST(Fission, DuplicatesWhatAllHaveToSee) {
  const Fissed f = copied(9, 3);
  EXPECT_EQ(f.flat.nodes[3].split, Split::kDuplicate);
  EXPECT_EQ(f.flat.nodes[3].weights, (Numbers{1, 1, 1}));
  EXPECT_EQ(of(f.flat.edges[0]), (Numbers{0, 3, 1, 3, 2 + 9, 0, 5}));
  EXPECT_EQ(of(f.flat.edges[2]), (Numbers{3, 1, 3, 3, 9, 0, 5}));
  EXPECT_EQ(of(f.flat.edges[4]), (Numbers{3, 5, 3, 3, 1 + 9, 0, 5}));
  EXPECT_EQ(of(f.flat.edges[6]), (Numbers{3, 6, 3, 3, 2 + 9, 0, 5}));
  EXPECT_EQ(f.flat.nodes[5].filter.work.work_cycles, 90U + 2 * kItemWork);
}

/// The least number of steady states in which every filter fires a multiple of its copies.
TEST(Fission, TakesAsManySteadyStatesAsItMust) {
  const Structure p = pipeline("p", {filter("a", 0, 6, 1), filter("f", 2, 3, 1, 2, false),
                                     filter("g", 1, 1, 1, 1, false), filter("b", 9, 0, 1)});
  const FlatGraph flat = flatten(p, "p.str");
  ASSERT_EQ(flat.repetitions(), (Numbers{1, 3, 9, 1}));
  const auto states = [&](std::uint32_t f, std::uint32_t g) {
    return fissed(flat, flat.repetitions(), {1, f, g, 1}).steady_states;
  };
  EXPECT_EQ(states(1, 1), 1U);
  EXPECT_EQ(states(3, 3), 1U);
  EXPECT_EQ(states(2, 1), 2U);
  EXPECT_EQ(states(2, 6), 2U);
  EXPECT_EQ(states(4, 6), 4U);
  EXPECT_EQ(states(4, 5), 20U);
  EXPECT_EQ(fissed(flat, flat.repetitions(), {1, 2, 3, 1}).repetitions[1], 3U) << "of the first copy of f";
  EXPECT_EQ(fissed(flat, flat.repetitions(), {1, 2, 3, 1}).repetitions[2], 6U) << "of the first copy of g";
}

TEST(Fission, IsOfFiltersBetweenTwoOthersWithoutState) {
  FlatNode right;
  right.filter.work = {1, 1, 1, 10};
  right.inputs = right.outputs = {0};
  EXPECT_TRUE(can_be_copied(right));
  const auto wrong = [&](const auto& change) {
    FlatNode n = right;
    change(n);
    return !can_be_copied(n);
  };
  EXPECT_TRUE(wrong([](FlatNode& n) { n.filter.stateful = true; }));
  EXPECT_TRUE(wrong([](FlatNode& n) { n.filter.prework = WorkFunction{}; }));
  EXPECT_TRUE(wrong([](FlatNode& n) { n.filter.work.pop = 0; }));
  EXPECT_TRUE(wrong([](FlatNode& n) { n.filter.work.push = 0; }));
  EXPECT_TRUE(wrong([](FlatNode& n) { n.inputs.clear(); }));
  EXPECT_TRUE(wrong([](FlatNode& n) { n.outputs.clear(); }));
}

/// A copy gets its window, or all that is taken in a round if that is less; alone it gets what it takes.
TEST(Fission, SendsEachCopyTheLessOfWindowAndRound) {
  const WorkFunction f{1, 4, 10, 50};  // takes four items, sees ten
  EXPECT_EQ(copy_items(f, 1), 4U);
  EXPECT_EQ(copy_items(f, 2), 8U);
  EXPECT_EQ(copy_items(f, 3), 10U);
  EXPECT_EQ(copy_items(f, 99), 10U);
  EXPECT_EQ(copy_work(f, 1), 50U);
  EXPECT_EQ(copy_work(f, 2), 50U + 4 * 3);
  EXPECT_EQ(copy_work(f, 3), 50U + 6 * 3);
  EXPECT_EQ(copy_items({1, 4, 0, 50}, 3), 4U) << "who sees what he takes";
}

/// Of one steady state of the program: a and b work once each, f 90 cycles whoever does it, its joiner three for each
/// of two items; one item comes in, two go to the joiner and on.
TEST(Fission, CountsOneSteadyStateOfTheProgram) {
  const Partitioned three = fuse_program(with_a_heavy_filter(), "p.str", {}, {{0, 1}, {1, 2, 3}, {2, 3}});
  EXPECT_DOUBLE_EQ(three.steady_states, 3.0);
  EXPECT_DOUBLE_EQ(three.program_work, 1.0 + 90 + 1);
  EXPECT_DOUBLE_EQ(three.total_work, 1.0 + 90 + 2 * 3 + 1);
  EXPECT_DOUBLE_EQ(three.bottleneck_work, 30.0);
  EXPECT_DOUBLE_EQ(three.items, 1.0 + 2 + 2);
  const Partitioned one = fuse_program(with_a_heavy_filter(), "p.str", {}, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_DOUBLE_EQ(one.steady_states, 1.0);
  EXPECT_DOUBLE_EQ(one.total_work, 92.0);
  EXPECT_DOUBLE_EQ(one.bottleneck_work, 90.0);
  EXPECT_DOUBLE_EQ(one.items, 1.0 + 2);
}

}  // namespace
}  // namespace braid::test::fission_test
