// All-reduces over whole networks: two nodes to the cycle, every scheme in every family, slices. (Every message of some
// runs against a reference of their own: tb/python/rings/test_all_reduce_program.py.)
#include "models/workload/broadcast/all_reduce_workload.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/families.h"

namespace braid::test::all_reduce_workload_test {
namespace {

using models::BroadcastResults;
using models::Experiment;

Experiment all_reduces(std::uint32_t width, std::uint32_t height, const std::string& scheme) {
  Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", height);
  e.open("broadcast");
  e.set("broadcast.operation", "all_reduce");
  e.set("broadcast.scheme", scheme);
  return e;
}

/// Measured from the first cycle on.
struct Reducing : Bench {
  explicit Reducing(Experiment e, std::size_t slices = 1) : Bench(std::move(e), slices) {
    network->window() = {true, 0, 1000};
  }
  /// After all cycles up to this one.
  BroadcastResults after(std::uint64_t cycle) {
    run(cycle + 1 - network->now());
    return network->workload<models::AllReduceWorkload>()->results();
  }
};

Experiment two_nodes() {
  Experiment e = all_reduces(2, 1, "balanced_tree");
  e.set("broadcast.receive_cycles", 3);
  e.set("broadcast.event_cycles", 17);
  e.set("broadcast.send_cycles", 5);
  e.set("broadcast.settle_cycles", 11);
  e.set("broadcast.after_cycles", 7);
  return e;
}

/// Node 1 begins in cycle 1 and sends in 1 + 17 + 5 = 23. A message over one link is there 13 cycles later and in the
/// queue in the next one: 37. The root has all values in 37 + 3, settles, and begins to hand the result down in 40 + 11
/// + 7 = 58; it sends in 63. In the queue in 77, received in 80, taken in 97.
TEST(AllReduce, OfTwoNodesEndsInItsCycle) {
  Reducing bench(two_nodes());
  EXPECT_EQ(bench.after(96).completed, 0U);
  const BroadcastResults r = bench.after(97);
  EXPECT_EQ(r.completed, 1U);
  EXPECT_EQ(r.latency_cycles.max, 96.0);
  EXPECT_EQ(r.messages, 2U);
  EXPECT_EQ(r.longest_path, 2U);
}

/// Of a network that is further than the checkpoint nothing is left.
TEST(AllReduce, GoesBackToACheckpoint) {
  Reducing bench(two_nodes()), twin(two_nodes());
  bench.run(60);
  twin.run(60);
  const std::string bytes = saved(*bench.network);
  bench.run(500);
  restore(*bench.network, bytes);
  bench.run(300);
  twin.run(300);
  EXPECT_GT(twin.network->workload<models::AllReduceWorkload>()->results().completed, 1U);
  EXPECT_EQ(told(*bench.network), told(*twin.network));
}

/// The root takes the result in 58 + 5 + 17 = 80, and its value for the next one at once after settling; node 1 has the
/// result in 97 and, with a gap of 50, begins in 147. So it sends in 169; received in 183 + 3, and so on.
TEST(AllReduce, BeginsAgainAtEachNodeBehindTheGap) {
  Experiment e = two_nodes();
  e.set("broadcast.gap_cycles", 50);
  Reducing bench(std::move(e));
  EXPECT_EQ(bench.after(242).completed, 1U);
  const BroadcastResults r = bench.after(243);
  EXPECT_EQ(r.completed, 2U);
  EXPECT_EQ(r.latency_cycles.max, 243.0 - 130.0) << "the root began in 80 + 50";
}

TEST(AllReduce, GoesOverEverySchemeInEveryFamily) {
  for (const std::string family : {"hybrid", "ideal", "virtual_cut_through", "po2", "myrinet"}) {
    for (const std::string scheme : {"diamond_ring", "balanced_tree", "spanning_tree", "unicast"}) {
      Experiment e = in_family(family);
      e.set("broadcast.operation", "all_reduce");
      e.set("broadcast.scheme", scheme);
      e.set("broadcast.flits", 5);
      Reducing bench(std::move(e));
      const BroadcastResults r = bench.after(40000);
      EXPECT_GT(r.completed, 3U) << family << ", " << scheme;
      EXPECT_TRUE(r.refused.empty()) << family << ": " << r.refused[0];
      EXPECT_EQ(r.messages, 2 * (bench.topology.node_count() - 1));
    }
  }
}

TEST(AllReduce, IsTheSameInAnySlices) {
  const auto after = [](std::size_t slices) {
    Reducing bench(all_reduces(4, 4, "diamond_ring"), slices);
    const BroadcastResults r = bench.after(6000);
    return std::make_pair(bench.network->merged_statistics().packet_hash(), r.latency_cycles.mean);
  };
  const auto one = after(1);
  EXPECT_GT(one.second, 0.0);
  EXPECT_EQ(after(4), one);
  EXPECT_EQ(after(16), one);
}

}  // namespace
}  // namespace braid::test::all_reduce_workload_test
