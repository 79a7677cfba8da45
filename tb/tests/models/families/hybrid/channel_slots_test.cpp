// How far ahead what slices send each other is filed (slice_wires.cpp): a flit over the longest link, a credit back
// over it, in slots that number the cycles; no more, for the slots of all cycles are much of what a router has in the
// cache.
#include <gtest/gtest.h>

#include "models/families/hybrid/fabric.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::channel_slots_test {
namespace {

struct Case {
  std::uint32_t latency, delay;  // of links, of credits
  double speedup;
  std::size_t slots;
};

/// As many cycles ahead as the link has, and one, or as the credit's delay leaves beyond two; one more where ST may be
/// in a later step of its cycle. The slots are the next power of two above.
TEST(ChannelSlots, AreForTheLongestLinkAndTheLatestCredit) {
  for (const Case& c :
       {Case{1, 2, 1.0, 4}, Case{1, 3, 1.0, 4},  Case{1, 4, 1.0, 4},  Case{1, 5, 1.0, 8},   Case{2, 2, 1.0, 4},
        Case{2, 3, 1.0, 4}, Case{2, 4, 1.0, 8},  Case{3, 2, 1.0, 8},  Case{6, 3, 1.0, 8},   Case{7, 2, 1.0, 16},
        Case{1, 8, 1.0, 8}, Case{1, 9, 1.0, 16}, Case{1, 2, 1.5, 4},  Case{1, 3, 2.0, 4},   Case{1, 4, 2.0, 8},
        Case{2, 2, 1.5, 8}, Case{5, 2, 3.0, 8},  Case{6, 2, 3.0, 16}, Case{14, 3, 1.0, 16}, Case{15, 3, 1.0, 32}}) {
    models::Experiment e = uniform_mesh(0.0, 3, 1);
    e.set("topology.link_latency_cycles", c.latency);
    e.set("router.credit_delay_cycles", c.delay);
    e.set("router.internal_speedup", c.speedup);
    Bench bench(e, 3);
    auto& fabric = models::hybrid::of(bench.network->fabric());
    for (std::size_t s = 0; s < 3; ++s) {
      const auto& outgoing = fabric.slice(s).outgoing();
      EXPECT_EQ(outgoing.size(), s == 1 ? 3U : 2U) << "itself and its neighbours";
      for (const auto& channel : outgoing) {
        EXPECT_EQ(channel->slots().size(), c.slots) << c.latency << ", " << c.delay << ", " << c.speedup;
      }
      EXPECT_EQ(fabric.slice(s).incoming().size(), outgoing.size());
    }
  }
}

/// A message of the set-up takes the unit's cycle and the link's; one of the node itself is there in the next cycle.
TEST(ChannelSlots, HaveControlMessagesInTheCycleOfTheirUnit) {
  for (const std::uint32_t latency : {1U, 3U}) {
    models::Experiment e = tile_streams(3, 1, 1, {{0, 2}});
    e.set("topology.link_latency_cycles", latency);
    Bench bench(e, 3);
    auto& fabric = models::hybrid::of(bench.network->fabric());
    const models::hybrid::RouterBank& bank = fabric.bank();
    models::hybrid::Slice& from = fabric.slice(1);
    const models::PortIndex west = bank.port_index(RouterId{1}, routing::kWest);
    models::hybrid::ControlMessage message{west, models::hybrid::ControlKind::kTearDown, 9, NodeId{0}};
    from.send_control(40, west, message);
    auto& slot = from.channel_for(RouterId{0}).at(40 + 1 + latency);
    ASSERT_EQ(slot.control.size(), 1U) << latency;
    EXPECT_EQ(slot.control[0].port, bank.port_index(RouterId{0}, routing::kEast)) << "where it comes in";
    EXPECT_EQ(slot.control[0].search, 9U);
    from.send_local_control(40, message);
    auto& own = from.channel_for(RouterId{1}).at(40 + 1);
    ASSERT_EQ(own.control.size(), 1U) << latency;
    EXPECT_EQ(own.control[0].port, west);
  }
}

}  // namespace
}  // namespace braid::test::channel_slots_test
