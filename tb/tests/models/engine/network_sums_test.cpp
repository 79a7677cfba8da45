// What a network says of all its slices together: sums, the oldest packets, and what its checkpoint may say of packets.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/restored.h"

namespace braid::test::network_sums_test {
namespace {

using models::Experiment;
using models::Network;
using models::Packet;

/// Of equal ages by the source, whichever packet was made first and lies before the other in the store.
TEST(OldestPackets, OfOneCycleAreThoseOfTheFirstNodeInAnyOrder) {
  for (const auto& order : {std::vector<std::uint32_t>{1, 2, 0}, {2, 0, 1}, {0, 1, 2}, {2, 1, 0}}) {
    Bench bench(uniform_mesh(0.0, 4, 1));
    bench.run(7);
    for (const std::uint32_t node : order) bench.network->send_packet(NodeId{node}, NodeId{3}, 50);
    bench.run(2);
    const std::optional<Network::Oldest> oldest = bench.network->oldest_packets().at(0);
    EXPECT_EQ(oldest->source, NodeId{0});
    EXPECT_EQ(oldest->age_cycles, 9U - 6U);
  }
}

/// Each class has its own; one that has nothing under way has none.
TEST(OldestPackets, AreThoseOfEachClass) {
  const std::string text =
      "[topology]\nwidth = 4\nheight = 1\n[[traffic]]\nname = \"a\"\nrate_flits_per_node_cycle = 0.0\n"
      "[[traffic]]\nname = \"b\"\nrate_flits_per_node_cycle = 0.0\n";
  Bench bench(models::parse_experiment(text, "e.toml"), 2);
  const std::size_t classes = bench.network->traffic_classes().size();
  ASSERT_GE(classes, 3U) << "own packets, a and b";
  const auto send = [&](std::uint32_t from, std::size_t traffic_class) {
    bench.network->send_packet(NodeId{from}, NodeId{3 - from}, 30, models::kNoTag,
                               static_cast<std::uint8_t>(traffic_class));
  };
  bench.run(5);
  send(3, classes - 1);
  bench.run(4);
  send(0, classes - 2);
  send(2, classes - 1);
  const auto oldest = bench.network->oldest_packets();
  ASSERT_EQ(oldest.size(), classes);
  EXPECT_FALSE(oldest[0]);
  EXPECT_EQ(oldest[classes - 2]->source, NodeId{0});
  EXPECT_EQ(oldest[classes - 2]->age_cycles, 1U);
  EXPECT_EQ(oldest[classes - 1]->source, NodeId{3});
  EXPECT_EQ(oldest[classes - 1]->age_cycles, 5U);
}

/// By counters and by a walk through all buffers and links it is the same, in every cycle: where routers copy flits,
/// and where a link loses them.
void expect_counted(Bench& bench, std::uint64_t cycles) {
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    bench.run(1);
    const models::Conservation c = bench.network->conservation();
    ASSERT_TRUE(c.holds()) << cycle;
    ASSERT_EQ(bench.network->flits_in_network(), c.flits_in_flight) << cycle;
    ASSERT_EQ(bench.network->packets_under_way(), c.packets_in_flight) << cycle;
    ASSERT_EQ(bench.network->packets_created(), c.packets_created) << cycle;
  }
}

TEST(FlitsInNetwork, AreThoseThatRoutersCopied) {
  Experiment e = uniform_mesh(0.1, 4, 4);
  e.open("broadcast");
  e.set("broadcast.scheme", "router_multicast").set("broadcast.flits", 3).set("broadcast.burst", 2);
  e.set("broadcast.gap_cycles", 20);
  Bench bench(e);
  expect_counted(bench, 800);
  EXPECT_GT(bench.network->fabric().counters().flits_copied, 100U);
}

TEST(FlitsInNetwork, AreNotThoseThatALinkLost) {
  Experiment e = irregular_myrinet(8, 0.3, "balanced", "every_switch");
  e.open("failure");
  e.set("failure.router", "s0").set("failure.port", "link0").set("failure.cycle", 1500);
  e.set("failure.recompute_ns", 625.0);
  Bench bench(e);
  expect_counted(bench, 2500);
  const models::Conservation c = bench.network->conservation();
  EXPECT_GT(c.flits_lost.value_or(0), 0U);
  EXPECT_GT(c.packets_lost.value_or(0), 0U);
}

/// Nothing is lost where no link goes down, and nothing copied where nobody forks: there is no such figure.
TEST(Conservation, HasLossesAndCopiesOnlyWhereTheyCanBe) {
  Bench bench(uniform_mesh(0.2, 3, 2));
  bench.run(100);
  EXPECT_FALSE(bench.network->conservation().packets_lost);
  EXPECT_FALSE(bench.network->conservation().flits_lost);
  EXPECT_FALSE(bench.network->conservation().flits_copied);
  Experiment e = irregular_myrinet(8, 0.0, "up_down", "none");
  e.open("failure");
  e.set("failure.router", "s0").set("failure.port", "link0").set("failure.cycle", 5);
  Bench failing(e);
  failing.run(20);
  EXPECT_EQ(failing.network->conservation().packets_lost, 0U);
  EXPECT_EQ(failing.network->conservation().flits_lost, 0U);
  EXPECT_TRUE(failing.network->conservation().holds());
}

/// A second window, in several slices: what has been made in the first is none of its packets, under way or not.
TEST(MeasuredPackets, OfASecondWindowAreItsOwn) {
  for (const std::size_t slices : {1U, 4U}) {
    Bench bench(even_load(), slices);
    bench.network->begin_window(100);
    bench.run(50);
    EXPECT_EQ(bench.network->measured_packets_under_way(), 32U) << "made in the last two cycles, 16 in each";
    bench.network->begin_window(100);
    EXPECT_EQ(bench.network->window().first_cycle, 50U);
    EXPECT_EQ(bench.network->measured_packets_under_way(), 0U);
    bench.run(1);
    EXPECT_EQ(bench.network->measured_packets_under_way(), 16U);
    bench.run(9);
    EXPECT_EQ(bench.network->measured_packets_under_way(), 32U);
    bench.network->stop_sources();
    bench.run(10);
    EXPECT_EQ(bench.network->measured_packets_under_way(), 0U);
    EXPECT_EQ(bench.network->merged_statistics().results(20).at(0).packet_latency_distribution.count, 160U);
  }
}

/// The intervals of slices are added up, and each is asked for what came since the last.
TEST(Intervals, AreThoseOfAllSlices) {
  Bench whole(uniform_mesh(0.4, 4, 4)), cut(uniform_mesh(0.4, 4, 4), 5);
  for (int i = 0; i < 4; ++i) {
    for (Bench* bench : {&whole, &cut}) bench->run(60);
    const models::Statistics::Interval a = whole.network->take_interval(), b = cut.network->take_interval();
    EXPECT_EQ(a.packets, b.packets);
    EXPECT_EQ(a.flits, b.flits);
    EXPECT_EQ(a.latency_sum, b.latency_sum);
    EXPECT_GT(a.packets, 10U);
  }
}

// ---------------------------------------------------------------- packets in checkpoints

/// What another network says to a packet of a node's queue that is changed.
template <class Change>
std::string said_to_packet(Change change) {
  Restored two(uniform_mesh(0.0, 2, 1));
  two.bench.run(30);
  two.bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  auto& store = const_cast<models::PacketStore&>(two.bench.network->store());
  Packet* packet = nullptr;
  for (models::PacketSlot slot = 0; packet == nullptr; ++slot) {
    if (store[slot].length_flits == 4 && store[slot].created == 29) packet = &store[slot];
  }
  return two.said_after([&] { change(*packet); });
}

/// Made in a cycle that has been, and on the injection link in the next one at the latest.
TEST(PacketsInCheckpoints, AreOfCyclesThatHaveBeen) {
  const std::string to_come = no_such_state("a packet of a cycle to come");
  EXPECT_EQ(said_to_packet([](Packet& p) { p.created = 30; }), "");
  EXPECT_EQ(said_to_packet([](Packet& p) { p.created = 31; }), to_come);
  EXPECT_EQ(said_to_packet([](Packet& p) { p.injected = 31; }), "");
  EXPECT_EQ(said_to_packet([](Packet& p) { p.injected = 32; }), to_come);
}

TEST(PacketsInCheckpoints, AreOfAClassThatThereIsAndHaveAFlit) {
  EXPECT_EQ(said_to_packet([](Packet& p) { p.length_flits = 1; }), "");
  EXPECT_EQ(said_to_packet([](Packet& p) { p.length_flits = 0; }), no_such_state("a packet without flits"));
  EXPECT_EQ(said_to_packet([](Packet& p) { p.traffic_class = 1; }), here("class of traffic", 1, 1));
  EXPECT_EQ(said_to_packet([](Packet& p) { p.workload = 1; }), here("workload", 1, 1));
}

}  // namespace
}  // namespace braid::test::network_sums_test
