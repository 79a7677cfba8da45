// Each entry on the wires of a PO2 stage alone is read by its own port or buffer: two packets at a time that differ in
// what their entries say (docs/hardware-view/po2.md). One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <cstdint>

#include "models/stages/po2/buffer_pool.h"
#include "models/stages/po2/link_controller.h"
#include "models/stages/po2/message_scheduler.h"
#include "tb/tests/models/stages/po2/in_mesh.h"

namespace braid::test::entries_alone_test {
namespace {

using namespace po2_in_mesh;  // NOLINT(google-build-using-namespace)

// ---------------------------------------------------------------- route unit

/// Chiu's odd-even turns: in an even column a packet that goes east turns north only where it began. Column 2 of 4,
/// for the node to the north-east: one packet is this node's own, the other came from column 0.
TEST(RouteUnitEntries, HaveTheirOwnSource) {
  models::Experiment e = small_po2(4, 2);
  e.set("routing.algorithm", "odd_even");
  Routes alone(e, 2);
  alone.grant(kWest, 6, 7);
  alone.bench.set("source_i", kWest, 0, kNodeBits);
  alone.grant(kNode, 9, 7);
  alone.bench.set("source_i", kNode, 2, kNodeBits);
  alone.come();
  EXPECT_EQ(alone.ports_of(6), "0") << "east, then north";
  EXPECT_EQ(alone.ports_of(9), "20") << "either";
}

/// A VC counts the deroutes taken: one is left to the packet that comes from the west on VC 0, none to that from the
/// south on VC 1. Both are for the node in the east.
TEST(RouteUnitEntries, HaveTheirOwnVc) {
  models::Experiment e = small_po2(3, 3);
  e.set("routing.algorithm", "derouting").set("routing.max_deroutes", 1).set("router.vcs", 2);
  Routes alone(e, 4);
  alone.grant(kWest, 3, 5);
  alone.grant(kSouth, 17, 5);
  alone.bench.set("vc_i", kSouth, 1, kVcBits);
  alone.come();
  EXPECT_EQ(alone.ports_of(3), "023") << "east; a deroute by any port but where it came in";
  EXPECT_EQ(alone.vc_of(3, 0), 0U);
  EXPECT_EQ(alone.vc_of(3, 1), 1U);
  EXPECT_EQ(alone.vc_of(3, 2), 1U);
  EXPECT_EQ(alone.ports_of(17), "0");
  EXPECT_EQ(alone.vc_of(17, 0), 1U);
  EXPECT_EQ(alone.bench.get("in_port_o", 3, kWayBits), kWest + 1);
  EXPECT_EQ(alone.bench.get("in_port_o", 17, kWayBits), kSouth + 1);
}

/// A packet of class 2 is on its way down the tree whose root is router 0: it has no other way, and has it at once. One
/// of class 0 goes by the routing algorithm, until its patience ends; one that is where it wants to be goes to its node
/// whatever it is.
TEST(RouteUnitEntries, HaveTheirOwnClass) {
  models::Experiment e = small_po2(3, 1);
  e.set("po2.avoidance", "up_down_escape").set("po2.escape_patience_cycles", 1000);
  Routes alone(e, 1);
  alone.grant(kEast, 1, 0);
  alone.grant(kWest, 2, 2);
  alone.bench.set("class_i", kWest, 2, kClassBits);
  alone.grant(kNode, 3, 1);
  alone.bench.set("class_i", kNode, 1, kClassBits);
  alone.come();
  EXPECT_EQ(alone.bench.get("waiting_o", 0, 20), 0b1110U);
  EXPECT_EQ(alone.bench.get("escape_o", 0, 20), 0b0100U);
  EXPECT_EQ(alone.bench.get("escape_class_o", 2, kClassBits), 2U);
  EXPECT_EQ(alone.bench.get("escape_class_o", 1, kClassBits), 0U);
  EXPECT_EQ(alone.ports_of(1), "1");
  EXPECT_EQ(alone.ports_of(2), "0");
  EXPECT_EQ(alone.ports_of(3), "4");
}

/// Who leaves is forgotten, whichever of those that wait, and the others stay as they are.
TEST(RouteUnitEntries, AreGoneWithTheirPacket) {
  Routes alone(small_po2(3, 1), 1);
  alone.grant(kEast, 1, 0);
  alone.grant(kWest, 2, 2);
  alone.grant(kNode, 3, 0);
  alone.come();
  for (const unsigned leaves : {2U, 1U, 3U}) {
    alone.bench.set("leaving_i", leaves);
    alone.bench.run();
    EXPECT_EQ(alone.bench.get("waiting_o", 0, 20), leaves == 2 ? 0b1010U : leaves == 1 ? 0b1000U : 0U) << leaves;
    EXPECT_EQ(alone.ports_of(leaves), "");
    EXPECT_EQ(alone.bench.get("since_o", leaves, kCycleBits), 0U);
  }
}

// ---------------------------------------------------------------- offer unit

/// Of packets that have waited equally long the one goes that came by the lower port, whichever buffer has it.
TEST(OfferUnitEntries, OfOneAgeAreServedByThePortThatTheyCameBy) {
  Offers alone(Offers::middle());
  alone.wait(0, 6, kSouth, {kEast});
  alone.wait(1, 6, kWest, {kEast});
  alone.wait(2, 6, kNorth, {kEast});
  alone.bench.run();
  EXPECT_EQ(alone.offered(), 1U << kEast);
  EXPECT_EQ(alone.buffer_at(kEast), 1U);
  alone.bench.set("in_port_i", 1, kNode + 1, kWayBits);
  alone.bench.run();
  EXPECT_EQ(alone.buffer_at(kEast), 2U);
  alone.bench.set("since_i", 0, 5, kCycleBits);
  alone.bench.run();
  EXPECT_EQ(alone.buffer_at(kEast), 0U) << "it is older now";
}

/// The first of its ways that is idle; the VC is that way's.
TEST(OfferUnitEntries, GoByWhicheverOfTheirWaysIsIdle) {
  Offers alone(Offers::middle());
  alone.wait(5, 3, kSouth, {kNorth, kWest, kEast});
  for (const unsigned way : {1U, 2U}) alone.bench.set("ways_vc_i", 5 * ways_of(alone) + way, way, kVcBits);
  const struct {
    std::uint64_t idle;
    unsigned port;
    std::uint64_t vc;
  } cases[] = {
      {0b00100, kNorth, 0}, {0b00010, kWest, 1}, {0b00001, kEast, 2}, {0b00011, kWest, 1}, {0b11101, kNorth, 0}};
  for (const auto& [idle, port, vc] : cases) {
    alone.idle(idle);
    alone.bench.run();
    EXPECT_EQ(alone.offered(), 1U << port) << idle;
    EXPECT_EQ(alone.buffer_at(port), 5U);
    EXPECT_EQ(alone.bench.get("vc_o", port, kVcBits), vc) << idle;
    EXPECT_EQ(alone.bench.get("offer_message_o", port, kMessageBits), 75U);
    EXPECT_EQ(alone.bench.get("offer_since_o", port, kCycleBits), 3U);
  }
  alone.idle(0b11000);
  alone.bench.run();
  EXPECT_EQ(alone.offered(), 0U) << "none of its ways";
}

/// A far pool's entry is that of the port that leads there: it is full in the one, in the next it holds the message.
TEST(OfferUnitEntries, LookAtTheFarEndOfTheirPort) {
  Offers alone(Offers::middle());
  alone.wait(1, 1, kNode, {kEast});
  alone.wait(2, 2, kNode, {kWest});
  alone.wait(3, 3, kNode, {kNorth});
  alone.wait(19, 4, kNode, {kSouth});
  const std::uint64_t all = 0b01111;
  alone.bench.run();
  EXPECT_EQ(alone.offered(), all);
  for (unsigned port = kEast; port < kNode; ++port) {
    alone.bench.set("far_free_i", 3 * port, 0);
    alone.bench.run();
    EXPECT_EQ(alone.offered(), all & ~(std::uint64_t{1} << port)) << port;
    alone.bench.set("far_free_i", 3 * port);
    const std::uint64_t message = port == kSouth ? 70 + 19 : 71 + port;
    for (const unsigned b : {0U, 19U}) {
      alone.bench.set("far_message_i", 20 * port + b, message, kMessageBits);
      alone.bench.run();
      EXPECT_EQ(alone.offered(), all) << "it has begun to leave there";
      alone.bench.set("far_blocking_i", 20 * port + b);
      alone.bench.run();
      EXPECT_EQ(alone.offered(), all & ~(std::uint64_t{1} << port)) << port << ", buffer " << b;
      alone.bench.set("far_blocking_i", 20 * port + b, 0);
    }
  }
}

// ---------------------------------------------------------------- link controller

/// Flits and 2 cycles of acknowledgement to a router, or 1 of overhead to the node: each port by its own entries.
TEST(LinkControllerEntries, AreOfTheBuffersThatLeave) {
  Po2Stage<LinkController> alone(small_po2(3, 3), 4);
  StageOnSignals& b = alone.bench;
  const struct {
    unsigned port, buffer, flits, extra;
  } sent[] = {{kEast, 3, 2, 2}, {kWest, 19, 6, 2}, {kSouth, 8, 4, 2}, {kNode, 0, 9, 1}};
  for (const auto& s : sent) {
    b.set("offer_i", s.port);
    b.set("far_grant_i", s.port);
    b.set("offer_buffer_i", s.port, s.buffer, kBufferBits);
    b.set("offer_flits_i", s.port, s.flits, kFlitsBits);
  }
  for (unsigned cycle = 0; cycle < 12; ++cycle) {
    b.run();
    std::uint64_t leaving = 0, sending = 0;
    for (const auto& s : sent) {
      b.set("offer_i", s.port, 0);
      const bool on = cycle + 1 < s.flits + s.extra;
      leaving |= std::uint64_t{on} << s.buffer;
      sending |= std::uint64_t{on} << s.port;
    }
    EXPECT_EQ(b.get("leaving_o", 0, 20), leaving) << cycle;
    EXPECT_EQ(b.get("sending_o", 0, 5), sending) << cycle;
    EXPECT_EQ(b.get("idle_o", 0, 5), 0b11111 & ~sending) << cycle;
    EXPECT_EQ(b.get("sent_last_o", 0, 5), 0b11011U) << cycle;
  }
}

/// What has begun is not begun again by what is offered meanwhile, in either direction.
TEST(LinkControllerEntries, OfABusyPortSayNothing) {
  Po2Stage<LinkController> alone(small_po2(3, 3), 4);
  StageOnSignals& b = alone.bench;
  const auto expect = [&](std::uint64_t sending, std::uint64_t receiving, const char* when) {
    EXPECT_EQ(b.get("sending_o", 0, 5), sending) << when;
    EXPECT_EQ(b.get("receiving_o", 0, 5), receiving) << when;
  };
  for (unsigned p = 0; p < 5; ++p) {
    for (const char* port : {"far_grant_i", "grant_i"}) b.set(port, p);
    b.set("offer_flits_i", p, 8, kFlitsBits);
    b.set("in_flits_i", p, 8, kFlitsBits);
    b.set("offer_buffer_i", p, p, kBufferBits);
    b.set("grant_buffer_i", p, 10 + p, kBufferBits);
  }
  b.set("offer_i", kEast);
  b.set("far_offer_i", kWest);
  b.run();
  expect(1U << kEast, 1U << kWest, "one each way");
  b.set("far_offer_i", kEast);
  b.set("offer_i", kWest);
  b.run();
  expect(1U << kEast, 1U << kWest, "the links are busy");
  EXPECT_EQ(b.get("incoming_o", 0, 5), 0U);
  b.set("offer_i", kNorth);
  b.set("far_offer_i", kSouth);
  b.run();
  expect(1U << kEast | 1U << kNorth, 1U << kWest | 1U << kSouth, "the others are not");
  EXPECT_EQ(b.get("incoming_o", 0, 5), 1U << kSouth);
}

// ---------------------------------------------------------------- buffer pool

/// Messages and classes of packets that come in one cycle lie in the buffers that they get.
TEST(BufferPoolEntries, AreThoseOfTheirPorts) {
  Po2Stage<BufferPool> alone(small_po2(3, 3), 4);
  StageOnSignals& b = alone.bench;
  for (const unsigned p : {kWest, kNorth, kNode}) {
    b.set("incoming_i", p);
    b.set("since_i", p, 100 - p, kCycleBits);
    b.set("message_i", p, 500 + p, kMessageBits);
  }
  b.run();
  EXPECT_EQ(b.get("grant_o", 0, 5), 0b10110U);
  std::uint64_t held = 0;
  for (const unsigned p : {kWest, kNorth, kNode}) {
    const auto buffer = static_cast<unsigned>(b.get("buffer_o", p, kBufferBits));
    EXPECT_EQ(b.get("message_o", buffer, kMessageBits), 500U + p);
    EXPECT_EQ(b.get("blocking_o", buffer), 1U);
    held |= std::uint64_t{1} << buffer;
    b.set("incoming_i", p, 0);
  }
  EXPECT_EQ(held, 0b111U) << "the lowest that are free, one each";
  EXPECT_EQ(b.get("held_o", 0, kBufferBits), 3U);
  b.set("leaving_i", 1);
  b.run();
  EXPECT_EQ(b.get("blocking_o", 0, 20), 0b101U);
  EXPECT_EQ(b.get("held_o", 0, kBufferBits), 3U) << "until its receipt is acknowledged";
  b.set("leaving_i", 1, 0);
  b.run();
  EXPECT_EQ(b.get("held_o", 0, kBufferBits), 2U);
  b.run();
  EXPECT_EQ(b.get("held_o", 0, kBufferBits), 2U) << "once";
  b.set("incoming_i", kEast);
  b.set("message_i", kEast, 9, kMessageBits);
  b.run();
  EXPECT_EQ(b.get("buffer_o", kEast, kBufferBits), 1U) << "the one that is free again";
}

// ---------------------------------------------------------------- message scheduler

/// A node of two ports: a packet that is granted at one of them leaves there, and the other's waits on.
TEST(MessageSchedulerEntries, AreThoseOfTheirPort) {
  models::Experiment e = small_po2(3, 1);
  e.set("topology.local_ports", 2);
  Po2Stage<MessageScheduler> alone(e, 1);
  StageOnSignals& b = alone.bench;
  constexpr unsigned kFirst = 4, kSecond = 5;
  for (const unsigned p : {kFirst, kSecond}) {
    b.set("arrival_packets_i", p, 2, kArrivalBits);
    b.set("arrival_message_i", p, 10 * p, kMessageBits);
  }
  b.run();
  for (const unsigned p : {kFirst, kSecond}) b.set("arrival_packets_i", p, 0, kArrivalBits);
  EXPECT_EQ(b.get("queued_o", 0, 6), 0b110000U);
  b.set("grant_i", kSecond);
  b.run();
  b.set("grant_i", kSecond, 0);
  b.set("receiving_i", kSecond);
  EXPECT_EQ(b.get("queued_o", 0, 6), 0b010000U);
  EXPECT_EQ(b.get("head_message_o", kFirst, kMessageBits), 40U);
  EXPECT_EQ(b.get("head_since_o", kFirst, kCycleBits), 1U);
  EXPECT_EQ(b.get("head_message_o", kSecond, kMessageBits), 0U);
  b.run(3);
  b.set("receiving_i", kSecond, 0);
  b.run();  // in cycle 5 the transfer is over
  EXPECT_EQ(b.get("queued_o", 0, 6), 0b110000U);
  EXPECT_EQ(b.get("head_message_o", kSecond, kMessageBits), 50U);
  EXPECT_EQ(b.get("head_since_o", kSecond, kCycleBits), 6U) << "its second packet asks from the next cycle on";
  EXPECT_EQ(b.get("head_since_o", kFirst, kCycleBits), 1U);
}

}  // namespace
}  // namespace braid::test::entries_alone_test
