// Networks of cut-through routers that are made of modules, against the static schedule, in both orders of the
// processes.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <deque>

#include "tb/tests/support/both_schedules.h"
#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/drawn.h"
#include "tb/tests/support/module_bench.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::cut_through_network_module_test {
namespace {

using Order = ModuleBench::Order;

struct Pair {
  Pair(const models::Experiment& e, std::string text, std::size_t number)
      : what(std::move(text)), fast(e), modules(e, ("network_" + std::to_string(number)).c_str()) {}
  std::string what;
  Bench fast;
  ModuleBench modules;
};

void expect_same_registers(const Bench& one, const Bench& other, const std::string& what) {
  const auto &a = bank(one), &b = bank(other);
  ASSERT_EQ(a.credits, b.credits) << what;
  ASSERT_EQ(a.through, b.through) << what;
  ASSERT_EQ(a.entering, b.entering) << what;
  ASSERT_EQ(a.next_turn, b.next_turn) << what;
  ASSERT_EQ(a.flits_sent, b.flits_sent) << what;
  for (std::size_t r = 0; r < a.routers.size(); ++r) {
    ASSERT_EQ(a.routers[r].free_outputs, b.routers[r].free_outputs) << what;
    ASSERT_EQ(a.routers[r].choosing, b.routers[r].choosing) << what;
  }
  for (std::size_t in = 0; in < a.queues.size(); ++in) {
    ASSERT_EQ(a.queues[in].count, b.queues[in].count) << what;
    ASSERT_EQ(a.queues[in].leaving, b.queues[in].leaving) << what;
  }
}

TEST(CutThroughModules, AreTheStaticScheduleInBothOrders) {
  std::deque<Pair> pairs;
  for (std::uint64_t number = 0; number < (kBrief ? 7U : 40U); ++number) {
    const DrawnExperiment drawn("virtual_cut_through", number);
    pairs.emplace_back(drawn.experiment(), drawn.text(), number);
  }
  elaborate();
  for (Pair& pair : pairs) {
    for (const Order order : {Order::kAsMade, Order::kReversed, Order::kSleeping}) {
      pair.fast.run(200);
      pair.modules.run(200, order);
      expect_same(pair.fast, pair.modules, pair.what);
      expect_same_registers(pair.fast, pair.modules, pair.what);
    }
  }
}

/// Cycle by cycle, under full load; `BRAID_MODULE_CYCLES` says how many (nightly: a million).
class CutThroughLockstep : public testing::TestWithParam<std::string> {};

TEST_P(CutThroughLockstep, OfEveryRegisterWithTheStaticSchedule) {
  const char* wanted = std::getenv("BRAID_MODULE_CYCLES");
  const std::uint64_t cycles = wanted == nullptr ? 3000 : std::strtoull(wanted, nullptr, 10);
  models::Experiment e = GetParam() == "tree" ? vct_tree(2, 1.0) : vct_grid(GetParam().c_str(), 0.9);
  if (GetParam() != "tree") {
    e.set("topology.width", 4);
    e.set("topology.height", 4);
  }
  std::deque<Pair> pairs;
  pairs.emplace_back(e, GetParam(), 0);
  elaborate();
  for (std::uint64_t c = 0; c < cycles; ++c) {
    pairs[0].fast.run(1);
    pairs[0].modules.run(1, std::array{Order::kAsMade, Order::kReversed, Order::kSleeping}[c / 7 % 3]);
    ASSERT_NO_FATAL_FAILURE(expect_same_registers(pairs[0].fast, pairs[0].modules, "cycle " + std::to_string(c)));
  }
  expect_same(pairs[0].fast, pairs[0].modules, "at the end");
  EXPECT_GT(pairs[0].modules.delivered(), cycles / 20);
}
INSTANTIATE_TEST_SUITE_P(Over, CutThroughLockstep, testing::Values("tree", "mesh", "torus"),
                         [](const auto& kind) { return kind.param; });

/// A torus with bubbles and a tree, in SystemC's own order: the whole results.
TEST(CutThroughModules, GiveTheStaticSchedulesResults) {
  const std::string run = experiment("tree_sat") +
                          " --set interface.fairness=none --set simulation.batch_cycles=500"
                          " --set simulation.min_warmup_cycles=500 --set simulation.max_warmup_cycles=500"
                          " --set simulation.measure_cycles=2000 ";
  for (const char* how : {"--set topology.levels=2 ",
                          "--set topology.kind=torus --set topology.width=4 --set topology.height=4 "
                          "--set routing.algorithm=x_first --set routing.bubble=true "}) {
    expect_same_results(run + how);
  }
}

/// Each grant is seen in its cycle, and in no other: all together they are the packets that were sent.
TEST(CutThroughModules, ShowEachGrantOnce) {
  ModuleBench bench(vct_tree(1, 1.0));
  elaborate();
  const std::string router = "network." + models::stages::module_name("router", bench.topology.router_names[0]);
  auto* grant = dynamic_cast<models::stages::RegisterChannel*>(sc_core::sc_find_object((router + ".grant").c_str()));
  ASSERT_NE(grant, nullptr);
  std::uint64_t seen = 0, flits = 0;
  for (int c = 0; c < 300; ++c) {
    bench.run(1);
    for (unsigned i = 0; i < grant->width(); ++i) seen += grant->read()[i] ? 1U : 0U;
  }
  for (std::size_t p = 0; p < bench.topology.port_count(RouterId{0}); ++p) flits += sent(bench, 0, p);
  EXPECT_GT(seen, 10U);
  EXPECT_EQ(16 * seen, flits);
}

TEST(CutThroughModules, AreFoundByName) {
  ModuleBench bench(vct_tree(1, 1.0));
  elaborate();
  bench.run(50);
  const std::string router = "network." + models::stages::module_name("router", bench.topology.router_names[0]);
  for (const char* name : {"output_arbiter.grant_o", "input_queue.count_o", "output_unit.free_o",
                           "network_interface.head_o", "ejection.leaves_i"}) {
    EXPECT_NE(sc_core::sc_find_object((router + "." + name).c_str()), nullptr) << name;
  }
  auto* count = dynamic_cast<models::stages::RegisterChannel*>(sc_core::sc_find_object((router + ".count").c_str()));
  ASSERT_NE(count, nullptr);
  std::uint64_t packets = 0, shown = 0;
  for (unsigned p = 0; p < count->width() / 8; ++p) {
    packets += bank(bench).queues[p].count;
    shown += count->read().field(p * 8, 8);
  }
  EXPECT_EQ(shown, packets);
  EXPECT_GT(packets, 0U);
}

}  // namespace
}  // namespace braid::test::cut_through_network_module_test
