// The rows of a waveform that tell how a set-up goes (setup_signals.h): what the holder of the token does, which order
// it tries, how many circuits stand, and the one message that is under way. docs/setup.md draws the cycles.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/support/tile_streams.h"
#include "tb/tests/support/wave.h"

namespace braid::test::setup_waveform_test {
namespace {

using models::Experiment;

std::string times(std::size_t cycles, char value) { return std::string(cycles, value); }

/// Two streams, one injection lane: the first stands in 5, the second has none in 6, the first is down in 9; the same
/// again from 10 on, and packets in 19. Phases: 1 passes token, 2 searches, 3 tears down, 0 done. Messages: 1 PROBE, 3
/// ACKNOWLEDGE, 4 TEAR_DOWN, a cycle before they are at router 1 (0,0) or 2 (1,0).
TEST(SetupRows, OfOrdersThatFail) {
  Experiment e = tile_streams(2, 1, 1, {{0, 1}, {0, 1}});
  e.set("setup.retries", 1);
  Bench bench(e);
  Wave wave(bench);
  wave.run(21);
  // clang-format off: rows under one ruler
  //                                      0         1         2
  //                                      012345678901234567890
  EXPECT_EQ(wave.row("setup.phase"),      "222221333122222133300");
  EXPECT_EQ(wave.row("setup.order"),      "111111111222222222222");
  EXPECT_EQ(wave.row("setup.standing"),   "000001000000000100000");
  EXPECT_EQ(wave.row("setup.message"),    "101030404010103040400");
  EXPECT_EQ(wave.row("setup.message_at"), "102010102010201010200");
  // clang-format on
  EXPECT_EQ(wave.row("setup.stream").substr(0, 9), "000001111") << "the second in its turn";
  EXPECT_TRUE(bench.network->setup_results().fell_back_to_packets);
}

/// Two streams over a link each, which are moved together from 30 on (rerouting_test.cpp): set-up until 12; both are
/// down when the token has been round once, in 44; then both are searched anew until 57.
TEST(SetupRows, OfCircuitsThatMoveTogether) {
  Experiment e = tile_streams(3, 1, 1, {{0, 1}, {1, 2}});
  e.set("setup.reroute", "all");
  e.set("setup.reroute_at_cycle", 30);
  Bench bench(e);
  Wave wave(bench);
  wave.run(60);
  const std::string both = "222221222221";  // a search of five cycles, and the token's one, of each
  EXPECT_EQ(wave.row("setup.phase"), both + times(32, '0') + "1" + both + "000");
  EXPECT_EQ(wave.row("setup.order"), times(60, '1')) << "each finds its circuits at once";
  EXPECT_EQ(wave.row("setup.standing"),
            times(5, '0') + times(6, '1') + times(33, '2') + times(6, '0') + times(6, '1') + times(4, '2'));
}

/// No order can avoid the one link: as many at random as set-up tries, retries and one, and then the one that stood.
TEST(SetupRows, OfOrdersThatCannotAvoidWhatTheyShould) {
  for (const std::uint32_t retries : {0U, 3U}) {
    Experiment e = tile_streams(3, 2, 2, {{0, 2}, {3, 2}, {5, 0}});
    e.set("setup.reroute", "all");
    e.set("setup.avoid_links", "2,0.west 2,0.north 0,0.north");
    e.set("setup.retries", retries);
    e.set("setup.reroute_at_cycle", 100);
    Bench bench(e);
    Wave wave(bench);
    wave.run(400);
    std::string orders = wave.row("setup.order");
    orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
    EXPECT_EQ(orders, retries == 0 ? "12" : "12345");
    EXPECT_EQ(wave.row("setup.phase").back(), '0') << "they stand";
    EXPECT_EQ(wave.row("setup.standing").back(), '3') << "they stand";
  }
}

}  // namespace
}  // namespace braid::test::setup_waveform_test
