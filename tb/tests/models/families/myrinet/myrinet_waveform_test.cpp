// What a waveform shows of a packet that is held up in Myrinet-like switches, by exact cycle:
// docs/in-transit-buffers.md draws it. A row shows what stands at a cycle's start and what the cycle has decided.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/wave.h"

namespace braid::test::myrinet_waveform_test {
namespace {

constexpr std::uint64_t kBegin = 10, kHostCable = 1, kLink = 8, kRouting = 24, kFirst = 512;
// Of the second packet at switch 1: its header, with how many flits behind it the first packet's tail leaves, its first
// flit leaves, the last one that was there has left.
constexpr std::uint64_t kHeader = kBegin + kHostCable + kRouting + kLink, kStop = kHeader + 56,
                        kTail = kBegin + kHostCable + kRouting + kFirst, kLeaves = kTail + 1 + kRouting,
                        kMost = 56 + 2 * kLink - 1, kEmpty = kLeaves + kMost;

enum State : std::uint64_t { kIdle, kWaits, kRouted, kOpen };
enum Stall : std::uint64_t { kNothing, kMoves, kRoutes, kNoFlit, kOutputTaken, kStopped };

/// A row holds `value` from a cycle on, and another one in the cycle before.
struct Step {
  const char* row;
  std::uint64_t cycle, before, value;
};

/// Node 1's packet has switch 1's output to the east, node 0's comes behind it. With go_flits = 0 a buffer is empty
/// before its sender goes on.
TEST(MyrinetWaveform, ShowsWhyAPacketIsHeldUp) {
  models::Experiment e = myrinet_row(3);
  e.set("router.go_flits", 0);
  Bench bench(e);
  bench.run(kBegin);
  bench.network->send_packet(NodeId{1}, NodeId{2}, kFirst);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 400);
  Wave wave(bench);
  wave.run(kEmpty + 2 * kLink + 2 - kBegin);
  const std::uint64_t first = models::packet_number(1, 0), second = models::packet_number(0, 0);
  const std::vector<Step> steps{
      {"1_0.west.state", kHeader, kIdle, kWaits},
      {"1_0.west.state", kTail + 1, kWaits, kRouted},
      {"1_0.west.state", kLeaves, kRouted, kOpen},
      {"1_0.west.stall", kHeader, kNothing, kOutputTaken},
      {"1_0.west.stall", kTail + 1, kOutputTaken, kRoutes},
      {"1_0.west.stall", kLeaves, kRoutes, kMoves},
      {"1_0.west.stall", kEmpty, kMoves, kNoFlit},
      {"1_0.west.stall", kEmpty + 2 * kLink, kNoFlit, kMoves},
      {"1_0.west.packet", kHeader, 0, second},
      {"1_0.west.out", kHeader, 0, 1},  // to the east, port 0; 0 is none
      {"1_0.west.held_by", kHeader, 0, first},
      {"1_0.west.held_by", kTail + 1, first, 0},
      {"1_0.west.flits", kHeader + 1, 0, 1},  // its header was taken
      {"1_0.west.flits", kStop, 55, 56},
      {"1_0.west.flits", kStop + 2 * kLink - 1, kMost - 1, kMost},
      {"1_0.west.flits", kLeaves + 1, kMost, kMost - 1},
      {"1_0.west.flits", kEmpty, 1, 0},
      {"1_0.west.stop", kStop, 0, 1},
      {"1_0.west.stop", kEmpty, 1, 0},
      {"0_0.east.go", kStop + kLink, 1, 0},
      {"0_0.east.go", kEmpty + kLink, 0, 1},
      {"0_0.east.sends", kStop + kLink, 1, 0},
      {"0_0.east.sends", kEmpty + kLink, 0, 1},
      {"0_0.east.sending", kStop + kLink, second, 0},
      {"0_0.local0.stall", kStop + kLink, kMoves, kStopped},
      {"0_0.local0.stall", kEmpty + kLink, kStopped, kMoves},
      {"1_0.east.taken", kBegin + kHostCable, 0, 1},
      {"1_0.east.sends", kBegin + kHostCable + kRouting, 0, 1},
      {"1_0.east.sending", kBegin + kHostCable + kRouting, 0, first},
      {"1_0.east.sends", kTail + 1, 1, 0},
      {"1_0.east.sending", kTail + 1, first, 0},
      {"1_0.east.sending", kLeaves, 0, second},
      {"1_0.local0.head_source", kBegin, 0, 1},
  };
  for (const Step& step : steps) {
    const std::string row = std::string("router_") + step.row;
    if (step.cycle > kBegin) {
      EXPECT_EQ(wave.at(row, step.cycle - 1), step.before) << row << " before " << step.cycle;
    }
    EXPECT_EQ(wave.at(row, step.cycle), step.value) << row << " in " << step.cycle;
  }
  EXPECT_EQ(wave.at("router_1_0.east.taken", kTail + 1), 1U) << "by the next one at once";
}

}  // namespace
}  // namespace braid::test::myrinet_waveform_test
