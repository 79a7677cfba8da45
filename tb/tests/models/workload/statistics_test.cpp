// What Statistics counts of packets made by hand: which figure counts what inside the measurement window, batches,
// spread over nodes, traffic classes, the packet hash.
#include "models/workload/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace braid::test::statistics_test {
namespace {

using namespace models;

// Student's t, 97.5 %: in closed form tan(0.475 pi) with one degree of freedom, 0.95 / sqrt(2 x 0.975 x 0.025) with
// two.
constexpr double kT1 = 12.7062047361747, kT2 = 4.30265272974946;

/// Statistics of four nodes, three batches of 1000 cycles from cycle 5000 on.
struct Counted {
  static constexpr std::uint64_t kCycles = 3000;
  MeasurementWindow window{true, 5000, 1000};
  Statistics statistics{window, 4, {"packets", "circuits"}};

  Packet born(std::uint64_t cycle, std::uint32_t flits = 1, std::size_t from = 0, std::size_t to = 1,
              std::uint8_t traffic_class = 0) {
    Packet packet;
    packet.created = packet.injected = cycle;
    packet.source = NodeId{from};
    packet.destination = NodeId{to};
    packet.length_flits = static_cast<std::uint16_t>(flits);
    packet.traffic_class = traffic_class;
    statistics.created(packet);
    return packet;
  }
  /// Born in a cycle, sent at once and delivered `latency` cycles later.
  void whole(std::uint64_t cycle, std::uint64_t latency, std::uint32_t flits = 1) {
    const Packet packet = born(cycle, flits);
    statistics.sent(cycle, packet);
    statistics.delivered(cycle + latency, packet);
  }
  TrafficClassResults results(std::size_t c = 0) const { return statistics.results(kCycles).at(c); }
};

TEST(Batches, AreByCycleOfCreationForLatency) {
  Counted c;
  c.whole(5000, 10);
  c.whole(5999, 20);  // delivered in the second batch
  c.whole(6000, 35);
  c.whole(7999, 55);  // the last cycle; delivered after it
  const Estimate latency = c.results().packet_latency_cycles;
  EXPECT_EQ(latency.mean, 30.0) << "of the four packets";
  // Means of the batches 15, 35, 55: variance 400.
  EXPECT_NEAR(latency.half_width_95, kT2 * std::sqrt(400.0 / 3.0), 1e-9);
}

TEST(Batches, WithoutPacketsHaveNoLatencyButZeroThroughput) {
  Counted c;
  c.whole(5100, 10, 4);
  c.whole(7100, 20, 8);
  const TrafficClassResults r = c.results();
  // Two means, 10 and 20: variance 50, one degree of freedom.
  EXPECT_NEAR(r.packet_latency_cycles.half_width_95, kT1 * std::sqrt(50.0 / 2.0), 1e-9);
  // 4, 0 and 8 flits by 4 nodes in 1000 cycles: 0.001, 0, 0.002.
  EXPECT_DOUBLE_EQ(r.accepted_flits_per_node_cycle.mean, 0.001);
  EXPECT_NEAR(r.accepted_flits_per_node_cycle.half_width_95, kT2 * 0.001 / std::sqrt(3.0), 1e-12);
}

TEST(Batches, AreByCycleOfDeliveryForThroughput) {
  Counted c;
  c.whole(5999, 1, 4);     // delivered in 6000: the second batch's
  c.whole(6999, 1000, 4);  // delivered in 7999: the last batch's last cycle
  // 0, 4 and 4 flits: 0, 0.001, 0.001: variance 1e-6 / 3.
  const Estimate accepted = c.results().accepted_flits_per_node_cycle;
  EXPECT_NEAR(accepted.mean, 0.002 / 3.0, 1e-12);
  EXPECT_NEAR(accepted.half_width_95, kT2 * std::sqrt(1e-6 / 3.0 / 3.0), 1e-12);
}

/// The window has closed; latencies of those that were born in it still count.
TEST(Batches, EndWithTheMeasuredCycles) {
  Counted c;
  c.whole(7999, 10);
  c.window.open = false;
  c.whole(8000, 90);
  const TrafficClassResults r = c.results();
  EXPECT_EQ(r.packet_latency_distribution.count, 1U);
  EXPECT_EQ(r.packet_latency_cycles.mean, 10.0);
}

TEST(Latency, IsCutAtTheHeadsEntryIntoQueueAndNetwork) {
  Counted c;
  for (const std::uint64_t queued : {4, 10}) {
    Packet p = c.born(5000);
    p.injected = 5000 + queued;
    c.statistics.delivered(5000 + queued + 3 * queued, p);  // 16 and 40 cycles
  }
  const TrafficClassResults r = c.results();
  EXPECT_EQ(r.packet_latency_cycles.mean, 28.0);
  EXPECT_EQ(r.queue_latency_mean_cycles, 7.0);
  EXPECT_EQ(r.network_latency_cycles.mean, 21.0);
}

/// Nine packets of ten take 10 cycles in each of forty batches, so the median is known to the cycle. The tenth takes
/// longer from batch to batch: the mean's interval cannot be relied on, and no percentile's is said.
TEST(Latency, HasNoPercentilesToRelyOnWithoutAMean) {
  for (const std::uint64_t drift : {0U, 100U}) {
    Counted c;
    for (std::uint64_t batch = 0; batch < 40; ++batch) {
      for (int packet = 0; packet < 9; ++packet) c.whole(5000 + 1000 * batch, 10);
      c.whole(5000 + 1000 * batch, 200 + drift * batch);
    }
    const TrafficClassResults r = c.statistics.results(40'000).at(0);
    EXPECT_EQ(r.packet_latency_cycles.half_width_95 == kNotReliable, drift > 0);
    EXPECT_EQ(std::isnan(r.packet_latency_percentiles.p50.low), drift > 0);
  }
}

TEST(Latency, OfTheNetworkHasAWidthOfItsOwn) {
  Counted c;
  for (const std::uint64_t batch : {0, 1, 2}) {  // 5, 6 and 7 cycles in the network, 0, 100 and 400 in the queue
    Packet p = c.born(5000 + 1000 * batch);
    p.injected += 100 * batch * batch;
    c.statistics.delivered(p.injected + 5 + batch, p);
  }
  EXPECT_NEAR(c.results().network_latency_cycles.half_width_95, kT2 / std::sqrt(3.0), 1e-9);
}

TEST(Hops, AreLinksBetweenRouters) {
  Counted c;
  for (const std::uint16_t routers : {2, 5}) {
    Packet p = c.born(5000);
    p.routers = routers;
    c.statistics.delivered(5020, p);
  }
  EXPECT_DOUBLE_EQ(c.results().hops_mean, 2.5);  // 1 and 4 links
  Counted circuits;                              // count no routers
  circuits.statistics.delivered(5020, circuits.born(5000, 1, 0, 1, 1));
  EXPECT_TRUE(std::isnan(circuits.results().hops_mean));
}

/// From node 2: made at 5010, its head gone at 5014 and its tail at 5020; 10 cycles of 3000 are busy. One that leaves
/// when the window is closed has waited, too, but kept the source busy in none of its cycles.
TEST(SourceQueue, WaitsOfMeasuredPacketsAndIdleCyclesOfTheWindow) {
  Counted c;
  Packet one = c.born(5010, 4, 2, 3), late = c.born(7999, 4, 2, 3);
  one.injected = 5014;
  late.injected = 8005;
  c.statistics.sent(5020, one);
  c.statistics.delivered(5040, one);
  c.window.open = false;
  c.statistics.sent(8010, late);
  c.statistics.delivered(8040, late);
  const TrafficClassResults r = c.results();
  ASSERT_EQ(r.source_queues.size(), 4U);
  EXPECT_EQ(r.source_queues[2].wait_cycles, 5.0) << "4 and 6";
  EXPECT_EQ(r.source_queues[2].share, 1.0);
  EXPECT_DOUBLE_EQ(r.source_queues[2].idle, 2990.0 / 3000.0);
  EXPECT_EQ(r.flits_per_packet, 4.0);
}

// ---------------------------------------------------------------- the window

TEST(Window, PacketBornBeforeAndDeliveredInsideIsAcceptedOnly) {
  Counted c;
  c.window.open = false;
  const Packet early = c.born(4990, 4, 2, 3);
  c.window.open = true;
  c.statistics.sent(5000, early);
  c.statistics.delivered(5000, early);
  EXPECT_EQ(c.statistics.measured_created(), 0U);
  EXPECT_EQ(c.statistics.measured_delivered(), 0U);
  EXPECT_EQ(c.statistics.packets_created(), 1U);
  EXPECT_EQ(c.statistics.packets_delivered(), 1U);
  c.born(5001);  // a class without packets of the window has no figures
  const TrafficClassResults r = c.results();
  EXPECT_DOUBLE_EQ(r.offered_flits_per_node_cycle, 1.0 / 4 / 3000) << "the second packet's flit only";
  EXPECT_DOUBLE_EQ(r.accepted_flits_per_node_cycle.mean, 4.0 / 4 / 3000);
  EXPECT_EQ(r.delivered_flits_per_cycle_by_node, (std::vector<double>{0, 0, 0, 4.0 / 3000}));
  EXPECT_EQ(r.injected_flits_per_cycle_by_node, (std::vector<double>{0, 0, 4.0 / 3000, 0}));
  EXPECT_EQ(r.injected_packets_by_node, (std::vector<std::uint64_t>{0, 0, 1, 0}));
  EXPECT_EQ(r.packet_latency_distribution.count, 0U);
}

TEST(Window, PacketBornInsideAndDeliveredAfterIsOfferedAndHasALatency) {
  Counted c;
  const Packet late = c.born(7990, 4, 2, 3);
  EXPECT_EQ(c.statistics.measured_created(), 1U);
  c.window.open = false;
  c.statistics.sent(8000, late);
  EXPECT_EQ(c.statistics.measured_delivered(), 0U);
  c.statistics.delivered(8015, late);
  EXPECT_EQ(c.statistics.measured_delivered(), 1U);
  const TrafficClassResults r = c.results();
  EXPECT_DOUBLE_EQ(r.offered_flits_per_node_cycle, 4.0 / 4 / 3000);
  EXPECT_EQ(r.accepted_flits_per_node_cycle.mean, 0.0);
  EXPECT_EQ(r.delivered_flits_per_cycle_by_node, std::vector<double>(4, 0.0));
  EXPECT_EQ(r.injected_flits_per_cycle_by_node, std::vector<double>(4, 0.0));
  EXPECT_EQ(r.injected_packets_by_node, std::vector<std::uint64_t>(4, 0));
  EXPECT_EQ(r.packet_latency_cycles.mean, 25.0);
}

TEST(Window, TakesAnIntervalSinceTheLastOne) {
  Counted c;
  c.window.open = false;  // the warm-up counts packets that are not measured
  c.whole(100, 7, 4);
  c.whole(101, 9, 2);
  const Statistics::Interval first = c.statistics.take_interval();
  EXPECT_EQ(first.packets, 2U);
  EXPECT_EQ(first.flits, 6U);
  EXPECT_EQ(first.latency_sum, 16U);
  c.whole(200, 30);
  const Statistics::Interval second = c.statistics.take_interval();
  EXPECT_EQ(second.packets, 1U);
  EXPECT_EQ(second.flits, 1U);
  EXPECT_EQ(second.latency_sum, 30U);
}

// ---------------------------------------------------------------- nodes

TEST(Spread, OfEqualSendersHasAJainIndexOfOne) {
  Counted c;
  for (const std::size_t node : {0, 1, 2, 3}) c.statistics.sent(5003, c.born(5000, 3, node));
  const InjectionSpread spread = c.results().injection_spread;
  EXPECT_EQ(spread.nodes, 4U);
  EXPECT_DOUBLE_EQ(spread.jain_index, 1.0);
  for (const double rate : {spread.min, spread.mean, spread.max}) EXPECT_DOUBLE_EQ(rate, 0.001);
}

TEST(Spread, OfSendersThatGetNothingSentHasNoJainIndex) {
  Counted c;
  for (const std::size_t node : {0, 1}) c.born(5000, 3, node);
  const InjectionSpread spread = c.results().injection_spread;
  EXPECT_EQ(spread.nodes, 2U);
  EXPECT_TRUE(std::isnan(spread.jain_index)) << "nothing was sampled: not perfectly fair";
}

TEST(Spread, OfOneSenderAmongFourHasAJainIndexOfAQuarter) {
  Counted c;
  for (const std::size_t node : {0, 1, 2, 3}) {  // all have made a packet, one gets to send it
    const Packet p = c.born(5000, 12, node);
    if (node == 2) c.statistics.sent(p.created, p);
  }
  const InjectionSpread spread = c.results().injection_spread;
  EXPECT_EQ(spread.nodes, 4U);
  EXPECT_DOUBLE_EQ(spread.jain_index, 0.25);
  EXPECT_DOUBLE_EQ(spread.min, 0.0);
  EXPECT_DOUBLE_EQ(spread.mean, 0.001);
  EXPECT_DOUBLE_EQ(spread.max, 0.004);
}

/// Rates 1, 2 and 3: 36 / (3 * 14). The fourth node has made nothing and is left out.
TEST(Spread, LeavesSilentNodesOut) {
  Counted c;
  for (const std::size_t node : {0, 1, 3}) c.statistics.sent(5009, c.born(5000, node == 3 ? 9 : 3 + 3 * node, node));
  const InjectionSpread spread = c.results().injection_spread;
  EXPECT_EQ(spread.nodes, 3U);
  EXPECT_DOUBLE_EQ(spread.jain_index, 36.0 / 42.0);
  EXPECT_DOUBLE_EQ(spread.min, 0.001);
  EXPECT_DOUBLE_EQ(spread.mean, 0.002);
  EXPECT_DOUBLE_EQ(spread.max, 0.003);
}

TEST(Spread, CountsANodeThatOnlyMadePacketsBeforeTheWindow) {
  Counted c;
  c.window.open = false;
  c.born(10, 3, 1);
  c.window.open = true;
  c.statistics.sent(5003, c.born(5000, 3, 0));
  const InjectionSpread spread = c.results().injection_spread;
  EXPECT_EQ(spread.nodes, 2U);
  EXPECT_DOUBLE_EQ(spread.min, 0.0);
  EXPECT_DOUBLE_EQ(spread.jain_index, 0.5);
}

}  // namespace
}  // namespace braid::test::statistics_test
