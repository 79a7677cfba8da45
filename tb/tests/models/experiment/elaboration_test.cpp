// What an experiment is refused with before a cycle runs, beside its ranges; how a run's window and clock may be asked
// for by a library user. (Ranges and pairs of keys: check_experiment_test.cpp.) One simulation a process.
#include "models/experiment/elaboration.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/engine/engine.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/loads.h"

namespace braid::test::elaboration_test {
namespace {

using models::Experiment;
using models::Simulation;

std::string refused(const std::string& text, const std::vector<std::string>& settings = {}) {
  return complaint([&] { const Simulation simulation(models::parse_experiment(text, "e.toml", settings)); });
}
void expect_says(const std::string& said, const std::string& says) {
  EXPECT_NE(said.find(says), std::string::npos) << "expected " << says << ", got " << said;
}
const std::string kMesh = "[topology]\nwidth = 2\nheight = 2\n";

// ---------------------------------------------------------------- traces

/// A trace has no word for a request that waits at its node: in whichever class of traffic, as the first or the second.
TEST(RecordedTrace, KnowsNoRequestsThatAreHeldBack) {
  const std::string trace = "[record]\ntrace = \"" + temporary_file("held.trace") + "\"\n";
  const auto of = [&](const std::string& first, const std::string& second) {
    return refused(kMesh + trace + "[[traffic]]\nname = \"a\"\n" + first + "[[traffic]]\nname = \"b\"\n" + second);
  };
  const std::string bounded = "request_reply = true\noutstanding = 1\n", open = "request_reply = true\n";
  const std::string says = "traffic.outstanding: a trace has no word for a request that is made and held back";
  EXPECT_EQ(of(open, open), "");
  expect_says(of(bounded, open), says);
  expect_says(of(open, bounded), says);
  expect_says(refused(kMesh + trace + "[traffic]\n" + bounded), says);
  EXPECT_EQ(refused(kMesh + "[traffic]\n" + bounded), "");
  expect_says(refused(kMesh + "[record]\ntrace = \"runs.txt\"\n[traffic]\n"), "runs.txt");
}

// ---------------------------------------------------------------- warm-up, until

TEST(Mser5, LooksAtFifthsOfABatch) {
  const std::string mser =
      kMesh + "[traffic]\n[simulation]\nwarmup_rule = \"mser5\"\nmeasure_cycles = 20\nbatch_cycles = ";
  EXPECT_EQ(refused(mser + "5\n"), "");
  expect_says(refused(mser + "4\n"),
              "simulation.warmup_rule = \"mser5\" looks at fifths of batches: expected "
              "simulation.batch_cycles of at least 5");
}

TEST(Until, IsOfWholeBatchesAndNoLessThanIsMeasured) {
  const std::string until = kMesh + "[traffic]\n[simulation]\nbatch_cycles = 100\nmeasure_cycles = 1000\nuntil = ";
  EXPECT_EQ(refused(until + "\"latency 1 %\"\nmost_measure_cycles = 1000\n"), "");
  const std::string says =
      ": expected a multiple of simulation.batch_cycles = 100, no less than "
      "simulation.measure_cycles = 1000";
  expect_says(refused(until + "\"latency 1 %\"\nmost_measure_cycles = 1050\n"),
              "simulation.most_measure_cycles = 1050" + says);
  expect_says(refused(until + "\"latency 1 %\"\nmost_measure_cycles = 900\n"),
              "simulation.most_measure_cycles = 900" + says);
  expect_says(refused(until + "\"iterations 1\"\n"), "expected a stream program ([stream]), which has iterations");
  expect_says(refused(until + "\"latency 1\"\n"), "P above 0 and below 100, or \"iterations N\", N from 1 to 1000000");
}

/// What schedulers and gates must know, each with its last good neighbour.
TEST(Together, AreSourcesAndInjectionPoints) {
  const std::string interface = "[interface]\nscheduler = \"";
  const std::string priority = "[traffic]\nname = \"a\"\npriority = ";
  EXPECT_EQ(refused(kMesh + interface + "classes\"\n" + priority + "255\n"), "");
  EXPECT_EQ(refused(kMesh + interface + "fifo\"\n" + priority + "0\n"), "");
  expect_says(refused(kMesh + interface + "fifo\"\n" + priority + "1\n"),
              "traffic.priority needs an interface.scheduler that knows classes: expected \"classes\"");
}

// ---------------------------------------------------------------- places

/// A file's name before a complaint of what is in it, or the key that names it where the file is at fault itself.
TEST(Places, AreThoseOfTheKeyThatNamesAFile) {
  const std::string graph = temporary_file("wrong_graph.toml");
  std::ofstream(graph) << "name = \"g\"\n[[actor]]\nname = \"a\"\nwrok = 1\n";
  const std::string said = refused("[topology]\nwidth = 2\n[stream]\ngraph = \"" + graph + "\"\n");
  EXPECT_EQ(said.rfind(graph + ":4:1: ", 0), 0U) << said;
  const std::string missing = temporary_file("missing_graph.toml");
  const std::string none = refused("[topology]\nwidth = 2\n[stream]\ngraph = \"" + missing + "\"\n");
  EXPECT_EQ(none.rfind("e.toml:4:9: stream.graph: " + missing + ": ", 0), 0U) << none;
}

// ---------------------------------------------------------------- a library user's simulation

/// A waveform that ends with the cycle in which the run begins shows that cycle.
TEST(Waveform, MayBeOfTheFirstCycleAlone) {
  const std::string file = temporary_file("first_cycle.vcd");
  Experiment e = even_load();
  e.set("trace.file", file).set("trace.to_cycle", 0);
  EXPECT_EQ(Simulation(e).run().measured_cycles, 500U);
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(Measurement, IsOfWholeBatchesThatHaveBegun) {
  Simulation simulation(even_load());  // batches of 100 cycles of a nanosecond
  const auto end = [&] { return complaint([&] { (void)simulation.end_measurement(); }); };
  const auto run = [&](int cycles) { sc_core::sc_start(sc_core::sc_time(cycles, sc_core::SC_NS)); };
  simulation.engine();
  run(50);
  EXPECT_EQ(end(), "end_measurement: no measurement has begun; expected begin_measurement before it");
  simulation.begin_measurement();
  EXPECT_EQ(end(), "end_measurement after 0 cycles: expected a multiple of simulation.batch_cycles = 100");
  run(99);
  EXPECT_EQ(end(), "end_measurement after 99 cycles: expected a multiple of simulation.batch_cycles = 100");
  run(1);
  EXPECT_EQ(simulation.end_measurement().measured_cycles, 100U);
  EXPECT_EQ(end(), "end_measurement: no measurement has begun; expected begin_measurement before it");
  EXPECT_EQ(simulation.counts().cycles, 150U);
}

TEST(Clock, IsChosenOnce) {
  Simulation simulation(even_load());
  const sc_core::sc_time two(2, sc_core::SC_NS), three(3, sc_core::SC_NS);
  EXPECT_EQ(simulation.engine(two).period(), two);
  EXPECT_EQ(simulation.engine().period(), two);
  EXPECT_EQ(simulation.engine(two).period(), two) << "the same again";
  EXPECT_EQ(complaint([&] { simulation.engine(three); }),
            "the clock's period is chosen once, by the first call of Simulation::engine");
  EXPECT_EQ(simulation.engine().period(), two);
}

}  // namespace
}  // namespace braid::test::elaboration_test
