// When a run has measured enough, and when its warm-up has ended by MSER-5.
#include "models/experiment/stopping_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "models/experiment/mser.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/loads.h"

namespace braid::test::stopping_rule_test {
namespace {

using models::StoppingRule;
using models::TrafficClassResults;

TEST(StoppingRule, IsReadFromWords) {
  EXPECT_FALSE(StoppingRule::of("").has_value());
  EXPECT_DOUBLE_EQ(StoppingRule::of("latency 1 %")->share, 0.01);
  EXPECT_EQ(StoppingRule::of("accepted 0.5%")->figure, StoppingRule::Figure::kAccepted);
  EXPECT_EQ(StoppingRule::of("iterations 8")->figure, StoppingRule::Figure::kIterations);
  EXPECT_EQ(StoppingRule::of("iterations 8")->iterations, 8U);
  for (const char* wrong : {"latency", "latency 1", "latency 0 %", "latency 100 %", "p99 1 %", "latency 1 % more",
                            "iterations", "iterations 0", "iterations -1", "iterations 8 %", "iterations 1000001"}) {
    EXPECT_THROW(StoppingRule::of(wrong), InputError) << wrong;
  }
}

TEST(StoppingRule, HoldsWhereEveryClassIsKnown) {
  const StoppingRule rule = *StoppingRule::of("latency 5 %");
  std::vector<TrafficClassResults> classes(2);
  EXPECT_FALSE(rule.holds({})) << "nothing is known of nothing";
  classes[0].packet_latency_cycles = {40.0, 2.0};
  classes[1].packet_latency_cycles = {100.0, 5.1};
  EXPECT_FALSE(rule.holds(classes));
  classes[1].packet_latency_cycles.half_width_95 = 5.0;
  EXPECT_TRUE(rule.holds(classes));
  classes[0].packet_latency_cycles.half_width_95 = models::kNotReliable;
  EXPECT_FALSE(rule.holds(classes));
  classes[0].packet_latency_cycles = {40.0, kNoSample};
  EXPECT_FALSE(rule.holds(classes)) << "one batch has no interval";
}

models::Experiment measured_until(const char* rule, int most) {
  models::Experiment e = uniform_mesh(0.2, 4, 4);
  e.set("simulation.batch_cycles", 100).set("simulation.measure_cycles", 1000);
  e.set("simulation.until", rule).set("simulation.most_measure_cycles", most);
  return e;
}

TEST(StoppingRule, EndsARunWhenItHolds) {
  models::Simulation simulation(measured_until("latency 1 %", 200000));
  const models::Results r = simulation.run();
  const auto& latency = r.classes[0].packet_latency_cycles;
  EXPECT_LE(latency.half_width_95, 0.01 * latency.mean);
  EXPECT_GT(r.measured_cycles, 1000U);
  EXPECT_LT(r.measured_cycles, 200000U);
  EXPECT_EQ(r.measured_cycles % 100, 0U);
}

TEST(StoppingRule, EndsAtTheLimitAndSaysSo) {
  models::Simulation simulation(measured_until("latency 0.001 %", 2000));
  const models::Results r = simulation.run();
  EXPECT_EQ(r.measured_cycles, 2000U);
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_EQ(r.warnings.front().code, "limit");
}

/// Ten iterations a kilocycle: the window grows from one kilocycle to the first look at 25 or more.
TEST(StoppingRule, GrowsUntilTheWindowHoldsSoManyIterations) {
  models::Experiment e = streaming(stream_pair(50, 5, 4, 4));
  e.set("stream.computation_scaling", 2.0).set("simulation.batch_cycles", 100).set("simulation.measure_cycles", 1000);
  e.set("simulation.until", "iterations 25").set("simulation.most_measure_cycles", 20000);
  const models::Results r = models::Simulation(e).run();
  EXPECT_GE(r.measured_cycles, 2500U);
  EXPECT_LE(r.measured_cycles, 2800U);
  EXPECT_TRUE(r.warnings.empty()) << r.warnings.front().text;
}

TEST(StoppingRule, SaysHowManyIterationsTheLongestWindowHolds) {
  models::Experiment e = streaming(stream_pair(50, 5, 4, 4));
  e.set("stream.computation_scaling", 2.0).set("simulation.batch_cycles", 100).set("simulation.measure_cycles", 1000);
  e.set("simulation.until", "iterations 25").set("simulation.most_measure_cycles", 2000);
  const models::Results r = models::Simulation(e).run();
  EXPECT_EQ(r.measured_cycles, 2000U);
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_EQ(r.warnings.front().text,
            "limit: \"iterations 25\" was not reached in 2000 cycles, which hold 20; simulation.most_measure_cycles "
            "gives more");
}

TEST(StoppingRule, IterationsAreAStreamPrograms) {
  EXPECT_THROW(models::Simulation(measured_until("iterations 8", 20000)), InputError);
}

TEST(StoppingRule, MeasuresNoLessThanItIsTold) {
  models::Simulation simulation(measured_until("accepted 90 %", 2000));
  EXPECT_EQ(simulation.run().measured_cycles, 1000U);
}

TEST(StoppingRule, NeedsALimitOfWholeBatches) {
  EXPECT_THROW(models::Simulation(measured_until("latency 1 %", 2050)), InputError);
  EXPECT_THROW(models::Simulation(measured_until("latency 1 %", 900)), InputError) << "less than measure_cycles";
}

/// A transient of 10 + 20 x 0.8^i decays into noise of known signs: by hand the best cut is where it has gone.
TEST(Mser5, CutsTheTransientOff) {
  std::vector<double> series;
  for (int i = 0; i < 200; ++i) series.push_back(10.0 + 20.0 * std::pow(0.8, i) + (i % 2 == 0 ? 0.1 : -0.1));
  const std::optional<std::size_t> cut = models::mser5(series);
  ASSERT_TRUE(cut.has_value());
  EXPECT_GE(*cut, 15U) << "20 x 0.8^15 = 0.7";
  EXPECT_LE(*cut, 40U);
  EXPECT_EQ(*cut % 5, 0U);
}

TEST(Mser5, CutsNothingOffWhatIsSteady) {
  std::vector<double> series;
  for (int i = 0; i < 100; ++i) series.push_back(i % 2 == 0 ? 1.0 : 2.0);
  EXPECT_EQ(models::mser5(series), 0U);
}

TEST(Mser5, HasNoCutForWhatGoesOnRising) {
  std::vector<double> series;
  for (int i = 0; i < 200; ++i) series.push_back(i);
  EXPECT_FALSE(models::mser5(series).has_value());
  EXPECT_FALSE(models::mser5(std::vector<double>(49, 1.0)).has_value()) << "nine groups are too few";
}

/// Fifths of a batch that is no multiple of five: the last is longer, and batches stay whole.
TEST(Mser5, LooksAtWholeBatches) {
  models::Experiment e = uniform_mesh(0.2, 4, 4);
  e.set("simulation.warmup_rule", "mser5").set("simulation.batch_cycles", 103);
  e.set("simulation.min_warmup_cycles", 1500).set("simulation.measure_cycles", 1030);
  const models::Results r = models::Simulation(e).run();
  EXPECT_TRUE(r.steady);
  EXPECT_EQ(r.warmup_cycles % 103, 0U);
  EXPECT_GE(r.warmup_cycles, 1500U);
  EXPECT_LT(r.warmup_cycles, 5150U);
  EXPECT_EQ(r.measured_cycles, 1030U);
}

/// Nine batches are too few to find a cut in: the warm-up is cut off and says so.
TEST(Mser5, ThatIsCutOffIsUnsteady) {
  models::Experiment e = uniform_mesh(0.2, 4, 4);
  e.set("simulation.warmup_rule", "mser5").set("simulation.batch_cycles", 100);
  e.set("simulation.min_warmup_cycles", 0).set("simulation.max_warmup_cycles", 900);
  e.set("simulation.measure_cycles", 1000);
  const models::Results r = models::Simulation(e).run();
  EXPECT_FALSE(r.steady);
  EXPECT_EQ(r.warmup_cycles, 900U);
}

TEST(Mser5, EndsAWarmUp) {
  models::Experiment e = uniform_mesh(0.2, 4, 4);
  e.set("simulation.warmup_rule", "mser5").set("simulation.batch_cycles", 100);
  e.set("simulation.min_warmup_cycles", 0).set("simulation.measure_cycles", 1000);
  models::Simulation simulation(e);
  const models::Results r = simulation.run();
  EXPECT_TRUE(r.steady);
  EXPECT_GE(r.warmup_cycles, 1000U) << "ten groups of five, each a batch";
  EXPECT_LT(r.warmup_cycles, 5000U);
}

}  // namespace
}  // namespace braid::test::stopping_rule_test
