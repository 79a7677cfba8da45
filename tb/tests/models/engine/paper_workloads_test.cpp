// Workloads that do and are whatever a case says, over a fabric of paper: when the network asks them for what, and what
// the watchdog makes of their states.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "models/engine/watchdog.h"
#include "models/workload/workload.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/paper.h"

namespace braid::test::paper_workloads_test {
namespace {

using models::Watchdog;
using models::Workload;

struct Nothing {
  std::uint32_t unused = 1;
};

/// Notes what it is told.
struct Scripted final : Workload {
  std::vector<std::string> classes() const override { return {"scripted"}; }
  std::vector<std::string> kinds() const override { return {"first", "second"}; }
  bool sends_by_itself() const override { return by_itself; }
  void open(std::size_t, const std::vector<NodeId>&, models::Outlet&) override {}
  void generate(std::size_t slice, std::uint64_t cycle) override {
    told += "g" + std::to_string(slice) + "@" + std::to_string(cycle) + " ";
  }
  void deliver(std::size_t, std::uint64_t, const models::Packet&) override {}
  bool acts_between_cycles() const override { return acts; }
  void end_cycle(std::uint64_t cycle) override { told += "e" + std::to_string(cycle) + " "; }
  void stop() override { told += "stop "; }
  std::uint64_t held_packets() const override { return held; }
  State state() const override { return is; }
  std::string blocked() const override { return why; }
  void begin_window() override { told += "window "; }
  void end_batch() override { told += "batch "; }

  static inline bool acts = false;  // of the next that is made
  std::string told, why;
  State is = State::kIdle;
  std::uint64_t held = 0;
  bool by_itself = true;
};

/// Two of them, in the order of their names, in a network over paper.
struct Two {
  static models::Experiment experiment() {
    models::Experiment e = OnPaper::experiment();
    e.unset("traffic.rate_flits_per_node_cycle");
    for (const char* name : {"scripted_a", "scripted_b"}) {
      models::WorkloadRegistry::instance().add(
          name, "of the tests", OptionTable<Nothing>(name).integer("unused", &Nothing::unused, 1, 9, "").list(), {},
          [](const models::WorkloadContext&) { return std::make_unique<Scripted>(); });
      e.open(name);
    }
    return e;
  }
  explicit Two(std::size_t slices = 1) : on(experiment(), slices) {
    for (const auto& workload : on.network.workloads()) {
      if (auto* one = dynamic_cast<Scripted*>(workload.get())) scripted.push_back(one);
    }
    EXPECT_EQ(scripted.size(), 2U);
  }
  OnPaper on;
  std::vector<Scripted*> scripted;
  Scripted& a() const { return *scripted.at(0); }
  Scripted& b() const { return *scripted.at(1); }
};

/// Batches end inside an open window alone, after so many cycles from its first one on; a second window has its own.
TEST(PaperWorkloads, EndABatchWhereItsWindowSays) {
  const Two two;
  models::Network& network = two.on.network;
  const auto run = [&](int cycles) {
    two.a().told.clear();
    for (int i = 0; i < cycles; ++i) network.cycle();
    std::string batches;
    for (std::size_t at = 0; (at = two.a().told.find("batch", at)) != std::string::npos; ++at) batches += 'b';
    return batches;
  };
  EXPECT_EQ(run(7), "");
  network.begin_window(3);
  EXPECT_EQ(two.b().told.substr(two.b().told.size() - 7), "window ");
  EXPECT_EQ(network.window().first_cycle, 7U);
  EXPECT_EQ(network.window().batch_cycles, 3U);
  EXPECT_EQ(run(2), "");
  EXPECT_EQ(run(1), "b");
  EXPECT_EQ(run(6), "bb");
  network.window().open = false;
  EXPECT_EQ(run(9), "");
  network.begin_window(5);
  EXPECT_EQ(run(4), "");
  EXPECT_EQ(run(1), "b");
}

/// Whoever acts between cycles is asked there; each generates in every cycle, slice after slice.
TEST(PaperWorkloads, AreAskedInEachCycle) {
  for (const bool acts : {false, true}) {
    Scripted::acts = acts;
    const Two two(2);
    two.on.network.cycle();
    two.on.network.cycle();
    EXPECT_EQ(two.a().told, acts ? "g0@0 g1@0 e0 g0@1 g1@1 e1 " : "g0@0 g1@0 g0@1 g1@1 ");
    two.a().told.clear();
    two.on.network.run_all_nodes();
    EXPECT_EQ(two.a().told, "g0@2 g1@2 ") << "of all slices at once";
    two.on.network.stop_sources();
    EXPECT_EQ(two.b().told.substr(two.b().told.size() - 5), "stop ");
  }
}

TEST(PaperWorkloads, AddUpWhatTheyHold) {
  const Two two;
  two.a().held = 3;
  two.b().held = 5;
  two.on.paper.found.packets = 70;
  EXPECT_EQ(two.on.network.conservation().packets_in_flight, 78U);
  EXPECT_TRUE(two.on.network.sends_by_itself());
  two.a().by_itself = false;
  EXPECT_TRUE(two.on.network.sends_by_itself()) << "the other does";
}

/// A packet's kind is a word of its own workload's; a user's own packet has none.
TEST(PaperWorkloads, NameTheKindsOfTheirPackets) {
  const Two two;
  models::Packet packet;
  packet.workload = models::kNoWorkload;
  EXPECT_EQ(two.on.network.kind_of(packet), "own");
  for (std::size_t number = 0; number < two.on.network.workloads().size(); ++number) {
    if (two.on.network.workloads()[number].get() != &two.b()) continue;
    packet.workload = static_cast<std::uint8_t>(number);
    packet.kind = 1;
    EXPECT_EQ(two.on.network.kind_of(packet), "second");
  }
}

// ---------------------------------------------------------------- the watchdog

/// What it says in the first of so many cycles in which it says anything.
std::string said_of(const Two& two, std::uint64_t cycles = 200) {
  models::WatchdogOptions limits;
  limits.watchdog_cycles = 50;
  Watchdog watchdog(*two.on.bench.network, limits);
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    std::string said = complaint<models::DeadlockError>([&] { watchdog.check(); });
    if (!said.empty()) return said;
    two.on.network.cycle();
  }
  return "";
}

/// Nothing in the network: as long as one of them computes all is well, and where all of them are idle, too; where one
/// waits the run stands still.
TEST(PaperWatchdog, AsksEveryWorkloadForItsState) {
  using State = Workload::State;
  const auto with = [](State a, State b) {
    const Two two;
    two.a().is = a;
    two.b().is = b;
    return said_of(two);
  };
  const std::string stalled = "stalled: the workload waits with no flit in the network up to cycle 50";
  EXPECT_EQ(with(State::kIdle, State::kIdle), "");
  EXPECT_EQ(with(State::kBusy, State::kIdle), "");
  EXPECT_EQ(with(State::kWaiting, State::kBusy), "");
  EXPECT_EQ(with(State::kBusy, State::kWaiting), "");
  EXPECT_EQ(with(State::kWaiting, State::kIdle), stalled);
  EXPECT_EQ(with(State::kIdle, State::kWaiting), stalled);
}

/// Of those who know what blocks them a line each, before who waits for whom.
TEST(PaperWatchdog, TellsWhatBlocksThem) {
  const auto with = [](const char* a, const char* b) {
    const Two two;
    two.on.paper.counted.flits_copied = 2;
    two.a().why = a;
    two.b().why = b;
    return said_of(two);
  };
  const std::string deadlock = "deadlock: no flit has moved up to cycle 50 and 2 are in the network";
  EXPECT_EQ(with("", ""), deadlock + "\nwho waits");
  EXPECT_EQ(with("a is full", ""), deadlock + "\n  a is full\nwho waits");
  EXPECT_EQ(with("", "b is full"), deadlock + "\n  b is full\nwho waits");
  EXPECT_EQ(with("a is full", "b is full"), deadlock + "\n  a is full\n  b is full\nwho waits");
}

}  // namespace
}  // namespace braid::test::paper_workloads_test
