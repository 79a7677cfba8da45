// Whole networks: conservation, emptying, closed forms, circuits beside packets, back-pressure.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>

#include "tb/tests/support/bench.h"

namespace braid::test::network_test {
namespace {

using models::Experiment;

TEST(Network, LosesNothingAtSaturationAndEmpties) {
  for (const char* routing : {"x_first", "y_first", "west_first", "odd_even", "minimal_adaptive"}) {
    Experiment e = uniform_mesh(0.9);
    e.set("routing.algorithm", routing);
    Bench bench(e);
    bench.run(1500);
    EXPECT_TRUE(bench.network->conservation().holds()) << routing;
    EXPECT_GT(bench.network->conservation().flits_in_flight, 100U) << routing;
    bench.network->stop_sources();
    bench.run(60000);
    const models::Conservation end = bench.network->conservation();
    EXPECT_TRUE(end.holds()) << routing;
    EXPECT_EQ(end.packets_in_flight, 0U) << routing;
    EXPECT_EQ(end.packets_created, end.packets_delivered) << routing;
  }
}

/// Beyond saturation, too, an 8x8 torus accepts what BookSim 2's does at its best (0.54): both ways round every ring,
/// both halves of the VCs.
TEST(Network, ATorusKeepsItsThroughput) {
  for (const double rate : {0.6, 0.9}) {
    Experiment e = uniform_mesh(rate);
    e.set("topology.kind", "torus");
    Bench bench(e);
    bench.run(3000);
    const std::uint64_t before = bench.delivered();
    bench.run(3000);
    EXPECT_GT(static_cast<double>(bench.delivered() - before) * 4.0 / (64.0 * 3000.0), 0.53) << rate;
  }
}

/// Half-way round a ring each packet draws its way, anew for each: of a pair's packets half go each way (99.9 % of
/// draws are within 3.3 sigma), of the fixed rule's all one way.
TEST(Network, HalfWayRoundATorusPacketsOfAPairGoBothWays) {
  for (const char* family : {"hybrid", "virtual_cut_through"}) {
    for (const char* ties : {"drawn", "fixed"}) {
      Experiment e = uniform_mesh(0.05, 4, 4);
      e.set("topology.kind", "torus").set("routing.ties", ties);
      e.set("traffic.pattern", "hot_spot").set("traffic.hot_nodes", std::vector<std::uint32_t>{2});
      e.set("traffic.hot_fraction", 1.0).set("traffic.flits", 1);
      if (std::string(family) == "virtual_cut_through") {
        e.set("router.architecture", family).set("routing.bubble", true).set("router.vcs", 1);
      }
      Bench bench(e);
      bench.run(8000);
      // All go to (2, 0). X first, so the two links out of (0, 0) carry what that node itself sends, and nothing else.
      const auto flits = [&](PortId port) {
        return static_cast<double>(bench.network->fabric().link_use(RouterId{0U}, port).packet_flits);
      };
      const double east = flits(routing::kEast), west = flits(routing::kWest), all = east + west;
      ASSERT_GT(all, 300.0);
      if (std::string(ties) == "fixed") {
        EXPECT_EQ(std::min(east, west), 0.0) << family;
      } else {
        EXPECT_NEAR(east, all / 2.0, 3.3 * std::sqrt(all) / 2.0) << family;
      }
    }
  }
}

TEST(Network, SmallestRouterWorks) {
  Experiment e = uniform_mesh(0.3, 4, 4);
  e.set("router.vcs", 1);
  e.set("router.buffer_depth", 1);
  Bench bench(e);
  bench.run(3000);
  EXPECT_TRUE(bench.network->conservation().holds());
  EXPECT_GT(bench.delivered(), 500U);
}

TEST(Network, LittlesLaw) {
  // Flits in the network = rate x time in the network, from the cycle a flit is on the injection link.
  Experiment e = uniform_mesh(0.2);
  e.set("traffic.flits", 1);
  Bench bench(e);
  bench.run(3000);
  bench.network->window() = {true, bench.network->now(), 1000};
  double in_network = 0.0;
  constexpr int kCycles = 20000;
  for (int i = 0; i < kCycles; ++i) {
    bench.run(1);
    in_network += static_cast<double>(bench.network->flits_in_network()) / kCycles;
  }
  bench.network->window().open = false;
  const auto packets = bench.network->merged_statistics().results(kCycles).at(0);
  const double rate = packets.accepted_flits_per_node_cycle.mean * 64.0;
  EXPECT_NEAR(in_network, rate * packets.network_latency_cycles.mean, 0.03 * in_network);
}

TEST(Network, FiniteSourceQueueStallsTheSource) {
  Experiment e = uniform_mesh(1.0, 4, 4);
  e.set("interface.source_queue_packets", 2);
  Bench bench(e);
  bench.run(4000);
  const auto& interfaces = models::hybrid::of(bench.network->fabric()).slice(0).interfaces();
  for (std::size_t p = 0; p < 16; ++p) EXPECT_LE(interfaces.queued(p), 2U);
  EXPECT_TRUE(bench.network->conservation().holds());
}

/// FM radio on circuits; latencies of its messages.
models::Distribution circuit_latencies(double packet_rate, bool share) {
  Experiment e = stream_mesh("fm_radio_4x4.toml", 4, 4);
  e.set("stream.computation_scaling", 0.02);  // no message waits for another
  e.set("router.share_reserved_links", share);
  e.set("routing.algorithm", "minimal_adaptive");
  if (packet_rate > 0.0) {
    add_traffic(e, packet_rate);
  }
  Bench bench(e);
  while (!bench.network->setup_done()) bench.run(1);
  bench.run(3000);
  bench.network->window() = {true, bench.network->now(), 1000};
  bench.run(10000);
  bench.network->window().open = false;
  for (const auto& c : bench.network->merged_statistics().results(10000)) {
    if (c.name == "circuits") return c.packet_latency_distribution;
  }
  return {};
}

TEST(Circuits, AreNeverDelayedByPackets) {
  const models::Distribution alone = circuit_latencies(0.0, true);
  const models::Distribution busy = circuit_latencies(0.8, true);
  ASSERT_GT(alone.count, 100U);
  EXPECT_EQ(busy.min, alone.min);
  EXPECT_EQ(busy.max, alone.max);
  EXPECT_EQ(busy.mean, alone.mean);
}

TEST(Circuits, KeepOneFlitACycle) {
  const std::string file = temporary_file("rate.toml");
  std::ofstream(file)
      << "name = \"rate\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = 0\n[[actor]]\nname = \"b\"\nwork = 1\n"
         "tile = 7\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = 16\npop = 16\n";
  Experiment e = stream_mesh("", 8, 1);
  e.set("stream.graph", file);
  Bench bench(e);
  bench.run(1000);
  const std::uint64_t before = program_of(bench).edges()[0].delivered_items;
  bench.run(8000);
  const std::uint64_t items = program_of(bench).edges()[0].delivered_items - before;
  EXPECT_GE(items, 7984U);  // one flit a cycle, give or take a message at the ends
  EXPECT_LE(items, 8008U);
}

TEST(Circuits, SlowConsumerHoldsBackWithoutLoss) {
  const std::string file = temporary_file("slow.toml");
  std::ofstream(file)
      << "name = \"slow\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = 0\n[[actor]]\nname = \"b\"\nwork = 100\n"
         "tile = 5\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = 4\npop = 4\n";
  Experiment e = stream_mesh("", 8, 1);
  e.set("stream.graph", file);
  e.set("interface.receive_queue_items", 16);
  Bench bench(e);
  bench.run(10000);
  const auto& edge = program_of(bench).edges()[0];
  EXPECT_LE(edge.received.items(), 16U);
  EXPECT_TRUE(bench.network->conservation().holds());
  EXPECT_GT(bench.network->conservation().flits_in_flight, 10U) << "the circuit is full";
  const std::uint64_t firings = program_of(bench).actors()[1].firings;
  EXPECT_NEAR(static_cast<double>(firings), 10000.0 / 100.0, 3.0) << "the consumer is never idle";
  EXPECT_EQ(edge.delivered_items - edge.received.items(), (firings + 1) * 4) << "each item consumed once";
}

/// The node's one port has a circuit that waits for its consumer nearly all the time: packets use its cycles.
TEST(Circuits, ThatWaitLeaveTheInjectionLinkToPackets) {
  const std::string file = temporary_file("waits.toml");
  std::ofstream(file)
      << "name = \"waits\"\n[[actor]]\nname = \"a\"\nwork = 1\ntile = 0\n[[actor]]\nname = \"b\"\nwork = 1000\n"
         "tile = 5\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = 4\npop = 4\n";
  Experiment e = stream_mesh("", 8, 1);
  e.set("topology.local_ports", 1);
  e.set("stream.graph", file);
  e.set("interface.receive_queue_items", 16);
  add_traffic(e, 0.0);
  Bench bench(e);
  bench.run(5000);  // until every buffer of the circuit is full
  const std::uint64_t before = bench.network->merged_statistics().packets_delivered();
  for (int i = 0; i < 10; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(100);  // less than a firing
  EXPECT_GE(bench.network->merged_statistics().packets_delivered() - before, 10U);
}

TEST(Streams, ComputationBoundThroughputIsThatOfTheSlowestActor) {
  for (const bool ideal : {false, true}) {
    Experiment e = stream_mesh("split_join.toml", 4, 4);
    e.set("interface.switching", "packet");
    if (ideal) e.set("router.architecture", "ideal");
    e.set("stream.computation_scaling", 10.0);  // left and right: 160 cycles a firing
    Bench bench(e);
    bench.run(2000);
    const std::uint64_t before = program_of(bench).milli_iterations();
    bench.run(16000);
    EXPECT_EQ(program_of(bench).milli_iterations() - before, 100000U) << "one iteration in 160 cycles";
    EXPECT_TRUE(bench.network->conservation().holds());
  }
}

TEST(Streams, ReassembleOutOfOrderPackets) {
  models::ReceiveQueue queue;
  queue.arrive(1, 3);
  EXPECT_EQ(queue.items(), 0U);
  queue.arrive(2, 5);
  queue.arrive(0, 2);
  EXPECT_EQ(queue.items(), 10U);
}

/// A node's packets take its local ports in turn: of three, two wait at the first and one at the second.
TEST(Waiting, CountsThePacketsOfEveryLocalPort) {
  Experiment e = uniform_mesh(0.0, 2, 2);
  e.set("topology.local_ports", 2);
  e.set("interface.fairness", "sat");
  Bench bench(e);
  for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{1}, NodeId{3}, 4);
  EXPECT_EQ(bench.network->waiting(NodeId{1}), 3U);
  EXPECT_EQ(bench.network->waiting(NodeId{0}), 0U);
  EXPECT_EQ(Bench(uniform_mesh(0.0, 2, 2)).network->waiting(NodeId{1}), 0U) << "there is no injection point";
}

/// Created is delivered, lost or in flight; of flits there are also those that routers copied. One more of any is an
/// error.
TEST(Conservation, HoldsWhereNothingIsLostOrMadeTwice) {
  const models::Conservation all{10, 4, 5, 700, 300, 450, 1, 30, 80};
  EXPECT_TRUE(all.holds());
  EXPECT_TRUE((models::Conservation{9, 4, 5, 700, 300, 400}.holds())) << "without losses and copies";
  for (std::uint64_t models::Conservation::* number :
       {&models::Conservation::packets_created, &models::Conservation::packets_delivered,
        &models::Conservation::packets_in_flight, &models::Conservation::flits_injected,
        &models::Conservation::flits_delivered, &models::Conservation::flits_in_flight}) {
    models::Conservation wrong = all;
    ++(wrong.*number);
    EXPECT_FALSE(wrong.holds());
  }
  for (std::optional<std::uint64_t> models::Conservation::* number :
       {&models::Conservation::packets_lost, &models::Conservation::flits_lost, &models::Conservation::flits_copied}) {
    models::Conservation wrong = all;
    ++*(wrong.*number);
    EXPECT_FALSE(wrong.holds());
  }
  const Report figures = models::conservation_figures().of(all);
  EXPECT_TRUE(figures.get<bool>("holds"));
  EXPECT_EQ(figures.get<std::uint64_t>("packets_in_flight"), 5U);
  EXPECT_EQ(figures.get<std::uint64_t>("flits_copied"), 80U);
}

/// Each flit moves when it comes onto the injection link, crosses a switch and is delivered: four of them over two
/// routers sixteen times, and in no cycle does the count fall.
TEST(Movements, AreAllThatFlitsMake) {
  Bench bench(uniform_mesh(0.0, 2, 1));
  bench.run(10);
  EXPECT_EQ(bench.network->movements(), 0U);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  std::uint64_t before = 0, most = 0;
  for (int i = 0; i < 40; ++i) {
    bench.run(1);
    EXPECT_GE(bench.network->movements(), before) << i;
    before = bench.network->movements();
    most = std::max(most, bench.network->flits_in_network());
    EXPECT_EQ(bench.network->flits_in_network(), bench.network->conservation().flits_in_flight) << i;
  }
  EXPECT_EQ(before, 4U + 2U * 4U + 4U);
  EXPECT_EQ(most, 4U);
  EXPECT_EQ(bench.network->flits_in_network(), 0U);
}

/// In the network nobody knows of a packet but its oldest: by its age, and of equal ages by its source.
TEST(OldestPackets, AreOfTheLeastCycleAndThenOfTheFirstNode) {
  Bench bench(uniform_mesh(0.0, 3, 1));
  EXPECT_FALSE(bench.network->oldest_packets().at(0));
  bench.run(5);
  bench.network->send_packet(NodeId{2}, NodeId{0}, 200);  // made in cycle 4
  bench.run(3);
  bench.network->send_packet(NodeId{1}, NodeId{0}, 1);
  EXPECT_EQ(bench.network->oldest_packets().at(0)->age_cycles, 4U);
  EXPECT_EQ(bench.network->oldest_packets().at(0)->source, NodeId{2});
  bench.run(400);
  EXPECT_FALSE(bench.network->oldest_packets().at(0)) << "all have come";
  for (const std::uint32_t node : {2, 1}) bench.network->send_packet(NodeId{node}, NodeId{0}, 300);
  EXPECT_EQ(bench.network->oldest_packets().at(0)->age_cycles, 1U);
  EXPECT_EQ(bench.network->oldest_packets().at(0)->source, NodeId{1});
}

}  // namespace
}  // namespace braid::test::network_test
