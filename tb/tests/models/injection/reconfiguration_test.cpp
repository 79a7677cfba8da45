// New paths after a link has gone down: whole networks, and the cycles in which hosts hold their packets back.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/experiment/simulation.h"
#include "routing/paths/path_set.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::reconfiguration_test {
namespace {

using models::Experiment;

constexpr std::uint64_t kCut = 3000, kTold = kCut + 1000;
constexpr std::size_t kFiguresWhenDone = 5;  // of the report, the cycle of going over among them

Experiment failing(const std::string& router, const std::string& port, const std::string& paths,
                   const std::string& placement, double rate) {
  Experiment e = irregular_myrinet(16, rate, paths, placement);
  e.open("failure");
  e.set("failure.router", router);
  e.set("failure.port", port);
  e.set("failure.cycle", kCut);
  e.set("failure.recompute_ns", 6250.0);
  return e;
}

/// Cycles until nothing is under way, at most so many.
void drain(const Bench& bench, std::uint64_t most) {
  bench.network->stop_sources();
  for (std::uint64_t i = 0; i < most && bench.network->conservation().packets_in_flight > 0; i += 100) {
    for (int k = 0; k < 100; ++k) bench.network->cycle();
  }
}

void run_until_resumed(Bench& bench, std::uint64_t most) {
  for (std::uint64_t i = 0; i < most && bench.network->policy_reports().failure.figures.size() < kFiguresWhenDone;) {
    bench.run(500);
    i += 500;
  }
}

/// Beyond saturation, each link of a network of 16 switches in turn.
TEST(Reconfiguration, WhateverLinkFailsNothingIsStuckAndNothingMoreIsLost) {
  if (kBrief) GTEST_SKIP() << kLong;
  const std::vector<std::string> placements = {"minimum", "numbered", "every_switch", "up_down"};
  const Bench intact(irregular_myrinet(16, 0.0, "balanced", "minimum"));
  std::size_t links = 0;
  for (std::size_t r = 0; r < 16; ++r) {
    for (const routing::Port& port : intact.topology.routers[r]) {
      if (port.kind != routing::PortKind::kNetwork || port.peer_router.value < r) continue;
      const std::string& placement = placements[links++ % placements.size()];
      SCOPED_TRACE("router " + intact.topology.router_names[r] + " " + port.name + " " + placement);
      Bench bench(failing(intact.topology.router_names[r], port.name, "balanced", placement, 0.5));
      bench.network->fabric().check_deadlock_free(bench.topology, *bench.routing, 1, {});
      run_until_resumed(bench, 200000);
      ASSERT_TRUE(bench.network->conservation().holds());
      const std::uint64_t lost = bench.network->conservation().packets_lost.value();
      const Report report = bench.network->policy_reports().failure;
      ASSERT_GT(report.get<std::uint64_t>("resumed_cycle"), kTold) << "all have gone over";
      EXPECT_EQ(report.get<std::uint64_t>("held_from_cycle"), kTold);
      drain(bench, 400000);
      const models::Conservation c = bench.network->conservation();
      EXPECT_EQ(c.packets_in_flight, 0U);
      EXPECT_EQ(c.packets_lost, lost) << "none after the new paths";
      EXPECT_EQ(c.packets_created, c.packets_delivered + lost);
      EXPECT_TRUE(c.holds());
    }
  }
  EXPECT_GE(links, 24U);
}

TEST(Reconfiguration, HostsThatAreToldInAnEmptyNetworkGoOverAtOnce) {
  Bench bench(failing("s0", "link0", "balanced", "minimum", 0.0));
  bench.run(kTold + 10);
  const Report report = bench.network->policy_reports().failure;
  EXPECT_EQ(report.get<std::uint64_t>("held_from_cycle"), kTold);
  EXPECT_EQ(report.get<std::uint64_t>("resumed_cycle"), kTold);
  EXPECT_EQ(report.get<std::uint64_t>("held_cycles"), 0U);
}

/// A packet of 512 flits begins a cycle before hosts are told, to a node of its own switch: two cables of 8 cycles.
TEST(Reconfiguration, HoldsUntilTheLastPacketByAnOldPathHasCome) {
  Bench bench(failing("s0", "link0", "balanced", "minimum", 0.0));
  bench.run(kTold - 2);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 512);  // begins in kTold - 1, when the interface has it
  bench.run(1);
  bench.network->send_packet(NodeId{2}, NodeId{3}, 512);  // could begin in kTold
  const std::uint64_t delivered = kTold - 1 + 2 * 8 + 24 + 511;
  bench.run(delivered + 1 - bench.network->now());
  EXPECT_EQ(bench.delivered(), 1U);
  EXPECT_EQ(bench.network->policy_reports().failure.get<std::uint64_t>("resumed_cycle"), delivered + 1);
  const std::uint64_t second = delivered + 1 + 2 * 8 + 24 + 511;
  bench.run(second - bench.network->now());
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 2U) << "at cycle N";
}

/// Messages of several packets, of which some are lost: those never arrive, others do, and none is counted twice.
TEST(Reconfiguration, MeasuredPacketsThatAreLostAreNotWaitedFor) {
  Experiment e = failing("s0", "link0", "random", "every_switch", 0.3);
  e.set("traffic.flits", 1);
  e.set("message.packet_flits", 64);
  e.set("simulation.min_warmup_cycles", 0);
  e.set("simulation.max_warmup_cycles", 1000);
  e.set("simulation.measure_cycles", 6000);
  e.set("simulation.max_drain_cycles", 100000);
  models::Simulation simulation(e);
  const models::Results results = simulation.run();
  EXPECT_GT(results.conservation.packets_lost.value(), 0U);
  EXPECT_TRUE(results.conservation.holds());
  ASSERT_TRUE(results.classes.at(0).saturation);
  EXPECT_EQ(results.classes[0].saturation->undrained_packets, 0U) << "the drain ended";
  EXPECT_LT(results.cycles, 100000U);
}

TEST(Reconfiguration, IsTheSameHoweverManySlicesAreAskedFor) {
  std::uint64_t hash = 0;
  for (const std::size_t slices : {1U, 5U, 1U}) {
    Bench bench(failing("s3", "link1", "random", "up_down", 0.4), slices);
    bench.run(8000);
    const std::uint64_t now = bench.network->merged_statistics().packet_hash();
    if (hash == 0) hash = now;
    EXPECT_EQ(now, hash) << slices << " slices";
  }
}

/// By itself, on a clock of 5 ns: a link fails in cycle 10, and 20 ns later hosts are told.
models::Reconfiguration told_in_14() {
  Configuration c;
  c.open("failure");
  c.set("failure.cycle", 10);
  c.set("failure.recompute_ns", 20.0);
  return models::Reconfiguration(c, 5000);
}
std::string figures(const models::Reconfiguration& reconfiguration) {
  std::string text;
  for (const Reported& figure : reconfiguration.report(77).figures) {
    text += figure.declared->name + "=" + std::to_string(std::get<std::uint64_t>(figure.value)) + " ";
  }
  return text;
}

TEST(ReconfigurationAlone, GoesOverAtOnceWhereNothingIsUnderWay) {
  models::Reconfiguration r = told_in_14();
  for (std::uint64_t cycle = 0; cycle < 13; ++cycle) EXPECT_FALSE(r.step(cycle)) << cycle;
  EXPECT_EQ(r.epoch(), 0U);
  EXPECT_EQ(figures(r), "packets_lost=0 flits_lost=77 held_cycles=0 ");
  EXPECT_TRUE(r.step(13)) << "in 14 they begin by the new paths";
  EXPECT_FALSE(r.holds());
  EXPECT_EQ(r.epoch(), 1U);
  EXPECT_FALSE(r.step(14)) << "they have gone over";
  EXPECT_EQ(figures(r), "packets_lost=0 flits_lost=77 held_from_cycle=14 resumed_cycle=14 held_cycles=0 ");
}

TEST(ReconfigurationAlone, HoldsWhileAPacketIsUnderWayByAnOldPath) {
  models::Reconfiguration r = told_in_14();
  models::SignalTable table;
  const auto signals = r.signals(table);
  ASSERT_EQ(table.signals().size(), 3U);
  const auto shown = [&] {
    signals->sample(0);
    return table.signals()[0].value * 100 + table.signals()[1].value * 10 + table.signals()[2].value;
  };
  for (int i = 0; i < 3; ++i) r.began();
  r.delivered();
  EXPECT_FALSE(r.step(12));
  EXPECT_FALSE(r.holds());
  EXPECT_EQ(shown(), 2U) << "under way";
  EXPECT_FALSE(r.step(13));
  EXPECT_TRUE(r.holds());
  EXPECT_EQ(shown(), 102U);
  r.lost();
  EXPECT_FALSE(r.step(14));
  EXPECT_EQ(figures(r), "packets_lost=1 flits_lost=77 held_from_cycle=14 held_cycles=1 ");
  Checkpoint saves;
  r.checkpoint(saves);
  models::Reconfiguration restored = told_in_14();
  Checkpoint restores(saves.bytes());
  restored.checkpoint(restores);
  restores.finish();
  for (models::Reconfiguration* one : {&r, &restored}) {
    EXPECT_TRUE(one->holds());
    one->delivered();
    EXPECT_TRUE(one->step(15));
    EXPECT_FALSE(one->holds());
    EXPECT_EQ(figures(*one), "packets_lost=1 flits_lost=77 held_from_cycle=14 resumed_cycle=16 held_cycles=2 ");
  }
  EXPECT_EQ(shown(), 10U) << "the new paths, nothing under way";
}

}  // namespace
}  // namespace braid::test::reconfiguration_test
