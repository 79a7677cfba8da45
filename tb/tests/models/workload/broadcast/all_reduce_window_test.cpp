// Which all-reduces a measurement counts: those that everybody begins in it, from its first cycle on, and ends in it.
// On two nodes both begin in cycle 1 and the last has the result in 97 (all_reduce_workload_test.cpp).
#include <gtest/gtest.h>

#include <cstdint>

#include "models/workload/broadcast/all_reduce_workload.h"
#include "tb/tests/support/bench.h"

namespace braid::test::all_reduce_window_test {
namespace {

struct Reducing {
  explicit Reducing(std::size_t slices = 1) : bench(of(), slices) {}
  static models::Experiment of() {
    models::Experiment e;
    e.set("topology.width", 2).set("topology.height", 1);
    e.open("broadcast");
    e.set("broadcast.operation", "all_reduce").set("broadcast.scheme", "balanced_tree");
    e.set("broadcast.receive_cycles", 3).set("broadcast.event_cycles", 17).set("broadcast.send_cycles", 5);
    e.set("broadcast.settle_cycles", 11).set("broadcast.after_cycles", 7).set("broadcast.gap_cycles", 1000);
    return e;
  }
  models::BroadcastResults results() const { return bench.network->workload<models::AllReduceWorkload>()->results(); }
  Bench bench;
};

TEST(AllReduceWindow, BeginsWithItsFirstCycle) {
  for (const std::size_t slices : {1U, 2U}) {
    for (const std::uint64_t first : {0U, 1U, 2U}) {
      Reducing r(slices);
      r.bench.network->window() = {true, first, 1000};
      r.bench.run(200);
      EXPECT_EQ(r.results().completed, first <= 1 ? 1U : 0U) << first;
      EXPECT_EQ(r.results().latency_cycles.count, r.results().completed);
      if (first <= 1) {
        EXPECT_EQ(r.results().latency_cycles.min, 96.0);
      }
    }
  }
}

/// The root has the result long before the other node: one that ends there alone has not ended.
TEST(AllReduceWindow, EndsWithItsLastCycle) {
  for (const std::uint64_t last : {96U, 97U}) {
    Reducing r;
    r.bench.network->window() = {true, 0, 1000};
    r.bench.run(last + 1);
    r.bench.network->window().open = false;
    r.bench.run(200);
    EXPECT_EQ(r.results().completed, last == 97 ? 1U : 0U) << last;
  }
}

/// Begun while no window was open, and ended in one: nobody's.
TEST(AllReduceWindow, LeavesOutWhatBeganBefore) {
  Reducing r;
  r.bench.run(10);
  r.bench.network->window() = {true, 10, 1000};
  r.bench.run(200);
  EXPECT_EQ(r.results().completed, 0U);
  EXPECT_TRUE(r.results().refused.empty());
  EXPECT_EQ(r.results().positions, 2U);
}

}  // namespace
}  // namespace braid::test::all_reduce_window_test
