// A replayed trace at its bounds: of no packet and of one, a packet that comes into the window in the very cycle in
// which it may go, packets of one cycle in their order, and how far its first reading is.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "models/workload/replay/replay_workload.h"
#include "tb/tests/support/bench.h"

namespace braid::test::replay_bounds_test {
namespace {

using models::Experiment;
using models::ReplayWorkload;
using State = models::Workload::State;

Experiment replaying(const std::string& records, const std::string& by, std::uint32_t window = 100) {
  const std::string file = temporary_file("bounds.trace");
  std::ofstream(file, std::ios::binary) << "braid-trace 1\nnodes 4\nclass packets\nclass others\n" << records;
  Experiment e;
  e.set("topology.width", 2).set("topology.height", 2);
  e.open("replay");
  e.set("replay.file", file).set("replay.by", by).set("replay.window", window);
  return e;
}
ReplayWorkload& replay_of(const Bench& bench) { return *bench.network->workload<ReplayWorkload>(); }

TEST(ReplayBounds, OfNoPacketIsIdleAtOnce) {
  for (const char* by : {"time", "dependency", "both"}) {
    Bench bench(replaying("end 0\n", by));
    EXPECT_EQ(replay_of(bench).state(), State::kIdle) << by;
    bench.run(10);
    const models::ReplayResults r = replay_of(bench).results();
    EXPECT_EQ(r.trace_packets + r.made + r.delivered + r.held_back, 0U) << by;
    EXPECT_EQ(r.trace_share, 0.0) << by;
    EXPECT_FALSE(r.last_delivery.has_value()) << by;
    EXPECT_EQ(replay_of(bench).state(), State::kIdle) << by;
  }
}

/// Over a link in 3 + 5 x 2 cycles.
TEST(ReplayBounds, OfOnePacketIsThatOne) {
  for (const char* by : {"time", "dependency", "both"}) {
    Bench bench(replaying("0 5 0 1 1 0\nend 1\n", by));
    bench.run(5);
    EXPECT_EQ(replay_of(bench).results().made, 0U) << by;
    EXPECT_EQ(replay_of(bench).state(), State::kBusy) << by;
    bench.run(1);
    EXPECT_EQ(replay_of(bench).results().made, 1U) << by;
    bench.run(20);
    const models::ReplayResults r = replay_of(bench).results();
    EXPECT_EQ(r.trace_share, 1.0) << by;
    EXPECT_EQ(r.last_delivery, 18U) << by;
    EXPECT_EQ(replay_of(bench).state(), State::kIdle) << by;
  }
}

/// The first arrives in 18; what comes into a window of one is read in 19: a packet of that cycle is in time, one of
/// the cycle before is held back.
TEST(ReplayBounds, HoldBackWhatComesAfterItsCycleOnly) {
  for (const std::uint64_t second : {18U, 19U, 20U}) {
    Bench bench(replaying("0 5 0 1 1 0\n1 " + std::to_string(second) + " 2 3 1 0\nend 2\n", "dependency", 1));
    bench.run(19);
    EXPECT_EQ(replay_of(bench).results().delivered, 1U);
    EXPECT_EQ(replay_of(bench).results().made, 1U);
    bench.run(1);
    EXPECT_EQ(replay_of(bench).results().made, second == 20 ? 1U : 2U) << second;
    EXPECT_EQ(replay_of(bench).results().held_back, second == 18 ? 1U : 0U) << second;
    bench.run(1);
    EXPECT_EQ(replay_of(bench).results().made, 2U);
  }
}

/// Two are in a window of two: the third comes in when the first has arrived, whatever the second does.
TEST(ReplayBounds, HaveAsManyInTheWindowAsItTakes) {
  const std::string records = "0 5 0 1 1 0\n1 5 2 3 60 0\n2 5 1 0 1 0\nend 3\n";
  for (const std::uint32_t window : {1U, 2U, 3U}) {
    Bench bench(replaying(records, "dependency", window));
    bench.run(6);
    EXPECT_EQ(replay_of(bench).results().made, window) << "in cycle 5";
    bench.run(13);
    EXPECT_EQ(replay_of(bench).results().delivered, window == 3 ? 2U : 1U);
    bench.run(1);
    EXPECT_EQ(replay_of(bench).results().made, window == 1 ? 2U : 3U) << "in cycle 19";
  }
}

/// Packets of one node and one cycle go in the order of the trace; those of a cycle before go before.
TEST(ReplayBounds, KeepTheOrderOfTheTrace) {
  for (const char* by : {"time", "dependency"}) {
    std::string records;
    for (int i = 0; i < 8; ++i) records += std::to_string(i) + " 5 0 1 " + std::to_string(1 + i) + " 0\n";
    Experiment e = replaying(records + "end 8\n", by);
    e.set("log.file", "unwritten.csv");
    Bench bench(e);
    bench.run(200);
    std::vector<std::uint32_t> flits(8);
    bench.network->packet_log()->each(bench.network->store(),
                                      [&](const models::PacketRecord&, const models::Packet& packet) {
                                        flits.at(packet.sequence) = packet.length_flits;
                                      });
    EXPECT_EQ(flits, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8})) << by;
  }
}

/// A packet of the second class is of that class; without a list all go by subnet 0.
TEST(ReplayBounds, HaveTheClassesOfTheTrace) {
  Bench bench(replaying("0 5 0 1 1 1\nend 1\n", "time"));
  const models::ClassSubnets subnets = replay_of(bench).class_subnets().value();
  EXPECT_EQ(subnets, (models::ClassSubnets{{0}, {0}}));
  EXPECT_EQ(replay_of(bench).classes(), (std::vector<std::string>{"packets", "others"}));
  EXPECT_EQ(replay_of(bench).kinds(), replay_of(bench).classes());
  bench.network->window() = {true, 0, 100};
  bench.run(50);
  const auto classes = bench.network->merged_statistics().results(50);
  ASSERT_EQ(classes.size(), 1U);
  EXPECT_EQ(classes[0].name, "others");
}

/// Each 16384 packets of the first reading.
TEST(ReplayBounds, SayHowFarTheReadingIs) {
  std::string records;
  for (int i = 0; i < 2 * 16384 + 5; ++i) records += std::to_string(i) + " 5 0 1 1 0\n";
  const Experiment e = replaying(records + "end 32773\n", "time");
  const routing::Topology topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  std::vector<std::size_t> told;
  const models::Network network(e, topology, *routing, 1, [&](const char* what, std::size_t done, std::size_t) {
    if (std::string(what) == "packets of the trace") told.push_back(done);
  });
  EXPECT_EQ(told, (std::vector<std::size_t>{16384, 32768}));
}

}  // namespace
}  // namespace braid::test::replay_bounds_test
