// Who waits for whom among two neighbours of each family, told from registers that are written by hand: what makes a
// circle of them, and what breaks it. In networks: waiting_report_test.cpp, tb/tests/models/engine/watchdog_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::waiting_circles_test {
namespace {

using models::Experiment;
using models::PortIndex;
using models::virtual_cut_through::Bank;
using models::virtual_cut_through::PortMask;

std::string first_line(const Bench& bench) {
  const std::string text = bench.network->fabric().describe_waiting();
  return text.substr(1, text.find('\n', 1) - 1);
}

// ---------------------------------------------------------------- virtual cut-through

/// Two routers; in each the packet from the other one is to go back there, and its queue has so many free buffers.
struct CutThroughPair {
  Bench bench;
  Bank& bank;
  PortIndex in[2], out[2];  // from the other router, to it

  CutThroughPair() : bench(pair()), bank(slice(bench).bank()) {
    for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    in[0] = out[0] = bank.port_index(RouterId{0}, routing::kEast);
    in[1] = out[1] = bank.port_index(RouterId{1}, routing::kWest);
    for (const std::uint32_t r : {0U, 1U}) bank.push(in[r], {r, NodeId{r}, NodeId{1 - r}, 4, 1});
  }
  static Experiment pair() {
    Experiment e = vct_grid("mesh", 0.0);
    e.set("topology.width", 2).set("topology.height", 1);
    return e;
  }
  static models::virtual_cut_through::Slice& slice(const Bench& bench) {
    return dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric()).slice(0);
  }
  PortMask head(std::uint32_t r) const { return PortMask{1} << bank.port_of(in[r]); }
  void free_buffers(std::uint8_t packets) { bank.credits[out[0]] = bank.credits[out[1]] = packets; }
};

const std::string kTwoQueues = "cycle of 2 waiting queues, each needs room in the next one:";
const std::string kNoQueues = "no cycle among queues; these wait:";

/// A head that stays in its ring needs one free buffer, one that enters a ring two, whichever way it asks.
TEST(WaitingQueues, WaitForBuffersThatTheirHeadsNeed) {
  for (const bool enters : {false, true}) {
    for (const std::uint8_t buffers : {0, 1, 2}) {
      CutThroughPair p;
      for (const std::uint32_t r : {0U, 1U}) (enters ? p.bank.entering : p.bank.through)[p.out[r]] = p.head(r);
      p.free_buffers(buffers);
      EXPECT_EQ(first_line(p.bench), buffers < (enters ? 2 : 1) ? kTwoQueues : kNoQueues) << enters << int{buffers};
    }
  }
}

/// Of several ways any that has no room is waited for; the others' registers do not count for such a head.
TEST(WaitingQueues, WaitForAnyOfTheWaysOfAHeadThatChooses) {
  for (const std::uint8_t buffers : {0, 1}) {
    CutThroughPair p;
    for (const std::uint32_t r : {0U, 1U}) {
      p.bank.ways[p.in[r]] = PortMask{1} << p.bank.port_of(p.out[r]) | PortMask{1} << 4;  // or to the node
      p.bank.routers[r].choosing = p.head(r);
    }
    p.free_buffers(buffers);
    EXPECT_EQ(first_line(p.bench), buffers == 0 ? kTwoQueues : kNoQueues);
    p.bank.ways[p.in[0]] = PortMask{1} << 4;
    EXPECT_EQ(first_line(p.bench), kNoQueues) << "one that goes to the node only";
  }
}

TEST(WaitingQueues, WaitForNothingWhileTheirHeadLeaves) {
  CutThroughPair p;
  for (const std::uint32_t r : {0U, 1U}) p.bank.through[p.out[r]] = p.head(r);
  p.free_buffers(0);
  EXPECT_EQ(first_line(p.bench), kTwoQueues);
  p.bank.queues[p.in[0]].leaving = true;
  EXPECT_EQ(first_line(p.bench), kNoQueues);
  p.bank.queues[p.in[0]].leaving = false;
  p.bank.through[p.out[1]] = PortMask{1} << 4;
  EXPECT_EQ(first_line(p.bench), kNoQueues) << "another input's head asks for it";
}

/// Of a whole row: what is told of each.
TEST(WaitingQueues, AreToldByRouterPortAndPacket) {
  CutThroughPair p;
  p.bank.push(p.in[1], {0, NodeId{0}, NodeId{1}, 4, 1});
  EXPECT_EQ(p.bench.network->fabric().describe_waiting(),
            "\n" + kNoQueues +
                "\n  router 0,0 port east: packet 0 of node 0 to node 1 (1 packets buffered) needs a packet buffer"
                "\n  router 1,0 port west: packet 1 of node 1 to node 0 (2 packets buffered) needs a packet buffer");
}

// ---------------------------------------------------------------- Myrinet

/// Two switches; in each the packet from the other one has the port back there, or asks for it.
struct MyrinetPair {
  Bench bench{myrinet_row(2)};
  const models::myrinet::Slice& slice = myrinet_of(bench).slice();
  PortIndex link[2];  // to the other switch: its slack buffer is there

  MyrinetPair() {
    for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
    link[0] = slice.wiring().port_index(RouterId{0}, routing::kEast);
    link[1] = slice.wiring().port_index(RouterId{1}, routing::kWest);
    for (const int i : {0, 1}) {
      models::myrinet::Passing packet;
      packet.slot = static_cast<models::PacketSlot>(i);
      packet.flits = 9;
      channel(i).passing = {packet};
      channel(i).arrived.add(7);
      input(i).output = link[1 - i];
      output(i).input = link[1 - i];
    }
  }
  models::myrinet::Channel& channel(int i) const {
    return const_cast<models::myrinet::Channel&>(slice.channels()[link[i]]);
  }
  models::myrinet::Input& input(int i) const { return const_cast<models::myrinet::Input&>(slice.inputs()[link[i]]); }
  models::myrinet::Output& output(int i) const {
    return const_cast<models::myrinet::Output&>(slice.outputs()[link[i]]);
  }
};
using State = models::myrinet::Input::State;

const std::string kTwoBuffers =
    "cycle of 2 waiting slack buffers, each needs the port that the next one holds, or room in it:";
const std::string kNoBuffers = "no cycle among slack buffers; these wait:";

/// A buffer whose packet may not send waits for the one behind its port; nobody waits who may, or for a flit.
TEST(WaitingBuffers, WaitForTheBufferThatHasStoppedThem) {
  for (const bool first_may : {false, true}) {
    for (const bool second_may : {false, true}) {
      MyrinetPair p;
      for (const int i : {0, 1}) p.input(i).state = State::kOpen;
      p.channel(0).go = first_may;
      p.channel(1).go = second_may;
      EXPECT_EQ(first_line(p.bench), first_may || second_may ? kNoBuffers : kTwoBuffers);
      for (const int i : {0, 1}) p.input(i).state = State::kRouting;
      EXPECT_EQ(first_line(p.bench), kNoBuffers) << "the switch turns to it";
    }
  }
}

/// A header that asks for a port waits for who has it, stopped or not.
TEST(WaitingBuffers, WaitForWhoeverHasTheirPort) {
  MyrinetPair p;
  for (const int i : {0, 1}) p.input(i).state = State::kWaits;
  p.output(0).input = p.link[0];
  p.output(1).input = p.link[1];
  EXPECT_EQ(first_line(p.bench), kTwoBuffers);
  p.input(0).state = State::kIdle;
  EXPECT_EQ(first_line(p.bench), kNoBuffers);
}

TEST(WaitingBuffers, AreToldByWhatTheirPacketAsksForOrHolds) {
  MyrinetPair p;
  p.input(0).state = State::kWaits;
  p.output(1).input = p.slice.channel_into(p.slice.wiring().port_index(RouterId{1}, PortId{4}));  // its own host's
  p.input(1).state = State::kOpen;
  EXPECT_EQ(p.bench.network->fabric().describe_waiting(),
            "\n" + kNoBuffers +
                "\n  router 1,0 port west: packet 0 of node 0 to node 1 (7 flits buffered) asks for output west"
                "\n  router 0,0 port east: packet 1 of node 0 to node 1 (7 flits buffered) holds output east");
}

// ---------------------------------------------------------------- PO2

/// The oldest packet that goes on is what a router waits for; what has come to its node waits for nobody.
TEST(WaitingPools, WaitWhereTheirOldestPacketThatGoesOnWillBe) {
  Bench bench(small_po2(2, 1));
  models::po2::Slice& slice = models::po2::of(bench.network->fabric()).slice(0);
  for (int i = 0; i < 4; ++i) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  const auto waits = [&](std::uint32_t r, std::uint8_t b, PortId port) {
    models::po2::Buffer& buffer = slice.router(r).buffers[b];
    buffer.state = models::po2::Buffer::State::kWaiting;
    buffer.packet = b;
    buffer.since = 30U + b;
    buffer.candidates = 1;
    slice.candidates(r, b)[0].port = port;
    slice.router(r).waiting.push_back(b);
    slice.router(r).free &= ~(std::uint64_t{1} << b);
  };
  const std::string none = "\nno cycle among routers; these wait:";
  const PortId local{4};
  waits(0, 0, local);
  EXPECT_EQ(bench.network->fabric().describe_waiting(), none);
  waits(0, 2, routing::kEast);
  waits(0, 3, routing::kEast);
  const std::string of_0 =
      "\n  router 0,0 (3 of 20 buffers taken): packet 2 of node 0 to node 1 waits since cycle 32 for ";
  EXPECT_EQ(bench.network->fabric().describe_waiting(), none + of_0 + "a buffer of router 1,0");
  waits(1, 1, routing::kWest);
  EXPECT_EQ(
      bench.network->fabric().describe_waiting(),
      "\ncycle of 2 waiting routers, each needs what the next one holds:" + of_0 + "a buffer of router 1,0" +
          "\n  router 1,0 (1 of 20 buffers taken): packet 1 of node 0 to node 1 waits since cycle 31 for a buffer "
          "of router 0,0");
  slice.router(0).buffers[2].message = slice.router(1).buffers[1].message = 7;
  EXPECT_NE(bench.network->fabric().describe_waiting().find(of_0 + "the packet of its message in router 1,0"),
            std::string::npos);
}

}  // namespace
}  // namespace braid::test::waiting_circles_test
