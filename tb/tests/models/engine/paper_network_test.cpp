// A network over a fabric of paper, which answers with whatever numbers a case gives it: what the network and the
// watchdog make of them.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "models/engine/watchdog.h"
#include "models/engine/waveform.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/paper.h"
#include "tb/tests/support/watchdog_limits.h"

namespace braid::test::paper_network_test {
namespace {

using models::Fabric;
using models::PacketSlot;
using models::Watchdog;

// ---------------------------------------------------------------- the network

/// Each slice computes, then each commits, between the begin and the end of the cycle, which they all are told.
TEST(PaperNetwork, RunsACycleHalfByHalf) {
  OnPaper one(2);
  one.network.cycle();
  EXPECT_EQ(one.paper.told, "b0 x0@0 x1@0 y0@0 y1@0 e0 ");
  EXPECT_FALSE(one.network.has_first_half());
  one.paper.first_half = true;
  one.network.cycle();
  EXPECT_TRUE(one.network.has_first_half());
  EXPECT_EQ(one.paper.told.substr(std::string("b0 x0@0 x1@0 y0@0 y1@0 e0 ").size()), "b1 x0@1 x1@1 y0@1 y1@1 e1 ");
  EXPECT_EQ(one.network.now(), 2U);
}

/// Sums and differences of the fabric's counters, by numbers that no two sums share.
TEST(PaperNetwork, AddsUpWhatTheFabricHasCounted) {
  OnPaper one;
  one.paper.counted = {1000, 200, 30, 4, 5};  // hops, injected, delivered, copied, lost
  one.paper.found = {7, 169};
  EXPECT_EQ(one.network.flit_hops(), 1000U);
  EXPECT_EQ(one.network.movements(), 1230U);
  EXPECT_EQ(one.network.flits_in_network(), 200U + 4U - 30U - 5U);
  const models::Conservation c = one.network.conservation();
  EXPECT_EQ(c.flits_injected, 200U);
  EXPECT_EQ(c.flits_delivered, 30U);
  EXPECT_EQ(c.flits_copied, 4U);
  EXPECT_EQ(c.flits_in_flight, 169U);
  EXPECT_EQ(c.packets_in_flight, 7U);
  EXPECT_FALSE(c.flits_lost) << "no link goes down here";
  one.paper.counted.flits_copied = 1;
  EXPECT_EQ(one.network.conservation().flits_copied, 1U);
  one.paper.counted.flits_copied = 0;
  EXPECT_FALSE(one.network.conservation().flits_copied);
}

TEST(PaperNetwork, AsksTheFabricForRoomToo) {
  const OnPaper one;
  one.network.check_room();
  EXPECT_EQ(one.paper.asked_for_room, 1);
}

/// Slots that the family keeps for itself are no packets.
TEST(PaperNetwork, KnowsTheOldestOfPacketsAndNotOfSlotsThatAreKept) {
  OnPaper one;
  (void)one.paper.pool.take();  // so that the pool has the rest of a block
  EXPECT_TRUE(one.network.oldest_packets().at(0)) << "the one that it has taken";
  one.paper.pool.give_back(0);
  EXPECT_FALSE(one.network.oldest_packets().at(0));
}

TEST(PaperNetwork, HasTheClockOfAFabricThatFixesIt) {
  const OnPaper one;
  EXPECT_EQ(one.network.clock_period_ps(), 1000U);
  EXPECT_EQ(complaint([&] { one.network.set_clock_period_ps(1000); }), "");
  EXPECT_EQ(complaint([&] { one.network.set_clock_period_ps(999); }),
            "a clock period of 999 ps: this network's is 1000 ps, as delays in it are in nanoseconds");
}

TEST(PaperNetwork, WithoutAnySignalHasNoWaveform) {
  const OnPaper one;
  models::SignalTable table;
  EXPECT_TRUE(one.network.signals(table, {}).empty());
  models::WaveformOptions options;
  options.file = temporary_file("paper.vcd");
  EXPECT_EQ(complaint([&] { const models::Waveform wave(one.network, options); }),
            "trace.file: router.architecture = \"paper\" has no signals, nor has what it runs with");
}

// ---------------------------------------------------------------- the watchdog

std::string said(Watchdog& watchdog) {
  return complaint<models::DeadlockError>([&] { watchdog.check(); });
}
/// The cycle in which it complains, if nothing changes up to there.
std::uint64_t complains_at(const OnPaper& one, Watchdog& watchdog) {
  while (one.network.now() < 500) {
    if (!said(watchdog).empty()) return one.network.now();
    one.network.cycle();
  }
  return 0;
}

/// A flit that is in the network from the first cycle on, and never moves: cycles count from 0.
TEST(PaperWatchdog, CountsFromTheFirstCycle) {
  const OnPaper one;
  one.paper.counted.flits_copied = 1;
  Watchdog watchdog(one.network, limits(50));
  EXPECT_EQ(complains_at(one, watchdog), 50U);
  EXPECT_EQ(said(watchdog), "deadlock: no flit has moved up to cycle 50 and 1 are in the network\nwho waits");
}

/// Whatever of the three counters grows, by one: that is a movement.
TEST(PaperWatchdog, SeesEachKindOfMovement) {
  for (std::uint64_t Fabric::Counters::* counter :
       {&Fabric::Counters::flit_hops, &Fabric::Counters::flits_injected, &Fabric::Counters::flits_delivered}) {
    const OnPaper one;
    one.paper.counted = {10, 20, 5, 0, 0};
    Watchdog watchdog(one.network, limits(50));
    for (int cycle = 0; cycle < 30; ++cycle) {
      one.network.cycle();
      ASSERT_EQ(said(watchdog), "");
    }
    ++(one.paper.counted.*counter);
    EXPECT_EQ(said(watchdog), "") << "in cycle 30";
    EXPECT_EQ(complains_at(one, watchdog), 80U);
  }
}

/// While transfers are under way, circuits are set up or nothing is in the network, the cycles do not count.
TEST(PaperWatchdog, DoesNotCountCyclesInWhichThereIsAnExcuse) {
  const auto excused = [](const std::function<void(Paper&, bool)>& set) {
    const OnPaper one;
    one.paper.counted.flits_injected = 3;
    set(one.paper, true);
    Watchdog watchdog(one.network, limits(50));
    for (int cycle = 0; cycle < 120; ++cycle) {
      one.network.cycle();
      EXPECT_EQ(said(watchdog), "");
    }
    set(one.paper, false);
    return complains_at(one, watchdog);
  };
  EXPECT_EQ(excused([](Paper& paper, bool yes) { paper.transfers = yes; }), 170U);
  EXPECT_EQ(excused([](Paper& paper, bool yes) { paper.set_up = !yes; }), 170U);
  EXPECT_EQ(excused([](Paper& paper, bool yes) { paper.counted.flits_lost = yes ? 3 : 0; }), 170U);
}

/// From the cycle on in which its head was on the injection link; a packet that was not there yet has no age.
TEST(PaperWatchdog, CountsTheAgeOfPacketsThatHaveBegun) {
  for (const std::uint64_t injected : {0U, 1U, 7U}) {
    const OnPaper one;
    one.network.send_packet(NodeId{0}, NodeId{1}, 4);
    const PacketSlot slot = one.paper.below[0].packets.at(0);
    models::Packet& packet = const_cast<models::PacketStore&>(one.network.store())[slot];
    packet.injected = injected;
    packet.routers = 3;
    one.paper.fronts = {slot};
    while (one.network.now() < injected) one.network.cycle();
    Watchdog watchdog(one.network, limits(0, 60));
    const std::uint64_t at = complains_at(one, watchdog);
    EXPECT_EQ(at, injected == 0 ? 0U : injected + 61U);
    if (injected == 0) continue;
    EXPECT_EQ(said(watchdog),
              "livelock: packet 0 of node 0 to node 1 has been in the network for 61 cycles (limit 60) and passed 3 "
              "routers");
  }
}

}  // namespace
}  // namespace braid::test::paper_network_test
