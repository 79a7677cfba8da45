// What is there before anything has been said: clocks, bits of no width, a channel that nobody reads. And what is said
// of modules for which there is no room. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <string>

#include "models/stages/base/heap.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"
#include "models/stages/hybrid/flit_wires.h"
#include "models/stages/hybrid/router_shape.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/elaborate.h"

namespace braid::test::first_values_test {
namespace {

using models::stages::Bits;
using models::stages::RegisterChannel;

TEST(StepClocksAtFirst, AreAtCycleZero) {
  models::stages::StepClocks clocks(2);
  EXPECT_EQ(clocks[0].cycle(), 0U);
  EXPECT_EQ(clocks[1].cycle(), 0U);
  EXPECT_EQ(&clocks[0].cycle(), &clocks[1].cycle()) << "one for all steps";
  EXPECT_TRUE(clocks[0].stages().empty());
}

/// SystemC has no vector of no bits.
TEST(BitsOfNoWidth, AreOneBitOfSystemCs) {
  EXPECT_EQ(Bits().value().length(), 1);
  EXPECT_EQ(Bits(1).value().length(), 1);
  EXPECT_EQ(Bits(33).value().length(), 33);
  EXPECT_EQ(Bits().text(), "0'b");
}

struct Registers final : models::stages::Bank {
  unsigned value = 3, read = 0;
};

/// Nobody has read it or waits for it: it is not looked at when a cycle is over.
TEST(RegisterChannelAtFirst, IsLookedAtByNobody) {
  Registers bank;
  RegisterChannel channel("channel", 4, bank, [&](Bits& b) {
    ++bank.read;
    b.set(0, 4, bank.value);
  });
  elaborate();
  EXPECT_FALSE(channel.event());
  RegisterChannel::settle_watched();
  EXPECT_EQ(bank.read, 0U);
  EXPECT_EQ(channel.read().word(), 3U);
  RegisterChannel::settle_watched();
  EXPECT_EQ(bank.read, 2U) << "once a cycle from then on";
  EXPECT_EQ(channel.get_writer_policy(), sc_core::SC_MANY_WRITERS);
}

/// Four modules of 2^60 bytes are 2^62 in all, of which the first has been made.
TEST(RoomForModulesSaid, IsThatOfAllOfThem) {
  const std::string said = complaint([] { models::stages::check_room_for_modules(4, std::uint64_t{1} << 60); });
  EXPECT_EQ(
      said.rfind("simulation.schedule = \"process_per_stage\": modules of 4 routers take about 4611686018.4 GB", 0), 0U)
      << said;
}

/// 64 bits of data, the tail above them, then the head; ports side by side.
TEST(FlitWiresOnABundle, LieSideBySide) {
  using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)
  EXPECT_EQ(kFlitBits, 66U);
  Bits bundle(3 * kFlitBits);
  const FlitWires tail{0xfedcba9876543210, true, false}, head{0x1, false, true}, none;
  EXPECT_EQ(none.data, 0U);
  EXPECT_FALSE(none.tail || none.head);
  put_flit(bundle, 1, tail);
  put_flit(bundle, 2, head);
  EXPECT_EQ(bundle.field(66, 64), 0xfedcba9876543210U);
  EXPECT_EQ(bundle.field(130, 2), 0b01U);
  EXPECT_EQ(bundle.field(196, 2), 0b10U);
  EXPECT_TRUE(flit_at(bundle, 0) == none);
  EXPECT_TRUE(flit_at(bundle, 1) == tail);
  EXPECT_TRUE(flit_at(bundle, 2) == head);
  EXPECT_FALSE(head == tail);
  const FlitWires other_tail{head.data, true, true}, other_head{head.data, false, false}, other_data{2, false, true};
  for (const FlitWires& other : {other_tail, other_head, other_data}) EXPECT_FALSE(head == other);
  EXPECT_EQ(tail.destination(), 0x3210U) << "the lowest 16 bits";
  const auto flit = flit_numbered(7, tail, 3), whole = flit_numbered(8, {0, true, true}, 0);
  EXPECT_EQ(flit.packet(), 7U);
  EXPECT_EQ(flit.vc(), 3U);
  EXPECT_TRUE(flit.tail() && !flit.head());
  EXPECT_TRUE(whole.tail() && whole.head());
  EXPECT_TRUE(flit_numbered(7, head, 3).head() && !flit_numbered(7, head, 3).tail());
}

/// A packet's number lies above the flit's place in it, and that above the destination.
TEST(FlitWiresOfAPacket, NamePacketPlaceAndDestination) {
  using models::stages::hybrid::wires_of;
  models::PacketStore store;
  models::PacketStore::Pool pool(store);
  const models::PacketSlot slot = pool.take();
  store[slot] = models::Packet{};
  store[slot].destination = NodeId{std::size_t{0x12345}};
  const auto body = wires_of(models::Flit(slot, 0x77, 0x79, 2), store);
  EXPECT_EQ(body.data, std::uint64_t{slot} << 32 | 0x772345U) << "of a destination 16 bits";
  EXPECT_FALSE(body.head || body.tail);
  const auto tail = wires_of(models::Flit(slot, 0x78, 0x79, 2), store);
  EXPECT_TRUE(tail.tail && !tail.head);
  EXPECT_TRUE(wires_of(models::Flit(slot, 0, 2, 2), store).head);
}

}  // namespace
}  // namespace braid::test::first_values_test
