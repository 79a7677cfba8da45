// Why a packet in a PO2 router's pool stands still, as a waveform tells it: from registers that are written by hand
// between two looks at them (docs/po2.md). Other rows: po2_rows_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tb/tests/support/po2_rows.h"

namespace braid::test::po2_stalls_test {
namespace {

using models::po2::Buffer;
using models::po2::Port;
using State = Buffer::State;
using Use = Port::Use;

constexpr std::size_t kEast = Po2Middle::kEast, kWest = Po2Middle::kWest, kNorth = Po2Middle::kNorth,
                      kLocal = Po2Middle::kLocal;

enum Stall : std::uint64_t { kNothing, kArrives, kMoves, kPortBusy, kOlder, kRefused, kClash };
enum Refusal : std::uint64_t { kNone, kNoBuffer, kKept, kSameMessage };

/// Of what was there at the cycle's start, and is there at its end.
TEST(Po2Stalls, TellWhatBecameOfABuffersPacket) {
  Po2Rows r;
  Buffer& buffer = r.waits(7, 10, {kEast});
  struct Case {
    State before, after;
    std::uint64_t stall;
  };
  for (const Case& c :
       {Case{State::kFree, State::kArriving, kNothing}, Case{State::kArriving, State::kArriving, kArrives},
        Case{State::kArriving, State::kWaiting, kArrives}, Case{State::kWaiting, State::kLeaving, kMoves},
        Case{State::kWaiting, State::kFree, kMoves}, Case{State::kLeaving, State::kLeaving, kMoves},
        Case{State::kLeaving, State::kFree, kMoves}, Case{State::kFree, State::kFree, kNothing}}) {
    buffer.state = c.before;
    r.look();
    buffer.state = c.after;
    r.look();
    EXPECT_EQ(r.of(7, "stall"), c.stall) << static_cast<int>(c.before) << " " << static_cast<int>(c.after);
    EXPECT_EQ(r.of(7, "held_by") + r.of(7, "refusal"), 0U);
  }
}

/// Every port that it wants carries a packet: the first of them by number is named.
TEST(Po2Stalls, NameThePacketThatHasThePort) {
  Po2Rows r;
  r.waits(7, 10, {kNorth, kWest});
  const std::uint64_t west = r.number(r.waits(1, 10, {kWest})), north = r.number(r.waits(2, 10, {kNorth}));
  for (const std::size_t p : {kWest, kNorth}) {
    r.use(p, Use::kSending);
    r.router.ports[p].buffer = p == kWest ? 1 : 2;
  }
  r.look();
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kPortBusy);
  EXPECT_EQ(r.of(7, "held_by"), west);
  r.use(kWest, Use::kRejected);  // what the far end offers has not come
  r.look();
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kPortBusy);
  EXPECT_EQ(r.of(7, "held_by"), north);
  EXPECT_EQ(r.of(7, "refusal"), kNone);
}

/// Ports count that were idle at the cycle's start: one that is free at its end was not.
TEST(Po2Stalls, AreJudgedByPortsThatWereIdleAtTheCyclesStart) {
  Po2Rows r;
  r.waits(7, 10, {kEast});
  r.use(kEast, Use::kSending);
  r.look();
  r.use(kEast, Use::kIdle);
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kPortBusy);
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kRefused) << "now it was, and nothing is offered there";
}

/// An older packet, or one that goes in, has been offered an idle port that it wants; its own offer came to nothing.
TEST(Po2Stalls, NameWhoWasOfferedAnIdlePort) {
  Po2Rows r;
  const Buffer& older = r.waits(3, 9, {kNorth});
  r.waits(7, 10, {kEast, kNorth});
  r.use(kEast, Use::kSending);
  r.look();
  r.offer(kNorth, 3);
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kOlder);
  EXPECT_EQ(r.of(7, "held_by"), r.number(older));
  EXPECT_EQ(r.of(3, "stall"), kClash) << "the far end went first, or gave its last buffer away";
  EXPECT_EQ(r.of(3, "held_by"), 0U);
  r.offer(kNorth, 7);
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kClash);
  EXPECT_EQ(r.of(3, "stall"), kOlder);
  r.offer(kNorth, 7).inject = true;
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kOlder) << "of the node's packet, whose buffer says nothing";
  r.offer(kNorth, 7).cycle = r.now - 1;
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kRefused) << "it was of another cycle";
}

TEST(Po2Stalls, OfAPacketOnTrialAreRefusals) {
  Po2Rows r;
  Buffer& buffer = r.waits(7, 10, {kEast});
  r.use(kEast, Use::kRejected);
  r.router.ports[kEast].sent_last = true;
  r.router.ports[kEast].buffer = 7;
  buffer.trying = true;
  r.full(5);
  r.look();
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kRefused);
  EXPECT_EQ(r.of(7, "refusal"), kNoBuffer);
  r.router.ports[kEast].buffer = 6;  // another one is on trial there
  r.look();
  EXPECT_EQ(r.of(7, "refusal"), kNone);
  r.router.ports[kEast].buffer = 7;
  r.router.ports[kEast].sent_last = false;  // the far end's is
  r.look();
  EXPECT_EQ(r.of(7, "refusal"), kNone);
}

/// Of several pools that refuse it the worst reason is told: a message's packet more than a buffer.
TEST(Po2Stalls, TellTheLastOfTheReasonsOfAllItsWays) {
  Po2Rows r;
  r.full(5);
  Buffer& there = r.slice.router(7).buffers[2];
  there.state = State::kWaiting;
  there.message = 33;
  r.waits(6, 9, {kNorth});
  there.packet = r.router.buffers[6].packet;
  for (const bool first : {false, true}) {
    Buffer& buffer = r.router.buffers[7];
    buffer = {};
    r.router.waiting = {6};
    if (first) {
      r.waits(7, 10, {kEast, kNorth}).message = 33;
    } else {
      r.waits(7, 10, {kNorth, kEast}).message = 33;
    }
    r.look();
    r.look();
    EXPECT_EQ(r.of(7, "stall"), kRefused);
    EXPECT_EQ(r.of(7, "refusal"), kSameMessage);
    EXPECT_EQ(r.of(7, "held_by"), models::packet_number(8, 0));
    r.use(kNorth, Use::kSending);
    r.look();
    r.look();
    EXPECT_EQ(r.of(7, "refusal"), kNoBuffer) << "over the only port that was idle";
    EXPECT_EQ(r.of(7, "held_by"), 0U);
    r.use(kNorth, Use::kIdle);
  }
}

/// What a pool shows at the cycle's start is what it is judged by.
TEST(Po2Stalls, AreJudgedByThePoolAsItWas) {
  Po2Rows r;
  r.waits(7, 10, {kEast});
  r.look();
  r.full(5);
  r.look();
  EXPECT_EQ(r.of(7, "refusal"), kNone);
  r.slice.router(5).use = {0, 0, 0};
  r.look();
  EXPECT_EQ(r.of(7, "refusal"), kNoBuffer);
  r.look();
  EXPECT_EQ(r.of(7, "refusal"), kNone);
}

/// First in, first out: a packet behind the oldest at a port stays for that one, whatever refuses it; the oldest itself
/// is refused. An escape is in no queue.
TEST(Po2Stalls, NameTheHeadOfALineWherePortsAreFifo) {
  for (const bool fifo : {false, true}) {
    Po2Rows r(Po2Middle::with("po2.port_discipline", std::string(fifo ? "head_of_line" : "pass_refused")));
    Buffer& first = r.waits(7, 10, {kEast});
    r.waits(1, 12, {kEast});
    first.in_port = PortId{kLocal};
    r.look();
    r.look();
    EXPECT_EQ(r.of(7, "stall"), kRefused);
    EXPECT_EQ(r.of(1, "stall"), fifo ? kOlder : kRefused);
    EXPECT_EQ(r.of(1, "held_by"), fifo ? r.number(first) : 0U);
    first.since = 12;
    r.look();
    EXPECT_EQ(r.of(7, "stall"), fifo ? kOlder : kRefused) << "of equals the lower port of arrival goes first";
    EXPECT_EQ(r.of(1, "stall"), kRefused);
    first.since = 10;
    r.slice.candidates(4, 7)[0].port = PortId{kNorth};  // where the younger one does not want to go
    r.look();
    EXPECT_EQ(r.of(1, "stall"), kRefused);
    r.slice.candidates(4, 7)[0].port = PortId{kEast};
    first.escaping = true;  // by the only way that it has
    r.look();
    r.look();
    EXPECT_EQ(r.of(1, "stall"), kRefused) << "nobody waits behind it";
    first.escaping = false;
    r.router.buffers[1].escaping = true;
    r.look();
    r.look();
    EXPECT_EQ(r.of(1, "stall"), kRefused) << "and it behind nobody";
  }
}

/// Of ports where others are older the last by number is told, of one where it is the oldest nothing more.
TEST(Po2Stalls, OfAHeadAreNotBehindAnybody) {
  Po2Rows r(Po2Middle::with("po2.port_discipline", std::string("head_of_line")));
  const std::uint64_t east = r.number(r.waits(3, 9, {kEast})), north = r.number(r.waits(2, 9, {kNorth}));
  r.waits(7, 10, {kEast, kWest, kNorth});
  r.look();
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kRefused) << "it is the oldest for the west";
  r.use(kWest, Use::kSending);
  r.look();
  r.look();
  EXPECT_EQ(r.of(7, "stall"), kOlder);
  EXPECT_EQ(r.of(7, "held_by"), north);
  r.use(kNorth, Use::kSending);
  r.look();
  r.look();
  EXPECT_EQ(r.of(7, "held_by"), east);
}

}  // namespace
}  // namespace braid::test::po2_stalls_test
