// What each family tells estimates of its routers: how long a packet takes through them (docs/po2.md, sat-fairness.md,
// in-transit-buffers.md, tlm-styles.md), what they keep flits in (docs/energy.md), and what it shows of its buffers.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/router_storage.h"
#include "models/fabric/router_timing.h"
#include "routing/base/break_off.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/trees.h"

namespace braid::test::family_timing_test {
namespace {

using namespace models;

/// Cycles after the head, before the flits, after them.
using Cycles = std::vector<std::uint32_t>;
Cycles cycles(const ChannelTiming& t) { return {t.after_head, t.before_flits, t.after_flits}; }

std::unique_ptr<RouterTiming> timing(const std::string& family, const Experiment& e = {}) {
  return RouterTimingRegistry::instance().make(family, e);
}
std::unique_ptr<RouterStorage> storage(const std::string& family, const Experiment& e = {}) {
  return RouterStorageRegistry::instance().make(family, e);
}

/// Which of its properties hold, as letters: h(alf duplex), i(nterleaved flits), q(ueue an input), l(ink latency),
/// n(ode's link latency), f(irst free way), d(irect), b(oth ends at once), s(lack), r(oute in header).
std::string properties(const RouterTiming& t) {
  const std::vector<std::pair<bool, char>> all{
      {t.half_duplex, 'h'},    {t.flits_interleave, 'i'},  {t.one_queue_an_input, 'q'},
      {t.link_latency, 'l'},   {t.node_link_latency, 'n'}, {t.first_free_way, 'f'},
      {t.direct, 'd'},         {t.both_ends_at_once, 'b'}, {t.slack.has_value(), 's'},
      {t.route_in_header, 'r'}};
  std::string text;
  for (const auto& [holds, letter] : all) {
    if (holds) text += letter;
  }
  return text;
}

/// docs/po2.md, "Cycle by cycle": inject overhead before the flits, a header in each router, the acknowledgement behind
/// a link's, eject overhead before a node's.
TEST(FamilyTiming, OfPo2IsThatOfItsOverheads) {
  Experiment e;
  e.set("po2.inject_overhead_cycles", 3).set("po2.header_cycles", 5).set("po2.eject_overhead_cycles", 7);
  e.set("po2.acknowledge_cycles", 11);
  const auto t = timing("po2", e);
  EXPECT_EQ(cycles(t->injection), (Cycles{0, 3, 0}));
  EXPECT_EQ(cycles(t->link), (Cycles{5, 0, 11}));
  EXPECT_EQ(cycles(t->ejection), (Cycles{5, 7, 0}));
  EXPECT_EQ(cycles(t->reinjection), (Cycles{0, 0, 0}));
  EXPECT_EQ(properties(*t), "hf");
  EXPECT_EQ(t->delivered_early, 0U);
  EXPECT_EQ(t->cut_through_ps, 0U);
}

/// docs/sat-fairness.md: R + L. A cycle a router, and the tail is there in its last cycle on the link.
TEST(FamilyTiming, OfCutThroughIsACycleARouter) {
  const auto t = timing("virtual_cut_through");
  EXPECT_EQ(cycles(t->injection), (Cycles{1, 0, 0}));
  EXPECT_EQ(cycles(t->link), (Cycles{1, 0, 0}));
  EXPECT_EQ(cycles(t->ejection), (Cycles{1, 0, 0}));
  EXPECT_EQ(cycles(t->reinjection), (Cycles{0, 0, 0}));
  EXPECT_EQ(properties(*t), "ql");
  EXPECT_EQ(t->delivered_early, 1U);
  EXPECT_EQ(t->cut_through_ps, 0U);
}

/// docs/in-transit-buffers.md: routing of 10 cycles of 5 ns before the flits of every port of a switch.
TEST(FamilyTiming, OfMyrinetIsThatOfItsSwitches) {
  Experiment e;
  e.set("router.flit_time_ns", 5.0).set("router.routing_ns", 50.0);
  e.set("router.stop_flits", 30).set("router.go_flits", 20);
  const auto t = timing("myrinet", e);
  EXPECT_EQ(cycles(t->injection), (Cycles{1, 0, 0}));
  EXPECT_EQ(cycles(t->link), (Cycles{1, 10, 0}));
  EXPECT_EQ(cycles(t->ejection), (Cycles{1, 10, 0}));
  EXPECT_EQ(cycles(t->reinjection), (Cycles{0, 0, 0})) << "what hosts add is not the switches'";
  EXPECT_EQ(properties(*t), "qlnsr");
  EXPECT_EQ(t->delivered_early, 0U);
  EXPECT_EQ(t->cut_through_ps, 5000U);
  ASSERT_TRUE(t->slack);
  EXPECT_EQ(t->slack->stop_flits, 30U);
  EXPECT_EQ(t->slack->go_flits, 20U);
}

/// No routers: flits leave a cycle after their packet is made, at both ends at once or not.
TEST(FamilyTiming, OfTheIdealNetworkIsACycle) {
  for (const bool queues : {false, true}) {
    Experiment e;
    e.set("router.queue_at_receiver", queues);
    const auto t = timing("ideal", e);
    EXPECT_EQ(cycles(t->injection), (Cycles{1, 0, 0}));
    EXPECT_EQ(cycles(t->link), (Cycles{0, 0, 0}));
    EXPECT_EQ(cycles(t->ejection), (Cycles{0, 0, 0}));
    EXPECT_EQ(properties(*t), queues ? "d" : "idb");
    EXPECT_EQ(t->delivered_early, 0U);
  }
  Experiment bounded;
  bounded.set("interface.packet_ejection_flits", 1);
  EXPECT_EQ(complaint([&] { (void)timing("ideal", bounded); }).find("interface.packet_ejection_flits: only"), 0U);
}

/// Each kind of channel has its own numbers.
TEST(FamilyTiming, IsAskedForByTheKindOfAChannel) {
  RouterTiming t;
  t.injection.after_head = 1;
  t.link.after_head = 2;
  t.ejection.after_head = 3;
  t.reinjection.after_head = 4;
  EXPECT_EQ(t.of(ChannelKind::kInjection).after_head, 1U);
  EXPECT_EQ(t.of(ChannelKind::kLink).after_head, 2U);
  EXPECT_EQ(t.of(ChannelKind::kEjection).after_head, 3U);
  EXPECT_EQ(t.of(ChannelKind::kReinjection).after_head, 4U);
}

TEST(FamilyStorage, IsInPacketsWhereBuffersHoldWholeOnes) {
  Experiment e;
  e.set("po2.buffers", 9).set("router.queue_packets", 6);
  const auto pool = storage("po2", e), queues = storage("virtual_cut_through", e);
  EXPECT_EQ(pool->packets_a_router, 9U);
  EXPECT_EQ(pool->packets_a_port, 0U);
  EXPECT_EQ(queues->packets_a_router, 0U);
  EXPECT_EQ(queues->packets_a_port, 6U);
  for (const auto* one : {&pool, &queues}) {
    EXPECT_EQ((*one)->vcs, 1U);
    EXPECT_EQ((*one)->flits_a_port + (*one)->circuit_flits_a_port, 0U);
    EXPECT_TRUE((*one)->fitted);
  }
}

TEST(FamilyBuffers, AreShownAsTheyAreCounted) {
  struct Case {
    const char* family;
    bool occupancy, credits;
    const char* unit;
    FasterLinks faster;
  };
  for (const Case& c : {Case{"po2", true, true, "packets", FasterLinks::kRefused},
                        Case{"virtual_cut_through", true, true, "packets", FasterLinks::kMoved},
                        Case{"myrinet", true, false, "flits", FasterLinks::kRefused},
                        Case{"ideal", false, false, "flits", FasterLinks::kIgnored}}) {
    const auto family = FabricRegistry::instance().make(c.family);
    EXPECT_EQ(family->shown_buffers().occupancy, c.occupancy) << c.family;
    EXPECT_EQ(family->shown_buffers().credits, c.credits) << c.family;
    EXPECT_STREQ(family->shown_buffers().unit, c.unit);
    EXPECT_EQ(family->faster_links(), c.faster) << c.family;
    EXPECT_FALSE(family->one_way_links()) << c.family;
    EXPECT_FALSE(family->one_thread(Experiment())) << c.family;
  }
}

/// What a user breaks off is noticed before each slice of a large network.
TEST(FamilySlices, LookForABreakEach) {
  for (const std::size_t slices : {1U, 3U}) {
    for (const Experiment& e : {small_po2(4, 1), vct_tree(2, 0.0)}) {
      const Bench bench(e);
      models::PacketStore store;
      const Slicing slicing(bench.topology.router_count(), slices);
      std::size_t looks = 0;
      const routing::BreakOff counts([&](const char*, std::size_t, std::size_t) { ++looks; });
      const auto family = FabricRegistry::instance().make(e.get<std::string>("router.architecture"));
      const auto fabric = family->make({bench.experiment, bench.topology, *bench.routing, store, slicing});
      EXPECT_EQ(looks, slices);
    }
  }
}

/// Of a link to a node that takes whatever comes: the greatest number that a StepNetwork has for credits.
TEST(FamilyBuffers, OfANodeAreWithoutALimit) {
  EXPECT_EQ(Fabric::kUnlimitedCredits, 65535U);
  for (const Experiment& e : {small_po2(3, 1), vct_tree(1, 0.0)}) {
    const Bench bench(e);
    std::size_t nodes = 0;
    for (std::size_t p = 0; p < bench.topology.port_count(RouterId{0}); ++p) {
      if (bench.topology.port(RouterId{0}, PortId{p}).kind != routing::PortKind::kLocal) continue;
      ++nodes;
      EXPECT_EQ(bench.network->fabric().credits(RouterId{0}, PortId{p}, 0), 65535U);
    }
    EXPECT_GT(nodes, 0U);
  }
}

/// A packet of 4 flits in a row of PO2 routers, in router 0's pool from 0 to 11 and in router 1's from 5 to 12: it
/// counts at the port by which it came. A port shows what is free in the pool behind it, of 20 buffers.
TEST(FamilyBuffers, OfAPo2RouterCountWhereAPacketCameIn) {
  Bench bench(small_po2(3, 1));
  const auto& fabric = bench.network->fabric();
  const PortId east = routing::kEast, west = routing::kWest, local{4};
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  for (std::uint64_t cycle = 0; cycle < 14; ++cycle) {
    bench.run(1);
    const std::uint32_t at_0 = cycle < 10 ? 1 : 0, at_1 = cycle >= 5 && cycle < 11 ? 1 : 0;
    EXPECT_EQ(fabric.buffered(RouterId{0}, local, 0), at_0) << cycle;
    EXPECT_EQ(fabric.buffered(RouterId{0}, east, 0), 0U) << cycle;
    EXPECT_EQ(fabric.buffered(RouterId{1}, west, 0), at_1) << cycle;
    EXPECT_EQ(fabric.buffered(RouterId{1}, local, 0), 0U) << cycle;
    EXPECT_EQ(fabric.credits(RouterId{0}, east, 0), 20U - at_1) << cycle;
    EXPECT_EQ(fabric.credits(RouterId{1}, west, 0), 20U - at_0) << cycle;
    EXPECT_EQ(fabric.credits(RouterId{1}, east, 0), 20U) << cycle;
  }
}

}  // namespace
}  // namespace braid::test::family_timing_test
