// A run that the watchdog ends after its measured cycles: in the drain, when the window's figures are there already.
#include <gtest/gtest.h>

#include "models/engine/deadlock_error.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"

namespace braid::test::drain_deadlock_test {
namespace {

/// The ring stands still long before cycle 900, and the watchdog says so no earlier than cycle 1000.
TEST(DeadlockInTheDrain, TakesTheFiguresOfTheWindowAway) {
  models::Simulation simulation(models::read_experiment(
      source_file("tb/experiments/deadlock.toml"),
      {"simulation.batch_cycles=100", "simulation.min_warmup_cycles=0", "simulation.max_warmup_cycles=100",
       "simulation.measure_cycles=400", "results.link_flows=true"}));
  EXPECT_THROW((void)simulation.run(), models::DeadlockError);
  const models::Results& r = simulation.results();
  ASSERT_TRUE(r.verdict.has_value());
  EXPECT_EQ(r.measured_cycles, 400U);
  EXPECT_TRUE(r.energy.empty());
  EXPECT_TRUE(r.links.empty());
  EXPECT_TRUE(r.node_links.empty());
  EXPECT_FALSE(r.subnets.has_value());
  EXPECT_EQ(r.cycles, simulation.network().now());
  EXPECT_GT(r.cycles, 1000U);
}

/// Networks side by side: what was told of them goes, too.
TEST(DeadlockInTheDrain, TakesTheFiguresOfSubnetsAway) {
  models::Simulation simulation(models::read_experiment(
      source_file("tb/experiments/deadlock.toml"),
      {"simulation.batch_cycles=100", "simulation.min_warmup_cycles=0", "simulation.max_warmup_cycles=100",
       "simulation.measure_cycles=400", "network.subnets=2", "traffic.subnets=[0,1]"}));
  EXPECT_THROW((void)simulation.run(), models::DeadlockError);
  EXPECT_EQ(simulation.results().measured_cycles, 400U);
  EXPECT_FALSE(simulation.results().subnets.has_value());
}

}  // namespace
}  // namespace braid::test::drain_deadlock_test
