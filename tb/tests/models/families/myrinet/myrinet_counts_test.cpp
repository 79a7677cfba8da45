// What Myrinet-like switches say of themselves while a packet crosses them: flits over links, in buffers, at a host
// that sends a packet on, each to the cycle. One packet of 32 flits from node 0 to node 1; the header has a flit for
// each switch (docs/in-transit-buffers.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/trees.h"

namespace braid::test::myrinet_counts_test {
namespace {

using models::kNone;
using models::PortIndex;
using models::myrinet::Slice;

constexpr std::uint64_t kBegin = 10, kCable = 1, kLink = 8, kRouting = 24, kFlits = 32;
/// First flits: on the link, which is the second switch's header; at the second switch; on the cable of node 1.
constexpr std::uint64_t kOnLink = kBegin + kCable + kRouting, kAtSwitch = kOnLink + kLink,
                        kToNode = kAtSwitch + kRouting, kAtNode = kToNode + kCable, kEnd = kAtNode + kFlits - 1;

struct OnePacket {
  Bench bench{myrinet_row(2)};
  models::PacketSlot slot = 0;

  OnePacket() {
    bench.run(kBegin);
    bench.network->send_packet(NodeId{1}, NodeId{0}, 1);  // has the first slot
    bench.network->send_packet(NodeId{0}, NodeId{1}, kFlits);
    bench.run(1);
    for (const auto& channel : slice().channels()) {
      if (channel.open && channel.sending.flits > 8) slot = channel.sending.slot;
    }
  }
  const Slice& slice() const { return myrinet_of(bench).slice(); }
  /// Through a cycle.
  void run_through(std::uint64_t cycle) { bench.run(cycle + 1 - bench.network->now()); }
  models::Fabric::LinkUse use(std::size_t router, PortId port) const {
    return bench.network->fabric().link_use(RouterId{router}, port);
  }
  std::uint64_t buffered(std::size_t router, PortId port) const {
    return bench.network->fabric().buffered(RouterId{router}, port, 0);
  }
};

/// A flit in each cycle from the first one on, with the header of the second switch.
TEST(MyrinetCounts, AreOfFlitsOverALink) {
  OnePacket one;
  for (std::uint64_t cycle = kBegin + 1; cycle < kEnd + 5; ++cycle) {
    one.run_through(cycle);
    const std::uint64_t sent = cycle < kOnLink ? 0 : std::min(cycle - kOnLink + 1, kFlits + 1);
    const models::Fabric::LinkUse use = one.use(0, routing::kEast);
    EXPECT_EQ(use.packet_flits, sent) << cycle;
    EXPECT_EQ(use.circuit_flits, 0U);
    EXPECT_EQ(use.stopped_cycles, 0U);
  }
  EXPECT_EQ(one.use(1, PortId{4}).packet_flits, kFlits) << "no header goes to the node";
}

/// At the second switch 33 flits come from kAtSwitch on. The header leaves at once, the others when the switch has
/// turned: from kToNode on one leaves in each cycle. Told at the start of the cycle behind the last that has run.
TEST(MyrinetCounts, AreOfFlitsInABuffer) {
  OnePacket one;
  one.run_through(kAtSwitch - 2);
  EXPECT_EQ(one.buffered(1, routing::kWest), 0U);
  for (std::uint64_t now = kAtSwitch + 1; now < kAtSwitch + kFlits; ++now) {
    one.run_through(now - 1);
    const std::uint64_t come = now - kAtSwitch + 1, gone = 1 + (now <= kToNode ? 0 : now - kToNode);
    EXPECT_EQ(one.buffered(1, routing::kWest), come - gone) << now;
    EXPECT_EQ(one.buffered(1, PortId{4}), 0U) << "of its own host";
  }
  one.run_through(kEnd + 5);
  EXPECT_EQ(one.buffered(1, routing::kWest), 0U);
}

/// A host knows of a packet that comes in how much of it is here, and in how many cycles there will be as much as it
/// wants to see, or all of it.
TEST(MyrinetHost, KnowsHowMuchOfAPacketIsHere) {
  OnePacket one;
  const Slice& slice = one.slice();
  EXPECT_TRUE(slice.cuts_through());
  for (std::uint64_t cycle = kAtNode; cycle < kEnd; ++cycle) {
    one.run_through(cycle);
    const std::uint64_t here = cycle - kAtNode + 1;
    ASSERT_EQ(slice.here_of(1, one.slot), here) << cycle;
    for (const std::uint64_t wanted : {0U, 1U, 10U, 31U, 32U, 33U, 1000U}) {
      const std::uint64_t all = std::min(wanted, kFlits);
      EXPECT_EQ(slice.missing(1, one.slot, wanted), all > here ? all - here : 0) << cycle << " " << wanted;
    }
    EXPECT_EQ(complaint<CheckpointError>([&] { (void)slice.here_of(1, one.slot + 1); }),
              "no network is in such a state: a packet that does not come in");
  }
}

/// A packet that a host sends on is by then on its next leg: it comes in by the host's cable until its tail is here.
/// One that comes to its end, or to its own source, is on the leg by which it left.
TEST(MyrinetHost, KnowsWhichPacketStillComesIn) {
  OnePacket one;
  const Slice& slice = one.slice();
  auto& store = const_cast<models::PacketStore&>(myrinet_of(one.bench).store());
  one.run_through(kAtNode + 3);
  EXPECT_EQ(slice.incoming(1, one.slot), kNone);
  const routing::RouteId leg = store[one.slot].route;
  store[one.slot].route = static_cast<routing::RouteId>(leg == 0 ? 1 : leg - 1);
  const PortIndex cable = slice.incoming(1, one.slot);
  ASSERT_NE(cable, kNone);
  EXPECT_EQ(slice.channels()[cable].target, 1U) << "node 1's local port";
  EXPECT_TRUE(slice.channels()[cable].to_node);
  EXPECT_EQ(slice.incoming(1, one.slot + 1), kNone) << "another packet";
  EXPECT_EQ(slice.incoming(0, one.slot), kNone) << "at another host";
  store[one.slot].route = leg;
  one.run_through(kEnd);
  EXPECT_EQ(slice.incoming(1, one.slot), kNone);
}

/// Queues of hosts: ready for another packet when the tail of the last one has left.
TEST(MyrinetHost, IsReadyWhenItsQueueIsEmpty) {
  OnePacket one;
  std::vector<std::size_t> empty;
  Slice& slice = dynamic_cast<models::myrinet::Fabric&>(one.bench.network->fabric()).slice();
  EXPECT_TRUE(slice.notify_when_empty([&](std::size_t port) { empty.push_back(port); }));
  const std::uint64_t tail = kBegin + 2 + kFlits - 1;  // two flits of header
  one.run_through(tail - 1);
  EXPECT_EQ(slice.queued(0), 1U);
  EXPECT_FALSE(slice.ready(0));
  EXPECT_TRUE(slice.ready(1));
  EXPECT_EQ(empty, std::vector<std::size_t>{1}) << "its packet has one flit";
  one.run_through(tail);
  EXPECT_EQ(slice.queued(0), 0U);
  EXPECT_TRUE(slice.ready(0));
  EXPECT_EQ(empty, (std::vector<std::size_t>{1, 0}));
}

/// What is made before the first cycle begins in cycle 1.
TEST(MyrinetHost, SendsNothingInCycleZero) {
  Bench bench(myrinet_row(2));
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  const auto& channels = myrinet_of(bench).slice().channels();
  const auto open = [&] {
    std::size_t all = 0;
    for (const auto& channel : channels) all += channel.open ? 1 : 0;
    return all;
  };
  bench.run(1);
  EXPECT_EQ(open(), 0U);
  bench.run(1);
  EXPECT_EQ(open(), 1U);
}

TEST(MyrinetCounts, ComeWithTheClockOfTheFlits) {
  models::Experiment e = myrinet_row(2);
  e.set("router.flit_time_ns", 12.5).set("router.routing_ns", 50.0);
  const Bench bench(e);
  EXPECT_EQ(bench.network->fabric().clock_period_ps(), 12500U);
  EXPECT_TRUE(bench.network->fabric().fixes_clock());
  EXPECT_EQ(myrinet_of(bench).slice().timing().routing_cycles, 4U);
}

/// Each packet stands at the front of as many channels as it is stretched over; none where none is sent.
TEST(MyrinetCounts, HaveTheFrontsOfChannels) {
  OnePacket one;
  const auto fronts = [&] {
    std::size_t of_it = 0;
    one.bench.network->fabric().for_each_front([&](models::PacketSlot slot) { of_it += slot == one.slot ? 1 : 0; });
    return of_it;
  };
  one.run_through(kBegin + 1);
  EXPECT_EQ(fronts(), 1U) << "its host's cable";
  one.run_through(kOnLink + 1);
  EXPECT_EQ(fronts(), 2U) << "and the link";
  one.run_through(kEnd + 1);
  EXPECT_EQ(fronts(), 0U);
}

/// Stop comes a link's latency late, and what was sent until then, too: with links of a cycle, one flit.
TEST(MyrinetOptions, NeedRoomBehindTheMarkForShortLinksToo) {
  for (const auto& [slack, said] :
       {std::pair(57, ""),
        std::pair(56,
                  "router.slack_flits = 56: stop at 56 comes too late for a link this long; expected 57 or more")}) {
    models::Experiment e = myrinet_row(2);
    e.set("topology.link_latency_cycles", 1).set("router.slack_flits", slack);
    EXPECT_EQ(complaint([&] { const Bench bench(e); }), said);
  }
}

/// Families without circuits send none over any link.
TEST(FamilyLinks, CarryNoFlitsOfCircuits) {
  models::Experiment cut_through = vct_grid("mesh", 0.0), ideal = uniform_mesh(0.0, 2, 1);
  cut_through.set("topology.width", 2).set("topology.height", 1);
  ideal.set("router.architecture", "ideal");
  for (const models::Experiment& e : {myrinet_row(2), cut_through, small_po2(2, 1), ideal}) {
    Bench bench(e);
    bench.run(1);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 7);
    bench.run(100);
    EXPECT_EQ(bench.delivered(), 1U);
    const auto family = e.get<std::string>("router.architecture");
    const models::Fabric::LinkUse use = bench.network->fabric().link_use(RouterId{0}, routing::kEast);
    EXPECT_EQ(use.packet_flits, family == "ideal" ? 0U : family == "myrinet" ? 8U : 7U) << family;
    EXPECT_EQ(use.circuit_flits, 0U) << family;
    EXPECT_EQ(use.stopped_cycles.has_value(), family == "myrinet") << family;
  }
}

}  // namespace
}  // namespace braid::test::myrinet_counts_test
