// What a PO2 router offers in a cycle, told from packets that are put into its pool by hand: oldest first, each on the
// first of its ways that is open, as many as its crossbar has ways out (docs/po2.md). Who gets in where they go:
// po2_offers_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/families/po2/slice.h"
#include "tb/tests/support/po2_middle.h"

namespace braid::test::po2_makes_offers_test {
namespace {

using models::Experiment;
using models::po2::Buffer;
using models::po2::Offer;
using models::po2::Port;
using models::po2::Router;

constexpr std::uint64_t kCycle = 50;
constexpr std::size_t kEast = Po2Middle::kEast, kWest = Po2Middle::kWest, kNorth = Po2Middle::kNorth,
                      kSouth = Po2Middle::kSouth, kLocal = Po2Middle::kLocal;

Experiment with(const char* key, const OptionValue& value) { return Po2Middle::with(key, value); }

/// Router 4 of nine, whose packets are offered in a cycle.
struct Offering : Po2Middle {
  using Po2Middle::Po2Middle;
  const Offer& offer(std::size_t p) const { return router.offers[p]; }
  /// Buffers that are offered in the cycle, by port: one character each for east, west, north, south and the node; '.'
  /// for none, 'i' for a packet that is to be injected.
  std::string offers(std::uint64_t cycle = kCycle) {
    slice.wake(4);
    slice.compute(cycle);
    std::string text;
    for (std::size_t p = 0; p < 5; ++p) {
      const bool made = offer(p).cycle == cycle;
      text += !made ? '.' : offer(p).inject ? 'i' : static_cast<char>('0' + offer(p).buffer);
    }
    return text;
  }
};

TEST(Po2MakesOffers, OfTheOldestFirstOnTheFirstWayThatIsOpen) {
  Offering m;
  EXPECT_EQ(m.offers(), ".....");
  m.waits(7, 10, {kEast, kNorth});
  m.waits(3, 11, {kEast, kNorth});
  m.waits(5, 12, {kEast, kNorth});
  m.waits(1, 13, {kWest});
  EXPECT_EQ(m.offers(), "713..") << "nothing is left for 5";
  std::swap(m.router.waiting[0], m.router.waiting[2]);
  EXPECT_EQ(m.offers(kCycle + 1), "513..") << "the one that stands first among those that wait";
}

/// A port that is in use is no way; neither is one whose far end has no buffer, for who sees that.
TEST(Po2MakesOffers, OverPortsThatAreIdleToPoolsThatHaveRoom) {
  Offering m;
  m.waits(7, 10, {kEast, kNorth, kWest});
  m.router.idle &= ~std::uint64_t{1};
  EXPECT_EQ(m.offers(), "..7..");
  m.full(7);  // north of 4
  EXPECT_EQ(m.offers(kCycle + 1), ".7...");
  m.full(3);
  EXPECT_EQ(m.offers(kCycle + 2), ".....");
  m.router.idle |= 1;
  EXPECT_EQ(m.offers(kCycle + 3), "7....");
  m.router.buffers[7].trying = true;
  EXPECT_EQ(m.offers(kCycle + 4), ".....") << "it is on trial";
}

/// Ways out that are in use, and those that are offered in this cycle, are no more than the crossbar has.
TEST(Po2MakesOffers, AsManyAsTheCrossbarHasWaysOut) {
  struct Case {
    std::uint32_t most;
    std::size_t sending;  // ports
    const char* offers;
  };
  for (const Case& c : {Case{0, 0, "713.."}, Case{1, 0, "7...."}, Case{2, 0, "71..."}, Case{3, 0, "713.."},
                        Case{4, 0, "713.."}, Case{1, 1, "....."}, Case{2, 1, "7...."}, Case{3, 1, "71..."},
                        Case{2, 2, "....."}, Case{3, 2, "7...."}, Case{0, 2, "713.."}}) {
    Offering m(with("po2.crossbar_out_ports", std::int64_t{c.most}));
    m.waits(7, 10, {kEast});
    m.waits(1, 11, {kWest});
    m.waits(3, 12, {kNorth});
    for (std::size_t i = 0; i < c.sending; ++i) {
      m.router.ports[i == 0 ? kSouth : kLocal].use = Port::Use::kSending;
      m.router.idle &= ~(std::uint64_t{1} << (i == 0 ? kSouth : kLocal));
    }
    EXPECT_EQ(m.offers(), c.offers) << c.most << " ways, " << c.sending << " in use";
  }
}

/// What an offer says to the far end.
TEST(Po2MakesOffers, ThatNameThePacketItsAgeAndItsPlace) {
  Offering m;
  Buffer& buffer = m.waits(7, 10, {kNorth});
  buffer.message = 33;
  m.slice.candidates(4, 7)[0].vcs = 0b1100;
  for (const bool sent_last : {false, true}) {
    m.router.ports[kNorth].sent_last = sent_last;
    Offer& offer = m.router.offers[kNorth];
    offer.inject = offer.refused = true;  // of an offer before
    offer.pool_class = 2;
    EXPECT_EQ(m.offers(kCycle + (sent_last ? 1 : 0)), "..7..");
    EXPECT_EQ(offer.since, 10U);
    EXPECT_EQ(offer.packet, buffer.packet);
    EXPECT_EQ(offer.message, 33U);
    EXPECT_EQ(offer.vc, 2U) << "the lowest of its way's";
    EXPECT_EQ(offer.pool_class, models::po2::kRegular);
    EXPECT_FALSE(offer.inject);
    EXPECT_FALSE(offer.refused);
    EXPECT_EQ(offer.sent_last, sent_last);
  }
}

/// Whoever was offered to nobody although a port of its own was idle and open was held off: not one that was offered
/// elsewhere, not one whose port is in use.
TEST(Po2MakesOffers, AndWhoeverGetsNoneIsHeldOff) {
  Offering m;
  m.waits(7, 10, {kEast, kSouth});
  m.waits(1, 11, {kWest, kSouth});
  m.waits(3, 12, {kNorth});
  m.router.idle &= ~(std::uint64_t{1} << kNorth);
  EXPECT_EQ(m.offers(), "71...");
  EXPECT_EQ(m.router.held_off(kCycle), 0U);
  m.full(1);  // south of 4
  m.waits(2, 13, {kEast, kSouth});
  m.waits(4, 14, {kSouth, kWest});
  EXPECT_EQ(m.offers(kCycle + 1), "71...");
  EXPECT_EQ(m.router.held_off(kCycle + 1), 0b10100U) << "2 and 4, which the pool to the south refuses";
}

/// How full the pool is in the first half of the cycle is written down for whoever wants to come in.
TEST(Po2MakesOffers, AndNotesWhatTheirPoolShows) {
  Offering m;
  m.router.use = {3, 1, 0};
  m.router.ports[kEast].use = m.router.ports[kWest].use = Port::Use::kReceiving;
  m.offers();
  EXPECT_EQ(m.router.use_when_offered, (models::po2::PoolUse{3, 1, 0}));
  EXPECT_EQ(m.router.coming_when_offered, 2U);
  m.router.use = {0, 0, 0};
  m.router.ports[kEast].use = Port::Use::kIdle;
  EXPECT_EQ(m.router.use_when_offered, (models::po2::PoolUse{3, 1, 0})) << "until it looks again";
  m.offers(kCycle + 1);
  EXPECT_EQ(m.router.use_when_offered, (models::po2::PoolUse{0, 0, 0}));
  EXPECT_EQ(m.router.coming_when_offered, 1U);
}

/// Who cannot see the far pool offers all the same, and says so to nobody but the far end.
TEST(Po2MakesOffers, InVainWhereThePoolIsNotSeen) {
  for (const char* rejection : {"seen", "tried_on_links", "tried"}) {
    Offering m(with("po2.rejection", std::string(rejection)));
    m.full(5);
    m.waits(7, 10, {kEast, kNorth});
    m.waits(1, 11, {kNorth});
    const bool sees = std::string(rejection) == "seen";
    EXPECT_EQ(m.offers(), sees ? "..7.." : "7.1..") << rejection;
    EXPECT_EQ(m.offer(kEast).refused, !sees);
    EXPECT_FALSE(m.offer(kNorth).refused);
  }
}

/// First in, first out: a port whose oldest packet is refused stays closed to younger ones, who take their other ways.
TEST(Po2MakesOffers, PastARefusedOneUnlessPortsAreFifo) {
  for (const bool fifo : {false, true}) {
    Offering m(with("po2.port_discipline", std::string(fifo ? "head_of_line" : "pass_refused")));
    m.slice.router(5).buffers[0].state = Buffer::State::kWaiting;
    m.slice.router(5).buffers[0].message = 33;
    m.waits(7, 10, {kEast}).message = 33;
    m.waits(1, 11, {kEast});
    m.waits(3, 12, {kEast, kNorth});
    EXPECT_EQ(m.offers(), fifo ? "..3.." : "1.3..");
  }
}

/// An escape's ways are not those of the regular packets: it passes where they may not, into the buffer of its class,
/// whatever is there of its message.
TEST(Po2MakesOffers, OfEscapesIntoABufferOfTheirOwn) {
  Experiment e = with("po2.port_discipline", std::string("head_of_line"));
  e.set("po2.avoidance", "up_down_escape");
  Offering m(e);
  m.full(5);
  m.slice.router(5).buffers[0].state = Buffer::State::kWaiting;
  m.slice.router(5).buffers[0].message = 33;
  m.waits(7, 10, {kEast});
  Buffer& escape = m.waits(1, 11, {kNorth, kEast});
  escape.message = 33;
  Po2Middle::escapes(escape, 2);
  m.full(7);
  EXPECT_EQ(m.offers(), "1....") << "its other way is full, too";
  EXPECT_EQ(m.offer(kEast).pool_class, 2U);
  m.slice.router(5).use[2] = 1;
  EXPECT_EQ(m.offers(kCycle + 1), ".....") << "that buffer is taken";
  m.slice.router(5).use[2] = 0;
  m.slice.router(7).use = {0, 0, 0};
  EXPECT_EQ(m.offers(kCycle + 2), "..1..") << "its regular way comes first";
  EXPECT_EQ(m.offer(kNorth).pool_class, models::po2::kRegular);
}

/// Two packets that escape by one port: the eldest in the network goes, wherever it stands in the queue, and the router
/// looks again in the next cycle.
TEST(Po2MakesOffers, OfTheEldestOfThoseThatEscape) {
  Experiment e = with("po2.avoidance", std::string("up_down_escape"));
  Offering m(e);
  m.full(5);
  Buffer &first = m.waits(7, 10, {kEast}), &second = m.waits(1, 11, {kEast});
  Po2Middle::escapes(first, 1);
  Po2Middle::escapes(second, 1);
  auto& store = m.slice.shared().store;
  store[first.packet].injected = 9;
  store[second.packet].injected = 8;
  EXPECT_EQ(m.offers(), "1....");
  EXPECT_TRUE(m.slice.any_grant());
  store[second.packet].injected = 10;
  EXPECT_EQ(m.offers(kCycle + 1), "7....");
}

/// A node's port serves the older of what goes in and what comes out; of equals the one that comes out.
TEST(Po2MakesOffers, AtANodesPortOfTheOlder) {
  for (const std::uint64_t since : {19U, 20U, 21U}) {
    Offering m;
    m.bench.run(20);
    m.bench.network->send_packet(NodeId{4}, NodeId{0}, 4);
    m.waits(7, since, {kLocal});
    EXPECT_EQ(m.offers(), since <= 20 ? "....7" : "....i") << since;
    m.full(4);
    EXPECT_EQ(m.offers(kCycle + 1), "....7") << "the pool takes nothing";
  }
}

/// The node's first packet, which asks since it came, by a number that routing gives what is injected.
TEST(Po2MakesOffers, OfANodesFirstPacket) {
  for (const char* rejection : {"seen", "tried_on_links", "tried"}) {
    Offering m(with("po2.rejection", std::string(rejection)));
    m.bench.run(20);
    m.bench.network->send_packet(NodeId{8}, NodeId{0}, 4);  // has the first slot
    for (int i = 0; i < 2; ++i) m.bench.network->send_packet(NodeId{4}, NodeId{0}, 4);
    const models::PacketSlot packet = m.slice.head(4, kLocal)->packet;
    m.slice.shared().store[packet].message = 33;
    EXPECT_EQ(m.offers(), "....i");
    const Offer& offer = m.offer(kLocal);
    EXPECT_EQ(offer.since, 20U);
    EXPECT_EQ(offer.packet, packet);
    EXPECT_EQ(offer.message, 33U);
    EXPECT_EQ(offer.vc, 0U);
    EXPECT_FALSE(offer.refused || offer.sent_last);
    m.full(4);
    const bool tries = std::string(rejection) == "tried";
    EXPECT_EQ(m.offers(kCycle + 1), tries ? "....i" : ".....") << rejection;
    EXPECT_EQ(m.offer(kLocal).refused, tries);
    m.router.use = {0, 0, 0};
    m.router.idle &= ~(std::uint64_t{1} << kLocal);
    EXPECT_EQ(m.offers(kCycle + 2), ".....") << "its port is in use";
  }
}

/// A pool refuses a packet while one of its message waits or comes in there, or while its crossbar has no way in.
TEST(Po2MakesOffers, ToPoolsThatTakeThePacket) {
  for (const bool rejects : {true, false}) {
    for (const Buffer::State state :
         {Buffer::State::kFree, Buffer::State::kArriving, Buffer::State::kWaiting, Buffer::State::kLeaving}) {
      Offering m(with("po2.reject_same_message", rejects));
      m.slice.router(5).buffers[2].state = state;
      m.slice.router(5).buffers[2].message = 33;
      m.waits(7, 10, {kEast}).message = 33;
      m.waits(1, 11, {kEast});
      const bool there = state == Buffer::State::kArriving || state == Buffer::State::kWaiting;
      EXPECT_EQ(m.offers(), rejects && there ? "1...." : "7....");
    }
  }
  for (const std::size_t coming : {0U, 1U, 2U}) {
    Offering m(with("po2.crossbar_in_ports", std::int64_t{2}));
    m.waits(7, 10, {kEast});
    const std::size_t ports[] = {kNorth, kLocal};
    for (std::size_t i = 0; i < coming; ++i) m.slice.router(5).ports[ports[i]].use = Port::Use::kReceiving;
    EXPECT_EQ(m.offers(), coming < 2 ? "7...." : ".....") << coming;
  }
}

}  // namespace
}  // namespace braid::test::po2_makes_offers_test
