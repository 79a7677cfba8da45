// Look-ahead routing (router.lookahead): to the cycle on an idle mesh, behind a tail, and in whole networks. That whole
// networks have BookSim 2's latencies with routing_delay = 0: docs/validation.md.
#include <gtest/gtest.h>

#include "tb/tests/support/lone_packet.h"
#include "tb/tests/support/refusal.h"

namespace braid::test::lookahead_test {
namespace {

using namespace models;

Experiment looking_ahead(double rate, std::uint32_t width = 8, std::uint32_t height = 8) {
  Experiment e = uniform_mesh(rate, width, height);
  e.set("router.lookahead", true);
  return e;
}

void expect_latency(const Experiment& e, std::uint32_t a_hop, std::uint32_t links) {
  for (const std::uint32_t flits : {1U, 4U, 8U}) expect_lone_packet(e, a_hop, links, flits);
}

class LookaheadHops : public testing::TestWithParam<std::uint32_t> {};
TEST_P(LookaheadHops, TakeFourCyclesEach) {
  Experiment e = looking_ahead(0.0);
  expect_latency(e, 4, GetParam());
  e.set("router.buffer_bypass", true);
  expect_latency(e, 4, GetParam());
}
/// Body flits keep up by the write bypass.
TEST_P(LookaheadHops, TakeThreeCyclesOfHeadsThatSpeculate) {
  Experiment e = looking_ahead(0.0);
  e.set("router.speculative", true);
  e.set("router.buffer_bypass", true);
  expect_latency(e, 3, GetParam());
}
INSTANTIATE_TEST_SUITE_P(EveryHopCount, LookaheadHops, testing::Range(0U, 15U));

/// Cycles from the first to the last of 60 packets of one flit, on one VC: each head stands behind the tail before it.
std::uint64_t cycles_of_a_queue(bool lookahead) {
  Experiment e = uniform_mesh(0.0, 4, 1);
  e.set("router.vcs", 1U);
  e.set("router.lookahead", lookahead);
  Bench bench(e);
  bench.run(10);
  for (int i = 0; i < 60; ++i) bench.network->send_packet(NodeId{0}, NodeId{3}, 1);
  while (bench.delivered() < 1) bench.run(1);
  const std::uint64_t first = bench.network->now();
  while (bench.delivered() < 60 && bench.network->now() < first + 1000) bench.run(1);
  return bench.network->now() - first;
}

/// SA of the tail, VA, SA: two cycles a packet, with RC between them three.
TEST(Lookahead, AHeadBehindATailAsksInTheNextCycle) {
  EXPECT_EQ(cycles_of_a_queue(true), 59U * 2);
  EXPECT_EQ(cycles_of_a_queue(false), 59U * 3);
}

TEST(Lookahead, LosesNothingAndIsTheSameInAnyNumberOfSlices) {
  for (const char* algorithm : {"x_first", "minimal_adaptive"}) {
    for (const double rate : {0.1, 0.45}) {
      Experiment e = looking_ahead(rate);
      e.set("routing.algorithm", algorithm);
      e.set("router.buffer_bypass", rate > 0.3);
      Bench one(e);
      one.run(3000);
      EXPECT_TRUE(one.network->conservation().holds());
      EXPECT_GT(one.delivered(), 2000U);
      Bench several(e, 5);
      several.run(3000);
      EXPECT_EQ(several.network->merged_statistics().packet_hash(), one.network->merged_statistics().packet_hash());
    }
  }
}

/// Packets beside circuits, over a crossbar that is faster than the links, on links of three cycles.
TEST(Lookahead, GoesWithTheOtherMechanisms) {
  Experiment mixed = stream_mesh("fm_radio_4x4.toml", 4, 4);
  mixed.set("router.lookahead", true);
  add_traffic(mixed, 0.2);
  Experiment faster = looking_ahead(0.4);
  faster.set("router.internal_speedup", 1.5);
  Experiment far = looking_ahead(0.3);
  far.set("topology.link_latency_cycles", 3U);
  for (const Experiment& e : {mixed, faster, far}) {
    Bench one(e);
    one.run(2000);
    EXPECT_TRUE(one.network->conservation().holds());
    EXPECT_GT(one.delivered(), 300U);
    Bench several(e, 3);
    several.run(2000);
    EXPECT_EQ(several.network->merged_statistics().packet_hash(), one.network->merged_statistics().packet_hash());
  }
}

TEST(Lookahead, IsOfTheModelsRouters) {
  Experiment e = looking_ahead(0.1, 4, 4);
  EXPECT_EQ(Bench(e).network->fabric().engines()->lists_because, "router.lookahead = true");
  e.set("router.implementation", "pins");
  EXPECT_EQ(refusal(e),
            "router.lookahead: heads that bring their route are of routers that are the model's; expected false beside "
            "router.implementation = \"pins\"");
  Experiment queues = looking_ahead(0.1, 4, 4);
  queues.set("routing.algorithm", "adaptive_xy_yx");
  EXPECT_EQ(refusal(queues),
            "router.lookahead: routes by queues are chosen when a head is there; expected false, or another "
            "routing.algorithm");
}

}  // namespace
}  // namespace braid::test::lookahead_test
