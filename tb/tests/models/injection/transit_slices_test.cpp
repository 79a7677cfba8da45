// In-transit buffers over several slices and of nobody: the figures are those of the whole network, the first overflow
// is the one that is told, and a short packet is known by its tail where bytes are counted.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/injection/in_transit.h"
#include "models/injection/transit_buffer.h"
#include "tb/tests/support/filled.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::transit_slices_test {
namespace {

using models::Experiment;

/// A row of three nodes on hybrid routers, whose hosts choose the paths.
Experiment row() {
  Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("routing.algorithm", "source_routed").set("routing.paths", "random");
  e.set("routing.in_transit", "every_switch");
  return e;
}

std::uint64_t reinjections(const Bench& bench) {
  return bench.network->policy_reports().in_transit.get<RawCount>("reinjections_per_node_cycle").events;
}
std::uint64_t most_flits(const Bench& bench) {
  return bench.network->policy_reports().in_transit.get<std::uint64_t>("pool_max_flits");
}

TEST(TransitFigures, OfNobodyAreZero) {
  for (const std::size_t slices : {1U, 3U}) {
    Bench bench(row(), slices);
    bench.run(50);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 5);
    bench.run(100);
    EXPECT_EQ(bench.delivered(), 1U) << "without a rest";
    EXPECT_EQ(reinjections(bench), 0U);
    EXPECT_EQ(most_flits(bench), 0U);
    EXPECT_EQ(bench.network->policy_reports().in_transit.get<RawCount>("reinjections_per_node_cycle").counters, 3U);
  }
}

/// Three packets rest at node 1, which is in the middle slice, two of seven flits at once.
TEST(TransitFigures, AreOfAllSlices) {
  for (const std::size_t slices : {1U, 2U, 3U}) {
    Bench bench(row(), slices);
    bench.run(10);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 7);
    bench.network->send_packet(NodeId{2}, NodeId{0}, 7);
    bench.run(1000);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 5);
    bench.run(1000);
    EXPECT_EQ(bench.delivered(), 3U);
    EXPECT_EQ(reinjections(bench), 3U) << slices;
    EXPECT_EQ(most_flits(bench), 14U) << slices;
    EXPECT_TRUE(bench.network->conservation().holds());
  }
}

/// A node that two packets overflow, one after the other: what is told is the first, however long the run goes on.
TEST(TransitOverflow, IsToldOfTheFirst) {
  Experiment e = myrinet_row(3, "every_switch");
  e.set("in_transit.pool_flits", 100);
  Bench bench(e);
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 120);
  bench.run(2000);
  const std::string first = bench.network->complaint();
  EXPECT_NE(first.find("needs room for 120 flits in cycle "), std::string::npos) << first;
  EXPECT_NE(first.find(", in_transit.pool_flits = 100"), std::string::npos) << first;
  bench.network->send_packet(NodeId{0}, NodeId{2}, 140);
  bench.run(2000);
  EXPECT_EQ(bench.network->complaint(), first);
}

/// Its mark is at node 1 in 69, its five flits soon after: it is known 44 cycles later and may go 32 after that, for
/// the whole packet is there. So bytes change nothing.
TEST(TransitBytes, OfAShortPacketAreAllOfIt) {
  for (const char* detection : {"times", "bytes"}) {
    Experiment e = myrinet_row(3, "every_switch");
    e.set("in_transit.detection", detection).set("watch.what", "packet=0.0");
    Bench bench(e);
    bench.run(10);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 5);
    bench.run(600);
    std::string rests = "no column";
    bench.network->packet_log()->columns(
        bench.topology, bench.network->store(), [](const models::Packet&) { return "packet"; },
        [&](const models::PacketLog::Columns& c) { rests = c.rests ? c.rests->front() : rests; });
    EXPECT_EQ(rests, "1@69-113-145-145") << detection;
  }
}

/// Three packets of five flits are all at node 1 when the first one may go, in 145: then it leaves, and the other two
/// wait.
TEST(TransitBuffers, HoldThoseThatWaitBehindOneThatLeaves) {
  Bench bench(myrinet_row(3, "every_switch"));
  bench.run(10);
  for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{0}, NodeId{2}, 5);
  const models::InTransit& hosts = *bench.network->in_transit().front();
  bench.run(144 - bench.network->now());
  ASSERT_FALSE(hosts.buffer(1).leaving);
  ASSERT_EQ(hosts.buffer(1).resting.size(), 3U);
  EXPECT_EQ(hosts.waiting(), 3U);
  bench.run(6);
  ASSERT_TRUE(hosts.buffer(1).leaving);
  ASSERT_EQ(hosts.buffer(1).resting.size(), 3U);
  EXPECT_EQ(hosts.waiting(), 2U);
  bench.run(500);
  EXPECT_EQ(bench.delivered(), 3U);
  EXPECT_EQ(hosts.waiting(), 0U);
}

/// Without rests hosts have no times; a packet of nobody is looked at in no cycle.
TEST(TransitBuffers, BeginWithNothing) {
  using None = std::vector<std::size_t>;
  EXPECT_EQ(filled_fields<models::TransitTimes>(), None{});
  EXPECT_EQ(models::TransitTimes{}.delay_cycles(), 0U);
  EXPECT_EQ(filled_fields<models::RestingPacket>(), (None{4})) << "when it is looked at";
  EXPECT_EQ(models::RestingPacket{}.look, models::RestingPacket::kNever);
  EXPECT_FALSE(models::TransitBuffer{}.leaving);
}

}  // namespace
}  // namespace braid::test::transit_slices_test
