// Ideal networks of modules against the static schedule, in both orders of the processes.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <deque>

#include "models/families/ideal/fabric.h"
#include "tb/tests/support/both_schedules.h"
#include "tb/tests/support/drawn.h"
#include "tb/tests/support/module_bench.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::ideal_network_module_test {
namespace {

using Order = ModuleBench::Order;

const models::ideal::Fabric& fabric_of(const Bench& bench) {
  return dynamic_cast<const models::ideal::Fabric&>(bench.network->fabric());
}

struct Pair {
  Pair(const models::Experiment& e, std::string text, std::size_t number)
      : what(std::move(text)), fast(e), modules(e, ("network_" + std::to_string(number)).c_str()) {}
  void run(std::uint64_t cycles, Order order) {
    fast.run(cycles);
    modules.run(cycles, order);
  }
  std::string what;
  Bench fast;
  ModuleBench modules;
};

TEST(IdealModules, AreTheStaticSchedulesInBothOrders) {
  std::deque<Pair> pairs;
  for (std::uint64_t number = 300; number < (kBrief ? 302U : 312U); ++number) {
    DrawnExperiment drawn("ideal", number);
    pairs.emplace_back(drawn.experiment(), drawn.text() + " " + std::to_string(number), pairs.size());
  }
  elaborate();
  for (Pair& pair : pairs) {
    for (const Order order : {Order::kAsMade, Order::kReversed, Order::kSleeping}) {
      pair.run(300, order);
      expect_same(pair.fast, pair.modules, pair.what);
    }
  }
}

/// Cycle by cycle; `BRAID_MODULE_CYCLES` says how many (nightly: a million).
class IdealLockstep : public testing::TestWithParam<bool> {};

TEST_P(IdealLockstep, OfModulesWithTheStaticSchedule) {
  const char* wanted = std::getenv("BRAID_MODULE_CYCLES");
  const std::uint64_t cycles = wanted == nullptr ? 1000 : std::strtoull(wanted, nullptr, 10);
  models::Experiment e = uniform_mesh(0.8, 4, 4);
  e.set("router.architecture", "ideal");
  e.set("router.queue_at_receiver", GetParam());
  e.set("traffic.flits", 3);
  std::deque<Pair> pairs;
  pairs.emplace_back(e, "", 0);
  elaborate();
  std::uint64_t held = 0;
  for (std::uint64_t c = 0; c < cycles; ++c) {
    pairs[0].run(1, std::array{Order::kAsMade, Order::kReversed, Order::kSleeping}[c / 7 % 3]);
    const models::ideal::Fabric &fast = fabric_of(pairs[0].fast), &modules = fabric_of(pairs[0].modules);
    ASSERT_EQ(fast.counters().flits_delivered, modules.counters().flits_delivered) << "cycle " << c;
    ASSERT_EQ(fast.counters().flits_injected, modules.counters().flits_injected) << "cycle " << c;
    for (std::size_t n = 0; n < fast.ports().size(); ++n) {
      ASSERT_EQ(fast.held(NodeId{n}), modules.held(NodeId{n})) << "cycle " << c;
      held += fast.held(NodeId{n});
    }
  }
  expect_same(pairs[0].fast, pairs[0].modules, "at the end");
  EXPECT_EQ(held > 0, GetParam()) << "flits wait at receivers";
}
INSTANTIATE_TEST_SUITE_P(Over, IdealLockstep, testing::Bool(),
                         [](const auto& queue) { return queue.param ? "queued" : "matched"; });

/// What leaves in a cycle comes in the next, and is taken.
TEST(IdealModuleNames, ShowWhatNodesSendAndTake) {
  models::Experiment e = uniform_mesh(0.5, 4, 4);
  e.set("router.architecture", "ideal");
  ModuleBench bench(e);
  elaborate();
  EXPECT_NE(sc_core::sc_find_object("network.receiver_3.takes_o"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("network.link_scheduler.waits_i_3"), nullptr);
  const auto channel = [](const std::string& name) {
    return dynamic_cast<models::stages::RegisterChannel*>(sc_core::sc_find_object(("network." + name).c_str()));
  };
  std::uint64_t flits = 0;
  std::vector<std::uint64_t> sent(16);  // [to] in the cycle before
  for (int cycle = 0; cycle < 60; ++cycle) {
    bench.run(1);
    std::vector<std::uint64_t> sends(16);
    for (unsigned n = 0; n < 16; ++n) {
      const std::string of = "node" + std::to_string(n) + "_";
      EXPECT_EQ(channel(of + "comes")->read().field(0, 16), sent[n]) << cycle;
      EXPECT_EQ(channel(of + "takes")->read().field(0, 16), sent[n]) << cycle;
      for (unsigned to = 0; to < 16; ++to) sends[to] += channel(of + "sends")->read()[to] ? 1 : 0;
      flits += sent[n];
    }
    sent = sends;
  }
  EXPECT_GT(flits, 100U);
}

/// A network of modules runs in SystemC's own order, and gives the whole results; with a stream program, too.
TEST(IdealModuleResults, AreTheStaticSchedules) {
  const std::string brief =
      " --set simulation.batch_cycles=500 --set simulation.min_warmup_cycles=500"
      " --set simulation.max_warmup_cycles=500 --set simulation.measure_cycles=2000"
      " --set router.architecture=ideal ";
  for (const std::string& run : {experiment("mesh_messages") + brief,
                                 experiment("mesh_uniform") + brief + "--set router.queue_at_receiver=true ",
                                 experiment("fm_radio") + brief + "--set interface.switching=packet "}) {
    expect_same_results(run);
  }
}

}  // namespace
}  // namespace braid::test::ideal_network_module_test
