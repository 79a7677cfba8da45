// A network of one node: nobody has to be told. Without costs everything is done in the cycle of its begin, and begins
// again in the next one: never in the same cycle, of which there would be no end.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "models/workload/broadcast/broadcast_options.h"
#include "tb/tests/support/bench.h"

namespace braid::test::one_node_test {
namespace {

using models::BroadcastOptions;
using models::Experiment;

const std::string kOperations[] = {"broadcast", "all_reduce", "shoot_down", "ownership", "atomic_update"};

Experiment on_one_node(const std::string& operation) {
  Experiment e;
  e.set("topology.width", 1U);
  e.set("topology.height", 1U);
  e.open("broadcast");
  e.set("broadcast.operation", operation);
  return e;
}

/// How many are complete of those that begin in the cycles 1 to `last`.
std::uint64_t completed(Experiment e, std::uint64_t last) {
  Bench bench(std::move(e));
  bench.network->window() = {true, 0, 1000};
  bench.run(last + 1 - bench.network->now());
  return bench.network->workloads().at(0)->report(1000).get<std::uint64_t>("broadcast.completed");
}

TEST(OneNode, WithoutCostsIsDoneOnceACycle) {
  for (const std::string& operation : kOperations) {
    EXPECT_EQ(completed(on_one_node(operation), 1), 1U) << operation;
    EXPECT_EQ(completed(on_one_node(operation), 20), 20U) << operation;
  }
}

TEST(OneNode, WithoutCostsBeginsAgainBehindTheGap) {
  for (const std::string& operation : kOperations) {
    Experiment e = on_one_node(operation);
    e.set("broadcast.gap_cycles", 5U);
    EXPECT_EQ(completed(e, 5), 1U) << operation;
    EXPECT_EQ(completed(e, 6), 2U) << operation;
    EXPECT_EQ(completed(e, 16), 4U) << operation;
  }
}

/// A cost is a time of its own: with it the next one begins in the cycle of the end. Of an all-reduce the node takes
/// its own value and then the result, an event each.
TEST(OneNode, WithACostBeginsAgainInTheCycleOfTheEnd) {
  for (const std::string& operation : kOperations) {
    Experiment e = on_one_node(operation);
    e.set("broadcast.event_cycles", 4U);
    const std::uint64_t cycles = operation == "all_reduce" ? 8 : 4;
    EXPECT_EQ(completed(e, cycles), 0U) << operation;
    EXPECT_EQ(completed(e, 1 + cycles), 1U) << operation;
    EXPECT_EQ(completed(e, 2 * cycles), 1U) << operation;
    EXPECT_EQ(completed(e, 1 + 2 * cycles), 2U) << operation;
  }
}

TEST(BroadcastGap, IsAtLeastACycleFromBeginToBegin) {
  BroadcastOptions o;
  EXPECT_EQ(o.again(7, 7), 8U);
  EXPECT_EQ(o.again(7, 8), 8U);
  EXPECT_EQ(o.again(7, 30), 30U);
  o.gap_cycles = 1;
  EXPECT_EQ(o.again(7, 7), 8U);
  EXPECT_EQ(o.again(7, 30), 31U);
}

}  // namespace
}  // namespace braid::test::one_node_test
