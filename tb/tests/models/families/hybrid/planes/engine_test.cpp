// The bit-plane engine against the stages over lists, and engines that change in mid-run.
#include <gtest/gtest.h>

#include <cstdlib>

#include "models/families/hybrid/engine_choice.h"
#include "tb/tests/support/drawn.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/two_engines.h"

namespace braid::test::planes_test {
namespace {

using models::Experiment;

TEST(Planes, HaveTheRegistersOfListsInEveryCycle) { expect_same_registers(uniform_mesh(0.3), 600); }

TEST(Planes, HaveTheRegistersOfListsBeyondSaturation) { expect_same_registers(uniform_mesh(0.8), 600); }

TEST(Planes, WithBlocksOf256Routers) { expect_same_registers(uniform_mesh(0.2, 17, 16), 200); }

/// Those that every processor has, and those of most: names of VCs are found bit by bit, on lanes and in blocks.
TEST(Planes, WithTheVectorsOfLesserProcessors) {
  for (const char* const vectors : {"plain", "avx2"}) {
    SCOPED_TRACE(vectors);
    ASSERT_EQ(setenv("BRAID_VECTORS", vectors, 1), 0);
    expect_same_registers(uniform_mesh(0.5), 300);
    expect_same_registers(uniform_mesh(0.3, 17, 16), 60);
    ASSERT_EQ(unsetenv("BRAID_VECTORS"), 0);
  }
}

TEST(Planes, OfRoutersWithMorePortsAndVcs) {
  Experiment e = uniform_mesh(0.3, 5, 4);
  e.set("router.vcs", 7);
  e.set("topology.local_ports", 2);
  expect_same_registers(e, 300);
}

/// Two requests may come to a node in one cycle, by a port each: it answers them in the order that lists have, and each
/// answer leaves by the port whose turn it is.
TEST(Planes, OfNodesThatAnswerWhatComesByTwoPortsAtOnce) {
  Experiment e = uniform_mesh(0.5, 3, 3);
  e.set("topology.local_ports", 2);
  e.set("traffic.flits", 1).set("traffic.request_reply", true).set("traffic.reply_flits", 2);
  expect_same_registers(e, 300);
}

/// Packets that turn back at a router, and phases of VCs.
TEST(Planes, OfPacketsThatGoByAnIntermediateRouter) {
  Experiment e;
  e.set("topology.kind", "cube");
  e.set("topology.sizes", std::vector<std::uint32_t>{4, 3, 3});
  e.set("topology.wrap", true);
  e.set("routing.algorithm", "valiant");
  add_traffic(e, 0.4);
  expect_same_registers(e, 400);
}

/// Each packet keeps to the half of the VCs of the order that it drew.
TEST(Planes, OfPacketsThatDrawXOrYFirst) {
  Experiment e = uniform_mesh(0.5, 5, 5);
  e.set("routing.algorithm", "xy_yx");
  expect_same_registers(e, 400);
}

/// Links of different latencies on one grid, and links that are missing on it.
TEST(Planes, OfChainsOfChiplets) {
  for (const std::vector<std::uint32_t>& rows : {std::vector<std::uint32_t>{}, {0, 2}}) {
    Experiment e;
    e.set("topology.kind", "chiplet_chain");
    e.set("topology.chiplets", 3);
    e.set("topology.joined_rows", rows);
    e.set("topology.joint_latency_cycles", 6);
    e.set("routing.algorithm", rows.empty() ? "x_first" : "chiplet_order");
    add_traffic(e, 0.2);
    expect_same_registers(e, 400);
  }
}

/// Vertical links of another latency that some routers have and others have not; packets that keep to a half of the
/// VCs.
TEST(Planes, OfElevators) {
  for (const std::vector<std::uint32_t>& elevators : {std::vector<std::uint32_t>{1, 0}, {0, 0, 3, 2, 1, 1}}) {
    Experiment e;
    e.set("topology.kind", "cube");
    e.set("topology.sizes", std::vector<std::uint32_t>{4, 3, 3});
    e.set("topology.elevators", elevators);
    e.set("topology.link_latencies", std::vector<std::uint32_t>{1, 1, 3});
    e.set("routing.algorithm", "elevator_first");
    add_traffic(e, 0.3);
    expect_same_registers(e, 400);
  }
}

/// Written by either engine, read by the other.
TEST(Planes, ShareCheckpointsWithLists) {
  const Experiment e = uniform_mesh(0.4, 6, 6);
  for (const bool planes : {false, true}) {
    Side whole(e, planes), before(e, planes), after(e, !planes);
    whole.bench.run(900);
    before.bench.run(400);
    after.bench.run(77);
    restore(*after.bench.network, saved(*before.bench.network));
    after.bench.run(500);
    EXPECT_EQ(Difference(whole, after).first(), "");
    EXPECT_EQ(whole.bench.network->merged_statistics().packet_hash(),
              after.bench.network->merged_statistics().packet_hash());
  }
}

/// Which engine a chooser takes for each of the cycles that follow, in which so many flits cross switches.
class Choice {
 public:
  bool planes() const { return planes_; }
  unsigned changes() const { return changes_; }
  void run(unsigned cycles, unsigned flits_a_cycle, double break_even = 10) {
    for (; cycles != 0; --cycles, ++cycle_, flits_ += flits_a_cycle) {
      if (!chooser_.due(cycle_)) continue;
      const bool planes = chooser_.planes(cycle_, flits_, break_even);
      changes_ += planes != planes_ ? 1 : 0;
      planes_ = planes;
    }
  }

 private:
  models::hybrid::EngineChooser chooser_;
  bool planes_ = false;
  unsigned changes_ = 0;
  std::uint64_t cycle_ = 0, flits_ = 0;
};

/// Little moves, then much, then little again.
TEST(Planes, AreChosenWhereMuchMoves) {
  Choice choice;
  choice.run(10000, 9);
  EXPECT_FALSE(choice.planes());
  choice.run(128, 25);
  EXPECT_TRUE(choice.planes());
  choice.run(10000, 11);
  EXPECT_TRUE(choice.planes());
  choice.run(256, 1);
  EXPECT_FALSE(choice.planes());
  EXPECT_EQ(choice.changes(), 2U);
}

/// What moves goes up and down about where both cost as much: each change waits for twice as much as the one before.
TEST(Planes, AreNotChangedForEver) {
  Choice choice;
  for (int turn = 0; turn < 100; ++turn) {
    choice.run(500, 15);
    choice.run(500, 5);
  }
  EXPECT_GT(choice.changes(), 0U);
  EXPECT_LE(choice.changes(), 3U);
}

TEST(Planes, RunWhereMuchMoves) {
  const auto planes_of = [](double load, std::uint64_t cycles) {
    Bench bench(with_either(uniform_mesh(load)));
    bench.run(cycles);
    return models::hybrid::of(bench.network->fabric()).plane_cycles();
  };
  EXPECT_EQ(planes_of(0.001, 2000), 0U);
  EXPECT_GT(planes_of(0.3, 2000), 1800U);
  EXPECT_LT(planes_of(0.3, 2000), 2000U);
}

/// What planes cannot run is refused where they are asked for, and else said.
TEST(Planes, SayWhatTheyCannotRun) {
  Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("router.buffer_bypass", true);
  Bench bench(with_either(e));
  const auto engines = bench.network->fabric().engines();
  ASSERT_TRUE(engines.has_value());
  EXPECT_EQ(engines->lists_because, "router.buffer_bypass = true");
  e.set("simulation.engine", std::string("planes"));
  EXPECT_THROW(Bench refused(e), InputError);
  Experiment by_queues = uniform_mesh(0.1, 4, 4);
  by_queues.set("topology.kind", "dragonfly");
  by_queues.set("routing.algorithm", "ugal");
  EXPECT_EQ(Bench(with_either(by_queues)).network->fabric().engines()->lists_because, "routes by queues");
  by_queues.set("simulation.engine", std::string("planes"));
  EXPECT_THROW(Bench refused(by_queues), InputError);
  Experiment few_ports = uniform_mesh(0.1, 4, 4);
  few_ports.set("interface.packet_ejection_flits", 1);
  EXPECT_EQ(Bench(with_either(few_ports)).network->fabric().engines()->lists_because,
            "nodes that leave flits at their ports (interface.packet_*_flits, interface.circuit_*_flits, "
            "interface.ejection_queue_items)");
  e.set("simulation.engine", std::string("lists"));
  EXPECT_FALSE(Bench(e).network->fabric().engines().has_value());
}

/// The last number that they take, and the first that they do not.
TEST(Planes, SayHowManyPortsVcsAndFlitsTheyHaveRoomFor) {
  const auto because = [](const char* key, std::uint32_t value) {
    Experiment e = uniform_mesh(0.1, 3, 2);
    e.set(key, value);
    return Bench(with_either(e)).network->fabric().engines()->lists_because;
  };
  EXPECT_EQ(because("topology.local_ports", 12), "");
  EXPECT_EQ(because("topology.local_ports", 13), "17 ports; expected 1 to 16");
  EXPECT_EQ(because("router.vcs", 8), "");
  EXPECT_EQ(because("router.vcs", 9), "9 VCs; expected 1 to 8");
  EXPECT_EQ(because("router.buffer_depth", 127), "");
  EXPECT_EQ(because("router.buffer_depth", 128), "router.buffer_depth = 128; expected at most 127");
}

/// Who looks at registers in every cycle has lists, which have them at hand: after a look the planes are not asked
/// again.
TEST(Planes, LeaveANetworkToListsWhereSomebodyLooksInEveryCycle) {
  Side both(uniform_mesh(0.3), true);
  both.bench.run(50);
  ASSERT_EQ(both.fabric.plane_cycles(), 50U);
  models::SignalTable table;
  const auto signals = both.bench.network->fabric().signals(table, {RouterId{0}});
  both.bench.run(50);
  EXPECT_EQ(both.fabric.plane_cycles(), 50U);
}

/// Engines that change at cycles drawn at random, against lists alone.
TEST(Planes, MayChangeWithListsAtAnyCycle) {
  const std::uint64_t wanted = networks(kBrief ? 3 : 60);
  std::uint64_t run = 0, number = 0;
  for (; run < wanted; ++number) {
    DrawnExperiment one("hybrid", number);
    const Experiment e = one.experiment();
    Side lists(e, false), both(e, true);
    if (!both.fabric.has_planes()) continue;
    ++run;
    SCOPED_TRACE("network " + std::to_string(number) + ":" + one.text());
    ASSERT_NO_FATAL_FAILURE(
        expect_same_with_changes(lists, both, 1500, [&](std::uint64_t bound) { return one.below(bound); }));
  }
  EXPECT_LT(number, 20 * wanted) << "hardly any network can be run in planes";
}

}  // namespace
}  // namespace braid::test::planes_test
