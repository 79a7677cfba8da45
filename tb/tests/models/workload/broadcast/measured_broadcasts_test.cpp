// What broadcasts, all-reduces and consistency events say of one measurement: who sent how much to whom (for the
// busiest links), and nothing of the measurement before.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/workload/broadcast/all_reduce_workload.h"
#include "models/workload/broadcast/broadcast_by_line.h"
#include "models/workload/broadcast/broadcast_workload.h"
#include "models/workload/broadcast/consistency_workload.h"
#include "tb/tests/support/bench.h"

namespace braid::test::measured_broadcasts_test {
namespace {

using models::BroadcastResults;
using models::Experiment;

Experiment row(std::uint32_t width, const std::string& operation, const std::string& scheme) {
  Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", 1);
  e.open("broadcast");
  e.set("broadcast.operation", operation);
  e.set("broadcast.scheme", scheme);
  e.set("broadcast.flits", 3);
  return e;
}

/// Measured from the first cycle on.
template <class Workload>
struct Measured : Bench {
  explicit Measured(Experiment e, std::size_t slices = 1) : Bench(std::move(e), slices) {
    network->window() = {true, 0, 1000};
  }
  Workload& of() const { return *network->workload<Workload>(); }
  BroadcastResults after(std::uint64_t cycles) {
    if (cycles > 0) run(cycles);
    return of().results();
  }
};

/// From, to, flits in 1000 cycles; sorted.
using Sent = std::vector<std::tuple<std::uint32_t, std::uint32_t, double>>;
Sent sent(const models::Workload& workload) {
  Sent all;
  for (const routing::Flow& f : workload.flows(1000)) {
    all.emplace_back(f.source.value, f.destination.value, 1000.0 * f.weight);
  }
  std::sort(all.begin(), all.end());
  return all;
}
void expect_sent(const Sent& found, const Sent& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(std::get<0>(found[i]), std::get<0>(expected[i])) << i;
    EXPECT_EQ(std::get<1>(found[i]), std::get<1>(expected[i])) << i;
    EXPECT_NEAR(std::get<2>(found[i]), std::get<2>(expected[i]), 1e-9) << i;
  }
}

/// Each of the root's broadcasts is a message of three flits to each of two nodes, and one back.
TEST(BroadcastFlows, AreThoseOfTheBroadcastsThatWereCompleted) {
  Measured<models::BroadcastWorkload> bench(row(3, "broadcast", "unicast"));
  const auto completed = static_cast<double>(bench.after(1000).completed);
  ASSERT_GT(completed, 2.0);
  const double each = 3 * completed;
  expect_sent(sent(bench.of()), {{0, 1, each}, {0, 2, each}, {1, 0, each}, {2, 0, each}});
}

/// Of the one packet that routers copy no way by itself is told, only the answers.
TEST(BroadcastFlows, LeaveOutWhatRoutersCopy) {
  Measured<models::BroadcastWorkload> bench(row(3, "broadcast", "router_multicast"));
  const auto completed = static_cast<double>(bench.after(1000).completed);
  ASSERT_GT(completed, 2.0);
  expect_sent(sent(bench.of()), {{1, 0, 3 * completed}, {2, 0, 3 * completed}});
}

/// A value up and the result down, of each all-reduce that has ended everywhere.
TEST(AllReduceFlows, AreAWaveUpAndAWaveDown) {
  for (const std::size_t slices : {1U, 3U}) {
    Measured<models::AllReduceWorkload> bench(row(3, "all_reduce", "unicast"), slices);
    const auto completed = static_cast<double>(bench.after(1000).completed);
    ASSERT_GT(completed, 2.0);
    const double each = 3 * completed;
    expect_sent(sent(bench.of()), {{0, 1, each}, {0, 2, each}, {1, 0, each}, {2, 0, each}});
  }
}

/// Node 1 asks once: a request and an acknowledgement of three flits each; the broadcast, the value of seven and the
/// answer come back.
TEST(ConsistencyFlows, AreWhatWasSentFlitByFlit) {
  Experiment e = row(2, "ownership", "unicast");
  e.set("broadcast.roots", std::vector<std::uint32_t>{0});
  e.set("broadcast.requesters", std::vector<std::uint32_t>{1});
  e.set("broadcast.value_flits", 7);
  e.set("broadcast.gap_cycles", 1000000);
  Measured<models::ConsistencyWorkload> bench(e);
  EXPECT_EQ(bench.after(900).completed, 1U);
  expect_sent(sent(bench.of()), {{0, 1, 3 + 7 + 3}, {1, 0, 3 + 3}});
  Measured<models::ConsistencyWorkload> unmeasured(e);
  unmeasured.network->window().open = false;
  EXPECT_EQ(unmeasured.after(900).completed, 0U);
  EXPECT_TRUE(sent(unmeasured.of()).empty());
}

// ---------------------------------------------------------------- a second measurement

TEST(SecondMeasurement, OfBroadcastsBeginsAtNothing) {
  Measured<models::BroadcastWorkload> bench(row(3, "broadcast", "unicast"));
  ASSERT_GT(bench.after(1000).completed, 2U);
  bench.of().begin_window();
  const BroadcastResults none = bench.after(0);
  EXPECT_EQ(none.completed, 0U);
  EXPECT_EQ(none.latency_cycles.count, 0U);
  EXPECT_EQ(none.burst_cycles.count, 0U);
  expect_sent(sent(bench.of()), {{0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {2, 0, 0}});
  EXPECT_GT(bench.after(1000).completed, 2U);
}

/// An all-reduce that had begun before is no all-reduce of the second measurement.
TEST(SecondMeasurement, OfAllReducesCountsThoseThatBeginInIt) {
  Measured<models::AllReduceWorkload> bench(row(3, "all_reduce", "unicast"));
  ASSERT_GT(bench.after(1000).completed, 2U);
  bench.of().begin_window();
  EXPECT_EQ(bench.after(0).completed, 0U);
  const BroadcastResults second = bench.after(1000);
  EXPECT_GT(second.completed, 2U);
  EXPECT_LT(second.latency_cycles.max, 1000.0) << "from a begin in it";
}

TEST(SecondMeasurement, OfConsistencyEventsBeginsAtNothing) {
  Experiment e = row(3, "shoot_down", "unicast");
  e.set("broadcast.roots", std::vector<std::uint32_t>{0, 2});
  Measured<models::ConsistencyWorkload> bench(e);
  const BroadcastResults first = bench.after(1000);
  ASSERT_GT(first.completed, 4U);
  EXPECT_EQ(first.completed_by_root->at(0) + first.completed_by_root->at(1), first.completed);
  EXPECT_EQ(sent(bench.of()).size(), 2U + 2U + 2U) << "each root to both others, and back";
  bench.of().begin_window();
  const BroadcastResults none = bench.after(0);
  EXPECT_EQ(none.completed, 0U);
  EXPECT_EQ(none.latency_cycles.count, 0U);
  EXPECT_EQ(none.burst_cycles.count, 0U);
  EXPECT_EQ(*none.completed_by_root, (std::vector<std::uint64_t>{0, 0}));
  EXPECT_TRUE(sent(bench.of()).empty());
}

/// A line's root has come on if a broadcast has ended since it was asked last.
TEST(BroadcastByLine, HasComeOnOnceForWhatHasEnded) {
  Experiment e;
  e.set("topology.width", 3).set("topology.height", 1);
  e.open("broadcast");
  e.set("broadcast.medium", "line").set("broadcast.scheme", "spanning_tree").set("broadcast.gap_cycles", 1000000);
  Bench bench(e);
  auto& line = *bench.network->workload<models::BroadcastByLine>();
  EXPECT_FALSE(line.advanced());
  bench.run(500);
  EXPECT_TRUE(line.advanced());
  EXPECT_FALSE(line.advanced()) << "no other one has ended";
  bench.run(500);
  EXPECT_FALSE(line.advanced());
}

}  // namespace
}  // namespace braid::test::measured_broadcasts_test
