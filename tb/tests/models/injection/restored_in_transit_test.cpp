// In-transit buffers of a host row by row: what a checkpoint may bring to them, when a host takes a packet, what a
// waveform shows of a buffer, and which routers can count bytes.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "models/injection/in_transit.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/refusal.h"
#include "tb/tests/support/saved.h"
#include "tb/tests/support/wave.h"

namespace braid::test::restored_in_transit_test {
namespace {

using models::Experiment;
using models::InTransit;

/// Node 0's packet to node 2 rests at node 1: its mark is there in 11 + 58 (in_transit_record_test.cpp), and it may go
/// on 76 cycles later.
constexpr std::uint64_t kHere = 69, kReady = 145;

InTransit& of(const Bench& bench) { return *bench.network->in_transit().front(); }

struct Row {
  explicit Row(std::size_t packets = 1) : bench(myrinet_row(3, "every_switch")) {
    bench.run(10);
    for (std::size_t i = 0; i < packets; ++i) bench.network->send_packet(NodeId{0}, NodeId{2}, 32);
  }
  void run_to(std::uint64_t cycle) { bench.run(cycle - bench.network->now()); }
  std::string said(const std::string& bytes) const {
    return complaint<CheckpointError>([&] { restore(of(bench), bytes); });
  }
  Bench bench;
};

/// Behind the number of stations each has its resting packets, none here, and does one leave?
TEST(RestoredInTransit, LeavesNoEmptyBuffer) {
  const Row row(0);
  std::string bytes = saved(of(row.bench));
  ASSERT_EQ(bytes[0], 3);
  ASSERT_EQ(bytes[16], 0);
  EXPECT_EQ(row.said(bytes), "");
  bytes[16] = 1;
  EXPECT_EQ(row.said(bytes), no_such_state("a packet that leaves an empty buffer"));
}

/// The station that wakes in the cycle before the packet may go: one of three.
TEST(RestoredInTransit, WakesStationsThatThereAre) {
  Row row;
  row.run_to(kHere + 5);
  const std::string bytes = saved(of(row.bench));
  const std::uint64_t wake[2] = {kReady - 1, 1};
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(wake), sizeof wake));
  ASSERT_NE(at, std::string::npos) << "in cycle 144, of node 1";
  const auto with = [&](char station) {
    std::string damaged = bytes;
    damaged[at + 8] = station;
    return damaged;
  };
  EXPECT_EQ(row.said(with(2)), "");
  EXPECT_EQ(row.said(with(3)), "station 3, here are 3");
  EXPECT_EQ(row.said(bytes), "");
  row.bench.run(200);
  EXPECT_EQ(row.bench.delivered(), 1U) << "as if nothing had been";
}

/// A packet that rests has a path of the table; the one of its slot in another network has none yet.
TEST(RestoredInTransit, HoldsPacketsWithARoute) {
  Row row;
  row.run_to(kHere + 5);
  const Row other;
  EXPECT_EQ(other.said(saved(of(row.bench))).rfind("route of a packet ", 0), 0U) << other.said(saved(of(row.bench)));
}

// ---------------------------------------------------------------- the host

/// A packet in transit goes before the node's own: while one rests the host takes none, though its link is free.
TEST(InTransitHost, TakesNoPacketWhileOneRests) {
  Row row;
  InTransit& hosts = of(row.bench);
  EXPECT_TRUE(hosts.queues());
  EXPECT_EQ(hosts.times().detect_cycles, 44U);
  EXPECT_EQ(hosts.times().program_cycles, 32U);
  EXPECT_FALSE(hosts.times().counts_bytes);
  row.run_to(kHere);
  EXPECT_TRUE(hosts.ready(1)) << "at N - 1";
  EXPECT_EQ(hosts.waiting(), 0U);
  row.run_to(kHere + 1);
  EXPECT_FALSE(hosts.ready(1)) << "at N";
  EXPECT_TRUE(hosts.host_is_ready(1));
  EXPECT_TRUE(hosts.ready(0));
  EXPECT_TRUE(hosts.ready(2));
  EXPECT_EQ(hosts.queued(1), 0U) << "it is no packet of the node's own";
  row.run_to(kHere + 40);
  EXPECT_EQ(hosts.waiting(), 1U) << "all of it is here";
  row.run_to(kReady + 60);
  EXPECT_TRUE(hosts.ready(1));
  EXPECT_EQ(hosts.waiting(), 0U);
}

/// Two of the node's own: the first is on the link, the second waits and is counted.
TEST(InTransitHost, KeepsItsOwnPacketsInAQueue) {
  Row row(0);
  InTransit& hosts = of(row.bench);
  for (int i = 0; i < 3; ++i) row.bench.network->send_packet(NodeId{1}, NodeId{0}, 200);
  EXPECT_EQ(hosts.queued(1), 3U);
  EXPECT_EQ(hosts.waiting(), 3U);
  EXPECT_TRUE(hosts.own_waits(1));
  EXPECT_FALSE(hosts.own_waits(0));
  EXPECT_FALSE(hosts.ready(1));
  row.bench.run(20);
  EXPECT_EQ(hosts.waiting(), 2U);
  EXPECT_EQ(hosts.queued(1), 3U) << "and one that is leaving";
  row.bench.run(1000);
  EXPECT_EQ(row.bench.delivered(), 3U);
  EXPECT_EQ(hosts.queued(1), 0U);
  EXPECT_FALSE(hosts.own_waits(1));
}

TEST(InTransitHost, CountsWhatItHasSentOnAndTheMostItHeld) {
  Row row(2);
  row.bench.run(1000);
  ASSERT_EQ(row.bench.delivered(), 2U);
  const Report report = row.bench.network->policy_reports().in_transit;
  EXPECT_EQ(report.get<RawCount>("reinjections_per_node_cycle").events, 2U);
  EXPECT_EQ(report.get<RawCount>("reinjections_per_node_cycle").counters, 3U) << "nodes";
  EXPECT_EQ(report.get<std::uint64_t>("pool_max_flits"), 64U) << "both at once";
}

/// How many packets and flits there are in the buffer, and of the first since when; nothing when all have gone.
TEST(InTransitSignals, ShowWhatTheBufferHolds) {
  Row row(2);
  Wave wave(row.bench);
  wave.run(600);
  const auto at = [&](const char* name, std::uint64_t cycle) {
    return wave.at(std::string("node_1.in_transit.") + name, cycle);
  };
  EXPECT_EQ(at("packets", kHere - 1), 0U);
  EXPECT_EQ(at("flits", kHere - 1), 0U);
  EXPECT_EQ(at("state", kHere - 1), 0U) << "idle";
  EXPECT_EQ(at("packets", kHere), 1U);
  EXPECT_EQ(at("flits", kHere), 32U);
  EXPECT_EQ(at("state", kHere), 1U) << "detecting";
  EXPECT_EQ(at("packets", kReady - 2), 2U);
  EXPECT_EQ(at("flits", kReady - 2), 64U);
  EXPECT_EQ(at("since", kReady - 2), kHere);
  EXPECT_EQ(at("state", kReady - 2), 2U) << "programming";
  EXPECT_EQ(at("state", kReady - 1), 4U) << "it has been handed down, and begins in the next cycle";
  for (const char* name : {"packets", "flits", "since", "packet", "state"}) EXPECT_EQ(at(name, 599), 0U) << name;
  EXPECT_EQ(wave.at("node_0.in_transit.packets", kReady), 0U);
}

/// Routers that send a packet on when it is whole do not tell how much of it has come.
TEST(InTransitInput, CountsBytesOfMyrinetLikeSwitchesAlone) {
  Experiment e = myrinet_row(3, "every_switch");
  e.set("in_transit.detection", "bytes");
  EXPECT_EQ(refusal(e), "");
  EXPECT_TRUE(of(Bench(e)).times().counts_bytes);
  Experiment mesh = uniform_mesh(0.05, 4, 4);
  mesh.set("routing.algorithm", "source_routed").set("routing.paths", "random");
  mesh.set("routing.in_transit", "every_switch");
  EXPECT_EQ(refusal(mesh), "");
  mesh.set("in_transit.detection", "bytes");
  EXPECT_EQ(refusal(mesh),
            "in_transit.detection = \"bytes\": these routers send a packet on when it is whole; expected \"times\", or "
            "router.architecture = \"myrinet\"");
}

/// Hosts that choose paths without rests queue nothing, and report nothing.
TEST(InTransitInput, OfPathsWithoutRestsQueuesNothing) {
  const Bench bench(myrinet_row(3));
  EXPECT_FALSE(of(bench).queues());
  EXPECT_TRUE(bench.network->policy_reports().in_transit.figures.empty());
  EXPECT_TRUE(of(bench).ready(1));
  EXPECT_EQ(of(bench).waiting(), 0U);
}

}  // namespace
}  // namespace braid::test::restored_in_transit_test
