// Moments of a waveform of hybrid routers: what its first sample knows of packets that were under way before, and where
// messages are shown by which all set-up units forget.
#include <gtest/gtest.h>

#include "tb/tests/support/tile_streams.h"
#include "tb/tests/support/wave.h"

namespace braid::test::waveform_moments_test {
namespace {

/// A packet of 60 flits through buffers of one, a flit in seven cycles: its VC is empty most of the time. Whose it is
/// is known from the first flit on that is seen there, and stays known until its next one comes.
TEST(FirstSample, KnowsNoPacketBeforeItsFlitsAreSeen) {
  models::Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("router.vcs", 1);
  e.set("router.buffer_depth", 1);
  int without = 0;
  for (const std::uint64_t before : {40U, 41U, 42U, 43U, 44U, 45U, 46U}) {
    Bench bench(e);
    bench.run(5);
    bench.network->send_packet(NodeId{0}, NodeId{2}, 60);
    bench.run(before);
    const bool there = bench.network->fabric().buffered(RouterId{1}, routing::kWest, 0) > 0;
    without += there ? 0 : 1;
    Wave wave(bench);
    wave.run(30);
    const std::uint64_t first = bench.network->now() - 30;
    const std::string vc = "router_1_0.west.vc0.";
    const std::uint64_t number = models::packet_number(0, 0);
    bool seen = there;
    for (std::uint64_t cycle = first; cycle < first + 30; ++cycle) {
      ASSERT_EQ(wave.at(vc + "state", cycle), 3U) << cycle << ": it has an output VC all the while";
      seen = seen || wave.at(vc + "count", cycle) > 0;
      EXPECT_EQ(wave.at(vc + "packet", cycle), seen ? number : 0U) << before << ", cycle " << cycle;
    }
    EXPECT_TRUE(seen);
  }
  EXPECT_GT(without, 3) << "the sample says too little";
}

/// Units forget by a message without a number, each in the next cycle: shown where port 0 is, and as the last of them
/// for the whole set-up.
TEST(SetupRows, ShowThatUnitsForget) {
  Bench bench(tile_streams(3, 1, 1, {{0, 2}}));
  bench.run(50);
  auto& requests = models::hybrid::of(bench.network->fabric()).setup_requests();
  Wave wave(bench);
  wave.run(1);
  requests.limit_numbers(requests.searches());
  ASSERT_TRUE(requests.renumber(bench.network->now() - 1 + 1, 1)) << "asked in the cycle to come";
  wave.run(2);
  EXPECT_EQ(wave.row("router_0_0.east.control"), "030") << "ACKNOWLEDGE";
  EXPECT_EQ(wave.row("router_1_0.east.control"), "030");
  for (const char* other : {"router_0_0.local0", "router_1_0.west", "router_1_0.local0", "router_2_0.west"}) {
    EXPECT_EQ(wave.row(std::string(other) + ".control"), "000") << other;
  }
  EXPECT_EQ(wave.row("setup.message"), "030");
  EXPECT_EQ(wave.row("setup.message_at"), "030") << "router 2";
  EXPECT_EQ(wave.at("router_0_0.setup.search", 50), 1U);
  EXPECT_EQ(wave.at("router_0_0.setup.search", 52), 0U);
}

}  // namespace
}  // namespace braid::test::waveform_moments_test
