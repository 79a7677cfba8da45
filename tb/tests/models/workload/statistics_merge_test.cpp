// Statistics of slices, put together; traffic classes; the hash over packets.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "models/workload/statistics.h"
#include "routing/base/random.h"

namespace braid::test::statistics_merge_test {
namespace {

using namespace models;

void expect_equal(const Estimate& a, const Estimate& b) {
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.half_width_95, b.half_width_95);
}

void expect_equal(const TrafficClassResults& a, const TrafficClassResults& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.offered_flits_per_node_cycle, b.offered_flits_per_node_cycle);
  expect_equal(a.accepted_flits_per_node_cycle, b.accepted_flits_per_node_cycle);
  expect_equal(a.packet_latency_cycles, b.packet_latency_cycles);
  expect_equal(a.network_latency_cycles, b.network_latency_cycles);
  EXPECT_EQ(a.packet_latency_distribution.count, b.packet_latency_distribution.count);
  EXPECT_EQ(a.packet_latency_distribution.min, b.packet_latency_distribution.min);
  EXPECT_EQ(a.packet_latency_distribution.max, b.packet_latency_distribution.max);
  EXPECT_EQ(a.packet_latency_distribution.p95, b.packet_latency_distribution.p95);
  EXPECT_EQ(a.flits_per_packet, b.flits_per_packet);
  ASSERT_EQ(a.source_queues.size(), b.source_queues.size());
  for (std::size_t n = 0; n < a.source_queues.size(); ++n) {
    EXPECT_EQ(a.source_queues[n].share, b.source_queues[n].share);
    EXPECT_EQ(a.source_queues[n].wait_cycles, b.source_queues[n].wait_cycles);
    EXPECT_EQ(a.source_queues[n].idle, b.source_queues[n].idle);
  }
  const auto ends = [](const PercentileIntervals& p) { return percentile_interval_figures().of(p); };
  for (const char* end : {"p50_low", "p50_high", "p95_low", "p95_high", "p99_low"}) {
    const double one = ends(a.packet_latency_percentiles).get<double>(end);
    const double other = ends(b.packet_latency_percentiles).get<double>(end);
    EXPECT_TRUE(one == other || (std::isnan(one) && std::isnan(other))) << end << ": " << one << ", " << other;
  }
  EXPECT_EQ(a.queue_latency_mean_cycles, b.queue_latency_mean_cycles);
  EXPECT_EQ(a.hops_mean, b.hops_mean);
  EXPECT_EQ(a.delivered_flits_per_cycle_by_node, b.delivered_flits_per_cycle_by_node);
  EXPECT_EQ(a.injected_flits_per_cycle_by_node, b.injected_flits_per_cycle_by_node);
  EXPECT_EQ(a.injected_packets_by_node, b.injected_packets_by_node);
  EXPECT_EQ(a.injection_spread.nodes, b.injection_spread.nodes);
  EXPECT_EQ(a.injection_spread.jain_index, b.injection_spread.jain_index);
}

/// 2000 packets over three batches and after them, each counted once for all and once by one of four slices: creation
/// and sending by the source's, delivery by the destination's.
TEST(Merge, OfSlicesEqualsOne) {
  MeasurementWindow window{true, 100, 1000};
  const std::vector<std::string> names{"packets", "stream packets"};
  Statistics one(window, 16, names);
  std::vector<Statistics> slices(4, Statistics(window, 16, names));
  Random random(1, "merge");
  for (int i = 0; i < 2000; ++i) {
    window.open = i % 5 != 0;
    Packet p;
    p.created = 100 + random.below(3000);
    p.injected = p.created + random.below(50);
    p.source = NodeId{random.below(16)};
    p.destination = NodeId{random.below(16)};
    p.sequence = static_cast<std::uint32_t>(i);
    p.length_flits = static_cast<std::uint16_t>(1 + random.below(8));
    p.routers = static_cast<std::uint16_t>(1 + random.below(6));
    p.traffic_class = i % 3 == 0 ? 1 : 0;
    const std::uint64_t at = p.injected + 5 + random.below(100);
    Statistics& from = slices[p.source.value / 4];
    Statistics& to = slices[p.destination.value / 4];
    for (Statistics* s : {&one, &from}) {
      s->created(p);
      s->sent(p.injected + 3, p);
    }
    for (Statistics* s : {&one, &to}) s->delivered(at, p);
  }
  Statistics all(window, 16, names);
  for (const Statistics& s : slices) all.merge(s);
  EXPECT_EQ(all.packet_hash(), one.packet_hash());
  EXPECT_EQ(all.packets_created(), 2000U);
  EXPECT_EQ(all.packets_delivered(), 2000U);
  EXPECT_EQ(all.measured_created(), 1600U);
  EXPECT_EQ(all.measured_delivered(), 1600U);
  const auto merged = all.results(3000), whole = one.results(3000);
  ASSERT_EQ(merged.size(), 2U);
  ASSERT_EQ(whole.size(), 2U);
  for (const std::size_t c : {0, 1}) expect_equal(merged[c], whole[c]);
}

/// Every count of every batch, and packets that were lost.
TEST(Merge, OfSlicesHasTheirBatchesAndTheirLosses) {
  const MeasurementWindow window{true, 100, 1000};
  Statistics source(window, 4), destination(window, 4);
  for (std::uint32_t i = 0; i < 5; ++i) {
    Packet p;
    p.created = p.injected = 100 + 700 * std::uint64_t{i};
    p.injected += 3;
    p.length_flits = static_cast<std::uint16_t>(i + 1);
    source.created(p);
    if (i == 4) {
      source.lost(p);
    } else {
      destination.delivered(p.created + 20 + i, p);
    }
  }
  Statistics all(window, 4);
  all.merge(source);
  all.merge(destination);
  EXPECT_EQ(all.packets_lost(), 1U);
  EXPECT_EQ(all.measured_lost(), 1U);
  EXPECT_EQ(all.measured_under_way(0), 0U) << "the lost one is under way no longer";
  EXPECT_EQ(source.measured_under_way(0), 4U);
  const BatchSeries series = all.batches(0, 3000);
  ASSERT_EQ(series.size(), 3U);
  const std::uint64_t expected[3][6] = {{2, 3, 3, 2, 20 + 21, 17 + 18},  // packets 0 and 1, of 1 and 2 flits
                                        {1, 3, 3, 1, 22, 19},
                                        {2, 9, 4, 1, 23, 20}};
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_EQ(series[b].created_packets, expected[b][0]) << b;
    EXPECT_EQ(series[b].created_flits, expected[b][1]) << b;
    EXPECT_EQ(series[b].delivered_flits, expected[b][2]) << b;
    EXPECT_EQ(series[b].packets, expected[b][3]) << b;
    EXPECT_EQ(series[b].latency_sum, expected[b][4]) << b;
    EXPECT_EQ(series[b].network_latency_sum, expected[b][5]) << b;
  }
  EXPECT_EQ(all.batches(0, 2999).size(), 2U) << "whole ones alone";
}

/// A packet of the warm-up that is lost is lost, and not one of the measured.
TEST(Losses, OfTheWarmUpAreNotMeasured) {
  MeasurementWindow window{false, 100, 1000};
  Statistics statistics(window, 4, {"packets", "others"});
  Packet early, late;
  late.traffic_class = 1;
  late.created = late.injected = 100;
  statistics.created(early);
  window.open = true;
  statistics.created(late);
  statistics.lost(early);
  EXPECT_EQ(statistics.packets_lost(), 1U);
  EXPECT_EQ(statistics.measured_lost(), 0U);
  EXPECT_EQ(statistics.measured_under_way(1), 1U);
  statistics.lost(late);
  EXPECT_EQ(statistics.packets_lost(), 2U);
  EXPECT_EQ(statistics.measured_lost(), 1U);
  EXPECT_EQ(statistics.measured_under_way(1), 0U);
  EXPECT_EQ(statistics.measured_under_way(0), 0U);
}

// ---------------------------------------------------------------- classes

const std::vector<std::string> kNames{"packets", "stream packets", "circuits"};

TEST(TrafficClasses, AreNamedInTheOrderOfTheirNumbers) {
  const MeasurementWindow window{true, 0, 1000};
  for (std::uint8_t c = 0; c < 3; ++c) {
    Statistics statistics(window, 1, kNames);
    Packet p;
    p.traffic_class = c;
    statistics.created(p);
    const auto results = statistics.results(1000);
    ASSERT_EQ(results.size(), 1U) << kNames[c];
    EXPECT_EQ(results[0].name, kNames[c]);
  }
}

TEST(TrafficClasses, CountForThemselves) {
  const MeasurementWindow window{true, 0, 1000};
  Statistics statistics(window, 1, kNames);
  std::uint16_t flits = 2;
  for (std::uint8_t c = 0; c < 3; ++c) {
    Packet p;
    p.traffic_class = c;
    p.length_flits = flits;
    statistics.created(p);
    statistics.sent(2, p);
    statistics.delivered(std::uint64_t{10} * flits, p);
    flits = static_cast<std::uint16_t>(flits * 2);
  }
  const auto results = statistics.results(1000);
  ASSERT_EQ(results.size(), 3U);
  for (const std::size_t c : {0, 1, 2}) {
    const double expected = 0.002 * (1U << c);
    EXPECT_DOUBLE_EQ(results[c].offered_flits_per_node_cycle, expected);
    EXPECT_DOUBLE_EQ(results[c].accepted_flits_per_node_cycle.mean, expected);
    EXPECT_DOUBLE_EQ(results[c].injected_flits_per_cycle_by_node[0], expected);
    EXPECT_EQ(results[c].packet_latency_cycles.mean, 20.0 * (1U << c));
  }
}

TEST(TrafficClasses, WithoutAPacketOfTheWindowAreLeftOut) {
  MeasurementWindow window{false, 0, 1000};
  Statistics statistics(window, 1);
  Packet p;
  statistics.created(p);
  window.open = true;
  statistics.delivered(5, p);
  EXPECT_TRUE(statistics.results(1000).empty());
}

// ---------------------------------------------------------------- hash

std::uint64_t hash_of(const Packet& packet, std::uint64_t cycle) {
  const MeasurementWindow window;
  Statistics statistics(window, 64);
  statistics.delivered(cycle, packet);
  return statistics.packet_hash();
}

TEST(PacketHash, ChangesWithEveryFieldOfAPacket) {
  Packet plain;
  plain.created = 100;
  plain.injected = 104;
  plain.source = NodeId{3};
  plain.destination = NodeId{9};
  plain.sequence = 17;
  plain.length_flits = 4;
  plain.routers = 2;
  const std::vector<std::pair<std::string, std::function<void(Packet&)>>> changes{
      {"source", [](Packet& p) { p.source = NodeId{4}; }},
      {"destination", [](Packet& p) { p.destination = NodeId{8}; }},
      {"source and destination", [](Packet& p) { std::swap(p.source, p.destination); }},
      {"sequence", [](Packet& p) { ++p.sequence; }},
      {"length", [](Packet& p) { ++p.length_flits; }},
      {"sequence and length", [](Packet& p) { p.sequence = 4, p.length_flits = 17; }},
      {"created", [](Packet& p) { --p.created; }},
      {"injected", [](Packet& p) { ++p.injected; }},
      {"a cycle later", [](Packet& p) { ++p.created, ++p.injected; }},
      {"routers", [](Packet& p) { ++p.routers; }}};
  std::vector<std::uint64_t> hashes{hash_of(plain, 130), hash_of(plain, 131)};
  for (const auto& [name, change] : changes) {
    Packet other = plain;
    change(other);
    hashes.push_back(hash_of(other, 130));
  }
  for (std::size_t a = 0; a < hashes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(hashes[a], hashes[b]) << a << " and " << b;
  }
}

TEST(PacketHash, IsTheSameInAnyOrderAndNotForFewerPackets) {
  const MeasurementWindow window;
  Statistics forth(window, 4), back(window, 4), fewer(window, 4);
  for (std::uint32_t i = 0; i < 10; ++i) {
    Packet p, q;
    p.sequence = i;
    q.sequence = 9 - i;
    forth.delivered(20, p);
    back.delivered(20, q);
    if (i != 4) fewer.delivered(20, p);
  }
  EXPECT_EQ(forth.packet_hash(), back.packet_hash());
  EXPECT_NE(forth.packet_hash(), fewer.packet_hash());
}

}  // namespace
}  // namespace braid::test::statistics_merge_test
