// When the warm-up of a run ends: two batches running whose mean latency and throughput both changed by less than the
// tolerance, in which packets arrived and a stream program's sinks fired; not before the least, at most the longest.
#include <gtest/gtest.h>

#include "models/experiment/simulation.h"
#include "tb/tests/support/loads.h"

namespace braid::test::warm_up_test {
namespace {

using models::Experiment;
using models::Results;

Results run(const Experiment& e) { return models::Simulation(e).run(); }

/// Batches of 100 cycles have 98, 100 and 100 packets of each node, so the second and the third are calm.
TEST(WarmUp, OfAnEvenLoadTakesThreeBatches) {
  const Results r = run(even_load());
  EXPECT_EQ(r.warmup_cycles, 300U);
  EXPECT_TRUE(r.steady);
}

/// From 98 to 100 packets is 2 % of the larger.
TEST(WarmUp, TakesAFourthBatchIfTheChangeIsAboveTheTolerance) {
  Experiment e = even_load();
  e.set("simulation.warmup_tolerance", 0.019);
  EXPECT_EQ(run(e).warmup_cycles, 400U);
}

TEST(WarmUp, TakesThreeBatchesIfTheChangeIsBelowTheTolerance) {
  Experiment e = even_load();
  e.set("simulation.warmup_tolerance", 0.021);
  EXPECT_EQ(run(e).warmup_cycles, 300U);
}

TEST(WarmUp, WithoutToleranceWaitsForEqualBatches) {
  Experiment e = even_load();
  e.set("simulation.warmup_tolerance", 0.0);
  EXPECT_EQ(run(e).warmup_cycles, 400U);
}

TEST(WarmUp, EndsWithTheFirstBatchAtTheLeastLength) {
  Experiment e = even_load();
  e.set("simulation.min_warmup_cycles", 500);
  EXPECT_EQ(run(e).warmup_cycles, 500U);
}

TEST(WarmUp, GoesOnBelowTheLeastLength) {
  Experiment e = even_load();
  e.set("simulation.min_warmup_cycles", 501);
  const Results r = run(e);
  EXPECT_EQ(r.warmup_cycles, 600U);
  EXPECT_TRUE(r.steady);
}

TEST(WarmUp, ThatIsCalmAtItsLimitIsSteady) {
  Experiment e = even_load();
  e.set("simulation.max_warmup_cycles", 300);
  const Results r = run(e);
  EXPECT_EQ(r.warmup_cycles, 300U);
  EXPECT_TRUE(r.steady);
}

TEST(WarmUp, ThatIsCutOffBeforeIsUnsteady) {
  Experiment e = even_load();
  e.set("simulation.max_warmup_cycles", 200);
  const Results r = run(e);
  EXPECT_EQ(r.warmup_cycles, 200U);
  EXPECT_FALSE(r.steady);
}

TEST(WarmUp, OfADeadNetworkTakesAllItMayAndIsUnsteady) {
  Experiment e = even_load();
  e.set("traffic.rate_flits_per_node_cycle", 0.0);
  e.set("simulation.max_warmup_cycles", 600);
  const Results r = run(e);
  EXPECT_EQ(r.warmup_cycles, 600U);
  EXPECT_FALSE(r.steady);
  EXPECT_TRUE(r.classes.empty());
  EXPECT_FALSE(r.saturated);
  EXPECT_EQ(r.cycles, 600U + 500U) << "nothing to drain";
}

/// A packet delivered in cycle t has waited two thirds of that time, so the mean latency of batch k is 66.7 (k - 1/2)
/// cycles and a bit (1 or 2). From one to the next it grows by less than 5 % from k - 1/2 > 20 on: batches 21 and 22.
TEST(WarmUp, OfAnOverloadWaitsForLatencyThoughThroughputIsEven) {
  const Results r = run(overload());
  EXPECT_EQ(r.warmup_cycles, 2200U);
  EXPECT_TRUE(r.steady);
}

/// Thirty nodes have an even load. The stream's producer emits after 1000 cycles, first; its items come one a cycle (a
/// thirtieth of the load: within the tolerance) and the sink fires every ten cycles, so that batches 11 and 12 are
/// calm.
TEST(WarmUp, WaitsUntilAStreamsSinksFire) {
  Experiment e = short_run(streaming(stream_pair(1000, 10, 1000, 10), 32));
  e.set("router.architecture", "ideal");
  e.set("interface.stream_queue_items", 1000);
  add_traffic(e, 1.0);
  e.set("traffic.pattern", "permutation").set("traffic.flits", 1);
  e.set("traffic.file", temporary_file("others.txt"));
  std::ofstream others(e.get<std::string>("traffic.file"));
  for (int node = 2; node < 32; ++node) others << node << " " << (node == 31 ? 2 : node + 1) << "\n";
  others.close();
  const Results r = run(e);
  EXPECT_EQ(r.warmup_cycles, 1200U);
  EXPECT_TRUE(r.steady);
}

/// Two circuits are set up 500 cycles apart while packets move already. If the first batch had them all, it would be
/// six times the second.
TEST(WarmUp, BeginsAfterTheSetUp) {
  const std::string file = temporary_file("fork.toml");
  std::ofstream graph(file);
  graph << "name = \"fork\"\n";
  int tile = 0;
  for (const char* actor : {"b", "a", "c"}) {
    graph << "[[actor]]\nname = \"" << actor << "\"\nwork = 10\ntile = " << tile++ << "\n";
  }
  for (const char* to : {"b", "c"}) graph << "[[edge]]\nfrom = \"a\"\nto = \"" << to << "\"\n";
  graph.close();
  Experiment e = short_run(streaming(file, 8));
  e.set("topology.local_ports", 2);
  e.set("interface.switching", "circuit");
  e.set("setup.token_cycles", 500);
  add_traffic(e, 1.0);
  e.set("traffic.pattern", "permutation").set("traffic.flits", 1);
  e.set("traffic.file", temporary_file("beside.txt"));
  std::ofstream(e.get<std::string>("traffic.file")) << "4 5\n5 4\n6 7\n7 6\n";
  e.set("simulation.warmup_tolerance", 0.5);
  const Results r = run(e);
  EXPECT_EQ(r.setup.circuits.size(), 2U);
  EXPECT_GT(r.setup.total_cycles, 500U);
  EXPECT_EQ(r.warmup_cycles, 300U);
}

}  // namespace
}  // namespace braid::test::warm_up_test
