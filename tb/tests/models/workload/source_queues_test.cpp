// Waits and idle time at the sources, of packets made by hand.
#include "models/workload/source_queues.h"

#include <gtest/gtest.h>

namespace braid::test::source_queues_test {
namespace {

using models::QueueLoad;
using models::SourceQueues;

constexpr std::size_t kNodes = 3;

/// A window from cycle 100 on. Made at 90 and gone at 110: 10 cycles of it. Made at 105 behind that one, gone at 114: 4
/// more. Made at 120 and gone at 124: 4. Of 50 cycles 32 are idle.
TEST(SourceQueues, AreBusyFromThePacketsArrivalOrTheLastOnesEnd) {
  SourceQueues queues;
  queues.leaves(1, kNodes, 110, 90, 100);
  queues.leaves(1, kNodes, 114, 105, 100);
  queues.leaves(1, kNodes, 124, 120, 100);
  queues.waited(1, kNodes, 12);
  const std::vector<QueueLoad> loads = queues.loads(50);
  ASSERT_EQ(loads.size(), kNodes);
  EXPECT_DOUBLE_EQ(loads[1].idle, 0.64);
  EXPECT_EQ(loads[1].share, 1.0);
}

/// A window that begins with the run: made in cycle 0 and gone in 5, five cycles.
TEST(SourceQueues, AreBusyFromTheFirstCycleOfARunOn) {
  SourceQueues queues;
  queues.leaves(0, kNodes, 5, 0, 0);
  queues.waited(0, kNodes, 5);
  EXPECT_DOUBLE_EQ(queues.loads(10)[0].idle, 0.5);
}

/// Busy for 12 of 10 cycles, as a window that is asked for early may have it: never idle, and not less than that.
TEST(SourceQueues, AreNeverIdleForLessThanNothing) {
  SourceQueues queues;
  queues.leaves(0, kNodes, 112, 100, 100);
  queues.waited(0, kNodes, 12);
  EXPECT_EQ(queues.loads(10)[0].idle, 0.0);
  EXPECT_EQ(queues.loads(12)[0].idle, 0.0);
  EXPECT_DOUBLE_EQ(queues.loads(24)[0].idle, 0.5);
}

/// Two slices have counted packets of the same node; what leaves after they were put together leaves behind the later.
TEST(SourceQueues, GoOnBehindTheLaterOfTwoSlices) {
  for (const bool into_later : {false, true}) {
    SourceQueues earlier, later;
    earlier.leaves(0, kNodes, 105, 100, 100);
    earlier.waited(0, kNodes, 5);
    later.leaves(0, kNodes, 130, 120, 100);
    later.waited(0, kNodes, 10);
    SourceQueues all = into_later ? later : earlier;
    all.merge(into_later ? earlier : later);
    all.leaves(0, kNodes, 140, 110, 100);
    const QueueLoad load = all.loads(100)[0];
    EXPECT_DOUBLE_EQ(load.idle, 1.0 - (5 + 10 + 10) / 100.0);
    EXPECT_DOUBLE_EQ(load.wait_cycles, 7.5);
    EXPECT_EQ(load.share, 1.0);
  }
}

/// By another port a later packet may leave first.
TEST(SourceQueues, CountACycleOnceHoweverManyLeaveInIt) {
  SourceQueues queues;
  queues.leaves(0, kNodes, 110, 105, 100);
  queues.leaves(0, kNodes, 120, 101, 100);
  queues.leaves(0, kNodes, 120, 102, 100);
  queues.waited(0, kNodes, 1);
  EXPECT_DOUBLE_EQ(queues.loads(100)[0].idle, 0.85) << "105 to 120";
}

TEST(SourceQueues, WaitByNode) {
  SourceQueues queues;
  queues.waited(0, kNodes, 4);
  queues.waited(0, kNodes, 8);
  queues.waited(0, kNodes, 0);
  queues.waited(2, kNodes, 7);
  const std::vector<QueueLoad> loads = queues.loads(100);
  EXPECT_DOUBLE_EQ(loads[0].wait_cycles, 4.0);
  EXPECT_DOUBLE_EQ(loads[0].share, 0.75);
  EXPECT_EQ(loads[1].share, 0.0);
  EXPECT_EQ(loads[1].wait_cycles, 0.0);
  EXPECT_EQ(loads[2].wait_cycles, 7.0);
  EXPECT_TRUE(SourceQueues().loads(100).empty());
}

/// A packet leaves in its source's slice and arrives in another.
TEST(SourceQueues, AreTheSameCountedInSlices) {
  SourceQueues here, there, none;
  here.leaves(0, kNodes, 110, 100, 100);
  there.waited(0, kNodes, 6);
  there.leaves(1, kNodes, 130, 100, 100);
  none.merge(here);
  none.merge(there);
  EXPECT_DOUBLE_EQ(none.loads(100)[0].idle, 0.9);
  EXPECT_EQ(none.loads(100)[0].wait_cycles, 6.0);
  EXPECT_EQ(none.size(), kNodes);
}

}  // namespace
}  // namespace braid::test::source_queues_test
