// Loops, queues and lifted programs step by step: cases that larger ones hide.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/traffic/streams/partition/programs.h"
#include "traffic/streams/flat_graph.h"
#include "traffic/streams/lift.h"
#include "traffic/streams/partition/partition.h"
#include "traffic/streams/queue_room.h"

namespace braid::test::stepwise_test {
namespace {

using namespace traffic;
using Numbers = std::vector<std::uint64_t>;

bool goes_on(const Structure& loop, std::uint64_t source = 1, std::uint64_t sink = 1) {
  const Structure p = pipeline("main", {filter("a", 0, source, 1), loop, filter("b", sink, 0, 1)});
  return complaint([&] { (void)flatten(p, "p.str").repetitions(); }).empty();
}

/// The body takes one item and sees `peek`; two come with each firing of the joiner, one of them round the loop. Before
/// anything comes back the body fires twice, so that one more than it sees must have come.
TEST(LoopsStepwise, RunAheadOverQueuesOfSingleItems) {
  for (const std::uint64_t peek : {1U, 2U, 21U, 22U, 200U}) {
    const auto runs = [&](std::uint64_t enqueued) {
      return goes_on(feedback("f", {1, 1}, filter("body", 1, 1, 1, peek), filter("loop", 1, 1, 1), {1, 1}, enqueued));
    };
    const std::uint64_t firings = (peek + 2) / 2;
    EXPECT_TRUE(runs(firings)) << peek;
    EXPECT_FALSE(runs(firings - 1)) << peek;
  }
}

/// A way back that sees far ahead: its items stand on it, and must come out of the loop's own.
TEST(LoopsStepwise, RunAheadOnTheWayBack) {
  for (const std::uint64_t peek : {1U, 2U, 9U, 40U}) {
    const auto runs = [&](std::uint64_t enqueued) {
      return goes_on(feedback("f", {1, 1}, filter("body", 2, 2, 1), filter("loop", 1, 1, 1, peek), {1, 1}, enqueued));
    };
    EXPECT_TRUE(runs(peek)) << peek;
    EXPECT_FALSE(runs(peek - 1)) << peek;
  }
}

/// What the first firing takes, sees and puts out is not what the others do.
TEST(LoopsStepwise, AFirstFiringIsOnlyOne) {
  const auto runs = [](const WorkFunction& first, std::uint64_t enqueued) {
    Structure way_back = filter("loop", 1, 1, 1);
    way_back.filter.prework = first;
    return goes_on(feedback("f", {1, 3}, filter("body", 4, 4, 1), way_back, {1, 3}, enqueued));
  };
  EXPECT_TRUE(runs({3, 0, 0, 1}, 0)) << "as good as three items";
  EXPECT_FALSE(runs({2, 0, 0, 1}, 0)) << "it comes once";
  EXPECT_TRUE(runs({2, 0, 0, 1}, 1));
  EXPECT_TRUE(runs({0, 3, 3, 1}, 6)) << "three of six are gone for nothing";
  EXPECT_FALSE(runs({0, 3, 3, 1}, 5));
  EXPECT_TRUE(runs({3, 3, 3, 1}, 3));
  EXPECT_FALSE(runs({3, 3, 4, 1}, 3)) << "it sees a fourth";
  EXPECT_TRUE(runs({3, 3, 4, 1}, 6));
}

/// The way back is a loop itself, whose splitter is what puts out: its items are on the edge behind that.
TEST(LoopsStepwise, AWayBackMayBeALoop) {
  const auto inner = [](std::uint64_t enqueued) {
    return feedback("i", {1, 1}, filter("x", 2, 2, 1), filter("y", 1, 1, 1), {1, 1}, enqueued);
  };
  EXPECT_TRUE(goes_on(feedback("o", {1, 1}, filter("body", 2, 2, 1), inner(1), {1, 1}, 1)));
  EXPECT_FALSE(goes_on(feedback("o", {1, 1}, filter("body", 2, 2, 1), inner(0), {1, 1}, 1)));
  EXPECT_FALSE(goes_on(feedback("o", {1, 1}, filter("body", 2, 2, 1), inner(1), {1, 1}, 0)));
  const Structure p =
      pipeline("p", {filter("a", 0, 1, 1), feedback("o", {1, 1}, filter("body", 2, 2, 1), inner(1), {1, 1}, 5),
                     filter("b", 1, 0, 1)});
  const StreamGraph g = fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}).graph;
  std::vector<std::string> there;
  for (const StreamEdge& e : g.edges) {
    if (e.initial != 0) {
      there.push_back(g.actors[e.from].name + ">" + g.actors[e.to].name + " " + std::to_string(e.initial));
    }
  }
  std::sort(there.begin(), there.end());
  EXPECT_EQ(there, (std::vector<std::string>{"x>o.join 5", "y>i.join 1"}));
  EXPECT_FALSE(deadlock(g, {}));
}

/// The same where the inner loop's splitter makes copies: what was enqueued goes round once.
TEST(LoopsStepwise, ItemsOfACopyingLoopAreThereOnce) {
  Structure inner = feedback("i", {1, 1}, filter("x", 2, 1, 1), filter("y", 1, 1, 1), {1, 1}, 1);
  inner.splitter.kind = Split::kDuplicate;
  const Structure p = pipeline(
      "p",
      {filter("a", 0, 1, 1), feedback("o", {1, 1}, filter("body", 2, 2, 1), inner, {1, 1}, 5), filter("b", 1, 0, 1)});
  std::vector<std::uint32_t> there;
  for (const StreamEdge& e : fuse_program(p, "p.str", {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}).graph.edges) {
    if (e.initial != 0) there.push_back(e.initial);
  }
  std::sort(there.begin(), there.end());
  EXPECT_EQ(there, (std::vector<std::uint32_t>{1, 5}));
}

/// A splitjoin of one loop is the loop if it takes and gives as the loop does.
TEST(LiftStepwise, ALoopAloneIsLiftedIfItTakesAndGivesWhatPasses) {
  const auto one = [](std::uint64_t split, std::uint64_t join, std::uint64_t in, std::uint64_t out) {
    const Structure s =
        split_join("s", Split::kRoundRobin, {split},
                   {feedback("f", {in, 1}, filter("x", 1, 1, 1), filter("y", 1, 1, 1), {out, 1}, 1)}, {join});
    return lifted(s).kind == Structure::Kind::kFeedbackLoop;
  };
  EXPECT_TRUE(one(1, 1, 1, 1));
  EXPECT_TRUE(one(0, 1, 0, 1));
  EXPECT_TRUE(one(1, 0, 1, 0));
  EXPECT_TRUE(one(0, 0, 0, 0));
  EXPECT_FALSE(one(0, 1, 1, 1));
  EXPECT_FALSE(one(1, 1, 0, 1));
  EXPECT_FALSE(one(1, 0, 1, 1));
  EXPECT_FALSE(one(1, 1, 1, 0));
}

/// The same of a splitjoin of two in one, and of a pipeline by its ends.
TEST(LiftStepwise, ABranchTakesWhatItsBeginTakes) {
  const auto source = [] {
    Structure s = filter("x", 0, 1, 1);
    s.filter.output_type = "int";
    return s;
  };
  const auto pass = [] {
    Structure s = filter("y", 1, 1, 1);
    s.filter.input_type = s.filter.output_type = "int";
    return s;
  };
  const auto alone = [](std::uint64_t split, Structure branch) {
    const Structure s = split_join("s", Split::kRoundRobin, {split}, {std::move(branch)}, {1});
    return lifted(s).name != "s";
  };
  EXPECT_TRUE(alone(0, pipeline("p", {source(), pass()})));
  EXPECT_FALSE(alone(1, pipeline("p", {source(), pass()})));
  EXPECT_TRUE(alone(1, pipeline("p", {pass(), pass()})));
  EXPECT_FALSE(alone(0, pipeline("p", {pass(), pass()})));
  EXPECT_TRUE(alone(1, split_join("t", Split::kRoundRobin, {0, 2}, {source(), pass()}, {1, 1})));
  EXPECT_FALSE(alone(0, split_join("t", Split::kRoundRobin, {0, 2}, {source(), pass()}, {1, 1})));
  EXPECT_TRUE(alone(0, split_join("t", Split::kRoundRobin, {0, 0}, {source(), source()}, {1, 1})));
}

StreamGraph graph_of(std::size_t actors, std::vector<StreamEdge> edges) {
  StreamGraph g;
  for (std::size_t a = 0; a < actors; ++a) g.actors.push_back({"a" + std::to_string(a), 1, {}});
  g.edges = std::move(edges);
  return g;
}

/// Whoever the numbers of the actors put first: a sink may be actor 0, and a source the last.
TEST(QueueRoomStepwise, TheOrderOfActorsIsNothing) {
  // 2 -> 1 -> 0 and 2 -> 0; 1 sees ten items before it sends its first.
  const StreamGraph g = graph_of(3, {{2, 1, 1, 1, 10}, {1, 0}, {2, 0}});
  EXPECT_FALSE(deadlock(g, {1, 10, 1, 1}));
  const auto stuck = deadlock(g, {1, 9, 1, 1});
  ASSERT_TRUE(stuck);
  EXPECT_EQ(*least_destination_room(g, {1, 0, 1, 1}), 10U);
  const StreamGraph loop = graph_of(3, {{2, 1}, {1, 0}, {0, 1, 1, 1, 3, {}, 3}});
  EXPECT_FALSE(deadlock(loop, {}));
  EXPECT_TRUE(deadlock(graph_of(3, {{2, 1}, {1, 0}, {0, 1, 1, 1, 3, {}, 2}}), {}));
}

/// Nobody waits for anybody: whoever it is goes on.
TEST(QueueRoomStepwise, AnActorAloneGoesOn) {
  EXPECT_FALSE(deadlock(graph_of(1, {}), {1, 1, 1, 1}));
  EXPECT_FALSE(deadlock(graph_of(2, {}), {0, 1, 1, 1}));
  EXPECT_FALSE(deadlock(graph_of(3, {{1, 2}}), {1, 1, 1, 1}));
}

/// A loop behind a loop, beside actors that are on none: of each it is its own items that count.
TEST(QueueRoomStepwise, EveryLoopNeedsItsItems) {
  const auto two = [](std::uint32_t first, std::uint32_t second) {
    return deadlock(
        graph_of(6, {{0, 1}, {1, 2}, {2, 1, 1, 1, 1, {}, first}, {2, 3}, {3, 4}, {4, 3, 1, 1, 1, {}, second}, {4, 5}}),
        {});
  };
  EXPECT_FALSE(two(1, 1));
  EXPECT_TRUE(two(0, 1));
  EXPECT_TRUE(two(1, 0));
}

/// Room beyond what is seen, by the edge: of the one that sees most no more than of the other.
TEST(QueueRoomStepwise, RoomBeyondIsBesideWhatEachEdgeSees) {
  const StreamGraph g = graph_of(2, {{0, 1, 1, 1, 5}, {0, 1, 2, 2, 2}});
  // The second edge gets ahead by the four firings that the first must see: eight items, of which two are seen.
  EXPECT_EQ(*least_room_beyond(g, {2, 0, 1, 1}), 6U);
  EXPECT_FALSE(deadlock(g, {2, 0, 1, 1, 6}));
  EXPECT_TRUE(deadlock(g, {2, 0, 1, 1, 5}));
  EXPECT_EQ(*least_destination_room(g, {2, 0, 1, 1}), 8U);
  EXPECT_EQ(*least_room_beyond(graph_of(2, {{0, 1}}), {1, 0, 9, 1}), 8U) << "a whole packet";
  EXPECT_EQ(*least_room_beyond(graph_of(2, {{0, 1}}), {1, 0, 1, 1}), 1U) << "0 is as `destination` says";
}

/// Splitters and joiners in front of one another pass on what their neighbours do.
TEST(FlatGraphStepwise, WhatStandsBetweenHasTheWordsOfItsEnds) {
  const auto wide = [](const std::string& n) {
    Structure s = filter(n, 1, 1, 1);
    s.filter.input_words = s.filter.output_words = 2;
    return s;
  };
  const auto both = [&](const std::string& n, Structure one, Structure two) {
    return split_join(n, Split::kRoundRobin, {1, 1}, {std::move(one), std::move(two)}, {1, 1});
  };
  Structure a = filter("a", 0, 2, 1), b = filter("b", 2, 0, 1);
  a.filter.output_words = b.filter.input_words = 2;
  const Structure p =
      pipeline("p", {a, both("s", wide("x"), both("i", wide("y"), wide("z"))), both("t", wide("v"), wide("w")), b});
  for (const FlatEdge& e : flatten(p, "p.str").edges) EXPECT_EQ(e.words, 2U) << e.from << " " << e.to;
}

}  // namespace
}  // namespace braid::test::stepwise_test
