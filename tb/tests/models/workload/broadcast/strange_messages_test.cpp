// Messages that no broadcast can bring, handed to workloads whose own never are: they are said in the results, each in
// a line, of all slices, and nobody counts them.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/workload/broadcast/all_reduce_workload.h"
#include "models/workload/broadcast/broadcast_workload.h"
#include "models/workload/broadcast/consistency_workload.h"
#include "tb/tests/support/bench.h"

namespace braid::test::strange_messages_test {
namespace {

using models::Experiment;

Experiment row(const std::string& operation) {
  Experiment e;
  e.set("topology.width", 3).set("topology.height", 1);
  e.open("broadcast");
  e.set("broadcast.operation", operation).set("broadcast.scheme", "unicast").set("broadcast.gap_cycles", 100000);
  if (operation == "ownership") e.set("broadcast.requesters", std::vector<std::uint32_t>{1});
  return e;
}

/// Of broadcast 77, which has not begun, from node 1 to the root, and from node 0 to node 2.
template <class Workload>
models::BroadcastResults told(const std::string& operation, std::size_t slices) {
  Bench bench(row(operation), slices);
  bench.network->window() = {true, 0, 1000};
  bench.run(400);
  Workload& workload = *bench.network->workload<Workload>();
  EXPECT_TRUE(workload.results().refused.empty()) << operation;
  const std::uint64_t completed = workload.results().completed;
  models::Packet packet;
  packet.tag = 77;
  packet.source = NodeId{1};
  packet.destination = NodeId{0};
  workload.deliver(0, 399, packet);
  bench.run(20);
  EXPECT_EQ(workload.results().refused.size(), 1U) << operation;
  for (int again = 0; again < 2; ++again) {
    workload.deliver(0, bench.network->now() - 1, packet);
    bench.run(20);
  }
  EXPECT_EQ(workload.results().completed, completed) << operation;
  return workload.results();
}

TEST(StrangeMessages, AreToldInTheResults) {
  for (const std::size_t slices : {1U, 3U}) {
    const std::vector<models::BroadcastResults> all{told<models::BroadcastWorkload>("broadcast", slices),
                                                    told<models::AllReduceWorkload>("all_reduce", slices),
                                                    told<models::ConsistencyWorkload>("shoot_down", slices),
                                                    told<models::ConsistencyWorkload>("ownership", slices)};
    for (const models::BroadcastResults& r : all) {
      ASSERT_EQ(r.refused.size(), 3U);
      EXPECT_NE(r.refused[0].find("position 0"), std::string::npos) << r.refused[0];
      EXPECT_NE(r.refused[0].find("position 1"), std::string::npos) << r.refused[0];
    }
  }
}

/// They stand in the figures of the run.
TEST(StrangeMessages, AreFigures) {
  const models::BroadcastResults r = told<models::ConsistencyWorkload>("atomic_update", 1);
  const Report figures = models::broadcast_figures().of(r);
  EXPECT_EQ(figures.get<std::vector<std::string>>("refused"), r.refused);
}

}  // namespace
}  // namespace braid::test::strange_messages_test
