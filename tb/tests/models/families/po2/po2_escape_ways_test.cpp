// A PO2 packet that escapes: the way that is added to its own, what is written down of it, and that it is asked again
// while an elder comes first (docs/po2.md). Small numbers: tb/tests/support/po2_row.h.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/fabric/packet_log.h"
#include "tb/tests/support/po2_middle.h"

namespace braid::test::po2_escape_ways_test {
namespace {

using models::Experiment;
using models::po2::Buffer;

constexpr std::size_t kEast = Po2Middle::kEast, kLocal = Po2Middle::kLocal;

/// Rows of routers with one regular buffer each, which wait 30 cycles.
Experiment row(std::uint32_t routers) {
  Experiment e = small_po2(routers, 1);
  e.set("po2.buffers", 3).set("po2.avoidance", "up_down_escape").set("po2.escape_patience_cycles", 30);
  e.set("po2.acknowledge_cycles", 100);
  return e;
}

/// Node 1's packet holds router 1's regular buffer from 0 to 109. Node 0's waits since 5, by the number that it has:
/// its escape, with the same number, is added in 35 behind its own way.
TEST(Po2EscapeWay, IsAddedBehindThePacketsOwnWithItsNumber) {
  for (const std::uint8_t vc : {0, 2}) {
    Bench bench(row(4));
    models::po2::Slice& slice = models::po2::of(bench.network->fabric()).slice(0);
    bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
    bench.network->send_packet(NodeId{0}, NodeId{3}, 4);
    bench.run(34);
    Buffer& buffer = slice.router(0).buffers[0];
    ASSERT_EQ(buffer.state, Buffer::State::kWaiting);
    const std::uint8_t own = buffer.candidates;
    buffer.vc = vc;
    EXPECT_FALSE(buffer.escaping);
    EXPECT_EQ(slice.router(0).ports[kEast].wanted, own);
    bench.run(1);
    EXPECT_TRUE(buffer.escaping) << "by 35";
    ASSERT_EQ(buffer.candidates, own + 1);
    const routing::Candidate& way = slice.candidates(0, 0)[own];
    EXPECT_EQ(way.port, routing::kEast);
    EXPECT_EQ(way.priority, 0U);
    EXPECT_EQ(way.vcs, VcMask{1} << vc);
    EXPECT_EQ(buffer.escape_class, 2U) << "down from router 0";
    EXPECT_EQ(buffer.wants, 1U);
    EXPECT_EQ(slice.router(0).ports[kEast].wanted, own + 1) << "by each of its ways";
    bench.run(1);
    EXPECT_EQ(slice.router(0).ports[kEast].wanted, 0U) << "it has gone";
    EXPECT_EQ(slice.router(1).buffers[1].vc, vc);
  }
}

/// Escapes of each packet, by its source: the packet of node 0 escapes in 35, once, and keeps to its escapes over
/// routers 1 and 2; that of node 1 never does.
TEST(Po2EscapeWay, IsWrittenDownOnceInThePacketLog) {
  Experiment e = row(4);
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
  bench.network->send_packet(NodeId{0}, NodeId{3}, 4);
  const auto escapes = [&] {
    std::vector<std::uint32_t> all;
    bench.network->packet_log()->each(
        bench.network->store(),
        [&](const models::PacketRecord& record, const models::Packet&) { all.push_back(record.escapes); });
    return all;
  };
  using Escapes = std::vector<std::uint32_t>;
  bench.run(35);
  EXPECT_EQ(escapes(), (Escapes{0, 0}));
  bench.run(1);
  EXPECT_EQ(escapes(), (Escapes{1, 0}));
  while (bench.delivered() < 2) {
    bench.run(1);
    ASSERT_LT(bench.network->now(), 2000U);
  }
  EXPECT_EQ(escapes(), (Escapes{1, 0}));
  EXPECT_DOUBLE_EQ(po2_figure(bench, "escapes"), 1.0);
}

/// Visits of a packet by cycle, router and port: in from its node in 5, over links in 7 and 9.
TEST(Po2Log, HasEachRouterInTheCycleInWhichItsHeaderIsIn) {
  Experiment e = small_po2(3, 1);
  e.set("log.file", "unwritten.csv");
  Bench bench(e);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 4);
  bench.run(30);
  std::string text;
  bench.network->packet_log()->each(
      bench.network->store(), [&](const models::PacketRecord& record, const models::Packet& packet) {
        for (const auto& visit : record.path) {
          text += std::to_string(visit.router.value) + ":" + std::to_string(visit.in_port.value) + "@" +
                  std::to_string(visit.cycle) + " ";
        }
        text += "left " + std::to_string(record.left_queue.value_or(0)) + " out " +
                std::to_string(record.delivered.value_or(0)) + " routers " + std::to_string(packet.routers);
      });
  EXPECT_EQ(text, "0:4@5 1:1@7 2:1@9 left 6 out 13 routers 3") << "tails leave and come at the end of a cycle";
}

/// An elder in router 8, whose link is busy, asks for router 5's escape buffer, too: router 4's packet is not offered,
/// and is looked at again in every cycle until it may go.
TEST(Po2EscapeWay, IsAskedAgainWhileAnElderComesFirst) {
  Experiment e = small_po2(3, 3);
  e.set("po2.avoidance", "up_down_escape");
  Po2Middle m(e);
  m.full(5);
  Buffer& younger = m.waits(7, 10, {kEast});
  Po2Middle::escapes(younger, 1);
  models::po2::Router& other = m.slice.router(8);
  Buffer& elder = other.buffers[3];
  elder = younger;
  ++elder.packet;
  elder.in_port = PortId{std::size_t{kLocal}};
  m.bench.network->send_packet(NodeId{8}, NodeId{0}, 4);
  std::size_t south = 0;
  while (m.bench.topology.port(RouterId{8}, PortId{south}).peer_router != RouterId{5}) ++south;
  m.slice.candidates(8, 3)[0] = {PortId{south}, 0, 1};
  other.waiting = {3};
  other.idle = 0;
  auto& store = m.slice.shared().store;
  store[younger.packet].injected = 9;
  store[elder.packet].injected = 8;
  m.slice.wake(4);
  for (std::uint64_t cycle = 50; cycle < 53; ++cycle) {
    EXPECT_TRUE(m.slice.any_offer()) << cycle;
    m.slice.compute(cycle);
    EXPECT_NE(m.router.offers[kEast].cycle, cycle);
    EXPECT_TRUE(m.slice.any_grant()) << "there is one to be waked";
    m.slice.grant_buffers(cycle);
  }
  store[elder.packet].injected = 10;
  m.slice.compute(53);
  EXPECT_EQ(m.router.offers[kEast].cycle, 53U);
  EXPECT_EQ(m.router.offers[kEast].pool_class, 1U);
}

}  // namespace
}  // namespace braid::test::po2_escape_ways_test
