// Bursts over the hardware line as a workload: when they begin and end, what is counted, and that a network without
// packets is neither dead nor unsteady.
#include "models/workload/broadcast/broadcast_by_line.h"

#include <gtest/gtest.h>

#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"

namespace braid::test::broadcast_by_line_test {
namespace {

using models::Experiment;

/// A spanning tree on 4x4 from the corner: eccentricity 6, so 36 cycles with turns and 12 without.
Experiment by_line(bool turn_round = true) {
  Experiment e = uniform_mesh(0.0, 4, 4);
  e.close("traffic");
  e.set("broadcast.medium", "line");
  e.set("broadcast.scheme", "spanning_tree");
  e.set("broadcast.turn_round", turn_round);
  e.open("broadcast");
  return e;
}

const models::Signal& signal(const models::SignalTable& table, const std::string& scope, const std::string& name) {
  for (const models::Signal& s : table.signals()) {
    if (s.scope == scope && s.name == name) return s;
  }
  throw std::runtime_error("no signal " + scope + "." + name);
}

/// Cycles in which the root begins, first to last.
std::vector<std::uint64_t> begins(const Experiment& e, std::uint64_t cycles, std::size_t slices = 1) {
  Bench bench(e, slices);
  models::SignalTable table;
  const auto sources = bench.network->signals(table, {});
  std::vector<std::uint64_t> all;
  std::uint64_t begun = 0;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    bench.run(1);
    for (const auto& source : sources) source->sample(cycle);
    const std::uint64_t now = signal(table, "broadcast.node_0", "begun").value;
    if (now != begun) all.push_back(cycle);
    begun = now;
  }
  return all;
}

using Cycles = std::vector<std::uint64_t>;

TEST(BroadcastByLine, BeginsInCycleOneAndAgainWhenTheLastBurstHasEnded) {
  EXPECT_EQ(begins(by_line(), 100), (Cycles{1, 37, 73}));
  EXPECT_EQ(begins(by_line(), 100, 4), (Cycles{1, 37, 73})) << "by four threads' slices";
  Experiment gap = by_line();
  gap.set("broadcast.gap_cycles", 10);
  EXPECT_EQ(begins(gap, 100), (Cycles{1, 47, 93}));
}

/// All of the line is stepped with one slice, that of the root's node; the others leave it alone. A slice a router
/// here.
TEST(BroadcastByLine, IsSteppedWithTheSliceOfItsRoot) {
  for (const std::uint32_t root : {0U, 9U}) {
    Experiment e = by_line();
    e.set("broadcast.root", root);
    const Bench bench(e, 16);
    auto& line = *bench.network->workload<models::BroadcastByLine>();
    ASSERT_EQ(line.nodes().front(), NodeId{root});
    const auto generate = [&](std::uint64_t cycle, bool of_root) {
      for (std::size_t slice = 0; slice < 16; ++slice) {
        if ((slice == root) == of_root) line.generate(slice, cycle);
      }
    };
    generate(0, true);
    generate(1, false);
    EXPECT_EQ(line.event_line()->begun(), 0U) << root;
    generate(1, true);
    EXPECT_EQ(line.event_line()->begun(), 1U) << root;
  }
}

TEST(BroadcastByLine, HopsTakeAsLongAsTheyAreSaidTo) {
  Experiment far = by_line();
  far.set("broadcast.hop_cycles", 3);  // 6 links down and up, 3 cycles each and 2 of the units
  EXPECT_EQ(begins(far, 130), (Cycles{1, 61, 121}));
}

/// Complete in cycle 13, and in hand at the end of that cycle: the next begins in 14.
TEST(BroadcastByLine, WithoutTurnRoundBeginsTheCycleAfter) {
  EXPECT_EQ(begins(by_line(false), 40), (Cycles{1, 14, 27}));
  Experiment gap = by_line(false);
  gap.set("broadcast.gap_cycles", 1);
  EXPECT_EQ(begins(gap, 40), (Cycles{1, 14, 27})) << "12 cycles, and one";
  gap.set("broadcast.gap_cycles", 2);
  EXPECT_EQ(begins(gap, 40), (Cycles{1, 15, 29}));
}

TEST(BroadcastByLine, BeginsAsManyAsTheUnitsCanCount) {
  Experiment e = by_line(false);
  e.set("broadcast.burst", 3);
  e.set("broadcast.most_under_way", 2);
  EXPECT_EQ(begins(e, 20), (Cycles{1, 2, 13})) << "the third when the first is complete";
}

/// `cycles`: of one broadcast.
void check_figures(Experiment e, double cycles, double gap) {
  e.set("simulation.measure_cycles", 5000);
  e.set("simulation.watchdog_cycles", 100);
  e.set("broadcast.gap_cycles", static_cast<std::uint64_t>(gap));
  const models::Results results = models::Simulation(e).run();
  EXPECT_TRUE(results.steady);
  const Report r = results.workloads.get<Report>("broadcast");
  for (const char* part : {"latency_cycles", "burst_cycles"}) {
    EXPECT_EQ(r.get<Report>(part).get<double>("min"), cycles);
    EXPECT_EQ(r.get<Report>(part).get<double>("max"), cycles);
  }
  EXPECT_NEAR(static_cast<double>(r.get<std::uint64_t>("completed")), 5000 / (cycles + gap), 1);
  EXPECT_EQ(r.get<std::uint64_t>("messages"), 30U);
  EXPECT_EQ(r.get<std::uint64_t>("longest_path"), 12U);
}

TEST(BroadcastByLine, CountsLatencyToTheEndOfTheLastTurn) { check_figures(by_line(), 36, 14); }

TEST(BroadcastByLine, CountsLatencyWithoutTurnRoundToTheLastPulse) { check_figures(by_line(false), 12, 13); }

}  // namespace
}  // namespace braid::test::broadcast_by_line_test
