// The PO2 router: exact cycles on an idle network, the shared ports, backpressure, load.
#include <gtest/gtest.h>

#include <fstream>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/po2_full_load.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::po2_test {
namespace {

using models::Experiment;

// ---------------------------------------------------------------- exact cycles

class ZeroLoad : public testing::TestWithParam<const char*> {};

/// 80 into the port, 12 for header and route in each of d + 1 routers, 20 + 160 out: 260 + 12 (d + 1).
TEST_P(ZeroLoad, LatencyIsThePapersToEveryNode) {
  Bench bench(po2(0.0, GetParam(), 4));
  const auto distance = bench.topology.distances_to(RouterId{0});
  for (std::size_t to = 1; to < bench.topology.node_count(); ++to) {
    const std::uint64_t latency = 260 + 12 * (distance[to] + 1);
    send_message(bench, NodeId{0}, NodeId{to}, 1);
    bench.run(latency - 1);
    EXPECT_EQ(bench.delivered(), to - 1) << "at cycle N - 1, node " << to;
    bench.run(1);
    EXPECT_EQ(bench.delivered(), to) << "at cycle N = " << latency << ", node " << to;
    bench.run(100);  // acknowledgements
  }
  EXPECT_TRUE(bench.network->conservation().holds());
}
INSTANTIATE_TEST_SUITE_P(Routing, ZeroLoad, testing::Values("deterministic", "best_paths", "derouting"));

/// The last of n packets goes in after n - 1 of 240 cycles.
TEST(Po2Message, IsWholeWhenItsLastPacketIs) {
  Bench bench(po2(0.0, "deterministic"));
  send_message(bench, NodeId{0}, NodeId{1}, 5);
  const std::uint64_t latency = 4 * 240 + 260 + 12 * 2;
  bench.run(latency - 1);
  EXPECT_EQ(bench.delivered(), 4U);
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 5U);
}

/// Nodes 0 and 1 send each other a packet over one half-duplex link. Both ask for it in cycle 92; the router of lower
/// number goes first (104: header at router 1, whose node's port injects until 240: out by 420), then they alternate:
/// the other's link transfer is 272 to 452, its header in by 284, its packet out by 464.
TEST(Po2Link, IsHalfDuplexAndAlternates) {
  Bench bench(po2(0.0, "deterministic"));
  send_message(bench, NodeId{0}, NodeId{1}, 1);
  send_message(bench, NodeId{1}, NodeId{0}, 1);
  bench.run(419);
  EXPECT_EQ(bench.delivered(), 0U);
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U);
  bench.run(43);
  EXPECT_EQ(bench.delivered(), 1U);
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 2U);
}

/// Node 1's port ejects a packet until 284. A second waits to be ejected since 204; a packet that asks to be injected
/// since 150 goes before it, one that asks since 210 after it.
TEST(Port, ServesTheOlderOfInjectionAndEjection) {
  for (const std::uint64_t asks_since : {150, 210}) {
    Bench bench(po2(0.0, "deterministic"));
    const NodeId north_west{bench.topology.port(RouterId{1}, PortId{2}).peer_router.value};
    send_message(bench, NodeId{0}, NodeId{1}, 1);
    bench.run(100);
    send_message(bench, north_west, NodeId{1}, 1);
    bench.run(asks_since - 100);
    send_message(bench, NodeId{1}, NodeId{2}, 1);
    bench.run(284 - asks_since);
    EXPECT_EQ(bench.delivered(), 1U);
    EXPECT_EQ(po2_fabric(bench).routers()[1].ports[6].use, models::po2::Port::Use::kIdle);
    bench.run(1);
    const auto first = asks_since == 150 ? models::po2::Port::Use::kReceiving : models::po2::Port::Use::kSending;
    EXPECT_EQ(po2_fabric(bench).routers()[1].ports[6].use, first) << "asks since " << asks_since;
  }
}

/// Both ends always have a packet waiting: each transfer goes the other way than the one before.
TEST(Po2Link, AlternatesWhileBothEndsWait) {
  Experiment e = po2(0.0, "deterministic");
  e.set("po2.reject_same_message", false);
  e.set("po2.acknowledge_cycles", 400);  // the link is the bottleneck
  Bench bench(e);
  send_message(bench, NodeId{0}, NodeId{1}, 10);
  send_message(bench, NodeId{1}, NodeId{0}, 10);
  const std::size_t east = 0, west = 3;
  std::string directions;
  auto last = models::po2::Port::Use::kIdle;
  for (int cycle = 0; cycle < 6000; ++cycle) {
    bench.run(1);
    const auto use = po2_fabric(bench).routers()[0].ports[east].use;
    EXPECT_EQ(use == models::po2::Port::Use::kSending,
              po2_fabric(bench).routers()[1].ports[west].use == models::po2::Port::Use::kReceiving);
    if (use != last && use != models::po2::Port::Use::kIdle)
      directions += use == models::po2::Port::Use::kSending ? '>' : '<';
    last = use;
  }
  EXPECT_EQ(directions.substr(0, 9), "><><><><>");
}

/// With a link held for 560 cycles a packet, the second packet of a message still waits (332 to 652) when the third is
/// to go in (480): refused for 173 cycles, for the pool is a register and shows the second gone in cycle 653. Without
/// the rule it goes in at once.
TEST(Po2Backpressure, RefusesAPacketWhileOneOfItsMessageWaits) {
  for (const bool rule : {true, false}) {
    Experiment e = po2(0.0, "deterministic");
    e.set("po2.acknowledge_cycles", 400);
    e.set("po2.reject_same_message", rule);
    Bench bench(e);
    send_message(bench, NodeId{0}, NodeId{1}, 3);
    bench.run(480);
    EXPECT_EQ(po2_fabric(bench).routers()[0].held(), 2U);
    bench.run(1);
    EXPECT_EQ(po2_fabric(bench).routers()[0].held(), rule ? 2U : 3U);
    bench.run(172);
    EXPECT_EQ(po2_fabric(bench).routers()[0].held(), rule ? 1U : 2U) << "packet 1 is acknowledged in cycle 652";
    bench.run(1);
    EXPECT_EQ(po2_fabric(bench).routers()[0].held(), 2U);
    bench.run(2000);
    EXPECT_EQ(bench.delivered(), 3U);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_waiting") * 91, rule ? 173.0 : 0.0);
  }
}

TEST(Po2Pool, RefusesWhenFullAndTakesBackABufferOnceAcknowledged) {
  Experiment e = po2(0.0, "deterministic");
  e.set("po2.buffers", 1);
  Bench bench(e);
  send_message(bench, NodeId{0}, NodeId{1}, 2);
  bench.run(272);  // injected by 240, on the link 92 to 252, acknowledged by 272
  EXPECT_EQ(po2_fabric(bench).routers()[0].use[0], 0U);
  EXPECT_EQ(bench.network->fabric().transport(0).queued(0), 1U);
  bench.run(1);
  EXPECT_EQ(po2_fabric(bench).routers()[0].use[0], 1U) << "the second packet goes in";
  EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_waiting") * 91, 32.0);
}

/// Router 1 has one buffer, taken until 272. Two neighbours' packets wait for it, since 92 over port 3 and since 102
/// over port 2: the older gets it.
TEST(Po2Pool, GivesItsLastBufferToTheOldestPacket) {
  Experiment e = po2(0.0, "deterministic");
  e.set("po2.buffers", 1);
  Bench bench(e);
  const NodeId north_west{bench.topology.port(RouterId{1}, PortId{2}).peer_router.value};
  send_message(bench, NodeId{1}, NodeId{2}, 1);
  send_message(bench, NodeId{0}, NodeId{1}, 1);
  bench.run(10);
  send_message(bench, north_west, NodeId{1}, 1);
  bench.run(262);
  EXPECT_EQ(po2_fabric(bench).routers()[1].held(), 0U);
  bench.run(1);
  const models::po2::Buffer& buffer = po2_fabric(bench).routers()[1].buffers[0];
  ASSERT_EQ(buffer.state, models::po2::Buffer::State::kArriving);
  EXPECT_EQ(po2_fabric(bench).store()[buffer.packet].source, NodeId{0});
}

// ---------------------------------------------------------------- properties under load

struct Loaded {
  const char* name;
  const char* routing;
  const char* scheduler;
  double load;
  std::uint32_t buffers;
  const char* avoidance;
  const char* port_discipline = "pass_refused";
};

Experiment loaded(const Loaded& c) {
  Experiment e = po2(c.load, c.routing);
  e.set("interface.scheduler", c.scheduler);
  e.set("po2.buffers", c.buffers);
  e.set("po2.avoidance", c.avoidance);
  e.set("po2.port_discipline", c.port_discipline);
  return e;
}

class Po2Load : public testing::TestWithParam<Loaded> {};

TEST_P(Po2Load, LosesNothingAndEmpties) {
  Bench bench(loaded(GetParam()));
  bench.run(briefly(60000));
  EXPECT_TRUE(bench.network->conservation().holds());
  EXPECT_GT(bench.delivered(), briefly(1500));
  bench.network->stop_sources();
  for (int i = 0; i < 300 && bench.network->conservation().packets_in_flight > 0; ++i) bench.run(10000);
  const models::Conservation c = bench.network->conservation();
  EXPECT_EQ(c.packets_created, c.packets_delivered);
  EXPECT_EQ(c.flits_injected, c.flits_delivered);
  for (const models::po2::Router& router : po2_fabric(bench).routers()) EXPECT_EQ(router.held(), 0U);
}

TEST_P(Po2Load, GivesTheSameHashInAnyCut) {
  Bench whole(loaded(GetParam()));
  whole.run(briefly(15000));
  for (const std::size_t slices : {std::size_t{2}, std::size_t{5}, std::size_t{91}}) {
    Bench cut(loaded(GetParam()), slices);
    cut.run(briefly(15000));
    EXPECT_EQ(cut.network->merged_statistics().packet_hash(), whole.network->merged_statistics().packet_hash())
        << slices << " slices";
  }
}

const Loaded kLoads[] = {
    {"deterministic", "deterministic", "fifo", 0.7, 20, "none"},
    {"best_paths_alpha", "best_paths", "alpha", 0.9, 20, "none"},
    {"derouting_round_robin", "derouting", "round_robin", 0.8, 20, "none"},
    {"derouting_overload", "derouting", "fifo", 1.1, 20, "none"},
    {"deterministic_five_buffers", "deterministic", "fifo", 1.1, 5, "up_down_escape"},
    {"derouting_five_buffers", "derouting", "shortest_first", 1.1, 5, "up_down_escape"},
    {"best_paths_three_buffers", "best_paths", "round_robin_front", 1.1, 3, "up_down_escape"},
    {"strict_fifo", "best_paths", "alpha", 0.8, 20, "none", "head_of_line"},
    {"strict_fifo_five_buffers", "derouting", "shortest_first", 1.1, 5, "up_down_escape", "head_of_line"},
};
INSTANTIATE_TEST_SUITE_P(Cases, Po2Load, testing::ValuesIn(kLoads), [](const auto& c) { return c.param.name; });

/// Section 4: "If alpha = 0, then this strategy is simply FIFO", packet by packet.
TEST(Po2Scheduling, AlphaZeroIsFifoPacketByPacket) {
  Experiment fifo = po2(0.8, "best_paths");
  Experiment alpha = fifo;
  alpha.set("interface.scheduler", "alpha");
  alpha.set("message.alpha", 0.0);
  Bench a(fifo), b(alpha);
  a.run(80000);
  b.run(80000);
  EXPECT_GT(a.delivered(), 10000U);
  EXPECT_EQ(a.network->merged_statistics().packet_hash(), b.network->merged_statistics().packet_hash());
  alpha.set("message.alpha", 4.0);
  Bench c(alpha);
  c.run(80000);
  EXPECT_NE(a.network->merged_statistics().packet_hash(), c.network->merged_statistics().packet_hash());
}

/// Pollaczek and Khinchine: a node that only sends, over a way of its own, is an M/G/1 queue whose service is 240
/// cycles a packet. Nodes 0, 2, … send to 1, 3, …
TEST(Po2Queue, WaitsAsMG1AtTheNodesPort) {
  if (kBrief) GTEST_SKIP() << kLong;
  const std::string file = temporary_file("pairs.txt");
  {
    std::ofstream out(file);
    for (int n = 0; n < 90; n += 2) out << n << " " << n + 1 << "\n";
  }
  Experiment e = po2(0.0, "deterministic");
  e.set("traffic.pattern", "permutation");
  e.set("traffic.file", file);
  e.set("traffic.long_fraction", 0.0);  // 1 to 5 packets
  const double load = 0.6;
  e.set("traffic.rate_flits_per_node_cycle", load * kPacket / 240.0);
  Bench bench(e);
  bench.run(50000);
  bench.network->window() = {true, bench.network->now(), 1000000};
  bench.run(4000000);
  const models::MessageResults messages = *sources_of(bench).message_results();
  const double rate = load / (240.0 * 3.0), second_moment = 240.0 * 240.0 * (1 + 4 + 9 + 16 + 25) / 5.0;
  const double waiting = rate * second_moment / (2.0 * (1.0 - load));
  double latency = 0.0, count = 0.0;
  for (const models::MessageLengthResult& l : messages.by_length) {
    const double service = 240.0 * (l.packets - 1) + 260 + 12 * 2;
    latency += (l.latency_mean_cycles - service) * static_cast<double>(l.messages);
    count += static_cast<double>(l.messages);
  }
  EXPECT_NEAR(latency / count / waiting, 1.0, 0.02) << "waiting " << waiting << " cycles";
}

}  // namespace
}  // namespace braid::test::po2_test
