// PO2 by hand, with small numbers (tb/tests/support/po2_row.h): zero load, ports and links held, events beyond a turn
// of the timing wheel (1024 cycles), figures, counts.
#include <gtest/gtest.h>

#include <tuple>

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
  for (const char* avoidance : {"none", "up_down_escape"}) {
    Experiment e = small_po2(3, 3);
    e.set("traffic.rate_flits_per_node_cycle", 0.5);
    e.set("traffic.flits", 8);
    e.set("po2.buffers", 4);
    e.set("po2.avoidance", avoidance);
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

}  // namespace
}  // namespace braid::test::po2_timing_test
