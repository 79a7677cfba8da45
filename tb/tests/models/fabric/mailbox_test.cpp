// What waits between two parts of a network: mailboxes between slices, and queues of packets.
#include "models/fabric/mailbox.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/fabric/packet_queue.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::mailbox_test {
namespace {

using models::PacketQueue;
using models::PacketSlot;
using Box = models::Mailbox<std::vector<std::uint32_t>>;
using Boxes = models::Mailboxes<Box>;

/// The least power of two that is more than the horizon: what is filed so many cycles ahead is not yet read.
TEST(Mailbox, HasASlotForEachCycleOfItsHorizonAndThePresentOne) {
  const std::pair<std::size_t, std::size_t> cases[] = {{0, 1}, {1, 2}, {2, 4}, {3, 4}, {4, 8}, {7, 8}, {8, 16}};
  for (const auto& [horizon, slots] : cases) {
    Box box(horizon);
    EXPECT_EQ(box.slots().size(), slots) << horizon;
    for (std::uint32_t cycle = 100; cycle < 100 + slots; ++cycle) box.at(cycle).push_back(cycle);
    for (std::uint32_t cycle = 100; cycle < 100 + slots; ++cycle) {
      EXPECT_EQ(box.at(cycle), std::vector<std::uint32_t>{cycle}) << horizon;
      EXPECT_EQ(&box.at(cycle), &box.at(cycle + slots)) << horizon;
    }
  }
}

TEST(Mailboxes, LeadFromEachSliceToEachOtherOnce) {
  Boxes zero, one;
  Box* const own = zero.connect(0, zero, 1);
  Box* const there = zero.connect(1, one, 5);
  Box* const back = one.connect(1, one, 1);
  ASSERT_TRUE(own != nullptr && there != nullptr && back != nullptr);
  EXPECT_EQ(zero.connect(1, one, 5), nullptr) << "there is one";
  EXPECT_EQ(zero.connect(0, zero, 5), nullptr);
  EXPECT_EQ(&zero.self(), own);
  EXPECT_EQ(&zero.to(0), own);
  EXPECT_EQ(&zero.to(1), there);
  EXPECT_EQ(&one.self(), back);
  EXPECT_EQ(there->slots().size(), 8U);
  EXPECT_EQ(zero.outgoing().size(), 2U);
  EXPECT_EQ(zero.incoming(), std::vector<Box*>{own});
  EXPECT_EQ(one.outgoing().size(), 1U);
  EXPECT_EQ(one.incoming(), (std::vector<Box*>{there, back}));
}

/// One thread runs all slices: what is sent to a slice goes into the mailbox that it has to itself.
TEST(Mailboxes, ThatShareLieAtTheSliceThatReadsThem) {
  Boxes zero(true), one(true);
  Box* const own = zero.connect(0, zero, 1);
  Box* const others = one.connect(1, one, 1);
  ASSERT_TRUE(own != nullptr && others != nullptr);
  EXPECT_EQ(zero.connect(1, one, 1), nullptr) << "no new one";
  EXPECT_EQ(&zero.to(1), others);
  EXPECT_EQ(&zero.self(), own);
  EXPECT_EQ(zero.outgoing().size(), 1U);
  EXPECT_EQ(one.incoming(), std::vector<Box*>{others});
}

TEST(Mailboxes, AreInCheckpoints) {
  Boxes saved, restored, other;
  saved.connect(0, saved, 3)->at(2) = {7, 8};
  restored.connect(0, restored, 3)->at(1) = {9};
  other.connect(0, other, 1);
  Checkpoint saves;
  saved.checkpoint(saves);
  Checkpoint restores(saves.bytes()), wrong(saves.bytes());
  restored.checkpoint(restores);
  restores.finish();
  EXPECT_TRUE(restored.self().at(1).empty());
  EXPECT_EQ(restored.self().at(2), (std::vector<std::uint32_t>{7, 8}));
  EXPECT_THROW(other.checkpoint(wrong), CheckpointError) << "of another horizon";
}

std::vector<PacketSlot> all_of(const PacketQueue& queue) {
  std::vector<PacketSlot> all;
  queue.for_each([&](PacketSlot packet) { all.push_back(packet); });
  return all;
}

/// It grows where it is full, also while its first packet is not at the front of its memory.
TEST(PacketQueue, KeepsTheOrderWhileItGrows) {
  PacketQueue queue;
  EXPECT_TRUE(queue.empty());
  std::vector<PacketSlot> expected;
  for (PacketSlot packet = 0; packet < 40; ++packet) {
    queue.push(packet);
    expected.push_back(packet);
    if (packet % 3 == 2) {
      queue.pop();
      expected.erase(expected.begin());
    }
    ASSERT_EQ(all_of(queue), expected);
    ASSERT_EQ(queue.size(), expected.size());
    ASSERT_EQ(queue.front(), expected.front());
  }
  while (!queue.empty()) queue.pop();
  EXPECT_EQ(queue.size(), 0U);
}

TEST(PacketQueue, KnowsAPacketByAnotherSlot) {
  PacketQueue queue;
  for (const PacketSlot packet : {3, 4, 5}) queue.push(packet);
  queue.rename(4, 9);
  queue.rename(7, 8);
  EXPECT_EQ(all_of(queue), (std::vector<PacketSlot>{3, 9, 5}));
}

/// Into queues that had fewer and more; and no packet that is not there.
TEST(PacketQueue, GoesThroughACheckpoint) {
  PacketQueue saved;
  for (PacketSlot packet = 0; packet < 9; ++packet) saved.push(packet);
  Checkpoint saves;
  saved.checkpoint(saves);
  for (const PacketSlot had : {0U, 1U, 100U}) {
    PacketQueue restored;
    for (PacketSlot packet = 0; packet < had; ++packet) restored.push(50);
    Checkpoint restores(saves.bytes());
    restores.set_packets(9);
    restored.checkpoint(restores);
    restores.finish();
    EXPECT_EQ(all_of(restored), all_of(saved)) << had;
    restored.push(8);
    EXPECT_EQ(restored.size(), 10U);
    Checkpoint refuses(saves.bytes());
    refuses.set_packets(8);
    EXPECT_EQ(complaint<CheckpointError>([&] { restored.checkpoint(refuses); }), "packet 8, here are 8");
  }
}

}  // namespace
}  // namespace braid::test::mailbox_test
