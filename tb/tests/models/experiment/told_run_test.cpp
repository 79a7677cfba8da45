// What whoever waits for a run is told of it, and when; what an elaboration leaves behind when it is over; a set-up
// alone. One simulation that runs a process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "models/engine/engine.h"
#include "models/engine/watchdog.h"
#include "models/event_lines/event_line.h"
#include "models/experiment/checkpoint_file.h"
#include "models/experiment/elaboration.h"
#include "models/experiment/simulation.h"
#include "routing/base/break_off.h"
#include "routing/base/checkpoint.h"
#include "routing/base/run_files.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/loads.h"

namespace braid::test::told_run_test {
namespace {

using models::Experiment;
using models::Progress;
using models::Simulation;
using Clock = std::chrono::steady_clock;

/// Long enough for a report to be due.
constexpr auto kTenth = std::chrono::milliseconds(100);
void wait_a_tenth() { std::this_thread::sleep_for(kTenth + std::chrono::milliseconds(1)); }

std::string text_of(const Progress& p) {
  return std::string(p.phase) + ": " + p.counts + " " + std::to_string(p.cycle) + " of " +
         std::to_string(p.expected_cycles);
}

// ---------------------------------------------------------------- computations

/// Not before a tenth of a second has passed since the last time, or since it began.
TEST(PassedOn, IsToldAboutTenTimesASecond) {
  std::vector<std::string> told;
  bool go_on = true;
  const Clock::time_point begin = Clock::now();
  const routing::OnProgress ask = models::passed_on(
      [&](const Progress& p) {
        told.push_back(text_of(p));
        return go_on;
      },
      "routes");
  ask("pair", 1, 9);
  if (Clock::now() - begin < kTenth) {
    EXPECT_TRUE(told.empty()) << "it has just begun";
  }
  wait_a_tenth();
  told.clear();
  const Clock::time_point again = Clock::now();
  ask("pair", 2, 9);
  EXPECT_EQ(told, std::vector<std::string>{"routes: pair 2 of 9"});
  ask("pair", 3, 9);
  if (Clock::now() - again < kTenth) {
    EXPECT_EQ(told.size(), 1U);
  }
  wait_a_tenth();
  go_on = false;
  EXPECT_THROW(ask("pair", 4, 9), models::Interrupted);
  EXPECT_EQ(told.back(), "routes: pair 4 of 9");
}

TEST(PassedOn, IsNobodyWhereNobodyWaits) { EXPECT_FALSE(models::passed_on({}, "routes")); }

// ---------------------------------------------------------------- elaboration

/// Of each part as it begins, and it may be broken off at each.
TEST(ElaborationIsTold, AsItsPartsBegin) {
  for (const std::size_t most : {1, 2, 3}) {
    std::vector<std::string> told;
    const auto make = [&] {
      const Simulation simulation(even_load(), [&](const Progress& p) {
        if (std::string(p.counts) == "cycle") told.push_back(text_of(p));  // others are of computations in them
        return told.size() < most;
      });
    };
    if (most == 3) {
      EXPECT_NO_THROW(make());
    } else {
      EXPECT_THROW(make(), models::Interrupted);
    }
    std::vector<std::string> expected{"routes: cycle 0 of 0", "network: cycle 0 of 0"};
    expected.resize(std::min<std::size_t>(most, 2));
    EXPECT_EQ(told, expected);
  }
}

/// While it lasts its files are claimed, for whoever has a list of them open; afterwards nobody else's reading is asked
/// about, and nobody who computes breaks off for it.
TEST(ElaborationThatIsOver, AsksNobodyAnyMore) {
  const std::string log = temporary_file("claimed.csv");
  Experiment e = even_load();
  e.set("log.file", log);
  std::size_t asked = 0;
  {
    const Simulation simulation(e, [&](const Progress&) { return ++asked > 0; });
    EXPECT_EQ(complaint([&] { RunFiles::read(log); }), "");
    const std::size_t before = asked;
    wait_a_tenth();
    routing::BreakOff::look();
    EXPECT_EQ(asked, before);
  }
  RunFiles mine;
  const RunFiles::Scope scope(mine);
  const Simulation simulation(e);
  const std::string refused = complaint([&] { RunFiles::read(log); });
  EXPECT_NE(refused.find("log.file"), std::string::npos) << refused;
}

/// Does what it does in a process of its own, which is over then.
int status_elsewhere(const std::function<bool()>& does) {
  const pid_t child = fork();
  if (child == 0) _exit(does() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

/// Of a user's policy that has a name which another one has, whether or not the experiment names it.
TEST(ElaborationIsRefused, WherePoliciesShareAName) {
  const auto refused = [] { return complaint([] { const Simulation simulation(even_load()); }); };
  EXPECT_EQ(refused(), "");
  EXPECT_EQ(status_elsewhere([&] {
              models::EventLineRegistry::instance().add(
                  "ring", "another one",
                  [](const routing::Topology&, const Configuration&) { return std::unique_ptr<models::EventLine>(); });
              return refused().find("SAT carrier \"ring\" is registered twice: by the program itself") == 0;
            }),
            0);
}

/// What is said without a place gets that of the key that it names; what is said of a file gets that of the key that
/// names it, if it is one that is read; and what has a place, or is of a file that no key names, keeps what it says.
TEST(ElaborationsPlaces, AreThoseOfKeysThatNameFilesToRead) {
  Experiment e;
  e.add("log.file", std::string("p.txt"), {"e.toml", 2, 8});  // is written
  e.add("routing.table_file", std::string(), {"e.toml", 3, 8});
  e.add("traffic.file", std::string("p.txt"), {"e.toml", 5, 8});
  e.add("traffic.flits", std::int64_t{3}, {"e.toml", 6, 9});
  const auto said = [&](const InputError& error) { return complaint([&] { models::throw_with_place(e, error); }); };
  EXPECT_EQ(said(InputError("traffic.flits: too many")), "e.toml:6:9: traffic.flits: too many");
  EXPECT_EQ(said(InputError({"p.txt", 0, 0}, "is empty")), "e.toml:5:8: traffic.file: p.txt: is empty");
  EXPECT_EQ(said(InputError({"p.txt", 4, 2}, "is wrong")), "p.txt:4:2: is wrong");
  EXPECT_EQ(said(InputError({"p.txt2", 0, 0}, "is empty")), "p.txt2: is empty");
  EXPECT_EQ(said(InputError({"o.txt", 0, 0}, "is empty")), "o.txt: is empty");
  EXPECT_EQ(models::with_places(e, [] { return 7; }), 7);
  EXPECT_EQ(complaint([&] { models::with_places(e, [] { throw InputError("traffic.flits: none"); }); }),
            "e.toml:6:9: traffic.flits: none");
}

// ---------------------------------------------------------------- runs

/// What is told from within chosen cycles of a run, in which somebody computes for a tenth of a second.
struct ToldWithin {
  std::vector<std::uint64_t> cycles;
  std::vector<std::string> told;  // by cycle of `cycles`; empty: nothing
  models::Results results;

  ToldWithin(const Experiment& e, std::vector<std::uint64_t> within) : cycles(std::move(within)) {
    Simulation simulation(e);
    std::string last;
    simulation.on_progress([&](const Progress& p) {
      last = text_of(p);
      return true;
    });
    simulation.engine().on_cycle([&](std::uint64_t cycle) {
      if (std::find(cycles.begin(), cycles.end(), cycle) == cycles.end()) return;
      wait_a_tenth();
      last.clear();
      routing::BreakOff::look();
      told.push_back(last);
    });
    results = simulation.run();
  }
};

/// The least warm-up is of 350 cycles, and it takes whole batches: 400, and not the 350 that were expected at first.
/// Then there are 500 measured ones, and what drains comes on top.
TEST(RunIsTold, WhatItDoesAndHowFarItHasCome) {
  Experiment e = even_load();
  e.set("simulation.min_warmup_cycles", 350);
  const ToldWithin run(e, {50, 450, 950});
  EXPECT_EQ(run.results.warmup_cycles, 400U);
  EXPECT_EQ(run.told, (std::vector<std::string>{"warm-up: cycle 51 of 850", "measure: cycle 451 of 900",
                                                "drain: cycle 951 of 951"}));
}

/// Without a least warm-up three batches are expected, the fewest that can be found calm.
TEST(RunIsTold, OfAWarmUpOfThreeBatchesAtFirst) {
  EXPECT_EQ(ToldWithin(even_load(), {50}).told, std::vector<std::string>{"warm-up: cycle 51 of 800"});
}

/// From a checkpoint after 300 cycles, which says that they were not steady: nothing of that is done again, or counts
/// as done in this run.
TEST(RunIsTold, HowFarItHasComeFromItsCheckpoint) {
  Experiment e = even_load();
  const std::string file = temporary_file("told.ckpt");
  {
    Bench bench(e);
    bench.run(300);
    std::uint64_t warmup_cycles = 300;
    bool steady = false;
    models::Watchdog watchdog(*bench.network, {});
    Checkpoint c;
    c(warmup_cycles, steady, watchdog, *bench.network);
    models::write_checkpoint(file, e, 300, c.bytes());
  }
  e.set("checkpoint.from", file);
  const ToldWithin run(e, {450});
  EXPECT_EQ(run.told, std::vector<std::string>{"measure: cycle 151 of 500"});
  EXPECT_EQ(run.results.warmup_cycles, 300U);
  EXPECT_FALSE(run.results.steady);
  EXPECT_EQ(run.results.cycles, 300U + 500U + 100U);
  EXPECT_EQ(run.results.classes.at(0).packet_latency_distribution.count, 16U * 500U);
  std::filesystem::remove(file);
}

/// Threads would wait for one that is broken off in the middle of a cycle.
TEST(RunIsTold, NothingFromWithinACycleOfThreads) {
  Experiment e = short_run(uniform_mesh(0.1, 4, 4));
  e.set("simulation.threads", 2).set("simulation.engine", "lists").set("simulation.max_warmup_cycles", 100);
  const ToldWithin run(e, {50});
  EXPECT_EQ(run.told, std::vector<std::string>{""});
}

/// Only the search for circuits, and a waveform of it that is complete.
TEST(SetUpAlone, EndsWithItsCircuits) {
  Experiment e = streaming(stream_pair(10, 1, 4, 4, 3), 4);
  const std::string wave = temporary_file("set_up.vcd");
  e.set("interface.switching", "circuit").set("trace.file", wave);
  Simulation simulation(e);
  const models::Results r = simulation.set_up_only();
  ASSERT_EQ(r.setup.circuits.size(), 1U);
  EXPECT_EQ(r.setup.circuits[0].path.size(), 4U) << "a port out of each of four routers";
  EXPECT_GT(r.setup.total_cycles, 0U);
  EXPECT_EQ(r.cycles, simulation.network().now());
  EXPECT_GE(r.cycles, r.setup.total_cycles);
  EXPECT_EQ(r.measured_cycles, 0U);
  EXPECT_TRUE(simulation.network().setup_done());
  EXPECT_TRUE(std::filesystem::exists(wave));
}

}  // namespace
}  // namespace braid::test::told_run_test
