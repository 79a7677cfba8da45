// Networks whose broadcast's line and stations are modules, against the static schedule, in both orders of the
// processes.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>

#include "models/workload/broadcast/broadcast_by_line.h"
#include "tb/tests/support/both_schedules.h"
#include "tb/tests/support/module_bench.h"

namespace braid::test::lines_network_module_test {
namespace {

using models::BroadcastLine;
using Order = ModuleBench::Order;

models::Experiment by_line(const char* scheme, bool turn_round = true, const char* architecture = "hybrid") {
  models::Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("router.architecture", architecture);
  e.set("broadcast.medium", "line");
  e.set("broadcast.scheme", scheme);
  e.set("broadcast.turn_round", turn_round);
  e.set("broadcast.burst", 5);
  e.set("broadcast.gap_cycles", 7);
  e.set("broadcast.most_under_way", 3);
  e.open("broadcast");
  return e;
}

const BroadcastLine& line_of(const Bench& bench) { return *bench.network->event_lines().at(0); }

void expect_same_line(const Bench& one, const Bench& other, const std::string& what) {
  const BroadcastLine &a = line_of(one), &b = line_of(other);
  ASSERT_EQ(a.requested(), b.requested()) << what;
  for (std::uint32_t p = 0; p < a.size(); ++p) {
    ASSERT_EQ(a.unit(p).begun(), b.unit(p).begun()) << what << " position " << p;
    ASSERT_EQ(a.unit(p).finished(), b.unit(p).finished()) << what << " position " << p;
    ASSERT_EQ(a.unit(p).state(), b.unit(p).state()) << what << " position " << p;
  }
  for (std::size_t w = 0; w < a.wires().size(); ++w) {
    ASSERT_EQ(a.wires()[w].arrived, b.wires()[w].arrived) << what << " wire " << w;
    ASSERT_EQ(a.wires()[w].driven_last, b.wires()[w].driven_last) << what << " wire " << w;
  }
}

struct Pair {
  Pair(const models::Experiment& e, std::size_t number)
      : fast(e), modules(e, ("network_" + std::to_string(number)).c_str()) {}
  Bench fast;
  ModuleBench modules;
};

struct Kind {
  const char* scheme;
  bool turn_round;
  const char* architecture;
};

/// Cycle by cycle; `BRAID_MODULE_CYCLES` says how many (nightly: a million).
class LinesLockstep : public testing::TestWithParam<Kind> {};

TEST_P(LinesLockstep, OfStationsAndWiresWithTheStaticSchedule) {
  const char* wanted = std::getenv("BRAID_MODULE_CYCLES");
  const std::uint64_t cycles = wanted == nullptr ? 1000 : std::strtoull(wanted, nullptr, 10);
  Pair pair(by_line(GetParam().scheme, GetParam().turn_round, GetParam().architecture), 0);
  elaborate();
  for (std::uint64_t c = 0; c < cycles; ++c) {
    pair.fast.run(1);
    pair.modules.run(1, std::array{Order::kAsMade, Order::kReversed, Order::kSleeping}[c / 7 % 3]);
    ASSERT_NO_FATAL_FAILURE(expect_same_line(pair.fast, pair.modules, "cycle " + std::to_string(c)));
  }
  expect_same(pair.fast, pair.modules, "at the end");
  EXPECT_GT(line_of(pair.modules).completed(), 4U);
}
INSTANTIATE_TEST_SUITE_P(Over, LinesLockstep,
                         testing::Values(Kind{"diamond_ring", true, "hybrid"}, Kind{"diamond_ring", false, "ideal"},
                                         Kind{"balanced_tree", true, "hybrid"}, Kind{"unicast", true, "hybrid"},
                                         Kind{"spanning_tree", false, "hybrid"}),
                         [](const auto& kind) {
                           return kind.param.scheme + std::string("_") + kind.param.architecture;
                         });

/// Ports and channels are found by name, and show what the units do in the cycle.
TEST(LineModuleNames, AreThoseOfTheWaveform) {
  ModuleBench bench(by_line("diamond_ring"));
  elaborate();
  EXPECT_NE(sc_core::sc_find_object("network.broadcast.node3.arrive_i"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("network.broadcast.line.drive_i_3"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("network.broadcast.node0.requested_i_0"), nullptr) << "the root";
  EXPECT_EQ(sc_core::sc_find_object("network.broadcast.node1.requested_i_0"), nullptr);
  auto* drive =
      dynamic_cast<models::stages::RegisterChannel*>(sc_core::sc_find_object("network.broadcast.node0_drive"));
  auto* begun =
      dynamic_cast<models::stages::RegisterChannel*>(sc_core::sc_find_object("network.broadcast.node0_begun"));
  ASSERT_TRUE(drive != nullptr && begun != nullptr);
  bench.run(1);
  EXPECT_FALSE(drive->read().any()) << "bursts begin in cycle 1";
  bench.run(1);
  EXPECT_TRUE(drive->read()[0]);
  EXPECT_EQ(begun->read().field(0, 32), 1U);
}

/// A network of modules runs in SystemC's own order, and gives the whole results.
TEST(LineModuleResults, AreTheStaticSchedules) {
  const std::string run = experiment("broadcast") +
                          " --set broadcast.medium=line --set broadcast.burst=4 --set broadcast.gap_cycles=9"
                          " --set simulation.batch_cycles=500 --set simulation.min_warmup_cycles=500"
                          " --set simulation.max_warmup_cycles=500 --set simulation.measure_cycles=2000 ";
  for (const char* how : {"", "--set broadcast.turn_round=false --set broadcast.scheme=balanced_tree ",
                          "--set router.architecture=ideal "}) {
    expect_same_results(run + how);
  }
}

}  // namespace
}  // namespace braid::test::lines_network_module_test
