// The hybrid router's pipeline under load and on long links: rates are credits over the round trip, and what a tail
// frees is used again in the cycle that docs/router.md says.
//
// A packet's credit goes round between two routers (links of n cycles, credit delay d) in
//   SA t, ST t + 1, LT t + 2 .. t + 1 + n, BW t + 2 + n, SA t + 3 + n, ST t + 4 + n,
//   and counts for SA d cycles later, n - 1 more for the longer wire: 3 + 2 n + d cycles; with the write bypass
//   (buffer_bypass_test.cpp) SA falls into the cycle of BW: 2 + 2 n + d.
// A circuit's flit skips BW and the wait for it (SA in the last cycle of LT): 1 + 2 n + d, 5 with n = 1, d = 2.
#include <gtest/gtest.h>

#include <fstream>
#include <tuple>

#include "tb/tests/support/tile_streams.h"

namespace braid::test::hybrid_pipeline_test {
namespace {

using models::Experiment;

Experiment row(std::uint32_t routers, std::uint32_t vcs) {
  Experiment e = uniform_mesh(0.0, routers, 1);
  e.set("router.vcs", vcs);
  return e;
}

/// Packets' flits that have been sent east by router 0.
std::uint64_t sent_east(const Bench& bench) {
  return bench.network->fabric().link_use(RouterId{0}, routing::kEast).packet_flits;
}

/// As docs/configuration.md has them: what a sender may send to a router before a credit comes back.
TEST(HybridDefaults, AVcHoldsEightFlitsAndACircuitFive) {
  Bench bench(tile_streams(2, 1, 2, {{0, 1}}));
  auto& fabric = bench.network->fabric();
  for (std::uint32_t vc = 0; vc < 4; ++vc) EXPECT_EQ(fabric.credits(RouterId{0}, routing::kEast, vc), 8U) << vc;
  const auto& bank = models::hybrid::of(fabric).bank();
  const models::PortIndex east = bank.port_index(RouterId{0}, routing::kEast);
  EXPECT_EQ(bank.output_vcs[bank.circuit_vc(east, 0)].credits, 5U);
}

// ---------------------------------------------------------------- long links

class PacketRate : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>> {};

TEST_P(PacketRate, IsBuffersOverTheCreditLoop) {
  const auto [latency, depth, delay, bypass] = GetParam();
  Experiment e = row(2, 1);
  e.set("topology.link_latency_cycles", latency);
  e.set("router.buffer_depth", depth);
  e.set("router.credit_delay_cycles", delay);
  e.set("router.buffer_bypass", bypass);
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 60000);
  bench.run(500);
  const std::uint64_t loop = (bypass ? 2 : 3) + 2 * latency + delay;
  const std::uint64_t before = sent_east(bench);
  bench.run(20 * loop);
  EXPECT_EQ(sent_east(bench) - before, 20 * std::min<std::uint64_t>(depth, loop)) << "loop of " << loop;
}
INSTANTIATE_TEST_SUITE_P(LinksBuffersDelays, PacketRate,
                         testing::Combine(testing::Values(1, 2, 5), testing::Values(1, 6, 7, 8, 14),
                                          testing::Values(2, 3), testing::Bool()));

/// Two actors that never rest; what the circuit's first link carries over 20 of its credit loops.
class CircuitRate : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t>> {};

TEST_P(CircuitRate, IsBuffersOverTheCreditLoop) {
  const auto [latency, depth] = GetParam();
  const std::string file = temporary_file("rate.toml");
  std::ofstream(file)
      << "name = \"rate\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = 0\n[[actor]]\nname = \"b\"\nwork = 1\n"
         "tile = 1\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = 16\npop = 16\n";
  Experiment e = stream_mesh("", 2, 1);
  e.set("stream.graph", file);
  e.set("topology.link_latency_cycles", latency);
  e.set("router.circuit_buffer_depth", depth);
  Bench bench(e);
  bench.run(600);
  const auto sent = [&] { return bench.network->fabric().link_use(RouterId{0}, routing::kEast).circuit_flits; };
  const std::uint64_t loop = 1 + 2 * latency + 2;
  const std::uint64_t before = sent();
  bench.run(20 * loop);
  EXPECT_EQ(sent() - before, 20 * std::min<std::uint64_t>(depth, loop)) << "loop of " << loop;
}
INSTANTIATE_TEST_SUITE_P(LinksBuffers, CircuitRate,
                         testing::Combine(testing::Values(1, 3), testing::Values(1, 4, 5, 9)));

class PacketLatencyOverLinks : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t>> {};

/// 3 + 5 R + (L - 1), and each of the R - 1 links takes n - 1 cycles more.
TEST_P(PacketLatencyOverLinks, AddsEachLinksFurtherCycles) {
  const auto [latency, flits] = GetParam();
  Experiment e = row(4, 2);
  e.set("topology.link_latency_cycles", latency);
  e.set("router.buffer_depth", 64);
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{3}, NodeId{0}, flits);
  const std::uint64_t expected = 3 + 5 * 4 + (flits - 1) + 3 * (latency - 1);
  bench.run(expected - 1);
  EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = " << expected;
}
INSTANTIATE_TEST_SUITE_P(LinksLengths, PacketLatencyOverLinks,
                         testing::Combine(testing::Values(1, 2, 9), testing::Values(1, 40)));

// ---------------------------------------------------------------- credits and VCs, to the cycle

/// One flit of buffer. The head has a VC in cycle 1, BW 3, VA, SA 5, ST 6: its credit counts at the interface in cycle
/// 6 + 2 = 8, which puts the tail on the link in 8 (LT). BW 9, SA 10, ST 11, LT 12, at the node in 13.
TEST(Credits, HoldTheSecondFlitUntilTheFirstOnesIsBack) {
  Experiment e = row(2, 1);
  e.set("router.buffer_depth", 1);
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{0}, 2);
  bench.run(12);
  EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = 13";
}

/// The interface takes a VC that has a credit, whoever is next in turn; where none has, it takes none and sends on the
/// first that gets one.
TEST(Credits, DecideWhichVcAPacketIsInjectedOn) {
  Bench bench(row(2, 2));
  bench.run(1);
  const models::hybrid::RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  const models::PortIndex link = bank.injection_port(0);
  bank.output_vcs[bank.vc_index(link, 0)].credits = 0;
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  bench.run(14);
  EXPECT_EQ(bench.delivered(), 1U) << "on VC 1, though VC 0 is next in turn";
  bank.output_vcs[bank.vc_index(link, 1)].credits = 0;
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  bench.run(30);
  EXPECT_EQ(bank.free_vcs[link], 3U);
  bank.output_vcs[bank.vc_index(link, 1)].credits = 1;
  bench.run(14);
  EXPECT_EQ(bench.delivered(), 2U);
}

/// A head behind a tail gets RC in the cycle after the tail's grant, then VA, SA: two cycles of its VC are lost between
/// packets. One-flit packets on one VC: the second is three cycles behind the first (13), not one.
TEST(VcReuse, RoutesTheNextHeadInTheCycleAfterTheTailsGrant) {
  Bench bench(row(2, 1));
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
  bench.run(13);
  EXPECT_EQ(bench.delivered(), 1U);
  bench.run(2);
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 2U) << "at cycle N = 16";
}

class VcReuseRate : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t>> {};

/// So a VC carries packets of L flits at L flits in L + 2 cycles, and V of them V times that, up to the link's rate.
TEST_P(VcReuseRate, LosesTwoCyclesAPacketOnEachVc) {
  const auto [vcs, flits] = GetParam();
  Experiment e = row(2, vcs);
  e.set("router.buffer_depth", 32);
  Bench bench(e);
  bench.run(1);
  const std::uint64_t period = flits + 2;
  for (std::uint64_t i = 0; i < 300 + 10 * period; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, flits);
  bench.run(200);
  const std::uint64_t before = sent_east(bench);
  bench.run(10 * period);
  EXPECT_EQ(sent_east(bench) - before, 10 * std::min<std::uint64_t>(std::uint64_t{vcs} * flits, period));
}
INSTANTIATE_TEST_SUITE_P(VcsLengths, VcReuseRate, testing::Combine(testing::Values(1, 2, 3), testing::Values(1, 4)));

/// Two sources, one output: round robin over input ports gives each every other cycle.
TEST(SwitchAllocation, SharesAnOutputFlitByFlit) {
  Experiment e = uniform_mesh(0.0, 3, 2);
  e.set("routing.algorithm", "x_first");
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 1000);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 1000);
  bench.run(200);
  const auto sent = [&](std::size_t router) {
    return bench.network->fabric().link_use(RouterId{router}, routing::kEast).packet_flits;
  };
  const std::uint64_t before0 = sent(0), before1 = sent(1);
  bench.run(200);
  EXPECT_EQ(sent(1) - before1, 200U) << "the shared link is never idle";
  EXPECT_EQ(sent(0) - before0, 100U);
}

// ---------------------------------------------------------------- circuits and packets

/// A circuit a -> b that is reserved and silent for long. A packet over the same link: 13 cycles if the link's idle
/// cycles are shared; never if they are not.
TEST(ReservedLink, CarriesPacketsIffItIsShared) {
  const std::string file = temporary_file("silent.toml");
  std::ofstream(file)
      << "name = \"silent\"\n[[actor]]\nname = \"a\"\nwork = 100000\ntile = 0\n[[actor]]\nname = \"b\"\nwork = 1\n"
         "tile = 1\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = 1\npop = 1\n";
  for (const bool share : {true, false}) {
    Experiment e = stream_mesh("", 2, 1);
    e.set("stream.graph", file);
    e.set("router.share_reserved_links", share);
    add_traffic(e, 0.0);
    Bench bench(e);
    bench.run(20);
    ASSERT_TRUE(bench.network->setup_done());
    bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
    bench.run(12);
    EXPECT_EQ(bench.delivered(), 0U);
    bench.run(1);
    EXPECT_EQ(bench.delivered(), share ? 1U : 0U);
    bench.run(3000);
    EXPECT_EQ(bench.delivered(), share ? 1U : 0U);
    EXPECT_EQ(bench.network->conservation().packets_in_flight, share ? 0U : 1U);
    EXPECT_TRUE(bench.network->conservation().holds());
  }
}

/// Whatever is under way, every cycle's walk over queues, registers and links finds each packet and flit once.
TEST(Census, FindsEveryPacketInEveryCycleOnLongLinks) {
  for (const std::uint32_t latency : {1U, 4U}) {
    Experiment e = uniform_mesh(0.6, 4, 4);
    e.set("topology.link_latency_cycles", latency);
    Bench bench(e);
    for (int i = 0; i < 400; ++i) {
      bench.run(1);
      ASSERT_TRUE(bench.network->conservation().holds()) << "cycle " << i << ", links of " << latency;
    }
    EXPECT_GT(bench.network->conservation().flits_in_flight, 50U);
  }
}

}  // namespace
}  // namespace braid::test::hybrid_pipeline_test
