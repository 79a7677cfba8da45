// What room queues need: by hand, at one item less, and against what the simulator does.
#include "traffic/streams/queue_room.h"

#include <gtest/gtest.h>

namespace braid::test::queue_room_test {
namespace {

using namespace traffic;

StreamGraph graph_of(std::size_t actors, std::vector<StreamEdge> edges) {
  StreamGraph g;
  for (std::size_t a = 0; a < actors; ++a) g.actors.push_back({"a" + std::to_string(a), 1, {}});
  g.edges = std::move(edges);
  return g;
}

/// a0 sends to a2 at once and by way of a1, which wants to see `peek` items before it sends its first.
StreamGraph reconvergent(std::uint32_t peek) { return graph_of(3, {{0, 1, 1, 1, peek}, {1, 2}, {0, 2}}); }

TEST(QueueRoom, BranchesThatMeetAgainWaitForEverWithOneItemLess) {
  const StreamGraph g = reconvergent(10);
  // When a1 fires first, a0 has fired ten times; the direct edge holds ten items then, at both ends together.
  EXPECT_FALSE(deadlock(g, {4, 10, 1, 1}));
  EXPECT_FALSE(deadlock(g, {1, 10, 1, 1}));
  EXPECT_TRUE(deadlock(g, {1, 9, 1, 1}));  // a1 never sees ten items
  const StreamGraph longer = graph_of(4, {{0, 1, 1, 1, 10}, {1, 2, 1, 1, 10}, {2, 3}, {0, 3}});
  // a2 sees ten items of a1 when a0 has fired 19 times, or 18 and the last is being put out: its room at the source.
  const QueueRoom enough{1, *least_destination_room(longer, {1, 0, 1, 1}), 1, 1};
  EXPECT_EQ(enough.destination, 18U);
  EXPECT_FALSE(deadlock(longer, enough));
  const auto stuck = deadlock(longer, {1, enough.destination - 1, 1, 1});
  ASSERT_TRUE(stuck);
  EXPECT_TRUE(stuck->for_room || stuck->actor != 0);
  EXPECT_FALSE(deadlock(longer, {2, enough.destination - 1, 1, 1}));  // one item more at the source
}

TEST(QueueRoom, AWholePacketMustFit) {
  const StreamGraph g = graph_of(2, {{0, 1, 1, 1, 10}});
  EXPECT_EQ(*least_destination_room(g, {64, 0, 8, 1}), 17U);
  EXPECT_TRUE(deadlock(g, {64, 16, 8, 1}));
  EXPECT_FALSE(deadlock(g, {64, 17, 8, 1}));
}

/// Beside what a firing sees, one item on the direct edge and ten on the other. a0 fires ten times before a2 fires: the
/// direct edge holds ten items, at both ends together.
TEST(QueueRoom, MayBeCountedBeyondWhatAFiringSees) {
  const StreamGraph g = reconvergent(10);
  EXPECT_EQ(*least_room_beyond(g, {1, 0, 1, 1}), 8U);  // 1 + 1 + 8
  EXPECT_EQ(*least_room_beyond(g, {4, 0, 1, 1}), 5U);  // 4 + 1 + 5
  EXPECT_TRUE(deadlock(g, {4, 0, 1, 1, 4}));
  EXPECT_FALSE(deadlock(g, {4, 0, 1, 1, 5}));
  EXPECT_EQ(*least_room_beyond(graph_of(2, {{0, 1, 1, 1, 10}}), {64, 0, 8, 1}), 7U);
  EXPECT_FALSE(least_room_beyond(graph_of(2, {{0, 1}, {1, 0}}), {}));  // a loop without an item
}

TEST(QueueRoom, BlocksThatAreNotFullStayBehind) {
  const StreamGraph g = graph_of(2, {{0, 1, 3, 3, 3}});
  EXPECT_EQ(least_source_room(g, 4), 6U);
  EXPECT_FALSE(deadlock(g, {6, 0, 4, 4}));
  EXPECT_TRUE(deadlock(g, {5, 0, 4, 4}));  // three wait for a fourth, three more find no room
}

/// An actor may run a whole block ahead, however many steady states that is.
TEST(QueueRoom, BlocksOfManySteadyStatesAreFilled) {
  const StreamGraph g = graph_of(2, {{0, 1}});
  for (const std::uint64_t block : {4U, 5U, 64U}) EXPECT_FALSE(deadlock(g, {64, 200, 64, block})) << block;
  EXPECT_TRUE(deadlock(g, {63, 200, 64, 64}));  // the source never holds a block
  EXPECT_EQ(least_destination_room(g, {64, 0, 64, 64}), 64U);
}

/// Of single items none stays behind: a firing's own, of the edge that has most, and one where nothing is sent.
TEST(QueueRoom, WithoutBlocksTheSourceHoldsAFiring) {
  EXPECT_EQ(least_source_room(graph_of(2, {{0, 1}}), 1), 1U);
  EXPECT_EQ(least_source_room(graph_of(3, {{0, 1, 2, 2, 2}, {1, 2, 5, 5, 5}}), 1), 5U);
  EXPECT_EQ(least_source_room(graph_of(1, {}), 1), 1U);
  EXPECT_EQ(least_source_room(graph_of(2, {{0, 1, 3, 3, 3}})), 3U) << "where nobody says how large a block is";
  EXPECT_FALSE(deadlock(graph_of(2, {{0, 1}}), {1, 1, 1, 1}));
}

TEST(QueueRoom, AFeedbackLoopNeedsInitialItems) {
  const auto loop = [](std::uint32_t initial) {
    return graph_of(3, {{0, 1, 2, 2, 2}, {1, 2, 2, 2, 2}, {2, 1, 2, 2, 3, {}, initial}});
  };
  EXPECT_TRUE(deadlock(loop(0), {}));
  const auto stuck = deadlock(loop(2), {});  // one less than a1 must see
  ASSERT_TRUE(stuck);
  EXPECT_FALSE(stuck->for_room);
  EXPECT_FALSE(deadlock(loop(3), {}));
  EXPECT_FALSE(least_destination_room(loop(2), {}));
}

TEST(QueueRoom, HugeRepetitionsEnd) {
  const StreamGraph g = graph_of(3, {{0, 1, 65535, 1, 1}, {1, 2, 65535, 1, 1}});
  EXPECT_FALSE(deadlock(g, {65535, 65535, 1, 1}));
  const StreamGraph loop = graph_of(4, {{0, 1, 65535, 1, 1}, {1, 2, 65535, 1, 1}, {2, 3}, {3, 2, 1, 1, 1, {}, 1}});
  EXPECT_FALSE(deadlock(loop, {}));
}

/// Who waits on the cycle, where, and for what: a0 for room at a1, which waits for a tenth item; a1 for the item that
/// only a2 can give.
TEST(QueueRoom, NamesWhoWaitsAndForWhat) {
  const auto for_room = deadlock(reconvergent(10), {1, 9, 1, 1});
  ASSERT_TRUE(for_room);
  EXPECT_EQ(for_room->actor, 0U);
  EXPECT_EQ(for_room->edge, 0U);
  EXPECT_TRUE(for_room->for_room);
  const auto for_items = deadlock(graph_of(3, {{0, 1}, {1, 2}, {2, 1, 1, 1, 3, {}, 2}}), {});
  ASSERT_TRUE(for_items);
  EXPECT_EQ(for_items->actor, 1U);
  EXPECT_EQ(for_items->edge, 2U);
  EXPECT_FALSE(for_items->for_room);
}

/// a2 sees ten items of a1 when a0's nineteenth has come to it. Where its copies go together, the direct edge must hold
/// nineteen; where each goes by itself, they may wait in a0's queue, which has no bound.
TEST(QueueRoom, CopiesThatGoTogetherWaitForOneAnother) {
  StreamGraph g = graph_of(4, {{0, 1, 1, 1, 10}, {1, 2, 1, 1, 10}, {2, 3}, {0, 3}});
  g.edges[0].group = g.edges[3].group = 5;
  EXPECT_EQ(copies_of(g, 0), (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(copies_of(g, 3), (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(copies_of(g, 1), std::vector<std::size_t>{1});
  EXPECT_FALSE(deadlock(g, {0, 10, 1, 1, 0, false}));
  EXPECT_FALSE(deadlock(g, {0, 19, 1, 1, 0, true}));
  EXPECT_TRUE(deadlock(g, {0, 18, 1, 1, 0, true}));
  EXPECT_EQ(*least_destination_room(g, {0, 0, 1, 1, 0, true}), 19U);
  EXPECT_EQ(*least_destination_room(g, {0, 0, 1, 1, 0, false}), 10U);
  g.edges.push_back(g.edges[3]);  // a third copy comes and goes
  EXPECT_EQ(copies_of(g, 0), (std::vector<std::size_t>{0, 3, 4}));
  g.edges.pop_back();
  EXPECT_EQ(copies_of(g, 0), (std::vector<std::size_t>{0, 3}));
  g.edges[3].group = 6;  // of other items
  EXPECT_FALSE(deadlock(g, {0, 10, 1, 1, 0, true}));
  g.edges[3].group = 5;
  g.edges[3].from = 1;  // of another actor
  EXPECT_EQ(copies_of(g, 0), std::vector<std::size_t>{0});
  g.edges[0].group = g.edges[3].group = {};
  EXPECT_EQ(copies_of(g, 0), std::vector<std::size_t>{0}) << "without a group none is a copy";
}

TEST(QueueRoom, SeesTheMostOfWhatIsTakenSeenOrThere) {
  EXPECT_EQ(seen_items({0, 1, 1, 3, 5, {}, 4}), 5U);
  EXPECT_EQ(seen_items({0, 1, 1, 3, 3, {}, 4}), 4U);
  EXPECT_EQ(seen_items({0, 1, 1, 6, 5, {}, 4}), 6U);
}

/// A firing's items, and what may be left of a block: the most by which whole blocks and whole firings miss each other.
TEST(QueueRoom, ASourceHoldsAFiringAndWhatIsLeftOfABlock) {
  const auto room = [](std::uint32_t push, std::uint64_t block) {
    return least_source_room(graph_of(2, {{0, 1, push, push, push}}), block);
  };
  EXPECT_EQ(room(6, 4), 6U + 2) << "two of four are left at times";
  EXPECT_EQ(room(8, 4), 8U) << "none ever";
  EXPECT_EQ(room(3, 4), 3U + 3);
  EXPECT_EQ(room(4, 6), 4U + 4);
  EXPECT_EQ(room(1, 5), 1U + 4);
  EXPECT_FALSE(deadlock(graph_of(2, {{0, 1, 6, 6, 6}}), {8, 0, 4, 4}));
  EXPECT_TRUE(deadlock(graph_of(2, {{0, 1, 6, 6, 6}}), {7, 0, 4, 4}));
}

/// Actors that peek run ahead of those behind them by as much; a bound that is met at once is kept.
TEST(QueueRoom, WithoutACycleRoomWithoutBoundsSuffices) {
  EXPECT_FALSE(deadlock(reconvergent(1000), {}));
  EXPECT_FALSE(deadlock(reconvergent(1000), {1, 0, 1, 1}));
  EXPECT_FALSE(deadlock(reconvergent(1000), {1, 1000, 1, 1}));
  EXPECT_TRUE(deadlock(reconvergent(1000), {1, 998, 1, 1}));
  EXPECT_EQ(*least_destination_room(graph_of(2, {{0, 1}}), {1, 0, 1, 1}), 1U);
  EXPECT_EQ(*least_destination_room(graph_of(2, {{0, 1, 3, 5, 5}}), {3, 0, 1, 1}), 5U);
  EXPECT_EQ(*least_destination_room(graph_of(2, {{0, 1, 3, 3, 3}}), {8, 0, 4, 4}), 3U + 3) << "whole packets of four";
}

/// 1 and 2 go round with one item, and 0 feeds them as far as it may be ahead; 3 and 4 go round without any, so that
/// they wait for ever, and who comes before them does not.
TEST(Deadlock, NamesWhoWaitsForEverAndNotWhoIsHeldBack) {
  const StreamGraph g = graph_of(6, {{0, 1}, {1, 2}, {2, 1, 1, 1, 1, {}, 1}, {2, 3}, {3, 4}, {4, 3}, {4, 5}});
  const auto stuck = deadlock(g, {});
  ASSERT_TRUE(stuck);
  EXPECT_EQ(stuck->actor, 3U);
  EXPECT_EQ(stuck->edge, 5U);
  EXPECT_FALSE(stuck->for_room);
}

/// The same with who is held back at the end of the list: whoever waits for it alone is found behind it, and whoever
/// waits for those.
TEST(Deadlock, NamesWhoWaitsForEverWhereverTheOthersStand) {
  const StreamGraph g = graph_of(6, {{5, 0}, {0, 1}, {1, 0, 1, 1, 1, {}, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 4}});
  const auto stuck = deadlock(g, {});
  ASSERT_TRUE(stuck);
  EXPECT_EQ(stuck->actor, 2U);
  EXPECT_EQ(stuck->edge, 5U);
  EXPECT_FALSE(stuck->for_room);
  // A chain of three behind it, each before the one that it waits for: 4 feeds 3, 2 and 1.
  const StreamGraph chain = graph_of(7, {{4, 3}, {3, 2}, {2, 1}, {1, 5}, {5, 6}, {6, 5}, {0, 6}});
  const auto behind = deadlock(chain, {});
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->actor, 5U);
  EXPECT_EQ(behind->edge, 5U);
}

}  // namespace
}  // namespace braid::test::queue_room_test
