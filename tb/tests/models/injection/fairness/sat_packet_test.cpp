// The SAT signal as a small packet of the data network (paper: sat-fairness, section II.A): intervals to the cycle from
// what an idle network of each family takes for a packet, and under load from below the gates that it opens.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/experiment/experiment_reader.h"
#include "routing/topology/ring.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/sanitized.h"
#include "tb/tests/support/sat.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_packet_test {
namespace {

using models::Experiment;

Experiment packets(const Experiment& e, std::uint32_t l, std::uint32_t k, std::uint32_t flits = 1) {
  Experiment with = with_sat(e, "control_packet", l, k);
  with.set("sat.packet_flits", flits);
  return with;
}

/// A family's delay of a packet of so many flits over so many links, from the cycle in which it is made to its arrival
/// on an idle network, as the family's own tests have it.
struct Family {
  const char* name;
  Experiment experiment;
  std::uint64_t (*delay)(std::uint64_t links, std::uint64_t flits);
};

std::vector<Family> families() {
  const auto cut_through = [](std::uint64_t links, std::uint64_t flits) { return links + 1 + flits; };
  const auto hybrid = [](std::uint64_t links, std::uint64_t flits) { return 3 + 5 * (links + 1) + flits - 1; };
  const auto po2 = [](std::uint64_t links, std::uint64_t flits) { return 3 + 2 * (links + 1) + 1 + flits; };
  return {{"tree4", vct_tree(1, 0.0), cut_through},
          {"tree64", vct_tree(3, 0.0), cut_through},
          {"torus", vct_grid("torus", 0.0), cut_through},
          {"hybrid_mesh", uniform_mesh(0.0), hybrid},
          {"hybrid_odd_mesh", uniform_mesh(0.0, 5, 3), hybrid},
          {"po2_mesh", small_po2(4, 4), po2}};
}

/// From each station to the next: it leaves at the end of the cycle in which it has come, is a packet in the next, and
/// is there in the cycle after its tail.
std::uint64_t interval_of(const Family& family, const routing::Topology& topology, std::uint64_t flits) {
  const auto ring = routing::virtual_ring(topology);
  std::uint64_t cycles = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const RouterId from = topology.router_of(ring[i].node), to = topology.router_of(ring[(i + 1) % ring.size()].node);
    cycles += 1 + family.delay(topology.distances_to(to)[from.value], flits) + 1;
  }
  return cycles;
}

class UnheldPacket : public testing::TestWithParam<Family> {};

/// Back at the first station at cycle N, not at N - 1, and so at every other.
TEST_P(UnheldPacket, TakesTheFamilysDelayFromNodeToNode) {
  for (const std::uint32_t flits : {1U, 4U}) {
    Bench bench(packets(GetParam().experiment, 4, 4, flits));
    const std::uint64_t interval = interval_of(GetParam(), bench.topology, flits);
    const auto& stations = gate_of(bench).stations();
    EXPECT_EQ(gate_of(bench).carrier().unheld_interval_cycles(), 0U) << "not known before a round has ended";
    const NodeId home = routing::virtual_ring(bench.topology).front().node;
    bench.run(interval - 1);  // the tail comes in the last cycle of the round
    EXPECT_EQ(stations.station(home).received, 0U) << "at cycle N - 1 of " << interval;
    bench.run(1);
    EXPECT_EQ(stations.station(home).received, interval) << "at cycle N";
    EXPECT_EQ(gate_of(bench).carrier().unheld_interval_cycles(), interval);
    bench.run(2 * interval);
    for (std::size_t n = 0; n < stations.size(); ++n) {
      ASSERT_EQ(stations.station(NodeId{n}).interval, interval) << "node " << n;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(On, UnheldPacket, testing::ValuesIn(families()), [](const auto& c) { return c.param.name; });

/// On a 4-ary 3-tree 48 hops pass one router, 12 three and 4 five: 104 + 64 (1 + 2) cycles, for 232 over wires.
TEST(SatPacket, TakesLongerThanWires) {
  Bench bench(packets(vct_tree(3, 0.0), 4, 4));
  bench.run(2 * 296 + 1);
  EXPECT_EQ(gate_of(bench).stations().station(NodeId{0}).interval, 296U);
}

/// Its packets are a class of their own, and what they take of the links is counted there.
TEST(SatPacket, CountsAsAClassOfItsOwn) {
  Bench bench(packets(vct_tree(1, 0.0), 4, 4, 3));
  bench.network->window() = {true, 0, 1000};
  bench.run(720);
  bench.network->window().open = false;
  const auto results = bench.network->merged_statistics().results(720);
  ASSERT_EQ(bench.network->traffic_classes().size(), 2U);
  EXPECT_EQ(bench.network->traffic_classes()[1], "sat_signal");
  // A hop is 1 + (1 + 3) + 1 cycles; the 120th packet comes in cycle 719.
  ASSERT_EQ(results.size(), 1U) << "no other packets";
  EXPECT_EQ(results[0].name, "sat_signal");
  EXPECT_EQ(bench.delivered(), 120U);
  EXPECT_EQ(bench.network->fabric().counters().flits_delivered, 3 * 120U);
  EXPECT_TRUE(bench.network->conservation().holds());
}

/// All nodes always have packets, which wait for the signal; the signal does not wait behind them.
TEST(SatPacket, PassesThePacketsThatWaitForIt) {
  Experiment e = packets(vct_tree(2, 1.0), 2, 3);
  e.set("traffic.process", "saturated");
  e.set("interface.behind_gate_packets", 0);
  Bench bench(e);
  const auto& stations = gate_of(bench).stations();
  std::uint64_t shortest = ~std::uint64_t{0};
  for (int i = 0; i < 20000; ++i) {
    bench.run(1);
    for (std::size_t n = 0; n < stations.size(); ++n) ASSERT_LE(stations.station(NodeId{n}).sent, 3U);
    const std::uint64_t round = stations.station(NodeId{0}).interval;
    if (round != 0) shortest = std::min(shortest, round);
  }
  EXPECT_GT(stations.intervals().max, shortest) << "not all rounds take as long";
  EXPECT_EQ(gate_of(bench).carrier().unheld_interval_cycles(), shortest);
  EXPECT_GT(stations.intervals().count, 16U * 100);
  EXPECT_EQ(bench.network->complaint(), "");
  EXPECT_TRUE(bench.network->conservation().holds());
}

/// k = l makes every node's share the same under full load, on every family; the counts of two nodes differ by no more
/// than two rounds at either end.
TEST(SatPacket, IsFairOnEveryFamily) {
  Experiment hybrid = uniform_mesh(1.0, 4, 4), po2 = small_po2(4, 4), ideal = uniform_mesh(1.0, 4, 4);
  hybrid.set("interface.source_queue_packets", 8);
  add_traffic(po2, 0.9);
  po2.set("po2.avoidance", "up_down_escape");
  ideal.set("router.architecture", "ideal");
  ideal.set("interface.source_queue_packets", 8);
  for (Experiment e : {vct_tree(2, 1.0), vct_grid("mesh", 1.0), hybrid, po2, ideal}) {
    e.set("traffic.pattern", "hot_region").set("traffic.hot_fraction", 0.25);
    if (e.get<std::string>("router.architecture") == "virtual_cut_through") e.set("traffic.process", "saturated");
    constexpr std::uint32_t kPackets = 6;
    Bench bench(packets(e, kPackets, kPackets));
    bench.run(briefly(5000));
    bench.network->window() = {true, bench.network->now(), 1000};
    const std::uint64_t cycles = briefly(60000);
    bench.run(cycles);
    bench.network->window().open = false;
    const auto classes = bench.network->merged_statistics().results(cycles);
    const auto& sent = classes.at(0).injected_packets_by_node;
    const auto [least, most] = std::minmax_element(sent.begin(), sent.end());
    const std::string where = e.get<std::string>("router.architecture");
    EXPECT_GT(*least, 0U) << where;
    EXPECT_LE(*most - *least, 4 * kPackets) << where;
    EXPECT_TRUE(bench.network->conservation().holds()) << where;
    EXPECT_EQ(bench.network->complaint(), "") << where;
  }
}

/// A station that never lets it go is told once rounds have shown how long one takes.
TEST(SatPacket, DeadStationsAreNamedOnceARoundHasEnded) {
  Experiment e = packets(vct_tree(1, 1.0), 4, 4);
  e.set("sat.dead_nodes", std::vector<std::uint32_t>{2});
  e.set("sat.timeout_cycles", 3000);
  Bench bench(e);
  bench.run(2900);
  EXPECT_EQ(bench.network->complaint(), "") << "no round has ended: the timeout alone says";
  bench.run(300);
  EXPECT_EQ(bench.network->complaint().rfind("dead SAT station: node 2 has held", 0), 0U) << bench.network->complaint();
}

/// A packet that a link loses would be the end of the signal.
TEST(SatPacket, IsRefusedWhereLinksLosePackets) {
  Experiment e = models::read_experiment(source_file("tb/experiments/irregular_link_down.toml"));
  EXPECT_EQ(complaint([&] { const Bench bench(e); }), "");
  const std::string said = complaint([&] { const Bench bench(packets(e, 4, 4)); });
  EXPECT_EQ(said.rfind("sat.carrier: if a link lost the packet that is the signal", 0), 0U) << said;
}

}  // namespace
}  // namespace braid::test::sat_packet_test
