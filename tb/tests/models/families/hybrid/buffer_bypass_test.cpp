// The write bypass (router.buffer_bypass): which flits save a cycle, and what packets longer than a buffer take.
//
// An idle row of R routers, links of one cycle, credit delay 2, one VC of b flits. Flit i is granted at router r in
// S(r, i), cycles after creation:
//   head:  S(r, 0) = S(r - 1, 0) + 5 (ST, LT, BW, VA, SA)
//   body:  S(r, i) >= S(r - 1, i) + 4 (ST, LT, BW, SA), with the bypass + 3 (BW and SA in one cycle)
//          S(r, i) >= S(r, i - 1) + 1
//          S(r, i) >= S(r + 1, i - b) + 3: the credit of the flit b ahead, from its ST on 2 cycles
// At the last router b flits go in 7 cycles, with the bypass in 6. A packet that fits into the buffer waits for no
// credit and never meets an empty buffer: its body comes in behind the head, which has VA to do.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tb/tests/support/bench.h"

namespace braid::test::buffer_bypass_test {
namespace {

using models::Experiment;

Experiment row(std::uint32_t routers, std::uint32_t depth, bool bypass) {
  Experiment e = uniform_mesh(0.0, routers, 1);
  e.set("router.vcs", 1);
  e.set("router.buffer_depth", depth);
  e.set("router.buffer_bypass", bypass);
  return e;
}

/// 3 + 5 R + (L - 1), and for each b flits further back what the credit loop takes longer than b flits. With one router
/// it is the loop over the ejection link, 5 either way: the node takes flits in the cycle in which they come.
std::uint64_t zero_load_latency(std::uint32_t routers, std::uint32_t flits, std::uint32_t depth, bool bypass) {
  const std::uint32_t loop = routers == 1 ? 5 : bypass ? 6 : 7;
  const std::uint32_t last = flits - 1;
  return 3 + 5 * routers + (depth >= loop ? last : last / depth * loop + last % depth);
}

void expect_latency(const Experiment& e, std::uint32_t routers, std::uint32_t flits, std::uint64_t latency) {
  Bench bench(e);
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{std::size_t{routers} - 1}, flits);
  bench.run(latency - 1);
  EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1, " << flits << " flits";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = " << latency << ", " << flits << " flits";
}

class ZeroLoadLatency : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t, bool>> {};

TEST_P(ZeroLoadLatency, AddsTheCreditLoopForPacketsLongerThanTheBuffer) {
  const auto [routers, depth, bypass] = GetParam();
  for (const std::uint32_t flits : {1U, depth, depth + 1, 2 * depth + 1, 16U, 40U}) {
    expect_latency(row(8, depth, bypass), routers, flits, zero_load_latency(routers, flits, depth, bypass));
  }
}
INSTANTIATE_TEST_SUITE_P(RoutersBuffers, ZeroLoadLatency,
                         testing::Combine(testing::Values(1, 2, 3, 8), testing::Values(1, 2, 4, 5, 6, 7, 8),
                                          testing::Bool()));

/// As docs/router.md draws it: two flits, one place a buffer, two routers. The head is there in 13, as ever. The tail
/// has the credit of the first link in 8, that of the second in 13: SA there, ST 14, LT 15, BW 16 at the last router.
/// SA in 17, ST 18, LT 19, at the node in 20; with the bypass SA in 16, at the node in 19.
TEST(WriteBypass, SavesTheBodyFlitACycle) {
  for (const char* allocator : {"separable_input_first", "islip"}) {
    for (const bool bypass : {false, true}) {
      Experiment e = row(2, 1, bypass);
      e.set("router.switch_allocator", allocator);
      expect_latency(e, 2, 2, bypass ? 19 : 20);
    }
  }
}

/// A head that comes to an empty buffer needs VA after BW; one behind a tail needs RC first. Packets of one flit, one
/// VC, two routers: 13, and three cycles later the next, with the bypass or without.
TEST(WriteBypass, IsNotForHeads) {
  for (const bool bypass : {false, true}) {
    Bench bench(row(2, 8, bypass));
    bench.run(1);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 1);
    bench.run(12);
    EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1";
    bench.run(1);
    EXPECT_EQ(bench.delivered(), 1U) << "at cycle N = 13";
    bench.run(2);
    EXPECT_EQ(bench.delivered(), 1U) << "at cycle N - 1";
    bench.run(1);
    EXPECT_EQ(bench.delivered(), 2U) << "at cycle N = 16";
  }
}

/// A tail that passes the empty buffer leaves its VC idle: the next head, a cycle behind it at the least, finds RC at
/// once. Two packets of two flits, one place a buffer, two routers. The first's tail is granted at the last router in
/// 16 (see above); its credits count one link back in 16 + 3 = 19 and at the interface in 13 + 3 = 16. The next head is
/// on the injection link in 16, BW 17, VA 18 (its output VC is free since 14), SA 19, ST 20, LT 21, BW 22, VA 23,
/// SA 24, ST 25, LT 26, at the node in 27; its tail 6 cycles later.
TEST(WriteBypass, LeavesTheVcIdleBehindATail) {
  Bench bench(row(2, 1, true));
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 2);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 2);
  bench.run(19);
  EXPECT_EQ(bench.delivered(), 1U);
  bench.run(13);
  EXPECT_EQ(bench.delivered(), 1U) << "at cycle N - 1";
  bench.run(1);
  EXPECT_EQ(bench.delivered(), 2U) << "at cycle N = 33";
}

Experiment loaded(bool bypass) {
  Experiment e = uniform_mesh(0.25, 4, 4);
  e.set("traffic.flits", 16);
  e.set("router.vcs", 2);
  e.set("router.buffer_depth", 3);
  e.set("router.buffer_bypass", bypass);
  return e;
}

std::uint64_t hash_of(const Experiment& e, std::size_t slices) {
  Bench bench(e, slices);
  bench.run(2000);
  return bench.network->merged_statistics().packet_hash();
}

/// Whoever works in the other slices has put the flits that pass a buffer there in an earlier cycle.
TEST(WriteBypass, GivesTheSamePacketsOnAnyNumberOfSlices) {
  const std::uint64_t whole = hash_of(loaded(true), 1);
  for (const std::size_t slices : {2U, 5U, 16U}) EXPECT_EQ(hash_of(loaded(true), slices), whole) << slices;
  EXPECT_NE(hash_of(loaded(false), 1), whole) << "the bypass changes nothing";
}

TEST(WriteBypass, LosesNoFlit) {
  Bench bench(loaded(true));
  for (int i = 0; i < 600; ++i) {
    bench.run(1);
    ASSERT_TRUE(bench.network->conservation().holds()) << "cycle " << i;
  }
  EXPECT_GT(bench.delivered(), 100U);
}

}  // namespace
}  // namespace braid::test::buffer_bypass_test
