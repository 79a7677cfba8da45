// Latency of flows: who shares a line, and in which order the lines come.
#include "models/workload/flow_statistics.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tb/tests/support/loads.h"

namespace braid::test::flow_statistics_test {
namespace {

using namespace models;

Packet packet(std::uint32_t from, std::uint32_t to, std::uint16_t flits, std::uint32_t stream = kNoTag) {
  Packet p;
  p.source = NodeId{from};
  p.destination = NodeId{to};
  p.length_flits = flits;
  p.tag = stream;
  return p;
}

TEST(Flows, AreBySourceDestinationAndStreamWhicheverCameFirst) {
  FlowStatistics a, b;
  a.delivered(packet(2, 0, 4), 30);
  a.delivered(packet(0, 2, 4, 7), 10);
  b.delivered(packet(0, 2, 3, 5), 50);
  b.delivered(packet(2, 0, 1), 20);
  Packet of_class_1 = packet(0, 1, 1);
  of_class_1.traffic_class = 1;
  b.delivered(of_class_1, 1);
  a.merge(b);
  const std::vector<FlowResult> flows = a.results(0);
  ASSERT_EQ(flows.size(), 3U);
  EXPECT_EQ(flows[0].stream, 5U);
  EXPECT_EQ(flows[1].stream, 7U);
  EXPECT_EQ(flows[2].stream, std::nullopt);
  EXPECT_EQ(flows[2].source, NodeId{2});
  EXPECT_EQ(flows[2].flits, 5U);
  EXPECT_EQ(flows[2].latency.count, 2U);
  EXPECT_EQ(flows[2].latency.min, 20.0);
  EXPECT_EQ(flows[2].latency.mean, 25.0);
  EXPECT_EQ(flows[2].latency.max, 30.0);
  EXPECT_EQ(a.results(1).size(), 1U);
}

TEST(Flows, AreThereOnlyIfAskedFor) {
  for (const bool asked : {false, true}) {
    models::Experiment e = even_load();
    e.set("results.flows", asked).set("results.histograms", asked);
    Bench bench(e, 3);
    bench.run(50);
    bench.network->window() = {true, 50, 100};
    bench.run(100);
    const TrafficClassResults packets = bench.network->merged_statistics().results(100).at(0);
    ASSERT_EQ(packets.flows.has_value(), asked);
    ASSERT_EQ(packets.packet_latency_buckets.has_value(), asked);
    if (!asked) continue;
    EXPECT_EQ(packets.flows->size(), 16U);  // each node to its neighbour
    for (const FlowResult& flow : *packets.flows) EXPECT_EQ(flow.latency.mean, 2.0);
    EXPECT_EQ(packets.packet_latency_buckets->first_cycle, std::vector<std::uint64_t>{2});
    EXPECT_EQ(packets.packet_latency_buckets->packets, std::vector<std::uint64_t>{16 * 98});
  }
}

}  // namespace
}  // namespace braid::test::flow_statistics_test
