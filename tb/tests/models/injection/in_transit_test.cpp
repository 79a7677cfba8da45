// In-transit buffers: exact cycles of ejection and injection again, on Myrinet-like switches and on other families.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "models/engine/watchdog.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::in_transit_test {
namespace {

using models::Experiment;

constexpr std::uint32_t kLeg = 1 + 24 + 8 + 24 + 1;  // host, switch, link, switch, host

/// Cycles from the first flit on the injection link over `rests` in-transit buffers, every leg two switches long.
std::uint32_t zero_load(std::uint32_t rests, std::uint32_t flits) {
  return (rests + 1) * kLeg + rests * (44 + 32) + flits;
}

class InTransitRests : public testing::TestWithParam<std::uint32_t> {};

/// A long packet lies in several buffers at once; a short one is in one at a time.
TEST_P(InTransitRests, TakeDetectionAndProgrammingEach) {
  const std::uint32_t flits = GetParam();
  for (std::uint32_t to = 1; to < 5; ++to) {
    Bench bench(myrinet_row(5, "every_switch"));
    bench.run(10);
    bench.network->send_packet(NodeId{0}, NodeId{to}, flits);
    const std::uint32_t cycles = 1 + zero_load(to - 1, flits);  // a cycle until the interface has it
    bench.run(cycles - 1);
    EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1 over " << to - 1;
    bench.run(1);
    EXPECT_EQ(bench.delivered(), 1U) << "at cycle N over " << to - 1;
    EXPECT_TRUE(bench.network->conservation().holds());
  }
}
INSTANTIATE_TEST_SUITE_P(Flits, InTransitRests, testing::Values(1, 32, 512, 1024));

/// While node 1 sends a long packet of its own, one in transit waits; then it goes before the node's next.
TEST(InTransit, GoesBeforeTheNodesOwn) {
  Bench bench(myrinet_row(3, "every_switch"));
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 32);
  bench.network->send_packet(NodeId{1}, NodeId{0}, 400);  // from 11 on
  bench.network->send_packet(NodeId{1}, NodeId{0}, 400);
  // Two cables, 24 cycles of routing: the tail of 401 flits leaves switch 1 a cycle before this, and the one in
  // transit, which the interface has begun next, is at the front of its buffer.
  const std::uint64_t front = 11 + 1 + 24 + 401;
  const std::uint64_t in_transit = front + 24 + 8 + 24 + 1 + 32 - 1;
  bench.run(in_transit - 10);
  const std::uint64_t before = bench.delivered();
  bench.run(1);
  EXPECT_EQ(bench.delivered(), before + 1);
  EXPECT_EQ(bench.network->conservation().packets_in_flight, 1U) << "the node's second is not there yet";
}

TEST(InTransit, AFullPoolEndsTheRunWithTheNodesName) {
  Experiment e = myrinet_row(3, "every_switch");
  e.set("in_transit.pool_flits", 100);
  Bench bench(e);
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 100);
  bench.run(2000);
  EXPECT_EQ(bench.network->complaint(), "") << "it fits";
  bench.network->send_packet(NodeId{0}, NodeId{2}, 101);
  bench.run(2000);
  EXPECT_EQ(bench.network->complaint().rfind("overflow: the in-transit buffer of node 1 needs room for 101 flits", 0),
            0U)
      << bench.network->complaint();
}

TEST(InTransit, RefusesTimesThatAreNoCycles) {
  Experiment e = myrinet_row(3, "every_switch");
  e.set("in_transit.detect_ns", 276.0);
  EXPECT_THROW(Bench{e}, InputError);
  e.set("in_transit.detect_ns", 3.0);  // below one
  try {
    const Bench bench(e);
    ADD_FAILURE() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("of 6.25 ns; expected 6.25"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find(" or "), std::string::npos) << error.what();
  }
}

/// A packet on a circuit goes where the search has found links, whatever paths hosts choose for others.
TEST(InTransit, LeavesPacketsOnCircuitsAlone) {
  const auto run = [](const char* placement, std::size_t slices) {
    Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
    if (placement != nullptr) {
      e.set("routing.algorithm", "source_routed");
      e.set("routing.in_transit", placement);
      if (placement == std::string("none")) e.set("routing.paths", "up_down");
    }
    auto bench = std::make_unique<Bench>(std::move(e), slices);
    bench->run(4000);
    return bench;
  };
  const auto by_rule = run(nullptr, 1);
  EXPECT_GT(by_rule->delivered(), 10U);
  for (const char* placement : {"every_switch", "minimum", "none"}) {
    for (const std::size_t slices : {1, 2}) {
      const auto chosen = run(placement, slices);
      EXPECT_EQ(chosen->delivered(), by_rule->delivered()) << placement;
      EXPECT_EQ(chosen->network->merged_statistics().packet_hash(), by_rule->network->merged_statistics().packet_hash())
          << placement;
    }
  }
}

/// ... of which some rest while others stand on circuits.
TEST(InTransit, CarriesPacketsBesideCircuits) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  add_traffic(e, 0.05);
  e.set("routing.algorithm", "source_routed");
  e.set("routing.paths", "random");
  e.set("routing.in_transit", "every_switch");
  Bench bench(std::move(e), 2);
  bench.run(6000);
  EXPECT_TRUE(bench.network->conservation().holds());
  EXPECT_GT(bench.delivered(), 1000U);
}

/// On a mesh of hybrid or cut-through routers, whose interfaces pass a packet on when its tail is there.
Experiment on_mesh(const std::string& architecture, const std::string& in_transit) {
  Experiment e = uniform_mesh(0.05, 4, 4);
  e.set("router.architecture", architecture);
  if (architecture == "virtual_cut_through") e.set("router.vcs", 1);
  e.set("routing.algorithm", "source_routed");
  e.set("routing.paths", "random");
  e.set("routing.in_transit", in_transit);
  return e;
}

class InTransitOn : public testing::TestWithParam<const char*> {};

TEST_P(InTransitOn, CarriesThemAndLosesNothing) {
  for (const char* placement : {"minimum", "every_switch"}) {
    Bench bench(on_mesh(GetParam(), placement));
    bench.run(20000);
    EXPECT_TRUE(bench.network->conservation().holds()) << placement;
    EXPECT_GT(bench.network->policy_reports().in_transit.get<RawCount>("reinjections_per_node_cycle").events, 100U);
    bench.network->stop_sources();
    bench.run(20000);
    const models::Conservation c = bench.network->conservation();
    EXPECT_EQ(c.packets_in_flight, 0U) << placement;
    EXPECT_EQ(c.packets_created, c.packets_delivered);
  }
}

TEST_P(InTransitOn, PacketsKeepTheCycleInWhichTheyEnteredTheNetwork) {
  Experiment e = on_mesh(GetParam(), "every_switch");
  Bench bench(e);
  bench.network->window() = {true, 0, 1000};
  bench.run(3000);
  const auto classes = bench.network->merged_statistics().results(3000);
  const double network = classes.front().network_latency_cycles.mean, all = classes.front().packet_latency_cycles.mean;
  EXPECT_LT(all - network, 20.0) << "rests count as time in the network, not in the source's queue";
}

TEST_P(InTransitOn, GivesTheSameUnderThreads) {
  std::uint64_t hash = 0;
  for (const std::size_t slices : {1U, 3U, 16U}) {
    Bench bench(on_mesh(GetParam(), "numbered"), slices);
    bench.run(3000);
    const std::uint64_t now = bench.network->merged_statistics().packet_hash();
    if (slices == 1) hash = now;
    EXPECT_EQ(now, hash) << slices << " slices";
  }
}
INSTANTIATE_TEST_SUITE_P(Families, InTransitOn, testing::Values("hybrid", "virtual_cut_through"));

/// Loads from half to one and a half times what an irregular network takes.
TEST(InTransitNetwork, NothingIsLostOrStuckBeyondSaturation) {
  for (const char* placement : {"minimum", "numbered", "every_switch", "up_down"}) {
    Bench bench(irregular_myrinet(16, 0.3, "balanced", placement));
    bench.run(60000);
    EXPECT_TRUE(bench.network->conservation().holds()) << placement;
    const std::uint64_t before = bench.delivered();
    bench.run(20000);
    EXPECT_GT(bench.delivered(), before) << placement;
    EXPECT_TRUE(bench.network->conservation().holds()) << placement;
  }
}

/// Minimal paths of a ring close a cycle without in-transit buffers.
TEST(InTransitNetwork, WithoutInTransitBuffersMinimalPathsAreRefusedOrDeadlock) {
  Experiment e = irregular_myrinet(16, 0.5, "balanced", "none");
  e.set("simulation.min_warmup_cycles", 0);
  e.set("simulation.max_warmup_cycles", 400000);
  e.set("simulation.watchdog_cycles", 10000);
  EXPECT_THROW(models::Simulation{e}, InputError);
  e.set("routing.allow_deadlock", true);
  models::Simulation simulation(e);
  try {
    simulation.run();
    ADD_FAILURE() << "no deadlock";
  } catch (const models::DeadlockError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("deadlock:", 0), 0U) << text;
    EXPECT_NE(text.find("waiting slack buffers"), std::string::npos) << text;
  }
}

/// Hosts choose the paths, and they are not told to do without: in-transit buffers are there unless somebody says so.
TEST(PacketsRest, WhereHostsChoosePathsThatMayRest) {
  Configuration c;
  EXPECT_FALSE(models::packets_rest(c));
  c.set("routing.in_transit", "minimum");
  EXPECT_FALSE(models::packets_rest(c));
  c.set("routing.algorithm", "x_first");
  EXPECT_FALSE(models::packets_rest(c));
  c.set("routing.algorithm", "source_routed");
  EXPECT_TRUE(models::packets_rest(c));
  c.set("routing.in_transit", "none");
  EXPECT_FALSE(models::packets_rest(c));
  Configuration by_default;
  by_default.set("routing.algorithm", "source_routed");
  EXPECT_TRUE(models::packets_rest(by_default));
}

}  // namespace
}  // namespace braid::test::in_transit_test
