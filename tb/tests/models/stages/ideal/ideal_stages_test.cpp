// The modules of the ideal network alone, on signals (docs/hardware-view/ideal.md).
#include <gtest/gtest.h>

#include "models/stages/ideal/link_scheduler.h"
#include "models/stages/ideal/links.h"
#include "models/stages/ideal/receiver.h"
#include "tb/tests/support/lone_module.h"

namespace braid::test::ideal_stages_test {
namespace {

using models::stages::ideal::Links;
using models::stages::ideal::LinkScheduler;
using models::stages::ideal::Receiver;

/// Three flits come in cycle 0, the node has one port: the third is taken in cycle 2, not in 1.
TEST(IdealReceiver, TakesAFlitAPortACycleOfThoseThatQueue) {
  Receiver receiver("receiver", 1, true);
  LoneModule bench(receiver);
  bench.set("comes_i", 3);
  bench.edge();
  bench.set("comes_i", 0);
  for (const std::uint64_t held : {2U, 1U, 0U}) {
    EXPECT_EQ(bench.get("takes_o"), 1U) << held;
    EXPECT_EQ(bench.get("held_o"), held);
    bench.edge();
  }
  EXPECT_EQ(bench.get("takes_o"), 0U);
}

TEST(IdealReceiver, TakesAllThatComesWhereNothingQueues) {
  Receiver receiver("receiver", 2, false);
  LoneModule bench(receiver);
  bench.set("comes_i", 2);
  bench.edge();
  EXPECT_EQ(bench.get("takes_o"), 2U);
  EXPECT_EQ(bench.get("held_o"), 0U);
}

/// A flit that leaves in cycle N - 1 comes in N, beside the other one for the same node.
TEST(IdealLinks, BringInTheNextCycleWhatLeaves) {
  Links links("links", 3);
  LoneModule bench(links);
  bench.edge();
  EXPECT_EQ(bench.get("comes_o_2"), 0U) << "at N - 1";
  bench.set("sends_i_0", 0b100);
  bench.set("sends_i_1", 0b101);
  bench.edge();
  EXPECT_EQ(bench.get("comes_o_2"), 2U) << "at N";
  EXPECT_EQ(bench.get("comes_o_0"), 1U);
  EXPECT_EQ(bench.get("comes_o_1"), 0U);
  bench.set("sends_i_0", 0);
  bench.set("sends_i_1", 0);
  bench.edge();
  EXPECT_EQ(bench.get("comes_o_2"), 0U);
}

/// Nodes 0 and 1 have packets for node 2, which receives a flit a cycle: they take turns.
TEST(IdealLinkScheduler, GivesLinksToOneNodeTheirTurns) {
  LinkScheduler scheduler("scheduler", {1, 1, 1}, {1, 1, 1}, false);
  LoneModule bench(scheduler);
  bench.edge();
  EXPECT_EQ(bench.get("sends_o_0") | bench.get("sends_o_1"), 0U) << "at N - 1";
  bench.set("waits_i_0", 0b100);
  bench.set("waits_i_1", 0b100);
  std::uint64_t last = 99;
  for (int cycle = 0; cycle < 6; ++cycle) {
    bench.edge();
    const std::uint64_t first = bench.get("sends_o_0"), second = bench.get("sends_o_1");
    EXPECT_EQ(first + second, 0b100U) << "one of them, in " << cycle;
    EXPECT_NE(first, last) << "not the same one twice";
    last = first;
  }
  bench.set("waits_i_1", 0);
  for (int cycle = 0; cycle < 2; ++cycle) {
    bench.edge();
    EXPECT_EQ(bench.get("sends_o_0"), 0b100U) << "alone";
    EXPECT_EQ(bench.get("sends_o_1"), 0U);
  }
}

TEST(IdealLinkScheduler, LetsBothSendWhereFlitsQueueAtTheReceiver) {
  LinkScheduler scheduler("scheduler", {1, 1, 1}, {1, 1, 1}, true);
  LoneModule bench(scheduler);
  bench.set("waits_i_0", 0b110);
  bench.set("waits_i_1", 0b100);
  bench.edge();
  EXPECT_EQ(bench.get("sends_o_1"), 0b100U);
  const std::uint64_t first = bench.get("sends_o_0");
  EXPECT_TRUE(first == 0b100 || first == 0b010) << "one flit a port, not both";
  bench.edge();
  EXPECT_EQ(bench.get("sends_o_0"), 0b110U - first) << "the other link's turn";
}

}  // namespace
}  // namespace braid::test::ideal_stages_test
