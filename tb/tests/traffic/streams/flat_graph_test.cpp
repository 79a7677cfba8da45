// Graphs of structures, node by node and edge by edge.
#include "traffic/streams/flat_graph.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/traffic/streams/partition/programs.h"

namespace braid::test::flat_graph_test {
namespace {

using namespace traffic;
using Numbers = std::vector<std::uint64_t>;
using Edges = std::vector<std::size_t>;

Numbers of(const FlatEdge& e) { return {e.from, e.to, e.push, e.pop, e.peek, e.initial, e.words}; }

std::vector<std::string> names(const FlatGraph& g) {
  std::vector<std::string> all;
  for (const FlatNode& n : g.nodes) all.push_back(n.name);
  return all;
}

Structure placed(Structure s, std::size_t line) {
  s.declaration = "D" + s.name;
  s.where = {"p.str", line, 4};
  s.declared = {"p.str", 100 + line, 5};
  return s;
}

/// Edges within a structure come before those to it: of the splitter, of the joiner, then from a and to b.
TEST(FlatGraph, OfASplitJoinHasItsEdgesInOrder) {
  Structure p = pipeline(
      "main", {placed(filter("a", 0, 2, 1), 1),
               placed(split_join("s", Split::kRoundRobin, {1, 1},
                                 {placed(filter("x", 1, 1, 1), 3), placed(filter("y", 1, 2, 1, 4), 4)}, {1, 2}),
                      2),
               placed(filter("b", 3, 0, 1), 5)});
  p.children[0].filter.output_words = 3;
  for (Structure& branch : p.children[1].children) branch.filter.input_words = 3;
  const FlatGraph g = flatten(p, "p.str");
  EXPECT_EQ(g.name, "main");
  EXPECT_EQ(g.file, "p.str");
  EXPECT_EQ(names(g), (std::vector<std::string>{"a", "s.split", "x", "y", "s.join", "b"}));
  ASSERT_EQ(g.edges.size(), 6U);
  EXPECT_EQ(of(g.edges[0]), (Numbers{1, 2, 1, 1, 1, 0, 3})) << "as wide as what the splitter passes on";
  EXPECT_EQ(of(g.edges[1]), (Numbers{1, 3, 1, 1, 4, 0, 3}));
  EXPECT_EQ(of(g.edges[2]), (Numbers{2, 4, 1, 1, 1, 0, 1}));
  EXPECT_EQ(of(g.edges[3]), (Numbers{3, 4, 2, 2, 2, 0, 1}));
  EXPECT_EQ(of(g.edges[4]), (Numbers{0, 1, 2, 2, 2, 0, 3})) << "the splitter takes a round";
  EXPECT_EQ(of(g.edges[5]), (Numbers{4, 5, 3, 3, 3, 0, 1})) << "the joiner gives one";
  EXPECT_EQ(g.nodes[1].inputs, Edges{4});
  EXPECT_EQ(g.nodes[1].outputs, (Edges{0, 1}));
  EXPECT_EQ(g.nodes[4].inputs, (Edges{2, 3}));
  EXPECT_EQ(g.nodes[4].outputs, Edges{5});
  EXPECT_EQ(g.nodes[1].weights, (Numbers{1, 1}));
  EXPECT_EQ(g.nodes[4].weights, (Numbers{1, 2}));
  EXPECT_EQ(g.nodes[1].kind, FlatNode::Kind::kSplitter);
  EXPECT_EQ(g.nodes[4].kind, FlatNode::Kind::kJoiner);
  EXPECT_EQ(g.nodes[3].filter.work.peek, 4U);
  const std::size_t lines[] = {1, 2, 3, 4, 2, 5};
  const std::string made[] = {"Da", "Ds", "Dx", "Dy", "Ds", "Db"};
  for (std::size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(g.nodes[n].where.line, lines[n]) << n;
    EXPECT_EQ(g.nodes[n].where.column, 4U) << n;
    EXPECT_EQ(g.nodes[n].declaration, made[n]) << n;
  }
  ASSERT_EQ(g.spans.size(), 1U);
  EXPECT_EQ(g.spans[0].name, "s");
  EXPECT_EQ(g.spans[0].where.line, 102U);
  EXPECT_FALSE(g.spans[0].loop);
  EXPECT_EQ(g.spans[0].begin, 1U);
  EXPECT_EQ(g.spans[0].end, 5U);
  EXPECT_EQ(g.repetitions(), (Numbers{1, 1, 1, 1, 1, 1}));
}

/// Way 0 of a loop's joiner and splitter is that from and to outside, way 1 the way round.
TEST(FlatGraph, OfAFeedbackLoopHasItsItemsOnTheWayBack) {
  const Structure p =
      pipeline("main", {filter("a", 0, 1, 1),
                        placed(feedback("f", {1, 2}, filter("body", 3, 5, 1), filter("loop", 4, 2, 1), {1, 4}, 7), 2),
                        filter("b", 1, 0, 1)});
  const FlatGraph g = flatten(p, "p.str");
  EXPECT_EQ(names(g), (std::vector<std::string>{"a", "f.join", "body", "f.split", "loop", "b"}));
  ASSERT_EQ(g.edges.size(), 6U);
  EXPECT_EQ(of(g.edges[0]), (Numbers{1, 2, 3, 3, 3, 0, 1}));
  EXPECT_EQ(of(g.edges[1]), (Numbers{2, 3, 5, 5, 5, 0, 1}));
  EXPECT_EQ(of(g.edges[2]), (Numbers{3, 4, 4, 4, 4, 0, 1}));
  EXPECT_EQ(of(g.edges[3]), (Numbers{4, 1, 2, 2, 2, 7, 1}));
  EXPECT_EQ(of(g.edges[4]), (Numbers{0, 1, 1, 1, 1, 0, 1}));
  EXPECT_EQ(of(g.edges[5]), (Numbers{3, 5, 1, 1, 1, 0, 1}));
  EXPECT_EQ(g.nodes[1].inputs, (Edges{4, 3}));
  EXPECT_EQ(g.nodes[3].outputs, (Edges{5, 2}));
  ASSERT_EQ(g.spans.size(), 1U);
  EXPECT_TRUE(g.spans[0].loop);
  EXPECT_EQ(g.spans[0].where.line, 102U);
  EXPECT_EQ(g.spans[0].begin, 1U);
  EXPECT_EQ(g.spans[0].end, 5U);
}

/// A duplicating splitter takes one item, whatever the number of its branches.
TEST(FlatGraph, CopiesAreTakenOnce) {
  const FlatGraph g = flatten(
      pipeline("main", {filter("a", 0, 1, 1),
                        split_join("s", Split::kDuplicate, {1, 1, 1},
                                   {filter("x", 1, 1, 1), filter("y", 1, 1, 1), filter("z", 1, 1, 1)}, {1, 1, 1}),
                        filter("b", 3, 0, 1)}),
      "p.str");
  EXPECT_EQ(g.nodes[1].split, Split::kDuplicate);
  EXPECT_EQ(g.edges[6].pop, 1U);
  EXPECT_EQ(g.edges[6].to, 1U);
  EXPECT_EQ(g.repetitions(), (Numbers(7, 1)));
}

/// Inner structures before those around them: what is wrong inside is said of the innermost.
TEST(FlatGraph, SpansAreInnermostFirst) {
  const auto one = [](const std::string& name, Structure branch) {
    return split_join(name, Split::kDuplicate, {1}, {std::move(branch)}, {1});
  };
  const FlatGraph g = flatten(
      pipeline("main",
               {filter("a", 0, 1, 1), one("o", one("m", one("i", filter("x", 1, 1, 1)))), filter("b", 1, 0, 1)}),
      "p.str");
  ASSERT_EQ(g.spans.size(), 3U);
  EXPECT_EQ(g.spans[0].name + g.spans[1].name + g.spans[2].name, "imo");
  EXPECT_EQ(g.spans[0].begin, 3U);
  EXPECT_EQ(g.spans[0].end, 6U);
  EXPECT_EQ(g.spans[2].begin, 1U);
  EXPECT_EQ(g.spans[2].end, 8U);
}

/// Whether a loop of a body that takes pairs goes on, with so many items and what either filter does first.
bool goes_on(std::uint64_t enqueued, const std::optional<WorkFunction>& body_first,
             const std::optional<WorkFunction>& loop_first) {
  Structure body = filter("body", 2, 2, 1), way_back = filter("loop", 1, 1, 1);
  body.filter.prework = body_first;
  way_back.filter.prework = loop_first;
  const Structure p = pipeline(
      "main", {filter("a", 0, 1, 1), feedback("f", {1, 1}, body, way_back, {1, 1}, enqueued), filter("b", 1, 0, 1)});
  try {
    return flatten(p, "p.str").repetitions() == Numbers(6, 1);
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("deadlock: feedback loop f stops"), std::string::npos) << e.what();
    return false;
  }
}

/// {push, pop, peek, work} of the first firing: what it puts out without waiting is as good as an item enqueued.
TEST(FlatGraph, LoopsGoOnWithAnItemFromAnywhere) {
  EXPECT_FALSE(goes_on(0, {}, {}));
  EXPECT_TRUE(goes_on(1, {}, {}));
  EXPECT_TRUE(goes_on(0, {}, WorkFunction{1, 0, 0, 1}));
  EXPECT_FALSE(goes_on(0, {}, WorkFunction{0, 0, 0, 1})) << "it puts out nothing";
  EXPECT_FALSE(goes_on(0, {}, WorkFunction{1, 1, 1, 1})) << "it takes one first";
  EXPECT_FALSE(goes_on(0, {}, WorkFunction{1, 0, 1, 1})) << "it looks at one first";
  EXPECT_TRUE(goes_on(0, WorkFunction{2, 0, 0, 1}, {}));
  EXPECT_FALSE(goes_on(0, WorkFunction{1, 0, 0, 1}, {})) << "half a round of the splitter";
  EXPECT_FALSE(goes_on(1, WorkFunction{0, 2, 2, 1}, {})) << "it puts out nothing for what it takes";
  EXPECT_FALSE(goes_on(1, {}, WorkFunction{0, 1, 1, 1}));
  EXPECT_TRUE(goes_on(2, {}, WorkFunction{0, 1, 1, 1}));
}

/// The joiner takes three items of the way back, where they come in twos: with four it goes on, with three it fires
/// once.
TEST(FlatGraph, LoopsStopWithOneItemLess) {
  const auto runs = [](std::uint64_t enqueued, std::uint64_t turns) {
    const Structure p =
        pipeline("main", {filter("a", 0, 2 * turns, 1),
                          feedback("f", {1, 3}, filter("body", 4, 4, 1), filter("loop", 2, 2, 1), {1, 3}, enqueued),
                          filter("b", 2 * turns, 0, 1)});
    try {
      return flatten(p, "p.str").repetitions() == Numbers{1, 2 * turns, 2 * turns, 2 * turns, 3 * turns, 1};
    } catch (const InputError&) {
      return false;
    }
  };
  for (const std::uint64_t turns : {1U, 5U, 500'000U}) {
    EXPECT_FALSE(runs(3, turns)) << turns;
    EXPECT_TRUE(runs(4, turns)) << turns;
    EXPECT_TRUE(runs(1'000'000, turns)) << turns;
  }
}

/// The body looks at three items and takes two. The joiner must fire a second time before it does, for which a second
/// item has to be there; of its own firings a steady state has one.
TEST(FlatGraph, LoopsRunAheadForWhoLooksFurther) {
  const auto runs = [](std::uint64_t enqueued) {
    const Structure p =
        pipeline("main", {filter("a", 0, 1, 1),
                          feedback("f", {1, 1}, filter("body", 2, 2, 1, 3), filter("loop", 1, 1, 1), {1, 1}, enqueued),
                          filter("b", 1, 0, 1)});
    try {
      return flatten(p, "p.str").repetitions() == Numbers(6, 1);
    } catch (const InputError&) {
      return false;
    }
  };
  EXPECT_FALSE(runs(0));
  EXPECT_FALSE(runs(1));
  EXPECT_TRUE(runs(2));
  EXPECT_TRUE(runs(1000));
}

/// The source gives nothing, so that the whole cannot balance; but within the splitjoin nobody can count, and that is
/// said first, of the node where the count ends.
TEST(FlatGraph, WhatIsWrongInsideIsSaidFirst) {
  const auto said = [](std::uint64_t source, std::uint64_t rate) {
    const Structure p = pipeline(
        "main",
        {placed(filter("a", 0, source, 1), 1),
         placed(split_join("s", Split::kDuplicate, {1},
                           {pipeline("p", {placed(filter("x", 1, rate, 1), 3), placed(filter("y", 1, rate, 1), 4),
                                           placed(filter("z", 1, 1, 1), 5)})},
                           {1}),
                2),
         placed(filter("b", 1, 0, 1), 6)});
    return complaint([&] { (void)flatten(p, "p.str").repetitions(); });
  };
  const std::string far =
      "p.str:5:4: rates are too far apart: z: expected at most 10^12 firings of each node in a steady state";
  EXPECT_EQ(said(1, 1), "");
  EXPECT_EQ(said(1, 1'000'001), far);
  EXPECT_EQ(said(0, 1'000'001), far);
  EXPECT_EQ(said(0, 1),
            "p.str:2:4: rates do not balance: a pushes 0, s.split pops 1: expected rates that leave nothing behind");
}

}  // namespace
}  // namespace braid::test::flat_graph_test
