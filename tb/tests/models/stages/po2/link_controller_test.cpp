// The half-duplex links alone, at signals: when they turn round (docs/po2.md, docs/hardware-view/po2.md).
#include "models/stages/po2/link_controller.h"

#include <gtest/gtest.h>

#include "tb/tests/support/po2_stage.h"

namespace braid::test::link_controller_test {
namespace {

using models::stages::po2::LinkController;

/// Everything that is asked for is granted, by this pool and the far ones; packets of 4 flits.
void grant_all(StageOnSignals& b) {
  for (unsigned p = 0; p < kPortsOf1; ++p) {
    b.set("grant_i", p);
    b.set("far_grant_i", p);
    b.set("offer_flits_i", p, 4, 16);
    b.set("in_flits_i", p, 4, 16);
    b.set("grant_buffer_i", p, p, 5);
    b.set("offer_buffer_i", p, 8 + p, 5);
  }
}

/// Both ends of the link to the west always ask. Router 0, the lower number, begins; then they alternate. A packet of 4
/// flits and 2 cycles of acknowledgement: the port is busy for 6 cycles, and the other end begins in the seventh.
TEST(LinkController, TurnsRoundWhenReceiptIsAcknowledged) {
  Po2Stage<LinkController> alone(small_po2(3, 1));
  StageOnSignals& b = alone.bench;
  grant_all(b);
  b.set("offer_i", kWestOf1);
  b.set("far_offer_i", kWestOf1);
  for (std::uint64_t cycle = 0; cycle < 24; ++cycle) {
    b.set("far_sent_last_i", kWestOf1, cycle > 0 && b.get("sent_last_o", kWestOf1) == 0 ? 1 : 0);
    b.run();
    const bool theirs = cycle / 6 % 2 == 0, last = cycle % 6 == 5;
    EXPECT_EQ(b.get("incoming_o", kWestOf1), cycle % 12 == 0 ? 1U : 0U) << cycle;
    EXPECT_EQ(b.get("receiving_o", kWestOf1), theirs && !last ? 1U : 0U) << cycle;
    EXPECT_EQ(b.get("sending_o", kWestOf1), !theirs && !last ? 1U : 0U) << cycle;
    EXPECT_EQ(b.get("idle_o", kWestOf1), last ? 1U : 0U) << cycle;
    EXPECT_EQ(b.get("sent_last_o", kWestOf1), theirs ? 0U : 1U) << cycle;
    EXPECT_EQ(b.get("leaving_o", 8 + kWestOf1), !theirs && !last ? 1U : 0U) << cycle;
  }
}

/// The link to the east: this router has the lower number and begins, in cycle 0. In 6 it is the other end's turn.
TEST(LinkController, BeginsAsTheRouterOfLowerNumberAndThenGivesWay) {
  Po2Stage<LinkController> alone(small_po2(3, 1));
  StageOnSignals& b = alone.bench;
  grant_all(b);
  b.set("offer_i", kEastOf1);
  b.set("far_offer_i", kEastOf1);
  b.run();
  EXPECT_EQ(b.get("incoming_o", kEastOf1), 0U);
  EXPECT_EQ(b.get("sending_o", kEastOf1), 1U);
  b.run(5);
  EXPECT_EQ(b.get("idle_o", kEastOf1), 1U) << "after cycle 5";
  b.run();
  EXPECT_EQ(b.get("incoming_o", kEastOf1), 1U);
  EXPECT_EQ(b.get("receiving_o", kEastOf1), 1U) << "in cycle 6";
}

/// A packet that the far pool refuses waits: nothing is on the link until it is granted, in cycle 7.
TEST(LinkController, WaitsForTheFarPoolsGrant) {
  Po2Stage<LinkController> alone(small_po2(3, 1));
  StageOnSignals& b = alone.bench;
  grant_all(b);
  b.set("far_grant_i", kEastOf1, 0);
  b.set("offer_i", kEastOf1);
  b.run(7);
  EXPECT_EQ(b.get("idle_o", kEastOf1), 1U);
  b.set("far_grant_i", kEastOf1);
  b.run();
  EXPECT_EQ(b.get("idle_o", kEastOf1), 0U);
  EXPECT_EQ(b.get("sending_o", kEastOf1), 1U);
}

/// The node's port: 3 cycles of overhead and 4 flits in, then 1 and 4 out; no acknowledgement.
TEST(LinkController, HoldsANodesPortForItsOverheadsAndNoAcknowledgement) {
  Po2Stage<LinkController> alone(small_po2(3, 1));
  StageOnSignals& b = alone.bench;
  grant_all(b);
  b.set("inject_i", kNodeOf1);
  for (std::uint64_t cycle = 0; cycle < 12; ++cycle) {
    if (cycle == 1) {
      b.set("inject_i", kNodeOf1, 0);
      b.set("offer_i", kNodeOf1);
    }
    b.run();
    EXPECT_EQ(b.get("receiving_o", kNodeOf1), cycle < 6 ? 1U : 0U) << cycle;
    EXPECT_EQ(b.get("sending_o", kNodeOf1), cycle >= 7 && cycle < 11 ? 1U : 0U) << cycle;
    EXPECT_EQ(b.get("idle_o", kNodeOf1), cycle == 6 || cycle == 11 ? 1U : 0U) << cycle;
  }
}

}  // namespace
}  // namespace braid::test::link_controller_test
