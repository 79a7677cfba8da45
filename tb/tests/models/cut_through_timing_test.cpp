// Virtual cut-through: rates and latencies on long links, packets and credits beyond a turn of the timing wheel (256
// cycles), the bubble condition, turns and choices, each to the cycle.
//
// A grant in t takes a buffer downstream; the head can go on there in t + n (links of n cycles), its tail leaves in
// t + n + L - 1, and the credit counts d cycles later and n - 1 more for the wire: a loop of L + 2 n - 2 + d cycles.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "models/virtual_cut_through/vct_fabric.h"
#include "tb/tests/support/trees.h"

namespace braid::test {
namespace {

using models::Experiment;

const models::VctBank& bank(const Bench& bench) {
  return dynamic_cast<const models::VctFabric&>(std::as_const(*bench.network).fabric()).bank();
}

Experiment row(std::uint32_t routers, std::uint32_t latency) {
  Experiment e = vct_grid("mesh", 0.0);
  e.topology.width = routers;
  e.topology.height = 1;
  e.topology.link_latency_cycles = latency;
  e.interface.source_queue_packets = 0;
  return e;
}

std::uint64_t sent(const Bench& bench, std::size_t router, std::size_t port) {
  return bench.network->fabric().link_use(RouterId{router}, PortId{port}).packet_flits;
}

// ---------------------------------------------------------------- rates and latencies

class CutThroughRate : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> {};

TEST_P(CutThroughRate, IsBuffersOverTheCreditLoop) {
  const auto [latency, queue, flits] = GetParam();
  for (const std::uint32_t delay : {1U, 2U}) {
    Experiment e = row(2, latency);
    e.router.queue_packets = queue;
    e.router.credit_delay_cycles = delay;
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
      e.router.queue_packets = delay == 0 ? 2 : 1;
      e.router.credit_delay_cycles = std::max(delay, 1U);
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
  e.router.queue_packets = 2;
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 400);
  const std::uint32_t east = bank(bench).port_index(RouterId{0}, 0);
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
  e.router.queue_packets = 2;
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
  ASSERT_EQ(bank(bench).credits[bank(bench).port_index(RouterId{0}, 0)], 1);
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
  ASSERT_EQ(bank(bench).credits[bank(bench).port_index(RouterId{0}, 0)], 0);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 16);
  while (bench.network->now() < 235) bench.run(1);
  EXPECT_EQ(bank(bench).credits[bank(bench).port_index(RouterId{0}, 0)], 2) << "from 235 on";
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
  ASSERT_EQ(bank(bench).credits[bank(bench).port_index(RouterId{1}, 2)], 1);
  bench.network->send_packet(NodeId{0}, NodeId{17}, 16);  // east to router 1, then north
  while (bench.network->now() < 219) bench.run(1);
  EXPECT_EQ(sent(bench, 0, 0), 16U);
  EXPECT_EQ(sent(bench, 1, 2), 16U) << "with one free buffer";
  bench.run(1);
  EXPECT_EQ(sent(bench, 1, 2), 32U) << "with two, in cycle 219";
}

// ---------------------------------------------------------------- turns and choices

/// Inputs of a switch of four nodes whose packet leaves towards node 3, in the order in which they get the port.
std::string turns(Bench& bench, int cycles) {
  std::string order;
  std::vector<bool> was(3);
  for (int i = 0; i < cycles; ++i) {
    bench.run(1);
    for (std::uint32_t in = 0; in < 3; ++in) {
      const bool leaving = bank(bench).queues[bank(bench).port_index(RouterId{0}, in)].leaving;
      if (leaving && !was[in]) order += static_cast<char>('0' + in);
      was[in] = leaving;
    }
  }
  return order;
}

TEST(CutThroughTurns, GoRoundFromTheInputAfterTheLastWinner) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  for (int i = 0; i < 3; ++i) {
    for (std::size_t n = 0; n < 3; ++n) bench.network->send_packet(NodeId{n}, NodeId{3}, 4);
  }
  EXPECT_EQ(turns(bench, 60), "012012012");
  bench.network->send_packet(NodeId{1}, NodeId{3}, 4);
  EXPECT_EQ(turns(bench, 20), "1");
  for (std::size_t n = 0; n < 3; ++n) bench.network->send_packet(NodeId{n}, NodeId{3}, 4);
  EXPECT_EQ(turns(bench, 40), "201") << "after 1 comes 2";
}

TEST(CutThroughTurns, PassOverInputsThatDoNotAsk) {
  Bench bench(vct_tree(1, 0.0));
  bench.run(1);
  for (int i = 0; i < 3; ++i) {
    bench.network->send_packet(NodeId{0}, NodeId{3}, 4);
    bench.network->send_packet(NodeId{2}, NodeId{3}, 4);
  }
  EXPECT_EQ(turns(bench, 60), "020202");
}

/// Four nodes of one switch send upwards one after the other: each takes a way up with no flits downstream.
TEST(CutThroughChoice, TakesTheWayWithFewestFlitsDownstream) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Experiment e = vct_tree(2, 0.0);
    e.seed = seed;
    Bench bench(e);
    bench.run(1);
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{n}, NodeId{4 + 4 * (n % 3) + n}, 64);
      bench.run(3);
    }
    for (std::size_t up = 4; up < 8; ++up) EXPECT_EQ(sent(bench, 0, up), 64U) << "seed " << seed << ", port " << up;
  }
}

/// Packets of 1000 flits keep every root switch's way down to nodes 4 to 7 busy. Three packets of 32 flits and one of 8
/// for node 4 then wait at the roots, one at each: the next packet finds one packet behind every way up, but fewer
/// flits behind the fourth.
TEST(CutThroughChoice, CountsFlitsNotPackets) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Experiment e = vct_tree(2, 0.0);
    e.seed = seed;
    Bench bench(e);
    bench.run(1);
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{8 + n}, NodeId{4 + n}, 1000);
      bench.run(4);
    }
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{n}, NodeId{4}, n < 3 ? 32 : 8);
      bench.run(4);
    }
    bench.run(50);
    std::multiset<std::uint64_t> before, after;
    for (std::size_t up = 4; up < 8; ++up) before.insert(sent(bench, 0, up));
    ASSERT_EQ(before, (std::multiset<std::uint64_t>{8, 32, 32, 32}));
    bench.network->send_packet(NodeId{3}, NodeId{12}, 5);
    bench.run(3);
    for (std::size_t up = 4; up < 8; ++up) after.insert(sent(bench, 0, up));
    EXPECT_EQ(after, (std::multiset<std::uint64_t>{13, 32, 32, 32})) << "seed " << seed;
  }
}

/// Three ways up have 32 flits downstream. On the fourth a packet of 64 is granted in cycle t: it counts by the flits
/// that have gone, c - t in cycle c. Until t + 31 a head from node 0 prefers that busy way and waits for it; in t + 32
/// all four are equal, and in t + 33 the other three are better.
TEST(CutThroughChoice, CountsTheFlitsOfAPacketAsTheyGo) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Experiment e = vct_tree(2, 0.0);
    e.seed = seed;
    Bench bench(e);
    bench.run(1);
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{8 + n}, NodeId{4 + n}, 1000);
      bench.run(4);
    }
    for (std::size_t n = 0; n < 3; ++n) {
      bench.network->send_packet(NodeId{n}, NodeId{4}, 32);
      bench.run(4);
    }
    bench.run(50);
    const auto ways = [&] {
      std::multiset<std::uint64_t> flits;
      for (std::size_t up = 4; up < 8; ++up) flits.insert(sent(bench, 0, up));
      return flits;
    };
    const std::uint64_t t = bench.network->now() + 1;  // on the injection link now, granted in the next cycle
    bench.network->send_packet(NodeId{3}, NodeId{4}, 64);
    bench.run(4);
    bench.network->send_packet(NodeId{0}, NodeId{12}, 5);
    while (bench.network->now() < t + 32) bench.run(1);
    EXPECT_EQ(ways(), (std::multiset<std::uint64_t>{32, 32, 32, 64})) << "seed " << seed;
    bench.run(2);
    EXPECT_EQ(ways(), (std::multiset<std::uint64_t>{32, 32, 37, 64})) << "seed " << seed;
  }
}

/// Three ways up have 8 flits downstream. The packet of 64 on the fourth goes on at its root as it comes: two flits at
/// most are there. So a head prefers that way all the time, and gets it when the tail has left, in t + 64.
TEST(CutThroughChoice, CountsFlitsThatWentOnDownstreamAsGone) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Experiment e = vct_tree(2, 0.0);
    e.seed = seed;
    Bench bench(e);
    bench.run(1);
    for (std::size_t n = 0; n < 4; ++n) {
      bench.network->send_packet(NodeId{8 + n}, NodeId{4 + n}, 1000);
      bench.run(4);
    }
    for (std::size_t n = 0; n < 3; ++n) {
      bench.network->send_packet(NodeId{n}, NodeId{4}, 8);
      bench.run(4);
    }
    bench.run(50);
    const auto ways = [&] {
      std::multiset<std::uint64_t> flits;
      for (std::size_t up = 4; up < 8; ++up) flits.insert(sent(bench, 0, up));
      return flits;
    };
    const std::uint64_t t = bench.network->now() + 1;
    bench.network->send_packet(NodeId{3}, NodeId{12}, 64);
    bench.run(4);
    bench.network->send_packet(NodeId{0}, NodeId{13}, 5);
    while (bench.network->now() < t + 64) bench.run(1);
    EXPECT_EQ(ways(), (std::multiset<std::uint64_t>{8, 8, 8, 64})) << "seed " << seed;
    bench.run(1);
    EXPECT_EQ(ways(), (std::multiset<std::uint64_t>{8, 8, 8, 69})) << "seed " << seed;
  }
}

/// Ties are drawn at random from the seed: the same seed makes the same choice, and every way is taken by some seed.
TEST(CutThroughChoice, DrawsTiesFromTheSeed) {
  const auto choice = [](std::uint64_t seed) {
    Experiment e = vct_tree(2, 0.0);
    e.seed = seed;
    Bench bench(e);
    bench.run(1);
    bench.network->send_packet(NodeId{0}, NodeId{4}, 4);
    bench.run(10);
    for (std::size_t up = 4; up < 8; ++up) {
      if (sent(bench, 0, up) > 0) return up;
    }
    return std::size_t{0};
  };
  std::set<std::size_t> taken;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) taken.insert(choice(seed));
  EXPECT_EQ(taken, (std::set<std::size_t>{4, 5, 6, 7}));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) EXPECT_EQ(choice(seed), choice(seed));
}

/// Whatever is under way, every cycle's walk over queues and links finds each packet and flit once.
TEST(CutThroughCensus, FindsEveryPacketInEveryCycleOnLongLinks) {
  for (const std::uint32_t latency : {1U, 4U}) {
    Experiment e = vct_grid("torus", 0.6);
    e.topology.link_latency_cycles = latency;
    Bench bench(e);
    for (int i = 0; i < 300; ++i) {
      bench.run(1);
      ASSERT_TRUE(bench.network->conservation().holds()) << "cycle " << i << ", links of " << latency;
    }
    EXPECT_GT(bench.network->conservation().flits_in_flight, 100U);
  }
}

}  // namespace
}  // namespace braid::test
