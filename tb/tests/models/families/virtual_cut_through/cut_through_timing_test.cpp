// Virtual cut-through: rates and latencies on long links, packets and credits beyond a turn of the timing wheel (256
// cycles), the bubble condition, each to the cycle.
//
// A grant in t takes a buffer downstream; the head can go on there in t + n (links of n cycles), its tail leaves in
// t + n + L - 1, and the credit counts d cycles later and n - 1 more for the wire: a loop of L + 2 n - 2 + d cycles.
#include <gtest/gtest.h>

#include <tuple>

#include "tb/tests/support/cut_through.h"

namespace braid::test::cut_through_timing_test {
namespace {

using models::Experiment;

Experiment row(std::uint32_t routers, std::uint32_t latency) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.width", routers);
  e.set("topology.height", 1);
  e.set("topology.link_latency_cycles", latency);
  e.set("interface.source_queue_packets", 0);
  return e;
}

// ---------------------------------------------------------------- rates and latencies

class CutThroughRate : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> {};

TEST_P(CutThroughRate, IsBuffersOverTheCreditLoop) {
  const auto [latency, queue, flits] = GetParam();
  for (const std::uint32_t delay : {1U, 2U}) {
    Experiment e = row(2, latency);
    e.set("router.queue_packets", queue);
    e.set("router.credit_delay_cycles", delay);
    Bench bench(e);
    bench.run(1);
    const std::uint64_t loop = flits + 2 * latency - 2 + delay;
    for (std::uint64_t i = 0; i < 40 * loop; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, flits);
    bench.run(10 * loop);
    const std::uint64_t before = sent(bench, 0, 0);
    bench.run(20 * loop * flits);  // a whole number of packets at full rate, too
    const std::uint64_t flits_a_loop = std::min<std::uint64_t>(std::uint64_t{queue} * flits, loop);
    EXPECT_EQ(sent(bench, 0, 0) - before, 20 * flits * flits_a_loop) << "loop of " << loop << ", delay " << delay;
  }
}
INSTANTIATE_TEST_SUITE_P(LinksBuffersLengths, CutThroughRate,
                         testing::Combine(testing::Values(1, 2, 5), testing::Values(1, 2, 3), testing::Values(1, 5)));

class CutThroughLatency : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t>> {};

/// R + L, and each of the R - 1 links takes n - 1 cycles more. 255 to 257 and 513 flits are beyond turns of the wheel.
TEST_P(CutThroughLatency, IsOneCycleARouterTheLengthAndTheLinks) {
  const auto [latency, flits] = GetParam();
  Bench bench(row(4, latency));
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{3}, flits);
  const std::uint64_t expected = 4 + flits + 3 * (latency - 1);
  bench.run(expected - 1);
  EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = " << expected;
}
INSTANTIATE_TEST_SUITE_P(LinksLengths, CutThroughLatency,
                         testing::Combine(testing::Values(1, 7), testing::Values(1, 255, 256, 513)));

/// Two packets of L flits for one node: the second is granted when the first's tail has left the port. Created 0, the
/// first's tail arrives in 1 + L, the second's L later.
TEST(CutThroughWheel, KeepsAPortBusyForPacketsLongerThanATurn) {
  for (const std::uint32_t flits : {250U, 256U, 300U, 600U}) {
    Bench bench(vct_tree(1, 0.0));
    bench.run(1);
    bench.network->send_packet(NodeId{0}, NodeId{3}, flits);
    bench.network->send_packet(NodeId{1}, NodeId{3}, flits);
    bench.run(1 + flits);
    EXPECT_EQ(bench.delivered(), 1U);
    bench.run(flits - 1);
    EXPECT_EQ(bench.delivered(), 1U) << "at cycle N - 1, " << flits << " flits";
    bench.run(1);
    EXPECT_EQ(bench.delivered(), 2U) << "at cycle N = 1 + 2 L";
  }
}

/// One buffer: the interface sends its second packet when the first one's credit is back, d cycles after its tail left
/// the router in 1 + L. On the injection link in 1 + L + d, granted a cycle later, at the node in 1 + 2 L + d. With
/// more buffers it follows at once: 1 + 2 L.
TEST(CutThroughInjection, WaitsForTheCreditOfItsBuffer) {
  for (const std::uint32_t flits : {4U, 300U}) {
    for (const std::uint32_t delay : {0U, 1U, 2U}) {  // 0: two buffers
      Experiment e = vct_tree(1, 0.0);
      e.set("router.queue_packets", delay == 0 ? 2 : 1);
      e.set("router.credit_delay_cycles", std::max(delay, 1U));
      Bench bench(e);
      bench.run(1);
      for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{3}, flits);
      bench.run(2 * flits + delay);
      EXPECT_EQ(bench.delivered(), 1U) << flits << " flits, delay " << delay;
      bench.run(1);
      EXPECT_EQ(bench.delivered(), 2U) << flits << " flits, delay " << delay;
    }
  }
}

/// The credit of a packet of 400 flits over a link of 3 cycles. A grants in 2, B in 5; the tail leaves B in 404; the
/// credit, a cycle of delay and two on the wire, counts in 407.
TEST(CutThroughCredit, ComesBackInItsCycleAfterALongPacket) {
  Experiment e = row(2, 3);
  e.set("router.queue_packets", 2);
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 400);
  const std::uint32_t east = bank(bench).port_index(RouterId{0}, PortId{0});
  bench.run(1);
  EXPECT_EQ(bank(bench).credits[east], 2);
  bench.run(1);
  EXPECT_EQ(bank(bench).credits[east], 1) << "granted in cycle 2";
  while (bench.network->now() < 406) bench.run(1);
  EXPECT_EQ(bank(bench).credits[east], 1) << "in cycle 406";
  EXPECT_EQ(bank(bench).downstream[east].granted_flits, 400U);
  bench.run(1);
  EXPECT_EQ(bank(bench).credits[east], 2) << "in cycle 407";
  EXPECT_EQ(bank(bench).downstream[east].granted_flits, 0U);
}

// ---------------------------------------------------------------- the bubble

/// A torus with two buffers a queue. A packet of 200 flits takes node 1's port in cycle 3; then one of 16 flits from
/// node 0 to node 1 is granted the ring in 7, and holds one of the two buffers at router 1 until its own way is free in
/// 203: its tail leaves in 218, its credit counts in 219.
Experiment torus_of_two_buffers() {
  Experiment e = vct_grid("torus", 0.0);
  e.set("router.queue_packets", 2);
  return e;
}
void hold_a_buffer(Bench& bench) {
  bench.run(1);
  bench.network->send_packet(NodeId{9}, NodeId{1}, 200);
  bench.run(5);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 16);
  bench.run(24);
}

TEST(Bubble, HoldsAPacketThatEntersARingUntilTwoBuffersAreFree) {
  Bench bench(torus_of_two_buffers());
  hold_a_buffer(bench);
  ASSERT_EQ(sent(bench, 0, 0), 16U);
  ASSERT_EQ(bank(bench).credits[bank(bench).port_index(RouterId{0}, PortId{0})], 1);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 16);
  while (bench.network->now() < 219) bench.run(1);
  EXPECT_EQ(sent(bench, 0, 0), 16U) << "with one free buffer";
  bench.run(1);
  EXPECT_EQ(sent(bench, 0, 0), 32U) << "with two, in cycle 219";
}

/// From router 7 the packet goes on eastwards through 0: it is in the ring already. Created in 29, on the injection
/// link in 30, granted by router 7 in 31 and by router 0 in 32.
TEST(Bubble, LetsAPacketStayInItsRingWithOneFreeBuffer) {
  Bench bench(torus_of_two_buffers());
  hold_a_buffer(bench);
  ASSERT_EQ(bench.network->now(), 30U);
  bench.network->send_packet(NodeId{7}, NodeId{2}, 16);
  bench.run(2);
  EXPECT_EQ(sent(bench, 7, 0), 16U) << "router 0's queue has two free buffers";
  EXPECT_EQ(sent(bench, 0, 0), 16U);
  bench.run(1);
  EXPECT_EQ(sent(bench, 0, 0), 32U) << "in cycle 32, with one free buffer";
}

/// A second packet in the ring, from router 7, takes the last buffer; then one buffer comes back in 219 and the other
/// in 235: the first packet leaves 203 to 218, the second 219 to 234.
TEST(Bubble, IsNotThereWithTheFirstBufferThatComesBack) {
  Bench bench(torus_of_two_buffers());
  hold_a_buffer(bench);
  bench.network->send_packet(NodeId{7}, NodeId{1}, 16);
  bench.run(20);
  ASSERT_EQ(bank(bench).credits[bank(bench).port_index(RouterId{0}, PortId{0})], 0);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 16);
  while (bench.network->now() < 235) bench.run(1);
  EXPECT_EQ(bank(bench).credits[bank(bench).port_index(RouterId{0}, PortId{0})], 2) << "from 235 on";
  EXPECT_EQ(sent(bench, 0, 0), 32U) << "not in 219 to 234, with one";
  bench.run(1);
  EXPECT_EQ(sent(bench, 0, 0), 48U) << "in 235";
}

/// A packet that turns from one ring into another enters it.
TEST(Bubble, HoldsAPacketThatTurnsIntoARing) {
  Bench bench(torus_of_two_buffers());
  bench.run(1);
  bench.network->send_packet(NodeId{10}, NodeId{9}, 200);  // takes node 9's port
  bench.run(5);
  bench.network->send_packet(NodeId{1}, NodeId{9}, 16);  // north from router 1: one buffer at router 9
  bench.run(24);
  ASSERT_EQ(bank(bench).credits[bank(bench).port_index(RouterId{1}, PortId{2})], 1);
  bench.network->send_packet(NodeId{0}, NodeId{17}, 16);  // east to router 1, then north
  while (bench.network->now() < 219) bench.run(1);
  EXPECT_EQ(sent(bench, 0, 0), 16U);
  EXPECT_EQ(sent(bench, 1, 2), 16U) << "with one free buffer";
  bench.run(1);
  EXPECT_EQ(sent(bench, 1, 2), 32U) << "with two, in cycle 219";
}

/// Whatever is under way, every cycle's walk over queues and links finds each packet and flit once.
TEST(CutThroughCensus, FindsEveryPacketInEveryCycleOnLongLinks) {
  for (const std::uint32_t latency : {1U, 4U}) {
    Experiment e = vct_grid("torus", 0.6);
    e.set("topology.link_latency_cycles", latency);
    Bench bench(e);
    for (int i = 0; i < 300; ++i) {
      bench.run(1);
      ASSERT_TRUE(bench.network->conservation().holds()) << "cycle " << i << ", links of " << latency;
    }
    EXPECT_GT(bench.network->conservation().flits_in_flight, 100U);
  }
}

}  // namespace
}  // namespace braid::test::cut_through_timing_test
