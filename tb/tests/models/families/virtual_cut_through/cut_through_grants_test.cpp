// Who is granted which output of a virtual cut-through router, told from registers that are written by hand: turns
// among heads, bubbles, choices (docs/sat-fairness.md); and what a grant leaves in the registers.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/cut_through_middle.h"

namespace braid::test::cut_through_grants_test {
namespace {

using models::virtual_cut_through::PortMask;
using models::virtual_cut_through::Slice;

constexpr std::uint32_t kEast = CutThroughMiddle::kEast, kWest = CutThroughMiddle::kWest,
                        kNorth = CutThroughMiddle::kNorth, kSouth = CutThroughMiddle::kSouth,
                        kLocal = CutThroughMiddle::kLocal;
constexpr std::uint64_t kCycle = 50;

struct Grants : CutThroughMiddle {
  std::vector<Slice::Grant> list;

  Grants() { slice.note_grants(&list); }
  void chooses(std::uint32_t in, std::initializer_list<std::uint32_t> outs) {
    router.choosing |= bit(in);
    bank.ways[at(in)] = 0;
    for (const std::uint32_t out : outs) bank.ways[at(in)] |= bit(out);
  }
  void behind(std::uint32_t out, std::uint32_t flits) { bank.downstream[at(out)].granted_flits = flits; }
  /// Grants of a cycle as INPUT>OUTPUT, in the order in which they are made.
  std::string of(std::uint64_t cycle = kCycle) {
    list.clear();
    slice.wake(RouterId{std::size_t{4}});
    slice.arbitrate_heads(cycle);
    std::string text;
    for (const Slice::Grant& g : list) {
      text += (text.empty() ? "" : " ") + std::to_string(bank.port_of(g.in_port)) + ">" +
              std::to_string(bank.port_of(g.out_port));
    }
    return text;
  }
};

/// Heads of three inputs for one output: from the turn's input on, and from the first one again.
TEST(CutThroughGrants, GoRoundAmongHeads) {
  struct Case {
    std::uint8_t turn;
    const char* granted;
    int next;
  };
  for (const Case& c : {Case{0, "1>0", 2}, Case{1, "1>0", 2}, Case{2, "3>0", 4}, Case{3, "3>0", 4}, Case{4, "4>0", 5},
                        Case{5, "1>0", 2}, Case{63, "1>0", 2}}) {
    Grants g;
    for (const std::uint32_t in : {kWest, kSouth, kLocal}) {
      g.comes(in, in);
      g.asks(in, kEast);
    }
    g.bank.next_turn[g.at(kEast)] = c.turn;
    EXPECT_EQ(g.of(), c.granted) << int{c.turn};
    EXPECT_EQ(g.bank.next_turn[g.at(kEast)], c.next);
  }
}

/// Each output by itself, in the order of their numbers; only what is free and has a buffer.
TEST(CutThroughGrants, AreOneAnOutputThatIsFreeAndHasABuffer) {
  const auto asked = [](Grants& g) {
    for (const auto& [in, out] : {std::pair(kWest, kNorth), std::pair(kSouth, kEast), std::pair(kLocal, kWest)}) {
      g.comes(in, in);
      g.asks(in, out);
    }
  };
  Grants all, busy, full, neither;
  for (Grants* g : {&all, &busy, &full, &neither}) asked(*g);
  EXPECT_EQ(all.of(), "3>0 4>1 1>2");
  EXPECT_EQ(all.of(kCycle + 1), "") << "once";
  busy.router.free_outputs &= ~Grants::bit(kWest);
  EXPECT_EQ(busy.of(), "3>0 1>2");
  full.router.credited &= ~Grants::bit(kEast);
  EXPECT_EQ(full.of(), "4>1 1>2");
  neither.router.credited = Grants::bit(kEast);
  neither.router.free_outputs = Grants::bit(kNorth);
  EXPECT_EQ(neither.of(), "");
  EXPECT_TRUE(neither.slice.any_head()) << "they still wait";
}

/// Where one buffer is free only heads that stay in their ring may go.
TEST(CutThroughGrants, LetAHeadIntoARingWhereTwoBuffersAreFree) {
  for (const bool roomy : {true, false}) {
    for (const bool stays : {true, false}) {
      Grants g;
      g.comes(kWest, 1);
      g.router.asked |= Grants::bit(kEast);
      g.bank.entering[g.at(kEast)] = Grants::bit(kWest);
      if (stays) {
        g.comes(kSouth, 3);
        g.asks(kSouth, kEast);
      }
      if (!roomy) g.router.roomy &= ~Grants::bit(kEast);
      EXPECT_EQ(g.of(), roomy ? "1>0" : stays ? "3>0" : "") << roomy << stays;
      EXPECT_EQ(g.router.asked, roomy && !stays ? 0U : Grants::bit(kEast)) << "while somebody asks";
    }
  }
}

/// Of its ways a head takes the one with the fewest flits behind it, and waits for it if that is busy or full.
TEST(CutThroughGrants, AreOfTheWayWithFewestFlits) {
  for (const std::uint32_t fewest : {kEast, kNorth, kSouth}) {
    const auto one = [&](auto change) {
      Grants g;
      g.comes(kLocal, 1);
      g.chooses(kLocal, {kEast, kNorth, kSouth});
      for (const std::uint32_t out : {kEast, kNorth, kSouth}) g.behind(out, out == fewest ? 8 : 9);
      change(g);
      return g.of();
    };
    EXPECT_EQ(one([](Grants&) {}), "4>" + std::to_string(fewest));
    EXPECT_EQ(one([&](Grants& g) { g.router.free_outputs &= ~Grants::bit(fewest); }), "") << "it waits";
    EXPECT_EQ(one([&](Grants& g) { g.router.credited &= ~Grants::bit(fewest); }), "");
    EXPECT_EQ(one([&](Grants& g) { g.behind(kWest, 0); }), "4>" + std::to_string(fewest)) << "no way of it";
    EXPECT_EQ(one([&](Grants& g) { g.router.free_outputs = 0; }), "");
  }
}

/// Among equals it is drawn, and a busy one may be: then the head waits.
TEST(CutThroughGrants, DrawAmongEquals) {
  std::size_t north = 0, south = 0, none = 0;
  Grants g;
  for (int again = 0; again < 300; ++again) {
    g.comes(kLocal, 1);
    g.chooses(kLocal, {kEast, kNorth, kSouth});
    for (const std::uint32_t out : {kEast, kNorth, kSouth}) g.bank.downstream[g.at(out)] = {8, 0, 0, 0};
    g.router.free_outputs = ~Grants::bit(kEast);
    g.router.credited = ~PortMask{0};
    const std::string granted = g.of();
    north += granted == "4>2" ? 1 : 0;
    south += granted == "4>3" ? 1 : 0;
    none += granted.empty() ? 1 : 0;
    g.router.choosing = 0;
    g.bank.pop(g.at(kLocal));
    g.bank.queues[g.at(kLocal)].leaving = false;
  }
  EXPECT_EQ(north + south + none, 300U);
  for (const std::size_t times : {north, south, none}) EXPECT_NEAR(static_cast<double>(times), 100.0, 33.0);
}

/// Heads that choose take their turn among those that have no choice.
TEST(CutThroughGrants, AreSharedByHeadsThatChooseAndThatDoNot) {
  for (const std::uint8_t turn : {0, 2, 4}) {
    Grants g;
    g.comes(kWest, 1);
    g.asks(kWest, kEast);
    g.comes(kSouth, 3);
    g.router.asked |= Grants::bit(kEast);
    g.bank.entering[g.at(kEast)] = Grants::bit(kSouth);
    g.comes(kLocal, 4);
    g.chooses(kLocal, {kEast, kNorth});
    g.behind(kNorth, 5);
    g.bank.next_turn[g.at(kEast)] = turn;
    EXPECT_EQ(g.of(), turn == 0 ? "1>0" : turn == 2 ? "3>0" : "4>0") << int{turn};
    EXPECT_EQ(g.router.choosing, turn == 4 ? 0U : Grants::bit(kLocal));
    EXPECT_EQ(g.bank.through[g.at(kEast)], turn == 0 ? 0U : Grants::bit(kWest));
    EXPECT_EQ(g.bank.entering[g.at(kEast)], turn == 2 ? 0U : Grants::bit(kSouth));
    EXPECT_EQ(g.router.asked, Grants::bit(kEast));
    // What has been chosen in a cycle is forgotten in the next one.
    g.router.free_outputs |= Grants::bit(kEast);
    g.behind(kEast, 50);
    EXPECT_EQ(g.of(kCycle + 1), turn == 0 ? "3>0 4>2" : turn == 2 ? "1>0 4>2" : "1>0") << int{turn};
  }
}

/// Two that choose the same output in one cycle: one goes, the other chooses anew.
TEST(CutThroughGrants, LeaveTheOthersToChooseAnew) {
  Grants g;
  for (const std::uint32_t in : {kWest, kLocal}) {
    g.comes(in, in);
    g.chooses(in, {kEast, kNorth});
  }
  g.behind(kNorth, 3);
  EXPECT_EQ(g.of(), "1>0");
  EXPECT_EQ(g.bank.downstream[g.at(kEast)].granted_flits, 4U);
  EXPECT_EQ(g.router.choosing, Grants::bit(kLocal));
  EXPECT_EQ(g.of(kCycle + 1), "")
      << "of the four flits three are not sent yet: fewer than to the north, but it is busy";
  EXPECT_EQ(g.of(kCycle + 4), "4>2");
}

/// A grant of a packet of 4 flits: its head leaves the lists, its queue and the output are in use, a buffer is taken.
TEST(CutThroughGrants, AreWrittenToTheRegisters) {
  for (std::uint8_t credits = 4; credits > 0; --credits) {
    Grants g;
    g.comes(kWest, 1);
    g.asks(kWest, kEast);
    g.bank.credits[g.at(kEast)] = credits;
    g.behind(kEast, 7);
    EXPECT_EQ(g.of(), "1>0");
    EXPECT_TRUE(g.bank.queues[g.at(kWest)].leaving);
    EXPECT_FALSE(g.bank.queues[g.at(kWest)].to_node);
    EXPECT_EQ(g.bank.through[g.at(kEast)] | g.router.asked, 0U);
    EXPECT_EQ(g.router.free_outputs, ~Grants::bit(kEast));
    EXPECT_EQ(g.bank.credits[g.at(kEast)], credits - 1);
    EXPECT_EQ((g.router.roomy & Grants::bit(kEast)) != 0, credits > 2) << int{credits};
    EXPECT_EQ((g.router.credited & Grants::bit(kEast)) != 0, credits > 1) << int{credits};
    EXPECT_EQ(g.router.roomy | Grants::bit(kEast), g.router.credited | Grants::bit(kEast)) << "others are as they were";
    EXPECT_EQ(g.bank.downstream[g.at(kEast)].granted_flits, 11U);
    EXPECT_EQ(g.bank.downstream[g.at(kEast)].sent_at, kCycle + 4);
    EXPECT_EQ(g.bank.flits_sent[g.at(kEast)], 4U);
    EXPECT_EQ(g.slice.flit_hops(), 4U);
    auto& sent = g.slice.own_channel().at(kCycle);
    ASSERT_EQ(sent.arrivals.size(), 1U);
    EXPECT_EQ(sent.arrivals[0].in_port, g.bank.links[g.at(kEast)].target);
    EXPECT_EQ(sent.arrivals[0].packet.slot, 1U);
    ASSERT_EQ(sent.credits.size(), 1U);
    EXPECT_EQ(sent.credits[0].out_port, g.bank.upstream[g.at(kWest)]);
    EXPECT_EQ(sent.credits[0].length_flits, 4U);
    EXPECT_EQ(sent.credits[0].free_at, kCycle + 4) << "a cycle after its tail has left";
  }
}

/// A node takes whatever comes: no buffer of it is taken, and nothing is on the way to a queue.
TEST(CutThroughGrants, ToANodeTakeNoBuffer) {
  Grants g;
  g.comes(kWest, 1);
  g.asks(kWest, kLocal);
  EXPECT_EQ(g.of(), "1>4");
  EXPECT_TRUE(g.bank.queues[g.at(kWest)].to_node);
  EXPECT_EQ(g.bank.credits[g.at(kLocal)], models::virtual_cut_through::Bank::kNoLimit);
  EXPECT_EQ(g.bank.downstream[g.at(kLocal)].granted_flits, 0U);
  EXPECT_TRUE(g.slice.own_channel().at(kCycle).arrivals.empty());
  EXPECT_EQ(g.slice.own_channel().at(kCycle).credits.size(), 1U);
  EXPECT_EQ(g.bank.flits_sent[g.at(kLocal)], 4U);
}

}  // namespace
}  // namespace braid::test::cut_through_grants_test
