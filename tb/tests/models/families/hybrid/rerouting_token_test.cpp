// Circuits that move, with a set-up token of several cycles (setup.token_cycles = t): it takes them from each source to
// the next as well. How long one circuit takes: rerouting_test.cpp.
#include <gtest/gtest.h>

#include "tb/tests/support/tile_streams.h"

namespace braid::test::rerouting_token_test {
namespace {

/// A row of three routers, 0 -> 1 and 1 -> 2; circuits move from cycle 50 on.
models::Experiment two_streams(const char* reroute, std::uint32_t token) {
  models::Experiment e = tile_streams(3, 1, 1, {{0, 1}, {1, 2}});
  e.set("setup.reroute", reroute);
  e.set("setup.reroute_at_cycle", 50);
  e.set("setup.token_cycles", token);
  return e;
}
const models::RerouteResults& moved(const Bench& bench) {
  return models::hybrid::of(bench.network->fabric()).reroute_results();
}

/// Each over a link: torn down by 6 cycles after it was empty, the token is back t later, a search takes 5. The next
/// one is stopped when the token has come to it, t later; the round has ended t after the last one stands.
TEST(ReroutingToken, MovesOnBetweenStreams) {
  for (const std::uint32_t token : {1U, 2U, 7U}) {
    Bench bench(two_streams("each", token));
    const std::uint64_t first = 50 + 6 + token + 5, second = first + token + 6 + token + 5;
    bench.run(second + token);
    ASSERT_EQ(moved(bench).moves.size(), 2U) << token;
    for (std::size_t i = 0; i < 2; ++i) {
      const models::Move& move = moved(bench).moves[i];
      const std::uint64_t begin = i == 0 ? 50 : first + token;
      EXPECT_EQ(move.circuit, i) << token;
      EXPECT_EQ(move.stream, i == 0 ? "t0 -> t1" : "t1 -> t2") << token;
      EXPECT_EQ(move.stopped_cycle, begin) << token;
      EXPECT_EQ(move.empty_cycle, begin) << token;
      EXPECT_EQ(move.torn_cycle, begin + 6) << token;
      EXPECT_EQ(move.resumed_cycle, i == 0 ? first : second) << token;
      EXPECT_EQ(move.search_cycles, 5U) << token;
      EXPECT_EQ(move.links, 1U) << token;
      EXPECT_EQ(move.waiting_items, 0U) << token;
      EXPECT_FALSE(move.moved) << token;
      EXPECT_TRUE(move.avoids) << "there is nothing to avoid";
    }
    EXPECT_EQ(moved(bench).rounds, 0U) << token;
    bench.run(1);
    EXPECT_EQ(moved(bench).rounds, 1U) << token;
  }
}

/// A round that is due before the circuits stand begins in the cycle in which they do: 0 -> 1 is found in 5, the token
/// moves on in t, so does 1 -> 2, and the token once more.
TEST(ReroutingToken, WaitsForTheSetUp) {
  for (const std::uint32_t token : {1U, 7U}) {
    models::Experiment e = two_streams("each", token);
    e.set("setup.reroute_at_cycle", 1);
    Bench bench(e);
    const models::hybrid::Fabric& fabric = models::hybrid::of(bench.network->fabric());
    const std::uint64_t stand = 2 * (5 + token);
    bench.run(stand);
    EXPECT_FALSE(bench.network->setup_done()) << token;
    bench.run(1);
    EXPECT_TRUE(bench.network->setup_done()) << token;
    EXPECT_EQ(bench.network->setup_results().total_cycles, stand);
    bench.run(500);
    ASSERT_EQ(moved(bench).moves.size(), 2U) << token;
    EXPECT_EQ(moved(bench).moves[0].stopped_cycle, stand) << token;
    EXPECT_TRUE(fabric.any_set_up()) << "another round may be asked for";
  }
}

/// Down one after the other, the token round once more; searches of 5 cycles and t each, in whatever order.
TEST(ReroutingToken, GoesTwiceRoundForAll) {
  for (const std::uint32_t token : {1U, 2U, 7U}) {
    Bench bench(two_streams("all", token));
    const std::uint64_t second = 50 + 6 + token, round = second + 6 + token, stand = round + token + 2 * (5 + token);
    bench.run(stand);
    EXPECT_TRUE(moved(bench).moves.empty()) << token;
    bench.run(1);
    ASSERT_EQ(moved(bench).moves.size(), 2U) << token;
    EXPECT_EQ(moved(bench).moves[0].stopped_cycle, 50U) << token;
    EXPECT_EQ(moved(bench).moves[0].torn_cycle, 56U) << token;
    EXPECT_EQ(moved(bench).moves[1].stopped_cycle, second) << token;
    EXPECT_EQ(moved(bench).moves[1].torn_cycle, second + 6) << token;
    for (const models::Move& move : moved(bench).moves) EXPECT_EQ(move.resumed_cycle, stand) << token;
    EXPECT_EQ(moved(bench).rounds, 1U) << token;
  }
}

}  // namespace
}  // namespace braid::test::rerouting_token_test
