// The units of a host alone, on signals, by exact cycle (docs/in-transit-buffers.md, "The host interface"): detection
// takes 44 cycles, programming 32.
#include <gtest/gtest.h>

#include "models/stages/myrinet/host_interface.h"
#include "models/stages/myrinet/in_transit_host.h"
#include "tb/tests/support/lone_module.h"

namespace braid::test::host_units_test {
namespace {

using models::TransitTimes;
using models::stages::myrinet::HostInterface;
using models::stages::myrinet::InTransitHost;

constexpr std::uint64_t kDetect = 44, kProgram = 32;
enum State : std::uint64_t { kIdle, kDetecting, kProgramming, kReady, kSending };

class LoneInTransitHost : public testing::Test {
 protected:
  explicit LoneInTransitHost(bool counts_bytes = false)
      : unit("in_transit_host", TransitTimes{kDetect, kProgram, counts_bytes}) {
    alone.set("ready_i", 1);
  }
  /// The mark of a packet is here at the start of that cycle.
  void mark(std::uint64_t cycle) {
    alone.run_through(cycle - 1);
    alone.set("mark_i", 1);
    alone.run_through(cycle);
    alone.set("mark_i", 0);
  }
  InTransitHost unit;
  LoneModule alone{unit};
};

TEST_F(LoneInTransitHost, DetectsThenProgramsThenHandsThePacketOn) {
  constexpr std::uint64_t kMark = 10;
  EXPECT_EQ(alone.get("state_o"), kIdle);
  mark(kMark);
  EXPECT_EQ(alone.get("state_o"), kDetecting);
  EXPECT_EQ(alone.get("packets_o"), 1U);
  alone.run_through(kMark + kDetect - 1);
  EXPECT_EQ(alone.get("state_o"), kDetecting) << "at cycle N - 1";
  alone.run_through(kMark + kDetect);
  EXPECT_EQ(alone.get("state_o"), kProgramming) << "at cycle N";
  // Its first flit leaves 76 cycles after the mark came, so the interface has it at the end of the cycle before.
  alone.run_through(kMark + kDetect + kProgram - 2);
  EXPECT_EQ(alone.get("state_o"), kProgramming) << "at cycle N - 1";
  EXPECT_EQ(alone.get("sends_on_o"), 0U);
  alone.run_through(kMark + kDetect + kProgram - 1);
  EXPECT_EQ(alone.get("state_o"), kSending) << "at cycle N";
  EXPECT_EQ(alone.get("sends_on_o"), 1U);
}

TEST_F(LoneInTransitHost, WaitsForTheInterfaceWhenThePacketIsReady) {
  constexpr std::uint64_t kMark = 10, kFree = 200;
  alone.set("ready_i", 0);
  mark(kMark);
  alone.run_through(kMark + kDetect + kProgram - 1);
  EXPECT_EQ(alone.get("state_o"), kProgramming);
  alone.run_through(kMark + kDetect + kProgram);
  EXPECT_EQ(alone.get("state_o"), kReady);
  alone.run_through(kFree - 1);
  EXPECT_EQ(alone.get("sends_on_o"), 0U) << "at cycle N - 1";
  alone.set("ready_i", 1);
  alone.run_through(kFree);
  EXPECT_EQ(alone.get("sends_on_o"), 1U) << "at cycle N";
}

/// Packets close behind each other are detected and programmed side by side: the second goes as the first's tail does.
TEST_F(LoneInTransitHost, WorksOnPacketsSideBySide) {
  constexpr std::uint64_t kFirst = 10, kSecond = 20, kTail = 150;
  mark(kFirst);
  mark(kSecond);
  EXPECT_EQ(alone.get("packets_o"), 2U);
  alone.run_through(kFirst + kDetect + kProgram - 1);
  EXPECT_EQ(alone.get("sends_on_o"), 1U);
  alone.set("ready_i", 0);
  alone.run_through(kTail - 1);
  EXPECT_EQ(alone.get("packets_o"), 2U);
  alone.set("ready_i", 1);
  alone.run_through(kTail);
  EXPECT_EQ(alone.get("packets_o"), 1U);
  EXPECT_EQ(alone.get("sends_on_o"), 1U) << "the second, at once";
}

TEST_F(LoneInTransitHost, PutsWhatIsInTransitBeforeTheNodesOwn) {
  constexpr std::uint64_t kMark = 10;
  alone.set("own_i", 1);
  alone.run_through(0);
  EXPECT_EQ(alone.get("sends_own_o"), 1U) << "nothing is in transit";
  alone.set("ready_i", 0);
  mark(kMark);
  alone.run_through(kMark + kDetect + kProgram + 50);
  alone.set("ready_i", 1);
  alone.run_through(kMark + kDetect + kProgram + 51);
  EXPECT_EQ(alone.get("sends_on_o"), 1U);
  EXPECT_EQ(alone.get("sends_own_o"), 0U);
}

class LoneHostThatCountsBytes : public LoneInTransitHost {
 protected:
  LoneHostThatCountsBytes() : LoneInTransitHost(true) {}
  /// At the start of the next cycle so many bytes are here.
  void here(std::uint64_t bytes) { alone.set("here_i", bytes); }
};

/// The 44th byte is here a cycle too late: known a cycle after that. The 76th comes 100 cycles late.
TEST_F(LoneHostThatCountsBytes, WaitsForAsManyAsTheTimesHaveCycles) {
  constexpr std::uint64_t kMark = 10, kLate = kMark + kDetect, kEnough = 250;
  here(1);
  mark(kMark);
  here(kDetect - 1);
  alone.run_through(kLate - 1);
  here(kDetect);
  alone.run_through(kLate);
  EXPECT_EQ(alone.get("state_o"), kDetecting) << "43 were here at the start of the cycle before";
  here(kDetect + 1);
  alone.run_through(kLate + 1);
  EXPECT_EQ(alone.get("state_o"), kProgramming) << "44 were";
  here(kDetect + kProgram - 1);
  alone.run_through(kEnough - 1);
  EXPECT_EQ(alone.get("state_o"), kProgramming);
  EXPECT_EQ(alone.get("sends_on_o"), 0U) << "75 bytes";
  here(kDetect + kProgram);
  alone.run_through(kEnough);
  EXPECT_EQ(alone.get("sends_on_o"), 1U) << "76: handed to the interface, which sends from the next cycle on";
}

TEST_F(LoneHostThatCountsBytes, TakesAShortPacketWhenItIsWhole) {
  constexpr std::uint64_t kMark = 10, kTail = 100;
  here(1);
  mark(kMark);
  here(20);
  alone.run_through(kTail - 1);
  EXPECT_EQ(alone.get("state_o"), kDetecting);
  alone.set("tail_i", 1);
  alone.run_through(kTail);
  alone.run_through(kTail + 1);
  EXPECT_EQ(alone.get("state_o"), kProgramming);
  alone.run_through(kTail + kProgram - 1);
  EXPECT_EQ(alone.get("sends_on_o"), 0U) << "programming takes its time";
  alone.run_through(kTail + kProgram);
  EXPECT_EQ(alone.get("sends_on_o"), 1U);
}

class LoneHostInterface : public testing::Test {
 protected:
  LoneHostInterface() {
    alone.set("go_i", 1);
    alone.set("flit_i", 1);
    alone.set("length_i", 5);
  }
  HostInterface unit{"host_interface"};
  LoneModule alone{unit};
};

TEST_F(LoneHostInterface, SendsWhatItIsHandedAndIsReadyWithTheTail) {
  constexpr std::uint64_t kBegin = 10, kFlits = 5;
  alone.run_through(kBegin - 1);
  EXPECT_EQ(alone.get("sends_o"), 0U);
  EXPECT_EQ(alone.get("ready_o"), 1U);
  alone.set("packet_i", 1);
  alone.run_through(kBegin);
  EXPECT_EQ(alone.get("sends_o"), 1U);
  EXPECT_EQ(alone.get("ready_o"), 0U);
  alone.run_through(kBegin + kFlits - 2);
  EXPECT_EQ(alone.get("ready_o"), 0U) << "at cycle N - 1";
  alone.run_through(kBegin + kFlits - 1);
  EXPECT_EQ(alone.get("sends_o"), 1U) << "the tail";
  EXPECT_EQ(alone.get("ready_o"), 1U) << "at cycle N";
  alone.set("packet_i", 0);
  alone.run_through(kBegin + kFlits);
  EXPECT_EQ(alone.get("sends_o"), 0U);
}

TEST_F(LoneHostInterface, BeginsTheNextPacketInTheCycleAfterTheTail) {
  alone.set("packet_i", 1);
  for (std::uint64_t cycle = 0; cycle < 15; ++cycle) {
    alone.run_through(cycle);
    EXPECT_EQ(alone.get("sends_o"), 1U) << "in cycle " << cycle;
    EXPECT_EQ(alone.get("ready_o"), cycle % 5 == 4 ? 1U : 0U) << "in cycle " << cycle;
  }
}

/// What it has begun it ends, also if stop holds it or the next flit is not there yet.
TEST_F(LoneHostInterface, HoldsAFlitWhileStoppedOrWhileNoneIsThere) {
  alone.set("packet_i", 1);
  alone.run_through(1);
  alone.set("go_i", 0);
  alone.run_through(2);
  EXPECT_EQ(alone.get("sends_o"), 0U);
  alone.set("go_i", 1);
  alone.set("flit_i", 0);
  alone.run_through(3);
  EXPECT_EQ(alone.get("sends_o"), 0U);
  alone.set("flit_i", 1);
  alone.run_through(5);
  EXPECT_EQ(alone.get("ready_o"), 0U) << "at cycle N - 1: two flits late";
  alone.run_through(6);
  EXPECT_EQ(alone.get("ready_o"), 1U) << "at cycle N";
}

}  // namespace
}  // namespace braid::test::host_units_test
