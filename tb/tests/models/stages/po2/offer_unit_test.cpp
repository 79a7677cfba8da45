// The offers of a router alone, at signals: which packet asks for which port, and who is refused (docs/po2.md).
#include "models/stages/po2/offer_unit.h"

#include <gtest/gtest.h>

#include "tb/tests/support/po2_stage.h"

namespace braid::test::offer_unit_test {
namespace {

using models::stages::po2::OfferUnit;

constexpr unsigned kWayBits = 3;  // of six: five ports and none

models::Experiment row(const char* avoidance = "none") {
  models::Experiment e = small_po2(3, 1);
  e.set("po2.avoidance", avoidance);
  return e;
}

/// Every port is idle, every pool has room for every class.
template <class Alone>
void open_all(Alone& alone) {
  for (unsigned p = 0; p < kPortsOf1; ++p) {
    if (p == 2 || p == 3) continue;  // a row has no links north and south
    alone.bench.set("idle_i", p);
    for (unsigned c = 0; c < 3; ++c) alone.bench.set("far_free_i", 3 * p + c);
  }
  for (unsigned c = 0; c < 3; ++c) alone.bench.set("free_i", c);
}

/// A packet in buffer `b` waits since a cycle, for these ports in this order.
template <class Alone>
void wait(Alone& alone, unsigned b, std::uint64_t since, const std::vector<unsigned>& ports) {
  const auto ways = static_cast<unsigned>(alone.routing->max_candidates() + 1);
  alone.bench.set("waiting_i", b);
  alone.bench.set("blocking_i", b);
  alone.bench.set("since_i", b, since, 64);
  alone.bench.set("in_port_i", b, kNodeOf1 + 1, kWayBits);
  alone.bench.set("message_i", b, 40 + b, 32);
  for (unsigned i = 0; i < ports.size(); ++i) alone.bench.set("ways_i", b * ways + i, ports[i] + 1, kWayBits);
}

/// The far pool is full until cycle 9.
TEST(OfferUnit, OffersAPacketInTheCycleInWhichTheFarPoolHasRoom) {
  Po2Stage<OfferUnit> alone(row());
  StageOnSignals& b = alone.bench;
  open_all(alone);
  wait(alone, 3, 0, {kEastOf1});
  b.set("far_free_i", 3 * kEastOf1, 0);
  for (std::uint64_t cycle = 0; cycle < 9; ++cycle) {
    b.run();
    EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 0U) << cycle;
    EXPECT_EQ(b.get("held_off_o", 3), 1U) << cycle;
  }
  b.set("far_free_i", 3 * kEastOf1);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 1U << kEastOf1);
  EXPECT_EQ(b.get("buffer_o", kEastOf1, 5), 3U);
  EXPECT_EQ(b.get("offer_message_o", kEastOf1, 32), 43U);
  EXPECT_EQ(b.get("held_off_o", 3), 0U);
}

/// A packet of its message waits in the far pool until cycle 9.
TEST(OfferUnit, HoldsAPacketWhileOneOfItsMessageWaitsInTheFarPool) {
  Po2Stage<OfferUnit> alone(row());
  StageOnSignals& b = alone.bench;
  open_all(alone);
  wait(alone, 3, 0, {kEastOf1});
  b.set("far_blocking_i", 20 * kEastOf1 + 11);
  b.set("far_message_i", 20 * kEastOf1 + 11, 43, 32);
  b.run(9);
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 0U);
  EXPECT_EQ(b.get("held_off_o", 3), 1U);
  b.set("far_blocking_i", 20 * kEastOf1 + 11, 0);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 1U << kEastOf1);
}

/// Three wait for the east, the youngest for the west as well: the oldest is offered, and the youngest passes.
TEST(OfferUnit, OffersTheOldestAndLetsYoungerOnesPass) {
  Po2Stage<OfferUnit> alone(row());
  StageOnSignals& b = alone.bench;
  open_all(alone);
  wait(alone, 0, 7, {kEastOf1});
  wait(alone, 1, 5, {kEastOf1});
  wait(alone, 2, 8, {kEastOf1, kWestOf1});
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), (1U << kEastOf1) | (1U << kWestOf1));
  EXPECT_EQ(b.get("buffer_o", kEastOf1, 5), 1U);
  EXPECT_EQ(b.get("buffer_o", kWestOf1, 5), 2U);
  EXPECT_EQ(b.get("offer_since_o", kWestOf1, 64), 8U);
  b.set("idle_i", kWestOf1, 0);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 1U << kEastOf1) << "only idle ports";
}

/// The oldest waits for the east, where a packet of its message keeps it out. One that waits for east and west takes
/// the west, and one for the east alone passes the oldest, or stays behind it where ports are first in, first out.
void expect_behind_a_refused_packet(bool fifo) {
  models::Experiment e = row();
  e.set("po2.port_discipline", fifo ? "head_of_line" : "pass_refused");
  Po2Stage<OfferUnit> alone(e);
  StageOnSignals& b = alone.bench;
  open_all(alone);
  wait(alone, 0, 5, {kEastOf1});
  wait(alone, 1, 7, {kEastOf1});
  wait(alone, 2, 8, {kEastOf1, kWestOf1});
  b.set("far_blocking_i", 20 * kEastOf1 + 11);
  b.set("far_message_i", 20 * kEastOf1 + 11, 40, 32);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), (fifo ? 0U : 1U << kEastOf1) | (1U << kWestOf1));
  EXPECT_EQ(b.get("buffer_o", kWestOf1, 5), 2U);
  if (!fifo) {
    EXPECT_EQ(b.get("buffer_o", kEastOf1, 5), 1U);
  }
  EXPECT_EQ(b.get("held_off_o", 0, 3), fifo ? 0b011U : 0U) << "an idle port of theirs is offered to nobody";
  b.set("far_blocking_i", 20 * kEastOf1 + 11, 0);
  b.run();
  EXPECT_EQ(b.get("buffer_o", kEastOf1, 5), 0U) << "the oldest is taken now";
}

TEST(OfferUnit, LetsAYoungerPacketPassARefusedOne) { expect_behind_a_refused_packet(false); }
TEST(OfferUnit, KeepsAPortForARefusedPacketWherePortsAreFifo) { expect_behind_a_refused_packet(true); }

/// The oldest is refused in the east and takes the west. The east is closed to younger ones for this cycle: it asked.
TEST(OfferUnit, ClosesAFifoPortThatARefusedPacketAskedBeforeItFoundAnother) {
  models::Experiment e = row();
  e.set("po2.port_discipline", "head_of_line");
  Po2Stage<OfferUnit> alone(e);
  StageOnSignals& b = alone.bench;
  open_all(alone);
  wait(alone, 0, 5, {kEastOf1, kWestOf1});
  wait(alone, 1, 7, {kEastOf1});
  b.set("far_blocking_i", 20 * kEastOf1 + 11);
  b.set("far_message_i", 20 * kEastOf1 + 11, 40, 32);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 1U << kWestOf1);
  EXPECT_EQ(b.get("buffer_o", kWestOf1, 5), 0U);
  b.set("waiting_i", 0, 0);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 1U << kEastOf1) << "it has left";
}

/// Regular buffers in the west are taken. A younger packet's escape passes the refused one; an escape that is refused
/// keeps no port closed: when the regular buffers are free and the escape's is not, the younger one goes.
TEST(OfferUnit, LetsEscapesPassAtAFifoPortAndBePassed) {
  models::Experiment e = row("up_down_escape");
  e.set("po2.port_discipline", "head_of_line");
  Po2Stage<OfferUnit> alone(e);
  StageOnSignals& b = alone.bench;
  open_all(alone);
  wait(alone, 3, 2, {kWestOf1});
  wait(alone, 4, 6, {kWestOf1});
  b.set("escape_i", 4);
  b.set("escape_class_i", 4, 1, 2);
  b.set("far_free_i", 3 * kWestOf1, 0);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 1U << kWestOf1);
  EXPECT_EQ(b.get("buffer_o", kWestOf1, 5), 4U);
  b.set("since_i", 4, 1, 64);
  b.set("far_free_i", 3 * kWestOf1);
  b.set("far_free_i", 3 * kWestOf1 + 1, 0);
  b.run();
  EXPECT_EQ(b.get("buffer_o", kWestOf1, 5), 3U);
  EXPECT_EQ(b.get("class_o", kWestOf1, 2), 0U);
}

/// The node's packet asks since 4, one to be ejected since 5 or 4: the older goes, of equals the ejection.
TEST(OfferUnit, ServesTheOlderOfInjectionAndEjection) {
  Po2Stage<OfferUnit> alone(row());
  StageOnSignals& b = alone.bench;
  open_all(alone);
  wait(alone, 6, 5, {kNodeOf1});
  b.set("queued_i", kNodeOf1);
  b.set("head_since_i", kNodeOf1, 4, 64);
  b.set("head_message_i", kNodeOf1, 12, 32);
  b.run();
  EXPECT_EQ(b.get("inject_o", 0, kPortsOf1), 1U << kNodeOf1);
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 0U);
  b.set("since_i", 6, 4, 64);
  b.run();
  EXPECT_EQ(b.get("inject_o", 0, kPortsOf1), 0U);
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 1U << kNodeOf1);
  b.set("since_i", 6, 5, 64);
  b.set("message_i", 6, 12, 32);
  b.run();
  EXPECT_EQ(b.get("inject_o", 0, kPortsOf1), 0U) << "a packet of its message waits here";
}

/// A switch of a tree has its nodes at its first ports: the packet of each is offered, and of whichever alone.
TEST(OfferUnit, InjectsForANodeAtAnyPort) {
  models::Experiment e = small_po2(3, 1);
  e.set("topology.kind", "k_ary_n_tree").set("topology.arity", 2).set("topology.levels", 2);
  Po2Stage<OfferUnit> alone(e);
  StageOnSignals& b = alone.bench;
  b.set("free_i", 0);
  for (const unsigned p : {0U, 1U}) {
    b.set("idle_i", p);
    b.set("head_since_i", p, 4, 64);
    b.set("head_message_i", p, 12 + p, 32);
  }
  for (const unsigned queued : {0b01U, 0b10U, 0b11U}) {
    for (const unsigned p : {0U, 1U}) b.set("queued_i", p, queued >> p & 1);
    b.run();
    EXPECT_EQ(b.get("inject_o", 0, 4), queued);
    for (const unsigned p : {0U, 1U})
      EXPECT_EQ(b.get("offer_message_o", p, 32), (queued >> p & 1) * (12 + p)) << queued;
  }
}

/// The regular buffers to the west are taken; the escape goes there as class 1, but not while it is kept for an elder.
TEST(OfferUnit, TakesTheEscapeThatIsNotKeptForAnElder) {
  Po2Stage<OfferUnit> alone(row("up_down_escape"));
  StageOnSignals& b = alone.bench;
  open_all(alone);
  wait(alone, 4, 0, {kWestOf1, kWestOf1});
  b.set("escape_i", 4);
  b.set("escape_class_i", 4, 1, 2);
  b.set("far_free_i", 3 * kWestOf1, 0);
  b.set("kept_i", 4);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 0U);
  b.set("kept_i", 4, 0);
  b.run();
  EXPECT_EQ(b.get("offer_o", 0, kPortsOf1), 1U << kWestOf1);
  EXPECT_EQ(b.get("class_o", kWestOf1, 2), 1U);
}

}  // namespace
}  // namespace braid::test::offer_unit_test
