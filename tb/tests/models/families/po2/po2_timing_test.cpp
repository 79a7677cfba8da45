// PO2 by hand, with small numbers (tb/tests/support/po2_row.h): zero load, ports and links held, events beyond a turn
// of the timing wheel (1024 cycles), figures, counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "routing/base/random.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_timing_test {
namespace {

using models::Experiment;

class Po2Latency : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t>> {};

TEST_P(Po2Latency, IsOverheadsHeadersAndLength) {
  const auto [links, flits] = GetParam();
  Bench bench(small_po2(4, 1));
  bench.network->send_packet(NodeId{0}, NodeId{links}, flits);
  expect_delivery(bench, 3 + 2 * (links + 1) + 1 + flits, 1);
}
INSTANTIATE_TEST_SUITE_P(LinksLengths, Po2Latency,
                         testing::Combine(testing::Values(1, 3), testing::Values(4, 1020, 3000)));

/// A packet of a node to itself cannot cut through: the node's port is half-duplex, in until 3 + L, then out 1 + L.
TEST(Po2Latency, TakesThePortTwiceToTheNodeItself) {
  Bench bench(small_po2(2, 1));
  bench.network->send_packet(NodeId{1}, NodeId{1}, 30);
  expect_delivery(bench, 3 + 30 + 1 + 30, 1);
}

/// Each number of the router adds what it says, and only there: the formula with every one of them changed.
TEST(Po2Latency, FollowsEachOption) {
  const char* const options[] = {"po2.inject_overhead_cycles", "po2.header_cycles", "po2.eject_overhead_cycles",
                                 "po2.acknowledge_cycles"};
  for (int option = 0; option < 4; ++option) {
    Experiment e = small_po2(3, 1);
    e.set(options[option], e.get<std::int64_t>(options[option]) + 10);
    Bench bench(e);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 20);
    // Two links: 3 + 2 * 3 + 1 + 20 = 30. A header is waited for in three routers; an acknowledgement by nobody.
    const std::uint64_t longer[] = {10, 30, 10, 0};
    SCOPED_TRACE(option);
    expect_delivery(bench, 30 + longer[option], 1);
  }
}

/// The node's port takes 3 + L for each packet in, so the second packet is 3 + L behind the first.
TEST(Port, InjectsPacketsOneAfterTheOther) {
  Bench bench(small_po2(2, 1));
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 9);
  expect_delivery(bench, 3 + 4 + 1 + 9, 1);
  expect_delivery(bench, 3 + 4 + 1 + 9 + 12, 2);
}

/// The link is held until 5 + L + A; the second packet's header was in before that, at 3 + L + 5. It arrives
/// 2 + 1 + L after it got the link. With A = 1500 the end lies in another turn of the wheel.
TEST(Po2Link, IsHeldUntilTheAcknowledgement) {
  for (const std::uint32_t acknowledge : {20U, 1500U}) {
    Experiment e = small_po2(2, 1);
    e.set("po2.acknowledge_cycles", acknowledge);
    Bench bench(e);
    for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    expect_delivery(bench, 12, 1);
    expect_delivery(bench, 5 + 4 + acknowledge + 2 + 1 + 4, 2);
  }
}

/// One buffer a pool. Node 1's packet holds router 1's until 11 (link from 5, four flits, acknowledged); node 0's,
/// whose header was in at 5, goes in 11 and arrives 2 + 1 + 4 later.
TEST(Po2Pool, RefusesUntilTheBufferIsAcknowledged) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  Bench bench(e);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  expect_delivery(bench, 12, 1);
  expect_delivery(bench, 18, 2);
  // Router 0's port east was idle though asked for from 5 to 11: of four link ports, and counted for both ends.
  EXPECT_DOUBLE_EQ(po2_figure(bench, "link_waiting"), 2.0 * 6 / 4);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_waiting"), 0.0);
}

/// One packet of 9 flits over one of two links. Node 0's port 0 to 12; link 5 to 16, both ends; node 1's 7 to 17.
TEST(Po2Figures, CountPortsAndLinksUpToTheCycle) {
  Bench bench(small_po2(3, 1));
  bench.network->send_packet(NodeId{0}, NodeId{1}, 9);
  const auto expect = [&](std::uint64_t cycle, double pe, double link) {
    bench.run(cycle - bench.network->now());
    EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_busy"), pe / 3) << "after " << cycle;  // three nodes
    EXPECT_DOUBLE_EQ(po2_figure(bench, "link_busy"), link / 4) << "after " << cycle;   // four ends of links
  };
  expect(4, 4, 0);
  expect(6, 6, 2 * 1);
  expect(10, 10 + 3, 2 * 5);
  expect(14, 12 + 7, 2 * 9);
  expect(40, 12 + 10, 2 * 11);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "link_waiting"), 0.0);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_waiting"), 0.0);
  EXPECT_EQ(bench.network->fabric().link_use(RouterId{0}, routing::kEast).packet_flits, 9U);
  EXPECT_EQ(bench.network->fabric().link_use(RouterId{1}, routing::kWest).packet_flits, 0U);
}

/// One buffer, two packets at node 0: its port is free in 7, the buffer in 11. Four cycles idle though wanted.
TEST(Po2Figures, CountAPortThatIsRefusedAsWaiting) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  Bench bench(e);
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(9);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_waiting"), 2.0 / 3);
  bench.run(3);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_waiting"), 4.0 / 3);
  // Node 0's port 0 to 7 and from 11 on, node 1's from 7 on: 7 + 1 + 5.
  EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_busy"), 13.0 / 3);
}

/// The link 0-1 is held until 109. The second packet's header is in at 12: by derouting it goes north at once, then
/// over routers 3 and 4, and arrives 3 * 2 + 1 + 4 later; else it waits for the link.
TEST(Po2Deroute, TakesAStepAwayFromABusyLinkAndIsCounted) {
  struct Case {
    const char* routing;
    std::uint32_t most, deroutes, delivered;
  };
  for (const Case& c : {Case{"derouting", 1, 1, 12 + 3 * 2 + 1 + 4}, Case{"derouting", 0, 0, 109 + 2 + 1 + 4},
                        Case{"best_paths", 1, 0, 109 + 2 + 1 + 4}}) {
    Experiment e = small_po2(3, 3);
    e.set("routing.algorithm", c.routing);
    e.set("routing.max_deroutes", c.most);
    e.set("po2.acknowledge_cycles", 100);
    Bench bench(e);
    for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    expect_delivery(bench, 12, 1);
    expect_delivery(bench, c.delivered, 2);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "deroutes"), c.deroutes) << c.routing;
    EXPECT_EQ(bench.network->flit_hops(), (2 + 2 + 2 * c.deroutes) * 4U) << "two links more by the deroute";
  }
}

/// Whatever is under way, every cycle's walk finds each packet and flit once: between two routers both hold a buffer.
TEST(Po2Census, FindsEveryPacketInEveryCycle) {
  for (const char* avoidance : {"none", "up_down_escape", "rejections and errors"}) {
    Experiment e = small_po2(3, 3);
    const bool lossy = std::string(avoidance) == "rejections and errors";
    e.set("po2.rejection", lossy ? "tried" : "seen");
    e.set("po2.error_rate", lossy ? 0.2 : 0.0);
    e.set("traffic.rate_flits_per_node_cycle", 0.5);
    e.set("traffic.flits", 8);
    e.set("po2.buffers", 4);
    e.set("po2.avoidance", lossy ? "none" : avoidance);
    e.set("po2.escape_patience_cycles", 20);
    Bench bench(e);
    for (int i = 0; i < 600; ++i) {
      bench.run(1);
      ASSERT_TRUE(bench.network->conservation().holds()) << "cycle " << i << ", " << avoidance;
    }
    EXPECT_GT(bench.network->conservation().flits_in_flight, 50U);
  }
}

/// One packet alone: in the network from its first cycle (the flits count from the grant of its node's port).
TEST(Po2Census, CountsAPacketOnceWhileTwoRoutersHoldIt) {
  Bench bench(small_po2(2, 1));
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  for (std::uint64_t cycle = 0; cycle < 11; ++cycle) {
    bench.run(1);
    EXPECT_EQ(bench.network->conservation().packets_in_flight, 1U) << cycle;
    EXPECT_EQ(bench.network->conservation().flits_in_flight, 4U) << cycle;
    const std::size_t held = po2_fabric(bench).routers()[0].held() + po2_fabric(bench).routers()[1].held();
    EXPECT_EQ(held, cycle >= 5 && cycle < 10 ? 2U : 1U) << "link from 5 to 11, after cycle " << cycle;
  }
  bench.run(1);
  EXPECT_EQ(bench.network->conservation().packets_in_flight, 0U);
  EXPECT_EQ(bench.network->conservation().flits_in_flight, 0U);
}

/// The link is held for 4 + 2 cycles a trial, from cycle 5 on, until one is not damaged: 2 + 1 + 4 cycles later the
/// packet is there. Whether a trial is, both ends know from the receiving port's stream: here drawn a second time.
TEST(Po2Error, IsSentAgainUntilItIsReceivedWell) {
  std::uint64_t most = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Experiment e = small_po2(2, 1);
    e.set("experiment.seed", static_cast<std::int64_t>(seed));
    e.set("po2.error_rate", 0.5);
    const std::uint64_t receiving = routing::kMaxPorts + routing::kWest.value;  // of router 1
    const Random port(Random(seed, "po2.errors").nth(receiving));
    std::uint64_t cycle = 5, again = 0;
    for (; port.nth(cycle) < Random::probability_bits(0.5); cycle += 6) ++again;
    Bench bench(e);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    SCOPED_TRACE(seed);
    expect_delivery(bench, cycle + 2 + 1 + 4, 1);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "retransmissions"), static_cast<double>(again));
    EXPECT_EQ(bench.network->flit_hops(), (2 + again) * 4U);
    most = std::max(most, again);
  }
  EXPECT_GE(most, 2U) << "some packet was sent three times";
}

/// Of crossings that are tried until they succeed, e / (1 - e) fail for each that does not: 2000 crossings, four
/// standard deviations.
TEST(Po2Error, ComesAsOftenAsItsRateSays) {
  Experiment e = small_po2(2, 1);
  e.set("po2.error_rate", 0.2);
  Bench bench(e);
  for (int i = 0; i < 2000; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(40000);
  ASSERT_EQ(bench.delivered(), 2000U);
  EXPECT_NEAR(po2_figure(bench, "retransmissions"), 500.0, 4 * std::sqrt(2000.0 * 0.2) / 0.8);
}

/// Two messages of two packets, first in, first out: the first packet of each costs 10 + 100 cycles of the port.
TEST(Po2Message, CostsItsSwitchAndItsMiss) {
  Experiment e = small_po2(2, 1);
  e.set("message.packet_flits", 4);
  e.set("po2.switch_cycles", 10);
  e.set("po2.miss_cycles", 100);
  Bench bench(e);
  for (int i = 0; i < 2; ++i) send_message(bench, NodeId{0}, NodeId{1}, 2);
  expect_delivery(bench, 110 + 12, 1);
  expect_delivery(bench, 110 + 12 + 7, 2);
  expect_delivery(bench, 2 * 110 + 12 + 14, 3);
  expect_delivery(bench, 2 * 110 + 12 + 21, 4);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "message_switches"), 2.0);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "message_misses"), 2.0);
}

/// The second message comes when the first has arrived, and has its slot in the store: it is another one all the same.
TEST(Po2Message, IsAnotherOneInTheSlotOfOneThatHasArrived) {
  Experiment e = small_po2(2, 1);
  e.set("message.packet_flits", 4);
  e.set("po2.switch_cycles", 10);
  Bench bench(e);
  for (int i = 1; i <= 2; ++i) {
    send_message(bench, NodeId{0}, NodeId{1}, 1);
    bench.run(100);
    EXPECT_EQ(bench.delivered(), static_cast<std::uint64_t>(i));
    EXPECT_DOUBLE_EQ(po2_figure(bench, "message_switches"), i);
  }
}

/// Round robin turns to another message with each of 6 packets; with both at hand only the first of each is missed, and
/// of three in turn with room for two, every one.
TEST(Po2Message, IsMissedAsOftenAsTheCacheIsSmall) {
  for (const auto& [messages, cached, misses] : {std::tuple(2, 1, 6), std::tuple(2, 2, 2), std::tuple(3, 2, 9)}) {
    Experiment e = small_po2(2, 1);
    e.set("message.packet_flits", 4);
    e.set("interface.scheduler", "round_robin");
    e.set("po2.switch_cycles", 10);
    e.set("po2.miss_cycles", 100);
    e.set("po2.cached_messages", cached);
    Bench bench(e);
    for (int i = 0; i < messages; ++i) send_message(bench, NodeId{0}, NodeId{1}, 3);
    bench.run(2000);
    ASSERT_EQ(bench.delivered(), 3U * messages);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "message_switches"), 3.0 * messages);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "message_misses"), misses);
    EXPECT_DOUBLE_EQ(po2_figure(bench, "pe_port_busy") * 2, 3.0 * messages * (7 + 10 + 5) + 100 * misses);
  }
}

/// One packet of 9 flits from router 0 to router 1 of three: into pools for 12 + 11 cycles, out of them for 11 + 10.
TEST(Po2Crossbars, CountTheirPortsInUse) {
  Bench bench(small_po2(3, 1));
  bench.network->send_packet(NodeId{0}, NodeId{1}, 9);
  bench.run(40);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "crossbar_in_busy"), (12.0 + 11.0) / 3);
  EXPECT_DOUBLE_EQ(po2_figure(bench, "crossbar_out_busy"), (11.0 + 10.0) / 3);
}

/// Three neighbours' packets for node 4 ask in 5. With one port into the pool each begins when the link of the one
/// before is acknowledged: in 5, 11 and 17; else they wait for node 4's port alone, 5 cycles each from 7 on.
TEST(Po2Crossbars, LetInAsManyPacketsAsTheyHavePorts) {
  for (const std::uint32_t ports : {0U, 1U, 2U}) {
    Experiment e = small_po2(3, 3);
    e.set("po2.crossbar_in_ports", ports);
    Bench bench(e);
    for (const std::size_t from : {1U, 3U, 5U}) bench.network->send_packet(NodeId{from}, NodeId{4}, 4);
    expect_delivery(bench, 12, 1);
    expect_delivery(bench, ports == 1 ? 18 : 17, 2);
    expect_delivery(bench, ports == 1 ? 24 : 22, 3);
  }
}

/// The first packet has router 0's way out from 5 until 109; the second, for another neighbour, waits for it or not.
TEST(Po2Crossbars, LetOutAsManyPacketsAsTheyHavePorts) {
  for (const std::uint32_t ports : {0U, 1U, 2U}) {
    Experiment e = small_po2(2, 2);
    e.set("po2.acknowledge_cycles", 100);
    e.set("po2.crossbar_out_ports", ports);
    Bench bench(e);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 4);
    expect_delivery(bench, 12, 1);
    expect_delivery(bench, ports == 1 ? 109 + 7 : 19, 2);
  }
}

}  // namespace
}  // namespace braid::test::po2_timing_test
