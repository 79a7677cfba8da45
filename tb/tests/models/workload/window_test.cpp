// The measurement window over a network, to the cycle: what counts in its first and its last cycle, and not in those
// before and after; what endpoints make of packets.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/support/loads.h"

namespace braid::test::window_test {
namespace {

using models::Experiment;

struct Seen {
  double delivered = 0, injected = 0;  // flits, of all nodes
};

/// Four flits from node 0 to node 1, made in cycle 9: the interface sends them in cycles 10 to 13, so that they are on
/// the injection link in 11 to 14; the tail arrives 3 + 5 x 2 + 3 cycles after creation, in cycle 25. The window is
/// the cycles `first` to `last`.
Seen seen_in(std::uint64_t first, std::uint64_t last) {
  Bench bench(uniform_mesh(0.0, 2, 1));
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(first - 10);
  bench.network->window() = {true, first, 1000};
  bench.run(last + 1 - first);
  bench.network->window().open = false;
  bench.run(100);
  EXPECT_EQ(bench.delivered(), 1U);
  // A second packet, of the window, so that the class has figures; it is neither sent nor delivered inside.
  bench.network->window() = {true, bench.network->now() - 1, 1000};
  bench.network->send_packet(NodeId{1}, NodeId{0}, 1);
  const auto packets = bench.network->merged_statistics().results(1).at(0);
  EXPECT_EQ(packets.packet_latency_distribution.count, 0U) << "the first was made before";
  Seen seen;
  for (const double flits : packets.delivered_flits_per_cycle_by_node) seen.delivered += flits;
  for (const double flits : packets.injected_flits_per_cycle_by_node) seen.injected += flits;
  return seen;
}

TEST(WindowCycles, FirstAndLastCountADelivery) {
  EXPECT_EQ(seen_in(20, 24).delivered, 0.0) << "the cycle after the last";
  EXPECT_EQ(seen_in(20, 25).delivered, 4.0) << "the last cycle";
  EXPECT_EQ(seen_in(25, 25).delivered, 4.0) << "the first and the last";
  EXPECT_EQ(seen_in(25, 30).delivered, 4.0) << "the first cycle";
  EXPECT_EQ(seen_in(26, 30).delivered, 0.0) << "the cycle before the first";
}

TEST(WindowCycles, CountAPacketAsInjectedWhenItsTailLeavesTheQueue) {
  EXPECT_EQ(seen_in(10, 12).injected, 0.0);
  EXPECT_EQ(seen_in(10, 13).injected, 4.0);
  EXPECT_EQ(seen_in(13, 13).injected, 4.0);
  EXPECT_EQ(seen_in(14, 30).injected, 0.0);
}

/// Packets are made in every cycle, delivered two cycles later.
TEST(WindowCycles, CountThePacketsMadeInThem) {
  Bench bench(even_load());
  bench.run(50);
  bench.network->window() = {true, 50, 100};
  EXPECT_EQ(bench.network->measured_packets_under_way(), 0U);
  bench.run(1);
  EXPECT_EQ(bench.network->measured_packets_under_way(), 16U);
  bench.run(1);
  EXPECT_EQ(bench.network->measured_packets_under_way(), 32U);
  bench.run(98);
  EXPECT_EQ(bench.network->measured_packets_under_way(), 32U) << "made in the last two cycles";
  bench.network->window().open = false;
  bench.run(1);
  EXPECT_EQ(bench.network->measured_packets_under_way(), 16U);
  bench.run(1);
  EXPECT_EQ(bench.network->measured_packets_under_way(), 0U);
  const auto packets = bench.network->merged_statistics().results(100).at(0);
  EXPECT_EQ(packets.packet_latency_distribution.count, 1600U);
  EXPECT_DOUBLE_EQ(packets.offered_flits_per_node_cycle, 1.0);
  EXPECT_DOUBLE_EQ(packets.accepted_flits_per_node_cycle.mean, 1.0);
}

/// One packet of each node to its neighbour, two flits: 3 + 5 x 2 + 1 cycles.
TEST(WindowCycles, GiveAnIntervalOfAllSlicesSinceTheLast) {
  Bench bench(uniform_mesh(0.0, 4, 1), 4);
  bench.run(10);
  for (std::size_t n = 0; n < 4; ++n) bench.network->send_packet(NodeId{n}, NodeId{n ^ 1}, 2);
  bench.run(13);
  EXPECT_EQ(bench.network->take_interval().packets, 0U);
  bench.run(1);
  const models::Statistics::Interval interval = bench.network->take_interval();
  EXPECT_EQ(interval.packets, 4U);
  EXPECT_EQ(interval.flits, 8U);
  EXPECT_EQ(interval.latency_sum, 4U * 14U);
  EXPECT_EQ(bench.network->take_interval().packets, 0U);
  EXPECT_EQ(bench.network->flit_hops(), 16U) << "two routers each";
  EXPECT_EQ(bench.network->movements(), 16U + 8U + 8U) << "hops, flits injected, flits delivered";
}

// ---------------------------------------------------------------- endpoints

/// The request of four flits takes 16 cycles; its answer is made in the cycle in which the tail is there.
TEST(Endpoints, AnswerARequestOnceWhenItsTailArrives) {
  Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("traffic.request_reply", true);
  e.set("traffic.reply_flits", 2);
  Bench bench(e);
  bench.run(10);
  sources_of(bench).send(9, NodeId{0}, NodeId{1}, 4);
  const auto made = [&] { return bench.network->conservation().packets_created; };
  bench.run(15);
  EXPECT_EQ(made(), 1U);
  bench.run(1);
  EXPECT_EQ(made(), 2U);
  bench.run(100);
  EXPECT_EQ(bench.delivered(), 2U);
  EXPECT_EQ(bench.network->conservation().flits_delivered, 6U);
  EXPECT_EQ(made(), 2U) << "an answer is not answered";
}

/// Two packets of one flit to different nodes from two local ports take as long as one.
TEST(Endpoints, UseTheLocalPortsOfANodeInTurn) {
  Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("topology.local_ports", 2);
  Bench bench(e);
  bench.run(10);
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{1}, NodeId{i == 0 ? 0U : 2U}, 1);
  bench.run(12);
  EXPECT_EQ(bench.delivered(), 0U);
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 2U);
}

/// The second packet waits behind the first, so that no cycle of the link is lost; the queue keeps the other items.
TEST(Endpoints, KeepTwoPacketsOfAStreamAheadOfTheLink) {
  Bench bench(streaming(stream_pair(1, 1, 64, 64)));
  const models::StreamProgram::Edge& edge = program_of(bench).edges()[0];
  std::uint32_t most = 0;
  for (int i = 0; i < 500; ++i) {
    bench.run(1);
    most = std::max(most, edge.unsent_packets);
  }
  EXPECT_EQ(most, 2U);
  // The first packet is made in cycle 1; its tail, eight flits, arrives 3 + 5 x 2 + 7 cycles later, then one each
  // eight.
  EXPECT_EQ(edge.delivered_items, 8U * (1U + (499U - 21U) / 8U));
}

TEST(Endpoints, StopMakingPacketsWhenAskedTo) {
  Bench bench(even_load());
  bench.run(10);
  bench.network->stop_sources();
  bench.run(10);
  EXPECT_EQ(bench.network->conservation().packets_created, 160U);
  EXPECT_EQ(bench.delivered(), 160U);
}

/// A packet a cycle into a queue of two on a node whose only way out takes one every third cycle.
TEST(Endpoints, MakeNoPacketForAFullQueue) {
  Experiment e = overload();
  e.set("interface.source_queue_packets", 2);
  Bench bench(e);
  bench.run(300);
  const models::Conservation c = bench.network->conservation();
  EXPECT_LE(c.packets_in_flight, 3U * 2U + 1U) << "two a queue, one on the link";
  EXPECT_GE(c.packets_in_flight, 3U * 2U);
  EXPECT_TRUE(c.holds());
  EXPECT_EQ(c.packets_delivered, 298U) << "one a cycle from cycle 2 on";
}

}  // namespace
}  // namespace braid::test::window_test
