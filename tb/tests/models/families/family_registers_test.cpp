// What stands in the registers of PO2, Myrinet, cut-through and ideal routers before anything has come: nothing, but
// for the few fields that name nobody or that let the first one go.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "models/families/ideal/link_turns.h"
#include "models/families/myrinet/slice.h"
#include "models/families/po2/fabric.h"
#include "models/families/po2/refusals.h"
#include "models/families/po2/slice.h"
#include "models/families/virtual_cut_through/slice.h"
#include "tb/tests/support/filled.h"

namespace braid::test::family_registers_test {
namespace {

using namespace models;

using Fields = std::vector<std::size_t>;
const Fields kNoField;

TEST(FamilyRegisters, OfPo2HoldNoPacketAndNoMessage) {
  EXPECT_EQ(filled_fields<po2::Buffer>(), Fields{9}) << "the message is none";
  EXPECT_EQ(po2::Buffer{}.message, kNoMessage);
  EXPECT_EQ(filled_fields<po2::Port>(), kNoField);
  EXPECT_EQ(filled_fields<po2::Offer>(), (Fields{0, 3})) << "made in no cycle, of no message";
  EXPECT_EQ(po2::Offer{}.cycle, UINT64_MAX);
  EXPECT_EQ(po2::Offer{}.message, kNoMessage);
  const po2::Router router;
  EXPECT_EQ(router.free | router.idle | router.local | router.coming_when_offered, 0U);
  EXPECT_EQ(router.use, (po2::PoolUse{0, 0, 0}));
  EXPECT_EQ(router.use_when_offered, (po2::PoolUse{0, 0, 0}));
  EXPECT_EQ(router.coming() + router.going() + router.held(), 0U);
  EXPECT_EQ(filled_fields<po2::Slice::Head>(), kNoField);
  EXPECT_EQ(filled_fields<po2::Slice::Counters>(), kNoField);
  EXPECT_EQ(filled_fields<po2::Refusals::Answer>(), kNoField);
}

TEST(FamilyRegisters, OfMyrinetNameNoPortAndMaySend) {
  EXPECT_EQ(filled_fields<myrinet::Input>(), Fields{1});
  EXPECT_EQ(filled_fields<myrinet::Output>(), Fields{1});
  EXPECT_EQ(filled_fields<myrinet::Passing>(), Fields{1});
  const myrinet::Channel c;
  EXPECT_EQ(c.latency_cycles, 1U);
  EXPECT_EQ(c.source_base + c.look_at + c.payload_lost + c.sending.end(), 0U);
}

TEST(FamilyRegisters, OfCutThroughRoutersHaveAllOutputsFreeAndNoCredit) {
  EXPECT_EQ(filled_fields<virtual_cut_through::QueuedPacket>(), kNoField);
  EXPECT_EQ(filled_fields<virtual_cut_through::Queue>(), kNoField);
  EXPECT_EQ(filled_fields<virtual_cut_through::Occupancy>(), kNoField);
  EXPECT_EQ(filled_fields<virtual_cut_through::ChannelSlot::Arrival>(), kNoField);
  EXPECT_EQ(filled_fields<virtual_cut_through::ChannelSlot::Credit>(), kNoField);
  const virtual_cut_through::Router router;
  EXPECT_EQ(router.free_outputs, UINT64_MAX);
  EXPECT_EQ(router.credited | router.roomy | router.asked | router.choosing, 0U);
}

/// Sends of a link's packet by the ends of links as the test says, cycle by cycle.
struct Turns {
  ideal::LinkTurns turns;
  std::vector<ideal::LinkEnds> ends;
  std::vector<std::uint32_t> step() {
    std::vector<std::uint32_t> sent;
    turns.step([&](std::uint32_t link) { return ends[link]; }, [&](std::uint32_t link) { sent.push_back(link); });
    return sent;
  }
};
using Links = std::vector<std::uint32_t>;

/// Links 0, 1 and 2 out of node 0, which sends two flits a cycle: the one that was second is first in the next cycle.
TEST(IdealTurns, BeginOneLinkFurtherInEachCycle) {
  Turns t{{{2, 0, 0, 0}, {1, 1, 1, 1}, false},
          {{NodeId{0}, NodeId{1}}, {NodeId{0}, NodeId{2}}, {NodeId{0}, NodeId{3}}}};
  EXPECT_EQ(t.step(), Links{}) << "no link has packets";
  for (const std::uint32_t link : {0U, 1U, 2U}) t.turns.activate(link);
  EXPECT_EQ(t.turns.active(), (Links{0, 1, 2}));
  EXPECT_EQ(t.step(), (Links{1, 2}));
  EXPECT_EQ(t.step(), (Links{2, 0}));
  EXPECT_EQ(t.step(), (Links{0, 1}));
  EXPECT_EQ(t.turns.active(), (Links{0, 1, 2}));
}

/// Links 0 to 2 lead to node 3, which takes two flits a cycle, or any number where they queue there.
TEST(IdealTurns, EndAtANodeThatTakesNoMoreUnlessItQueues) {
  for (const bool queues : {false, true}) {
    Turns t{{{1, 1, 1, 1}, {0, 0, 0, 2}, queues},
            {{NodeId{0}, NodeId{3}}, {NodeId{1}, NodeId{3}}, {NodeId{2}, NodeId{3}}}};
    for (const std::uint32_t link : {0U, 1U, 2U}) t.turns.activate(link);
    EXPECT_EQ(t.step(), queues ? (Links{1, 2, 0}) : (Links{1, 2}));
    EXPECT_EQ(t.step(), queues ? (Links{2, 0, 1}) : (Links{2, 0}));
  }
}

/// Node 0 sends one flit a cycle, to node 1 that takes none or to node 2: what is not sent costs no port of its source.
TEST(IdealTurns, CostNoPortWhereNothingIsSent) {
  Turns t{{{1, 1, 0}, {0, 0, 1}, false}, {{NodeId{0}, NodeId{2}}, {NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{2}}}};
  for (const std::uint32_t link : {0U, 1U, 2U}) t.turns.activate(link);
  EXPECT_EQ(t.step(), Links{2}) << "1 is refused, 2 has node 2's only port, so 0 has none";
  EXPECT_EQ(t.step(), Links{2}) << "2, 0, 1";
  EXPECT_EQ(t.step(), Links{0}) << "0, 1, 2";
}

/// And a source that may send no more costs its receiver none.
TEST(IdealTurns, CostNoPortOfAReceiverWhoseSourceIsDone) {
  Turns t{{{1, 1, 0, 0}, {0, 0, 1, 1}, false},
          {{NodeId{1}, NodeId{3}}, {NodeId{0}, NodeId{2}}, {NodeId{0}, NodeId{3}}}};
  for (const std::uint32_t link : {0U, 1U, 2U}) t.turns.activate(link);
  EXPECT_EQ(t.step(), (Links{1, 0})) << "1, 2, 0: 2 may not send, and 0 gets node 3's port";
}

TEST(IdealTurns, AreLeftByLinksWithoutPackets) {
  Turns t{{{4}, {4}, true}, {{NodeId{0}, NodeId{0}}, {NodeId{0}, NodeId{0}}, {NodeId{0}, NodeId{0}}}};
  for (const std::uint32_t link : {0U, 1U, 2U}) t.turns.activate(link);
  t.turns.retire([](std::uint32_t link) { return link != 1; });
  EXPECT_EQ(t.turns.active(), Links{1});
  EXPECT_EQ(t.step(), Links{1});
}

}  // namespace
}  // namespace braid::test::family_registers_test
