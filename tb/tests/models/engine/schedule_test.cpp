// That the schedule asked for is the one that runs: slices, threads, modules. All give the same results, so results
// cannot tell. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/engine/engine.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/trees.h"

namespace braid::test::schedule_test {
namespace {

using models::Experiment;
using models::Schedule;

bool module(const std::string& name) { return sc_core::sc_find_object(name.c_str()) != nullptr; }

std::size_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

Experiment short_run(Experiment e) {
  e.set("simulation.batch_cycles", 20);
  e.set("simulation.measure_cycles", 20);
  e.set("simulation.min_warmup_cycles", 20);
  e.set("simulation.max_warmup_cycles", 20);
  e.set("simulation.max_drain_cycles", 20);
  return e;
}

/// A router's module has a module for each stage, and none more.
void expect_modules(const std::vector<std::string>& stages, const std::string& router) {
  ASSERT_TRUE(module("network." + router)) << router;
  std::size_t modules = 0;
  for (const sc_core::sc_object* child : sc_core::sc_find_object(("network." + router).c_str())->get_child_objects()) {
    modules += std::string(child->kind()) == "sc_module" ? 1 : 0;
  }
  EXPECT_EQ(modules, stages.size()) << router;
  for (const std::string& stage : stages)
    EXPECT_TRUE(module("network." + router + "." + stage)) << router << "." << stage;
}

TEST(Slices, AreAsManyAsAskedForUpToTheRouters) {
  for (const Experiment& e : {uniform_mesh(0.0, 3, 2), vct_grid("mesh", 0.0)}) {
    for (const std::size_t slices : {1U, 2U, 5U, 6U}) EXPECT_EQ(Bench(e, slices).network->slice_count(), slices);
  }
  EXPECT_EQ(Bench(uniform_mesh(0.0, 3, 2), 7).network->slice_count(), 6U);
  EXPECT_EQ(Bench(uniform_mesh(0.0, 3, 2), 0).network->slice_count(), 1U);
}

TEST(Slices, ComeFromTheScheduleAndTheThreads) {
  models::ScheduleOptions options;
  EXPECT_EQ(models::slices_for(options, 64), 1U);
  options.threads = 3;
  EXPECT_EQ(models::slices_for(options, 64), 3U);
  options.schedule = Schedule::kProcessPerStage;
  EXPECT_EQ(models::slices_for(options, 64), 64U);
}

/// A slice computes for its own routers only: with one of two slices left out, half of the network stands still.
TEST(Slices, WorkOnTheirOwnRoutersOnly) {
  Bench bench(uniform_mesh(0.0, 4, 1), 2);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  bench.network->send_packet(NodeId{3}, NodeId{2}, 1);
  for (int i = 0; i < 30; ++i) {
    bench.network->compute(0);
    bench.network->commit(0);
    bench.network->end_cycle();
  }
  EXPECT_EQ(bench.delivered(), 1U);
}

TEST(StaticSchedule, HasNoRouterModules) {
  models::Simulation simulation(short_run(uniform_mesh(0.1, 3, 2)));
  const std::size_t before = threads();
  simulation.run();
  EXPECT_TRUE(module("network"));
  EXPECT_FALSE(module("network.router_0_0"));
  EXPECT_EQ(threads(), before);
}

TEST(StaticSchedule, RunsAThreadForEachSliceUpToTheCores) {
  Experiment e = short_run(uniform_mesh(0.1, 3, 2));
  e.set("simulation.threads", 4);
  e.set("simulation.engine", std::string("lists"));  // planes have so few routers on one
  models::Simulation simulation(e);
  const std::size_t before = threads();
  simulation.run();
  EXPECT_EQ(threads(), before + std::min<std::size_t>(4, models::usable_cores()) - 1) << "besides the caller's";
}

TEST(StaticSchedule, RunsExactlyTheCyclesAskedForAndShowsEach) {
  Bench bench(uniform_mesh(0.1, 3, 2));
  const auto engine = models::make_static_engine(*bench.network);
  engine->run(100);  // more than one run of decoupled cycles
  EXPECT_EQ(bench.network->now(), 100U);
  engine->run(1);
  EXPECT_EQ(bench.network->now(), 101U);
  std::vector<std::uint64_t> seen;
  engine->on_cycle([&](std::uint64_t cycle) { seen.push_back(cycle); });
  engine->run(4);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{101, 102, 103, 104}));
  EXPECT_EQ(bench.network->now(), 105U);
}

TEST(ProcessPerStage, RunsExactlyTheCyclesAskedForAndShowsEach) {
  Bench bench(uniform_mesh(0.1, 3, 2), 6);
  const auto engine = models::make_process_per_stage_engine(*bench.network);
  engine->run(30);
  EXPECT_EQ(bench.network->now(), 30U);
  std::vector<std::uint64_t> seen;
  engine->on_cycle([&](std::uint64_t cycle) { seen.push_back(cycle); });
  engine->run(3);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{30, 31, 32}));
}

/// Looks at every cycle, and notes for which ones it was asked for what it has.
struct Noting final : models::Watcher {
  bool waits() const override { return true; }
  void flush(std::uint64_t last_cycle) override { flushed.push_back(last_cycle); }
  void look(std::uint64_t cycle) override { seen.push_back(cycle); }
  std::vector<std::uint64_t> flushed, seen;
};

/// What a watcher sends after its flush, in whatever delta of the cycle, waits for the next cycle's: a second flush
/// would date it a cycle early.
void expect_a_flush_a_cycle(models::Engine& engine) {
  Noting watcher;
  engine.watch(watcher);
  engine.run(6);
  EXPECT_EQ(watcher.flushed, (std::vector<std::uint64_t>{0, 0, 1, 2, 3, 4})) << "before cycles 0 to 5";
  EXPECT_EQ(watcher.seen, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
}
TEST(StaticSchedule, AsksAWatcherOnceBeforeEachCycle) {
  Bench bench(uniform_mesh(0.1, 3, 2));
  expect_a_flush_a_cycle(*models::make_static_engine(*bench.network));
}
TEST(ProcessPerStage, AsksAWatcherOnceBeforeEachCycle) {
  Bench bench(uniform_mesh(0.1, 3, 2), 6);
  expect_a_flush_a_cycle(*models::make_process_per_stage_engine(*bench.network));
}

/// Asks in every cycle when the next edge is, and has something in hand, or nothing.
struct Asking final : models::Watcher {
  Asking(const models::Engine& of, std::string has) : engine(of), held(std::move(has)) {}
  bool waits() const override { return true; }
  void look(std::uint64_t) override { next.push_back(engine.to_next_edge()); }
  std::string in_hand() const override { return held; }
  const models::Engine& engine;
  std::string held;
  std::vector<sc_core::sc_time> next;
};

/// Between two calls of sc_start the edge at the present time is still to run, in a process it has.
TEST(Edges, ThatAreNextAreThoseThatAreStillToRun) {
  Bench bench(uniform_mesh(0.0, 3, 2));
  const auto engine = models::make_static_engine(*bench.network);
  const auto ps = [](double time) { return sc_core::sc_time(time, sc_core::SC_PS); };
  Asking watcher(*engine, "");
  engine->watch(watcher);
  EXPECT_EQ(engine->period(), ps(1000));
  EXPECT_EQ(engine->to_next_edge(), sc_core::SC_ZERO_TIME);
  sc_core::sc_start(ps(400));
  EXPECT_EQ(engine->to_next_edge(), ps(600));
  sc_core::sc_start(ps(600));
  EXPECT_EQ(engine->to_next_edge(), sc_core::SC_ZERO_TIME);
  sc_core::sc_start(ps(1999));
  EXPECT_EQ(engine->to_next_edge(), ps(1));
  EXPECT_EQ(watcher.next, std::vector<sc_core::sc_time>(3, ps(1000))) << "at 0, 1 and 2 ns";
}

/// A checkpoint would lose what any of those who watch has in hand; the first is named.
TEST(Watchers, SayWhatTheyHaveInHand) {
  Bench bench(uniform_mesh(0.0, 3, 2));
  const auto engine = models::make_static_engine(*bench.network);
  EXPECT_EQ(engine->in_hand(), "");
  Asking nothing(*engine, ""), one(*engine, "one"), two(*engine, "two");
  engine->watch(nothing);
  EXPECT_EQ(engine->in_hand(), "");
  engine->watch(one);
  engine->watch(two);
  EXPECT_EQ(engine->in_hand(), "one");
  one.held = "";
  EXPECT_EQ(engine->in_hand(), "two");
  Noting noting;
  EXPECT_EQ(noting.in_hand(), "") << "by default";
}

TEST(ProcessPerStage, BuildsAModuleForEachHybridRouterAndStage) {
  Experiment e = short_run(uniform_mesh(0.1, 3, 2));
  e.set("simulation.schedule", "process_per_stage");
  models::Simulation simulation(e);
  simulation.run();
  for (const char* router : {"router_0_0", "router_2_1"}) {
    expect_modules({"switch_traversal", "vc_allocator", "switch_allocator", "input_unit", "output_unit", "route_unit",
                    "network_interface"},
                   router);
  }
  EXPECT_FALSE(module("network.router_3_0"));
}

}  // namespace
}  // namespace braid::test::schedule_test
