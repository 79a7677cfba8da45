// Bounds of what is said of a window's figures, at N - 1, N and N + 1: which batches pass for independent, how much of
// a window a queue needs, which node starves; and what a class that has only just a packet says.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/workload/batch_means.h"
#include "models/workload/heavy_traffic.h"
#include "models/workload/saturation.h"
#include "models/workload/starvation.h"
#include "models/workload/statistics.h"

namespace braid::test::exact_bounds_test {
namespace {

using namespace models;

// ---------------------------------------------------------------- independence

/// Von Neumann's test of n batches: 1 - steps / (2 squares) is at most 0.8416 sqrt((n - 2) / (n n - 1)), of eight
/// 0.2597. Too few to be made longer, they are not reliable beyond. 0 0 0 1 3 0 3 3: squares 28 - 100/8 = 15.5, steps
/// 1 + 4 + 9 + 9 = 23: 0.2581. 0 0 0 2 1 3 1 3: squares 24 - 100/8 = 11.5, steps 4 + 1 + 4 + 4 + 4 = 17: 0.2609.
TEST(Independence, OfEightBatchesIsBelieved) {
  const auto reliable = [](const std::array<double, 8>& samples) {
    std::vector<BatchSum> batches;
    for (const double s : samples) batches.push_back({s, 1.0});
    return batch_means(batches).reliable;
  };
  EXPECT_TRUE(reliable({0, 0, 0, 1, 3, 0, 3, 3})) << "0.2581";
  EXPECT_FALSE(reliable({0, 0, 0, 2, 1, 3, 1, 3})) << "0.2609";
  EXPECT_TRUE(reliable({5, 5, 5, 6, 8, 5, 8, 8})) << "whatever the mean";
  EXPECT_FALSE(reliable({-5, -5, -5, -3, -4, -2, -4, -2}));
}

/// Seven batches of one packet and one batch without: seven means, which are not tested.
TEST(Independence, IsNotAskedOfSevenMeansOfEightBatches) {
  std::vector<BatchSum> rising;
  for (int i = 0; i < 8; ++i) rising.push_back({static_cast<double>(i), i == 3 ? 0.0 : 1.0});
  const BatchMeans found = batch_means(rising);
  EXPECT_TRUE(found.reliable);
  EXPECT_EQ(found.batches, 7U);
  EXPECT_EQ(found.skewness, 0.0) << "nothing was put together";
}

/// Half-width by t of n - 1: of two batches one degree of freedom, 12.706 and 3.078 (5 and 20 % outside).
TEST(HalfWidth, HasADegreeOfFreedomLessThanBatches) {
  const BatchMeans two = batch_means({{1.0, 1.0}, {2.0, 1.0}});
  EXPECT_EQ(two.batches, 2U);
  EXPECT_NEAR(two.half_width(0.025), 12.7062047361747 * 0.5, 1e-9);
  EXPECT_NEAR(two.half_width(0.1), 3.0776835371752536 * 0.5, 1e-9);
  EXPECT_TRUE(std::isnan(batch_means({{1.0, 1.0}}).half_width(0.1)));
}

// ---------------------------------------------------------------- queues

/// 40 cycles at a tenth idle are remembered for 800: fifty times that is enough, a cycle less is not.
TEST(HeavyTraffic, OfExactlyFiftyRelaxationTimesIsReliable) {
  EXPECT_TRUE(heavy_traffic({{0.5, 40.0, 0.1}}, {}, 60.0, 40000.0).reliable);
  EXPECT_FALSE(heavy_traffic({{0.5, 40.0, 0.1}}, {}, 60.0, 39999.0).reliable);
}

/// 20 cycles of 1000 are a fiftieth, which is not asked for.
TEST(HeavyTraffic, OfExactlyAFiftiethOfTheLatencyIsNotAskedFor) {
  EXPECT_TRUE(heavy_traffic({{0.5, 40.0, 0.1}}, {}, 1000.0, 20000.0).reliable);
}

/// The longest of the queues says how long a window must be, wherever it stands and whichever list has it: 2 x 40 / 0.1
/// and 2 x 30 / 0.05 cycles are remembered.
TEST(HeavyTraffic, WantsAWindowForTheLongestQueue) {
  const QueueLoad shorter{0.5, 40.0, 0.1}, longer{0.5, 30.0, 0.05};
  for (const auto& sources : {std::vector{shorter, longer}, std::vector{longer, shorter}}) {
    EXPECT_DOUBLE_EQ(heavy_traffic(sources, {}, 60.0, 1000.0).cycles_wanted, 50.0 * 1200.0);
    EXPECT_DOUBLE_EQ(heavy_traffic({}, sources, 60.0, 1000.0).cycles_wanted, 50.0 * 1200.0);
  }
  EXPECT_DOUBLE_EQ(heavy_traffic({shorter}, {longer}, 60.0, 1000.0).cycles_wanted, 60000.0);
  EXPECT_DOUBLE_EQ(heavy_traffic({longer}, {shorter}, 60.0, 1000.0).cycles_wanted, 60000.0);
}

/// Two ports of half the packets each, known as badly: what waits before both adds up, 0.5 x 40 + 0.5 x 40.
TEST(HeavyTraffic, AddsUpWhatWaitsBeforeAllPorts) {
  const QueueLoad port{0.5, 40.0, 0.1};
  const double one = heavy_traffic({}, {port}, 60.0, 80000.0).least_half_width;
  EXPECT_DOUBLE_EQ(heavy_traffic({}, {port, port}, 60.0, 80000.0).least_half_width, 2.0 * one);
  const QueueLoad source{1.0, 10.0, 0.5};
  EXPECT_DOUBLE_EQ(heavy_traffic({source, source}, {port}, 60.0, 80000.0).least_half_width, 2.0 * one)
      << "20 cycles behind the port, as well known";
}

/// More than all of its cycles is no load: what a port could not have taken.
TEST(HeavyTraffic, BeforeAPortThatIsAskedForMoreIsNeverIdle) {
  const QueueLoad load = before_ejection(1.0, 1.5, 1.0, 4.0);
  EXPECT_EQ(load.idle, 0.0);
  EXPECT_TRUE(std::isinf(load.wait_cycles));
}

// ---------------------------------------------------------------- starvation

/// One of ten is a tenth, one of eleven is less; where all send all, the first node of ten packets is named.
TEST(Starvation, BeginsBelowATenth) {
  EXPECT_EQ(starvation({10}, {1}).nodes, 0U);
  EXPECT_EQ(starvation({11}, {1}).nodes, 1U);
  EXPECT_EQ(starvation({11, 11, 11}, {1, 1, 2}).nodes, 2U);
  const StarvationVerdict all = starvation({5, 10, 10}, {5, 10, 10});
  EXPECT_EQ(all.least_share, 1.0);
  EXPECT_EQ(all.worst_node, 1U);
}

// ---------------------------------------------------------------- a class of traffic

/// Six batches of 100 cycles from cycle 1000 on, two nodes.
struct Counted {
  MeasurementWindow window{true, 1000, 100};
  Statistics statistics{window, 2, {"one", "other"}};
  Packet born(std::uint64_t cycle, std::size_t from = 0) {
    Packet packet;
    packet.created = packet.injected = cycle;
    packet.source = NodeId{from};
    packet.destination = NodeId{1 - from};
    statistics.created(packet);
    return packet;
  }
};

/// A slice whose nodes made nothing and took one packet of another slice has figures of it, and so has one that made a
/// packet of a flit that has not come.
TEST(ClassFigures, AreThereFromTheFirstPacketOn) {
  Counted source;
  const Packet packet = source.born(1000);
  ASSERT_EQ(source.statistics.results(600).size(), 1U);
  EXPECT_EQ(source.statistics.results(600)[0].flits_per_packet, 1.0);
  Counted destination;
  destination.statistics.delivered(1010, packet);
  ASSERT_EQ(destination.statistics.results(600).size(), 1U);
  EXPECT_EQ(destination.statistics.results(600)[0].packet_latency_distribution.count, 1U);
  EXPECT_TRUE(std::isnan(destination.statistics.results(600)[0].flits_per_packet)) << "it made none";
}

/// What comes in the last cycle of a batch is of that batch.
TEST(ClassFigures, HaveAsManyBatchesAsTheWindowHoldsWhole) {
  Counted c;
  c.born(1099);
  c.born(1100);
  c.born(1599);
  EXPECT_EQ(c.statistics.batches(0, 599).size(), 5U);
  const BatchSeries series = c.statistics.batches(0, 600);
  ASSERT_EQ(series.size(), 6U);
  EXPECT_EQ(series[0].created_packets, 1U);
  EXPECT_EQ(series[1].created_packets, 1U);
  EXPECT_EQ(series[5].created_packets, 1U);
  EXPECT_EQ(c.statistics.measured_under_way(0), 3U);
}

/// A second window knows of the first only who has ever made a packet.
TEST(ClassFigures, BeginAgainWithAWindow) {
  ResultsOptions keep;
  keep.flows = true;
  MeasurementWindow window{true, 1000, 100};
  Statistics statistics(window, 2, {"one"}, keep);
  const auto made = [&](std::uint64_t cycle, std::size_t from) {
    Packet packet;
    packet.created = packet.injected = cycle;
    packet.source = NodeId{from};
    statistics.created(packet);
    return packet;
  };
  const Packet whole = made(1000, 0), lost = made(1010, 1), late = made(1020, 0);
  statistics.sent(1005, whole);
  statistics.delivered(1030, whole);
  statistics.lost(lost);
  EXPECT_EQ(statistics.measured_created(), 3U);
  EXPECT_EQ(statistics.measured_delivered(), 1U);
  EXPECT_EQ(statistics.measured_lost(), 1U);
  window.first_cycle = 2000;
  statistics.begin_window();
  EXPECT_EQ(statistics.measured_created(), 0U);
  EXPECT_EQ(statistics.measured_delivered(), 0U);
  EXPECT_EQ(statistics.measured_lost(), 0U);
  EXPECT_TRUE(statistics.results(100).empty());
  EXPECT_EQ(statistics.measured_under_way(0), 0U);
  statistics.delivered(2005, late);
  EXPECT_EQ(statistics.measured_delivered(), 0U) << "of the first window";
  statistics.lost(late);
  EXPECT_EQ(statistics.measured_lost(), 0U);
  EXPECT_EQ(statistics.packets_created(), 3U) << "of the whole run";
  EXPECT_EQ(statistics.packets_delivered(), 2U);
  EXPECT_EQ(statistics.packets_lost(), 2U);
  const Packet second = made(2010, 0);
  statistics.sent(2012, second);
  statistics.delivered(2020, second);
  const TrafficClassResults r = statistics.results(100).at(0);
  EXPECT_EQ(r.packet_latency_distribution.count, 1U);
  EXPECT_EQ(r.injected_packets_by_node, (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(r.injection_spread.nodes, 2U) << "node 1 has made one before";
  ASSERT_TRUE(r.flows.has_value());
  ASSERT_EQ(r.flows->size(), 1U);
  EXPECT_EQ(r.flows->front().latency.count, 1U);
  EXPECT_EQ(r.starvation.nodes, 0U);
}

/// Ten made and none sent: the node starves, and it does where slices are put together.
TEST(ClassFigures, NameStarvedNodesOfAllSlices) {
  Counted here, there, all;
  for (int i = 0; i < 10; ++i) here.born(1000, 1);
  for (int i = 0; i < 10; ++i) there.statistics.sent(1001, there.born(1000, 0));
  for (const Counted* one : {&here, &there}) all.statistics.merge(one->statistics);
  const StarvationVerdict v = all.statistics.results(600).at(0).starvation;
  EXPECT_EQ(v.nodes, 1U);
  EXPECT_EQ(v.worst_node, 1U);
  EXPECT_EQ(v.least_share, 0.0);
}

/// Both sources wait in their own queue, a share each of the packets that came.
TEST(ClassFigures, PutFlowsAndQueuesOfSlicesTogether) {
  ResultsOptions keep;
  keep.flows = true;
  const MeasurementWindow window{true, 1000, 100};
  Statistics one(window, 2, {"one"}, keep), other(window, 2, {"one"}, keep);
  for (Statistics* s : {&one, &other}) {
    Packet p;
    p.created = p.injected = 1000;
    p.length_flits = 3;
    s->created(p);
    s->delivered(s == &one ? 1010 : 1030, p);
  }
  one.merge(other);
  const TrafficClassResults r = one.results(100).at(0);
  ASSERT_TRUE(r.flows && r.flows->size() == 1);
  EXPECT_EQ(r.flows->front().flits, 6U);
  EXPECT_EQ(r.flows->front().latency.count, 2U);
  EXPECT_EQ(r.flows->front().latency.min, 10.0);
  EXPECT_EQ(r.flows->front().latency.mean, 20.0);
  EXPECT_EQ(r.flows->front().latency.max, 30.0);
}

/// What takes no cycle takes none, neither at least nor at most.
TEST(FlowFigures, KnowALatencyOfZero) {
  FlowStatistics none, one;
  Packet packet;
  packet.length_flits = 2;
  none.delivered(packet, 0);
  EXPECT_EQ(none.results(0).at(0).latency.min, 0.0);
  EXPECT_EQ(none.results(0).at(0).latency.max, 0.0);
  one.delivered(packet, 7);
  one.merge(none);
  EXPECT_EQ(one.results(0).at(0).latency.min, 0.0);
  EXPECT_EQ(one.results(0).at(0).latency.max, 7.0);
  EXPECT_EQ(one.results(0).at(0).latency.mean, 3.5);
  EXPECT_EQ(one.results(0).at(0).flits, 4U);
}

// ---------------------------------------------------------------- saturation

/// Four nodes, batches of 100 cycles: a flit of 200 is exactly a 200th, which is no verdict; of 199 it is more.
TEST(Saturation, OfExactlyATwoHundredthIsNone) {
  const auto reason = [](std::uint64_t made) {
    SaturationEvidence e{{}, {}, 100, 4, 0};
    for (int b = 0; b < 4; ++b) e.batches.push_back({0, made, made - 1, 0, 0, 0});
    return saturation(e).reason;
  };
  EXPECT_EQ(reason(199), "accepted below offered");
  EXPECT_EQ(reason(201), "none");
}

}  // namespace
}  // namespace braid::test::exact_bounds_test
