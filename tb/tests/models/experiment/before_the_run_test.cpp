// What is refused when a simulation is made and not first when it runs; numbers of [simulation] at their bounds; a
// window of the user's behind a whole run. One simulation that runs a process.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "models/engine/engine.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/loads.h"

namespace braid::test::before_the_run_test {
namespace {

using models::Experiment;
using models::Simulation;

std::string refused(const Experiment& e) {
  return complaint([&] { const Simulation simulation(e); });
}

/// So that `braid check` says it, too.
TEST(MadeSimulation, HasAWaveformThatCanBe) {
  Experiment e = even_load();
  e.set("trace.file", temporary_file("w.vcd")).set("trace.from_cycle", 7).set("trace.to_cycle", 7);
  EXPECT_EQ(refused(e), "");
  e.set("trace.to_cycle", 6);
  EXPECT_EQ(refused(e), "trace.to_cycle = 6: expected trace.from_cycle = 7 or more");
  e.set("trace.to_cycle", 8).set("trace.routers", "nobody");
  EXPECT_NE(refused(e).find("nobody"), std::string::npos) << refused(e);
  e.set("trace.file", "");
  EXPECT_EQ(refused(e), "") << "of no waveform";
}

/// A setting comes over a file that is good by itself: what makes a key of the file's right later does not help it.
TEST(ReadExperiment, IsGoodWithoutItsSettings) {
  const auto said = [](const std::string& text, const std::vector<std::string>& settings) {
    return complaint([&] { (void)models::parse_experiment(text, "e.toml", settings); });
  };
  const std::string foreign = "[traffic]\nhot_fraction = 0.5\n";
  const std::string wrong = "e.toml:2:16: traffic.hot_fraction belongs to traffic.pattern = ";
  EXPECT_EQ(said(foreign, {}).rfind(wrong, 0), 0U);
  EXPECT_EQ(said(foreign, {"traffic.pattern=hot_spot"}).rfind(wrong, 0), 0U)
      << said(foreign, {"traffic.pattern=hot_spot"});
  EXPECT_EQ(said("[traffic]\npattern = \"hot_spot\"\nhot_fraction = 0.5\n", {"traffic.hot_nodes=[1]"}), "");
}

/// Key, least, most: those are good, and what is beyond is said with them.
TEST(NumbersOfSimulation, HaveTheirBounds) {
  const std::int64_t most = 1'000'000'000'000;
  for (const auto& [key, low, high] :
       std::vector<std::tuple<std::string, std::int64_t, std::int64_t>>{{"batch_cycles", 1, 1'000'000'000},
                                                                        {"min_warmup_cycles", 0, most},
                                                                        {"max_warmup_cycles", 0, most},
                                                                        {"measure_cycles", 1, most},
                                                                        {"max_drain_cycles", 0, most}}) {
    const auto said = [&, name = "simulation." + key](std::int64_t value) {
      Experiment e = uniform_mesh(0.1, 2, 2);
      e.set("simulation.batch_cycles", 1).set("simulation.min_warmup_cycles", 0).set(name, value);
      if (name == "simulation.batch_cycles") e.set("simulation.measure_cycles", value);
      if (name == "simulation.min_warmup_cycles") e.set("simulation.max_warmup_cycles", value);
      return complaint([&] { (void)models::measurement_options().read(e); });
    };
    const std::string expected = ": expected integer, " + std::to_string(low) + " to " + std::to_string(high);
    EXPECT_EQ(said(low), "") << key;
    EXPECT_EQ(said(high), "") << key;
    for (const std::int64_t value : {low - 1, high + 1}) {
      EXPECT_EQ(said(value), "simulation." + key + " = " + std::to_string(value) + expected);
    }
  }
}

/// The run has drained its packets; the window behind it waits for none, so that the 32 of its last two cycles are no
/// sign of saturation. Its figures are its own.
TEST(AWindowBehindARun, WaitsForNoPacket) {
  Simulation simulation(even_load());
  EXPECT_EQ(simulation.run().measured_cycles, 500U);
  simulation.begin_measurement();
  sc_core::sc_start(sc_core::sc_time(300, sc_core::SC_NS));
  const models::Results r = simulation.end_measurement();
  EXPECT_EQ(r.measured_cycles, 300U);
  ASSERT_EQ(r.classes.size(), 1U);
  EXPECT_EQ(r.classes[0].packet_latency_distribution.count, 16U * 298U) << "delivered by its end";
  EXPECT_DOUBLE_EQ(r.classes[0].accepted_flits_per_node_cycle.mean, 1.0);
  ASSERT_TRUE(r.classes[0].saturation);
  EXPECT_EQ(r.classes[0].saturation->undrained_packets, 0U);
  EXPECT_FALSE(r.saturated);
}

}  // namespace
}  // namespace braid::test::before_the_run_test
