// Rows of a waveform of virtual cut-through routers, told from registers that are written by hand between two looks at
// them: why a head stands still, who has what it wants. Networks: tb/tests/models/families/family_waveform_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/cut_through_middle.h"

namespace braid::test::cut_through_rows_test {
namespace {

constexpr std::uint32_t kEast = CutThroughMiddle::kEast, kWest = CutThroughMiddle::kWest,
                        kNorth = CutThroughMiddle::kNorth, kSouth = CutThroughMiddle::kSouth,
                        kLocal = CutThroughMiddle::kLocal;
enum Stall : std::uint64_t { kNothing, kMoves, kOutputBusy, kNoBuffer, kNoBubble, kLost };

constexpr models::virtual_cut_through::PortMask bit(std::uint32_t port) { return CutThroughMiddle::bit(port); }

struct Rows : CutThroughMiddle {
  models::SignalTable table;
  std::unique_ptr<models::SignalSource> source;

  /// The first look is at what is before.
  void begin() { source = bench.network->fabric().signals(table, {RouterId{std::size_t{4}}}); }
  void look() { source->sample(7); }
  std::uint64_t row(const std::string& port, const std::string& name) const {
    for (const models::Signal& s : table.signals()) {
      if (s.scope == "router_1_1." + port && s.name == name) return s.value;
    }
    ADD_FAILURE() << "no row " << port << "." << name;
    return 0;
  }
  std::uint64_t stall() const { return row("local0", "stall"); }
  std::uint64_t held_by() const { return row("local0", "held_by"); }
};

std::uint64_t packet(std::uint32_t sequence) { return models::packet_number(8, sequence); }

TEST(CutThroughRows, OfAQueueAreItsRegisters) {
  Rows r;
  r.comes(kLocal, 3);
  r.comes(kLocal, 4);
  r.asks(kLocal, kNorth);
  r.bank.credits[r.at(kLocal)] = 77;
  r.begin();
  r.look();
  const std::vector<std::pair<const char*, std::uint64_t>> waits{
      {"packets", 2}, {"packet", packet(3)}, {"head_source", 8}, {"head_sequence", 3}, {"leaving", 0},
      {"out", 3},     {"busy", 0},           {"crossing", 0},    {"credits", 77}};
  for (const auto& [name, value] : waits) EXPECT_EQ(r.row("local0", name), value) << name;
  EXPECT_EQ(r.row("west", "packets") + r.row("west", "packet") + r.row("west", "out"), 0U);
  EXPECT_EQ(r.row("north", "credits"), 4U);
  r.leaves(kLocal, kNorth);
  r.look();
  EXPECT_EQ(r.row("local0", "leaving"), 1U);
  EXPECT_EQ(r.row("local0", "out"), 0U) << "it asks no more";
  EXPECT_EQ(r.row("north", "busy"), 1U);
  EXPECT_EQ(r.row("north", "crossing"), packet(3));
  EXPECT_EQ(r.row("east", "busy") + r.row("east", "crossing"), 0U);
  r.bank.pop(r.at(kLocal));
  r.bank.pop(r.at(kLocal));
  r.look();
  EXPECT_EQ(r.row("local0", "packet"), 0U);
  EXPECT_EQ(r.row("local0", "head_sequence"), 3U) << "keeps its value where no packet is";
}

/// The lowest of several ways, in whichever register they stand.
TEST(CutThroughRows, NameTheLowestOutputThatAHeadAsksFor) {
  Rows r;
  r.comes(kLocal, 3);
  r.router.choosing = bit(kLocal);
  r.bank.ways[r.at(kLocal)] = bit(kSouth) | bit(kWest);
  r.begin();
  r.look();
  EXPECT_EQ(r.row("local0", "out"), kWest + 1U);
  r.router.choosing = 0;
  r.bank.entering[r.at(kSouth)] = bit(kLocal);
  r.look();
  EXPECT_EQ(r.row("local0", "out"), kSouth + 1U);
  r.bank.through[r.at(kEast)] = bit(kLocal);
  r.look();
  EXPECT_EQ(r.row("local0", "out"), kEast + 1U);
  r.bank.through[r.at(kEast)] = bit(kWest);
  r.look();
  EXPECT_EQ(r.row("local0", "out"), kSouth + 1U) << "the other one is another input's";
}

/// Before, and after, a cycle.
TEST(CutThroughStalls, TellWhetherAPacketMoves) {
  Rows r;
  r.begin();
  r.look();
  EXPECT_EQ(r.stall(), kNothing) << "no packet is there";
  r.comes(kLocal, 3);
  r.asks(kLocal, kNorth);
  r.look();
  EXPECT_EQ(r.stall(), kNothing) << "it has come in this cycle";
  r.look();
  EXPECT_EQ(r.stall(), kLost) << "it could have gone";
  EXPECT_EQ(r.held_by(), 0U);
  r.leaves(kLocal, kNorth);
  r.look();
  EXPECT_EQ(r.stall(), kMoves) << "it has begun to";
  r.look();
  EXPECT_EQ(r.stall(), kMoves);
  r.bank.pop(r.at(kLocal));
  r.bank.queues[r.at(kLocal)].leaving = false;
  r.look();
  EXPECT_EQ(r.stall(), kMoves) << "its last flit has";
  r.look();
  EXPECT_EQ(r.stall(), kNothing);
  r.comes(kLocal, 4);
  r.comes(kLocal, 5);
  r.look();
  r.bank.pop(r.at(kLocal));  // granted and gone within a cycle: another packet is the first
  r.look();
  EXPECT_EQ(r.stall(), kMoves);
}

/// Also of what was there when the waveform began.
TEST(CutThroughStalls, NameThePacketThatHasTheOutput) {
  Rows r;
  r.comes(kWest, 1);
  r.comes(kSouth, 2);
  r.comes(kLocal, 3);
  r.asks(kLocal, kNorth);
  r.leaves(kSouth, kNorth);
  r.begin();
  r.look();
  EXPECT_EQ(r.stall(), kOutputBusy);
  EXPECT_EQ(r.held_by(), packet(2));
  r.asks(kLocal, kEast);
  r.leaves(kWest, kEast);
  r.look();
  EXPECT_EQ(r.held_by(), packet(2)) << "the way that was its only one";
  r.look();
  EXPECT_EQ(r.stall(), kOutputBusy);
  EXPECT_EQ(r.held_by(), packet(1)) << "of two busy ways the lower";
  r.router.free_outputs |= bit(kEast);
  r.look();
  EXPECT_EQ(r.stall(), kOutputBusy) << "it was busy until now";
  r.look();
  EXPECT_EQ(r.stall(), kLost) << "one way is free";
}

/// A port that nobody was ever granted has no winner.
TEST(CutThroughStalls, NameNobodyBeforeTheFirstGrant) {
  Rows r;
  r.comes(kLocal, 3);
  r.asks(kLocal, kNorth);
  r.router.free_outputs &= ~bit(kNorth);
  r.begin();
  r.look();
  EXPECT_EQ(r.stall(), kOutputBusy);
  EXPECT_EQ(r.held_by(), 0U);
  EXPECT_EQ(r.row("north", "crossing"), 0U);
  EXPECT_EQ(r.row("north", "busy"), 1U);
}

TEST(CutThroughStalls, SayThatNoBufferIsFree) {
  Rows r;
  r.comes(kLocal, 3);
  r.asks(kLocal, kNorth);
  r.router.credited &= ~bit(kNorth);
  r.begin();
  r.look();
  EXPECT_EQ(r.stall(), kNoBuffer);
  EXPECT_EQ(r.held_by(), 0U);
  r.asks(kLocal, kEast);
  r.router.free_outputs &= ~bit(kEast);
  r.look();
  r.look();
  EXPECT_EQ(r.stall(), kNoBuffer) << "its other way is busy";
  r.router.credited |= bit(kNorth);
  r.look();
  EXPECT_EQ(r.stall(), kNoBuffer) << "as it was";
  r.look();
  EXPECT_EQ(r.stall(), kLost);
}

/// A packet that enters a ring needs two buffers; one that stays in it, or has another way, does not.
TEST(CutThroughStalls, SayThatABubbleIsMissing) {
  Rows r;
  r.comes(kLocal, 3);
  r.router.asked |= bit(kNorth);
  r.bank.entering[r.at(kNorth)] = bit(kLocal);
  r.router.roomy &= ~bit(kNorth);
  r.begin();
  r.look();
  EXPECT_EQ(r.stall(), kNoBubble);
  r.router.roomy |= bit(kNorth);
  r.look();
  r.look();
  EXPECT_EQ(r.stall(), kLost);
  r.router.roomy &= ~bit(kNorth);
  r.asks(kLocal, kEast);
  r.router.roomy &= ~bit(kEast);
  r.look();
  r.look();
  EXPECT_EQ(r.stall(), kLost) << "to the east one buffer is enough";
  r.router.credited &= ~bit(kEast);
  r.look();
  r.look();
  EXPECT_EQ(r.stall(), kNoBubble);
}

/// Who got the output that was free: a packet that leaves now, or one that has gone in the same cycle.
TEST(CutThroughStalls, NameWhoGotTheOutput) {
  Rows r;
  r.comes(kWest, 1);
  r.comes(kWest, 2);
  r.comes(kLocal, 3);
  r.asks(kLocal, kNorth);
  r.asks(kWest, kNorth);
  r.begin();
  r.look();
  EXPECT_EQ(r.held_by(), 0U) << "nobody got it";
  r.bank.next_turn[r.at(kNorth)] = kWest + 1;
  r.look();
  EXPECT_EQ(r.stall(), kLost);
  EXPECT_EQ(r.held_by(), 0U) << "the one before did, long ago";
  r.bank.queues[r.at(kWest)].leaving = true;
  r.look();
  EXPECT_EQ(r.held_by(), packet(1));
  r.look();
  EXPECT_EQ(r.held_by(), 0U) << "in the cycle before";
  r.bank.queues[r.at(kWest)].leaving = false;
  r.look();
  r.bank.pop(r.at(kWest));  // a packet of one flit
  r.look();
  EXPECT_EQ(r.stall(), kLost);
  EXPECT_EQ(r.held_by(), packet(1));
}

/// Of two ways the one that was free is looked at.
TEST(CutThroughStalls, NameNobodyBehindAnOutputThatWasBusy) {
  Rows r;
  r.comes(kWest, 1);
  r.comes(kSouth, 2);
  r.comes(kLocal, 3);
  r.asks(kLocal, kEast);
  r.asks(kLocal, kNorth);
  r.leaves(kWest, kEast);
  r.begin();
  r.bank.queues[r.at(kWest)].leaving = false;  // its winner has changed, too
  r.leaves(kSouth, kNorth);
  r.look();
  EXPECT_EQ(r.stall(), kLost);
  EXPECT_EQ(r.held_by(), packet(2));
}

}  // namespace
}  // namespace braid::test::cut_through_rows_test
