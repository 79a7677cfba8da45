// When a warm-up ends, at its bounds: the least cycles, the tolerance, the limit. Without SystemC, so that a case has
// several runs.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "models/engine/cycle_runner.h"
#include "models/experiment/measured_run.h"
#include "tb/tests/support/loads.h"

namespace braid::test::warm_up_bounds_test {
namespace {

using models::Experiment;
using models::Results;

Results run(const Experiment& e) {
  models::MeasuredRun run(e, {});
  std::unique_ptr<models::CycleRunner> runner;
  return run.run_to_end([&] {
    run.start([&](models::Network& network) -> models::CycleRunner& {
      runner = models::make_loop_runner(network);
      return *runner;
    });
  });
}

/// "300" or, where it was not steady, "300 unsteady".
std::string warm_up(const Experiment& e) {
  const Results r = run(e);
  return std::to_string(r.warmup_cycles) + (r.steady ? "" : " unsteady");
}

/// Three batches of 100 cycles are the fewest; so many as are asked for are enough, and a cycle more is a batch more.
TEST(WarmUp, TakesItsLeastCyclesInWholeBatches) {
  const auto with = [](int least) {
    Experiment e = even_load();
    e.set("simulation.min_warmup_cycles", least);
    return warm_up(e);
  };
  EXPECT_EQ(with(0), "300");
  EXPECT_EQ(with(299), "300");
  EXPECT_EQ(with(300), "300");
  EXPECT_EQ(with(301), "400");
  EXPECT_EQ(with(400), "400");
}

/// Of the first batch's cycles two deliver nothing: 98 * 16 flits, then 100 * 16 in each. They differ by 32, which is
/// a fiftieth of the larger.
TEST(WarmUp, TakesTheToleranceOfTheLargerValue) {
  const auto with = [](double tolerance) {
    Experiment e = even_load();
    e.set("simulation.warmup_tolerance", tolerance).set("simulation.max_warmup_cycles", 1000);
    return warm_up(e);
  };
  EXPECT_EQ(with(0.02), "300") << "exactly as much";
  EXPECT_EQ(with(0.0199), "400");
  EXPECT_EQ(with(0.0), "400") << "batches that are alike are calm";
  EXPECT_EQ(with(1.0), "300") << "the first has none before it";
}

TEST(WarmUp, EndsWithTheBatchThatReachesItsLimit) {
  const auto with = [](int limit) {
    Experiment e = even_load();
    e.set("simulation.max_warmup_cycles", limit);
    return warm_up(e);
  };
  EXPECT_EQ(with(0), "0 unsteady");
  EXPECT_EQ(with(1), "100 unsteady");
  EXPECT_EQ(with(200), "200 unsteady");
  EXPECT_EQ(with(201), "300");
  EXPECT_EQ(with(299), "300");
}

/// By MSER-5 as well: what it takes by itself is enough where just that is asked for.
TEST(WarmUp, ByMser5TakesItsLeastCyclesToo) {
  Experiment e = uniform_mesh(0.2, 4, 4);
  e.set("simulation.warmup_rule", "mser5").set("simulation.batch_cycles", 100).set("simulation.measure_cycles", 100);
  e.set("simulation.min_warmup_cycles", 0);
  const Results first = run(e);
  ASSERT_TRUE(first.steady);
  const std::uint64_t least = first.warmup_cycles;
  const auto with = [&](std::uint64_t cycles) {
    e.set("simulation.min_warmup_cycles", static_cast<std::int64_t>(cycles));
    return run(e).warmup_cycles;
  };
  EXPECT_EQ(with(least), least);
  EXPECT_GT(with(least + 1), least);
  e.set("simulation.min_warmup_cycles", 0).set("simulation.max_warmup_cycles", static_cast<std::int64_t>(least - 100));
  EXPECT_EQ(warm_up(e), std::to_string(least - 100) + " unsteady");
  e.set("simulation.max_warmup_cycles", static_cast<std::int64_t>(least - 99));
  EXPECT_EQ(warm_up(e), std::to_string(least));
}

/// What was delivered before it began is of no batch: of a network that has run for 150 cycles the first three are
/// alike.
TEST(WarmUp, CountsFromWhereItBegins) {
  const std::string file = temporary_file("halfway.ckpt");
  Experiment e = even_load();
  e.set("simulation.warmup_tolerance", 0.0);
  EXPECT_EQ(warm_up(e), "400");
  {
    models::MeasuredRun half(e, {});
    std::unique_ptr<models::CycleRunner> runner;
    half.start([&](models::Network& network) -> models::CycleRunner& {
      runner = models::make_loop_runner(network);
      return *runner;
    });
    for (int cycle = 0; cycle < 150; ++cycle) half.network->cycle();
    half.save(file);
  }
  e.set("checkpoint.from", file);
  EXPECT_EQ(warm_up(e), "300");
}

/// Nobody sends: nothing is delivered, and nothing calms down.
TEST(WarmUp, OfASilentNetworkIsNeverSteady) {
  Experiment e = even_load();
  e.set("traffic.rate_flits_per_node_cycle", 0.0).set("simulation.max_warmup_cycles", 700);
  EXPECT_EQ(warm_up(e), "700 unsteady");
  e.set("simulation.warmup_rule", "mser5").set("simulation.max_warmup_cycles", 900);
  EXPECT_EQ(warm_up(e), "900 unsteady") << "nine batches are too few";
}

}  // namespace
}  // namespace braid::test::warm_up_bounds_test
