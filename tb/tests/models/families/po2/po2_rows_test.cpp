// Rows of a waveform of a PO2 router, told from registers that are written by hand between two looks at them: what a
// buffer holds, what a port does, why a node's packet is refused. Numbers of values: docs/po2.md; why packets stand
// still: po2_stalls_test.cpp; networks: po2_refusals_test.cpp, family_waveform_test.cpp.
#include "tb/tests/support/po2_rows.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace braid::test::po2_rows_test {
namespace {

using models::po2::Buffer;
using models::po2::Port;
using State = Buffer::State;
using Use = Port::Use;

constexpr std::size_t kEast = Po2Middle::kEast, kWest = Po2Middle::kWest, kNorth = Po2Middle::kNorth,
                      kLocal = Po2Middle::kLocal;

enum Refusal : std::uint64_t { kNone, kNoBuffer, kKept, kSameMessage };

/// 0 is no port: the lowest that it wants, and one.
TEST(Po2Rows, OfABufferAreItsRegisters) {
  Po2Rows r;
  r.waits(6, 10, {kLocal});
  Buffer& buffer = r.waits(7, 10, {kNorth, kEast, kWest});
  buffer.pool_class = 2;
  buffer.message = 33;
  r.router.free = ~(std::uint64_t{1} << 7);
  r.look();
  const std::vector<std::pair<const char*, std::uint64_t>> waits{
      {"state", 2},    {"pool_class", 2}, {"source", 8}, {"sequence", 1},
      {"message", 33}, {"wants", 0b111},  {"out", 1},    {"packet", models::packet_number(8, 1)}};
  for (const auto& [name, value] : waits) EXPECT_EQ(r.of(7, name), value) << name;
  EXPECT_EQ(r.of(6, "out"), kLocal + 1);
  EXPECT_EQ(r.of(5, "state") + r.of(5, "packet") + r.of(5, "out"), 0U);
  buffer.wants = 0b100;
  r.look();
  EXPECT_EQ(r.of(7, "out"), 3U);
  buffer.wants = 0;
  r.look();
  EXPECT_EQ(r.of(7, "out"), 0U);
  buffer.wants = 0b100;
  buffer.message = 34;
  buffer.state = State::kLeaving;
  r.look();
  EXPECT_EQ(r.of(7, "state"), 3U);
  EXPECT_EQ(r.of(7, "out"), 0U);
  EXPECT_EQ(r.of(7, "message"), 33U) << "its packet may be gone: registers keep their values";
  EXPECT_EQ(r.of(7, "packet"), models::packet_number(8, 1));
  buffer.state = State::kFree;
  r.look();
  EXPECT_EQ(r.of(7, "packet"), 0U);
  EXPECT_EQ(r.of(7, "message"), 33U);
  buffer.state = State::kArriving;
  r.look();
  EXPECT_EQ(r.of(7, "state"), 1U);
  EXPECT_EQ(r.of(7, "message"), 34U);
  EXPECT_EQ(r.of(7, "out"), 0U) << "it is not routed";
}

TEST(Po2Rows, OfARouterAreWhatItHolds) {
  Po2Rows r;
  r.look();
  EXPECT_EQ(r.at("", "buffers_taken"), 0U);
  EXPECT_EQ(r.at("", "waiting"), 0U);
  r.waits(6, 10, {kEast});
  r.waits(7, 10, {kEast});
  r.router.free &= ~std::uint64_t{0b11100000};
  r.look();
  EXPECT_EQ(r.at("", "buffers_taken"), 3U);
  EXPECT_EQ(r.at("", "waiting"), 2U);
}

/// A port that receives what is rejected has no packet: it has not come.
TEST(Po2Rows, OfAPortAreItsUseAndItsPacket) {
  Po2Rows r;
  const std::uint64_t packet = r.number(r.waits(7, 10, {kEast}));
  Port& port = r.router.ports[kEast];
  port.buffer = 7;
  struct Case {
    Use use;
    bool sent_last;
    std::uint16_t wanted;
    std::uint64_t shown, busy_waiting;
  };
  for (const Case& c :
       {Case{Use::kIdle, false, 0, 0, 0}, Case{Use::kIdle, true, 1, 0, 1}, Case{Use::kIdle, false, 20, 0, 1},
        Case{Use::kSending, true, 1, packet, 0}, Case{Use::kReceiving, false, 1, packet, 0},
        Case{Use::kRejected, true, 1, packet, 0}, Case{Use::kRejected, false, 1, 0, 0}}) {
    r.use(kEast, c.use);
    port.sent_last = c.sent_last;
    port.wanted = c.wanted;
    r.look();
    EXPECT_EQ(r.at(".east", "use"), static_cast<std::uint64_t>(c.use));
    EXPECT_EQ(r.at(".east", "packet"), c.shown);
    EXPECT_EQ(r.at(".east", "busy_waiting"), c.busy_waiting);
    EXPECT_EQ(r.at(".east", "sent_last"), c.sent_last ? 1U : 0U);
    EXPECT_EQ(r.at(".east", "wanted"), c.wanted);
    EXPECT_EQ(r.at(".east", "buffer"), 7U);
    EXPECT_EQ(r.at(".west", "packet"), 0U);
  }
  EXPECT_EQ(r.at(".east", "offer"), 0U);
  r.offer(kEast, 7);
  r.look();
  EXPECT_EQ(r.at(".east", "offer"), 1U);
  r.look();
  EXPECT_EQ(r.at(".east", "offer"), 0U) << "it was of the cycle before";
}

// ---------------------------------------------------------------- the node

/// Its packet asks, its port was idle, nothing was offered: its own pool refuses it, for want of a buffer or for its
/// message.
TEST(Po2NodeRows, SayWhyTheNodesOwnPoolRefusesItsPacket) {
  Po2Rows r;
  r.bench.network->send_packet(NodeId{4}, NodeId{0}, 4);
  r.slice.shared().store[r.slice.head(4, kLocal)->packet].message = 33;
  const auto row = [&](const char* name) { return r.at(".local0", name); };
  r.full(4);
  r.look();
  EXPECT_EQ(row("refusal") + row("refused_message"), 0U) << "it was not there at the cycle's start";
  r.look();
  EXPECT_EQ(row("refusal"), kNoBuffer);
  EXPECT_EQ(row("refused_message"), 33U);
  EXPECT_EQ(row("held_by"), 0U);
  r.router.use = {0, 0, 0};
  Buffer& holder = r.waits(7, 10, {kEast});
  holder.message = 33;
  r.look();
  r.look();
  EXPECT_EQ(row("refusal"), kSameMessage);
  EXPECT_EQ(row("held_by"), r.number(holder));
  models::po2::Offer& offer = r.offer(kLocal, 7);
  r.look();
  EXPECT_EQ(row("refusal") + row("refused_message") + row("held_by"), 0U) << "something was offered there";
  offer.cycle = 0;
  r.use(kLocal, Use::kSending);
  r.look();
  EXPECT_EQ(row("refusal"), kSameMessage) << "the port was idle at the cycle's start";
  r.look();
  EXPECT_EQ(row("refusal") + row("refused_message") + row("held_by"), 0U) << "it is in use";
}

/// A packet of no message is refused for none.
TEST(Po2NodeRows, NameNoMessageWhereThereIsNone) {
  Po2Rows r;
  r.bench.network->send_packet(NodeId{4}, NodeId{0}, 4);
  r.full(4);
  r.look();
  r.look();
  EXPECT_EQ(r.at(".local0", "refusal"), kNoBuffer);
  EXPECT_EQ(r.at(".local0", "refused_message"), 0U);
}

}  // namespace
}  // namespace braid::test::po2_rows_test
