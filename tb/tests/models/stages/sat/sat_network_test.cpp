// Networks whose SAT line and stations are modules, against the static schedule: on every family, over every carrier,
// in both orders of the processes.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <deque>

#include "tb/tests/support/both_schedules.h"
#include "tb/tests/support/drawn.h"
#include "tb/tests/support/module_bench.h"
#include "tb/tests/support/sat.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_network_module_test {
namespace {

using models::SatStations;
using Order = ModuleBench::Order;

/// The registers of every station.
void expect_same_stations(const Bench& one, const Bench& other, const std::string& what) {
  const SatStations &a = gate_of(one).stations(), &b = gate_of(other).stations();
  EXPECT_EQ(a.thresholds().k, b.thresholds().k) << what;
  EXPECT_EQ(a.intervals().count, b.intervals().count) << what;
  EXPECT_EQ(a.intervals().sum, b.intervals().sum) << what;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const SatStations::Station &x = a.station(NodeId{n}), &y = b.station(NodeId{n});
    ASSERT_EQ(x.sent, y.sent) << what << " node " << n;
    ASSERT_EQ(x.holds, y.holds) << what << " node " << n;
    ASSERT_EQ(x.received, y.received) << what << " node " << n;
    ASSERT_EQ(x.thresholds.k, y.thresholds.k) << what << " node " << n;
  }
}

struct Pair {
  Pair(const models::Experiment& e, std::string text, std::size_t number)
      : what(std::move(text)), fast(e), modules(e, ("network_" + std::to_string(number)).c_str()) {}
  std::string what;
  Bench fast;
  ModuleBench modules;
};

/// Networks of a family with a line of some kind, refused ones left out.
void add_drawn(std::deque<Pair>& pairs, const std::string& architecture, std::size_t count) {
  const std::vector<std::string> carriers{"ring", "spanning_tree", "diamond_ring", "control_packet"};
  for (std::uint64_t number = 100; count > 0; ++number) {
    DrawnExperiment drawn(architecture, number);
    models::Experiment e = drawn.experiment();
    const std::string& carrier = carriers[number % 4];
    e = with_sat(e, carrier.c_str(), 1 + static_cast<std::uint32_t>(number % 4), 4);
    if (number % 5 == 0) e.set("interface.fairness", "sat_auto");
    if (number % 7 == 0) e.set("sat.dead_nodes", std::vector<std::uint32_t>{1});
    try {
      Bench refused(e);
    } catch (const InputError&) {
      continue;
    }
    pairs.emplace_back(e, drawn.text() + " " + carrier + " " + std::to_string(number), pairs.size());
    --count;
  }
}

class SatModules : public testing::TestWithParam<std::string> {};

TEST_P(SatModules, AreTheStaticSchedulesLineInBothOrders) {
  std::deque<Pair> pairs;
  add_drawn(pairs, GetParam(), 10);
  elaborate();
  for (Pair& pair : pairs) {
    for (const Order order : {Order::kAsMade, Order::kReversed, Order::kSleeping}) {
      pair.fast.run(300);
      pair.modules.run(300, order);
      expect_same(pair.fast, pair.modules, pair.what);
      expect_same_stations(pair.fast, pair.modules, pair.what);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(In, SatModules, testing::Values("hybrid", "virtual_cut_through", "po2", "ideal"),
                         [](const auto& family) { return family.param; });

/// Cycle by cycle, under full load; `BRAID_MODULE_CYCLES` says how many (nightly: a million).
class SatLockstep : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(SatLockstep, OfStationsAndLineWithTheStaticSchedule) {
  const char* wanted = std::getenv("BRAID_MODULE_CYCLES");
  const std::uint64_t cycles = wanted == nullptr ? 3000 : std::strtoull(wanted, nullptr, 10);
  models::Experiment e = with_sat(vct_tree(2, 1.0), GetParam().second.c_str(), 3, 5);
  e.set("interface.fairness", GetParam().first);
  e.set("traffic.pattern", "hot_region");
  std::deque<Pair> pairs;
  pairs.emplace_back(e, GetParam().second, 0);
  elaborate();
  for (std::uint64_t c = 0; c < cycles; ++c) {
    pairs[0].fast.run(1);
    pairs[0].modules.run(1, std::array{Order::kAsMade, Order::kReversed, Order::kSleeping}[c / 7 % 3]);
    ASSERT_NO_FATAL_FAILURE(expect_same_stations(pairs[0].fast, pairs[0].modules, "cycle " + std::to_string(c)));
  }
  expect_same(pairs[0].fast, pairs[0].modules, "at the end");
  EXPECT_GT(gate_of(pairs[0].modules).stations().intervals().count, 0U);
}
INSTANTIATE_TEST_SUITE_P(Over, SatLockstep,
                         testing::Values(std::pair{"sat", "ring"}, std::pair{"sat", "spanning_tree"},
                                         std::pair{"sat", "diamond_ring"}, std::pair{"sat", "control_packet"},
                                         std::pair{"sat_auto", "ring"}),
                         [](const auto& line) { return line.param.first + "_" + line.param.second; });

/// Registers and ports are found by name, and show what the stations hold.
TEST(SatModuleNames, AreThoseOfTheWaveform) {
  ModuleBench bench(with_sat(vct_tree(1, 1.0), "ring", 3, 5));
  elaborate();
  bench.run(4);
  const auto seen = [](const std::string& name) {
    auto* channel =
        dynamic_cast<models::stages::RegisterChannel*>(sc_core::sc_find_object(("network.sat." + name).c_str()));
    EXPECT_NE(channel, nullptr) << name;
    return channel == nullptr ? 99 : channel->read().field(0, channel->width());
  };
  EXPECT_NE(sc_core::sc_find_object("network.sat.line.satisfied_i_0"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("network.sat.node3.open_o"), nullptr);
  EXPECT_EQ(sc_core::sc_find_object("network.sat.home"), nullptr) << "the thresholds are given";
  for (std::size_t n = 0; n < 4; ++n) {
    const SatStations::Station& station = gate_of(bench).stations().station(NodeId{n});
    const std::string of = "node" + std::to_string(n) + "_";
    EXPECT_EQ(seen(of + "holds"), station.holds ? 1U : 0U);
    EXPECT_EQ(seen(of + "sent"), station.sent);
  }
  EXPECT_EQ(seen("k"), 5U);
}

/// What a station shows as passed in a cycle is what its count grew by.
TEST(SatModuleNames, ShowThePacketsOfTheCycle) {
  ModuleBench bench(with_sat(vct_tree(1, 1.0), "ring", 3, 5));
  elaborate();
  const auto channel = [](const char* name) {
    return dynamic_cast<models::stages::RegisterChannel*>(sc_core::sc_find_object(name));
  };
  auto *passed = channel("network.sat.node1_passed"), *leaves = channel("network.sat.node1_signal_leaves");
  ASSERT_TRUE(passed != nullptr && leaves != nullptr);
  const SatStations::Station& station = gate_of(bench).stations().station(NodeId{1});
  unsigned packets = 0;
  for (int c = 0; c < 300; ++c) {
    const std::uint32_t before = station.sent;
    bench.run(1);
    const std::uint64_t shown = passed->read().field(0, passed->width());
    packets += static_cast<unsigned>(shown);
    if (leaves->read()[0]) continue;
    EXPECT_EQ(shown, station.sent - before) << "cycle " << c;
  }
  EXPECT_GT(packets, 10U);
}

/// A network of modules runs in SystemC's own order, and gives the whole results.
TEST(SatModuleResults, AreTheStaticSchedules) {
  const std::string run = experiment("tree_sat") +
                          " --set topology.levels=2 --set simulation.batch_cycles=500"
                          " --set simulation.min_warmup_cycles=500 --set simulation.max_warmup_cycles=500"
                          " --set simulation.measure_cycles=2000 ";
  for (const char* how : {"", "--set sat.carrier=spanning_tree ", "--set sat.carrier=diamond_ring ",
                          "--set interface.fairness=sat_auto --set sat.k=2 --set sat.l=2 ",
                          "--set router.architecture=hybrid --set router.vcs=2 --set router.credit_delay_cycles=2 "}) {
    expect_same_results(run + how);
  }
}

/// The run ends with the same words in the same cycle.
TEST(SatModuleResults, ComplainOfADeadStationAlike) {
  const std::string run =
      "run " + experiment("tree_sat") + " --set topology.levels=2 --set sat.dead_nodes=[5] --quiet ";
  const Ended fast = braid(run), modules = braid(run + "--set simulation.schedule=process_per_stage");
  EXPECT_EQ(fast.status, modules.status);
  EXPECT_EQ(fast.output, modules.output);
  EXPECT_NE(fast.output.find("dead SAT station: node 5"), std::string::npos) << fast.output;
}

}  // namespace
}  // namespace braid::test::sat_network_module_test
