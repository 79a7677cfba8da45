// A butterfly under hybrid routers: zero-load latency exact to the cycle, rates of links and of the credit loop, where
// a packet goes, and one line for all that needs links that go both ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/experiment/link_results.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::butterfly_network_test {
namespace {

using models::Experiment;

Experiment butterfly(std::uint32_t k, std::uint32_t n, double rate = 0.0) {
  Experiment e;
  e.set("topology.kind", "butterfly");
  e.set("topology.arity", k);
  e.set("topology.stages", n);
  e.set("routing.algorithm", "destination_tag");
  e.set("router.vcs", 4);
  e.set("router.buffer_depth", 8);
  add_traffic(e, rate);
  return e;
}

struct Case {
  std::uint32_t k, n, flits, link;
};
class ButterflyLatency : public testing::TestWithParam<Case> {};

/// n routers of five cycles, three at the interfaces, n - 1 links of so many cycles: alike for every pair.
TEST_P(ButterflyLatency, IsFiveCyclesAStageForEveryPair) {
  const Case& c = GetParam();
  Experiment e = butterfly(c.k, c.n);
  e.set("topology.link_latency_cycles", c.link);
  Bench bench(e);
  bench.run(10);
  const std::size_t nodes = bench.topology.node_count();
  const std::uint64_t latency = 3 + 5 * c.n + (c.n - 1) * (c.link - 1) + c.flits - 1;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < 4 * nodes; ++i) {
    const NodeId from{i % nodes}, to{(7 * i + i / nodes) % nodes};
    bench.network->send_packet(from, to, c.flits);
    bench.run(latency - 1);
    ASSERT_EQ(bench.delivered(), before) << "at cycle N - 1";
    bench.run(1);
    ASSERT_EQ(bench.delivered(), ++before) << "at cycle N = " << latency;
    bench.run(10);  // all credits are back
  }
}
INSTANTIATE_TEST_SUITE_P(All, ButterflyLatency,
                         testing::Values(Case{2, 1, 1, 1}, Case{4, 1, 5, 1}, Case{2, 3, 1, 1}, Case{2, 3, 4, 1},
                                         Case{4, 3, 1, 1}, Case{3, 2, 8, 6}, Case{2, 5, 2, 3}),
                         [](const auto& c) {
                           return std::to_string(c.param.k) + "ary" + std::to_string(c.param.n) + "fly" +
                                  std::to_string(c.param.flits) + "flits" + std::to_string(c.param.link);
                         });

/// A permutation that destination tag carries without a conflict: the lowest digit becomes the highest. Then each link
/// takes what a node sends, and a saturated source sends a flit a cycle.
TEST(ButterflyRate, ARotationOfDigitsFillsEveryLink) {
  Experiment e = butterfly(4, 3);
  Bench bench(e);
  bench.run(1);
  const std::size_t nodes = bench.topology.node_count();
  for (std::size_t n = 0; n < nodes; ++n) {
    bench.network->send_packet(NodeId{n}, NodeId{n % 4 * 16 + n / 4}, 60000);
  }
  bench.run(300);
  const auto sum = [&] {
    std::uint64_t flits = 0;
    for (const models::LinkCount& link : models::link_counts(*bench.network)) flits += link.use.packet_flits;
    return flits;
  };
  const std::uint64_t before = sum();
  EXPECT_EQ(models::link_counts(*bench.network).size(), 2 * nodes);
  bench.run(100);
  EXPECT_EQ(sum() - before, 100 * 2 * nodes);
}

/// A VC of b flits carries b in a credit loop, over the link between stages and over the ejection link alike.
TEST(ButterflyRate, IsBuffersOverTheCreditLoop) {
  for (const std::uint32_t link : {1U, 6U}) {
    Experiment e = butterfly(2, 2);
    e.set("router.buffer_depth", 4);
    e.set("topology.link_latency_cycles", link);
    Bench bench(e);
    bench.run(1);
    bench.network->send_packet(NodeId{0}, NodeId{3}, 60000);
    bench.run(300);
    const std::uint64_t before = bench.network->fabric().counters().flits_delivered, loop = 3 + 2 * link + 2;
    bench.run(20 * loop);
    EXPECT_EQ(bench.network->fabric().counters().flits_delivered - before, 20 * 4U) << link;
  }
  Experiment e = butterfly(2, 1);  // no link but those of nodes
  e.set("router.buffer_depth", 2);
  e.set("router.credit_delay_cycles", 9);
  Bench bench(e);
  bench.run(1);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 60000);
  bench.run(300);
  const std::uint64_t before = bench.network->fabric().counters().flits_delivered;
  bench.run(20 * 12);  // of a node's links: 3 + 9
  EXPECT_EQ(bench.network->fabric().counters().flits_delivered - before, 20 * 2U);
}

/// Far beyond saturation for a while, then the sources stop: all arrives, and every credit is back.
TEST(ButterflyNetwork, DeliversAllAndKeepsAllCredits) {
  for (const std::size_t slices : {1U, 3U, 12U}) {
    Bench bench(butterfly(2, 3, 0.95), slices);
    bench.run(briefly(2000));
    bench.network->stop_sources();
    bench.run(3000);
    EXPECT_TRUE(bench.network->conservation().holds());
    EXPECT_GT(bench.delivered(), 100U);
    EXPECT_EQ(bench.network->packets_under_way(), 0U);
    const auto& bank = models::hybrid::of(bench.network->fabric()).bank();
    for (models::hybrid::VcIndex v = 0; v < bank.output_vc_count(); ++v) {
      if (bank.lane_of(v) < 4) {
        EXPECT_EQ(bank.output_vcs[v].credits, 8U) << v;
      }
    }
  }
}

/// Where flits come in at some ports and leave by others, allocators that see all ports of a router see both kinds:
/// alone a packet takes as long as with any other allocator, and of many packets none stays.
TEST(ButterflyNetwork, IsServedByEveryAllocator) {
  for (const char* allocator : {"separable_input_first", "islip", "wavefront", "pim", "maximum_size"}) {
    for (const int speedup : {1, 2}) {
      Experiment e = butterfly(3, 2);
      e.set("router.switch_allocator", allocator);
      e.set("router.input_speedup", speedup);
      Bench bench(e);
      bench.run(10);
      for (std::uint64_t i = 0; i < 9; ++i) {
        bench.network->send_packet(NodeId{i}, NodeId{(4 * i + 2) % 9}, 3);
        bench.run(3 + 5 * 2 + 3 - 1);
        ASSERT_EQ(bench.delivered(), i + 1) << allocator << ", " << speedup;
        bench.run(10);
      }
      for (std::size_t from = 0; from < 9; ++from) {
        for (std::size_t to = 0; to < 9; ++to) bench.network->send_packet(NodeId{from}, NodeId{to}, 2);
      }
      bench.run(400);
      EXPECT_EQ(bench.delivered(), 9U + 81) << allocator << ", " << speedup;
      EXPECT_TRUE(bench.network->conservation().holds());
    }
  }
}

/// Uniform traffic below saturation: each link, and each node's ejection link, carries the offered load.
TEST(ButterflyNetwork, UniformTrafficLoadsAllLinksAlike) {
  Bench bench(butterfly(4, 2, 0.4));
  bench.run(1000);
  const auto before = models::link_counts(*bench.network);
  const std::uint64_t cycles = briefly(20000);
  bench.run(cycles);
  const auto loads = models::link_results(before, models::link_counts(*bench.network), cycles);
  ASSERT_EQ(loads.size(), 16U);
  const double allowed = 6 * std::sqrt(4 * 0.4 / static_cast<double>(cycles));  // packets of four flits
  for (const models::LinkResult& link : loads) EXPECT_NEAR(link.packet_flits_per_cycle, 0.4, allowed);
}

struct Refused {
  std::string key;
  OptionValue value;
  std::string who;
};
class NeedsBothWays : public testing::TestWithParam<Refused> {};

TEST_P(NeedsBothWays, IsSaidInOneLine) {
  Experiment e = butterfly(2, 2, 0.1);
  e.set(GetParam().key, GetParam().value);
  EXPECT_EQ(complaint([&] { Bench bench(e); }),
            GetParam().who + " needs links that go both ways; topology is 2-ary 2-fly");
}
INSTANTIATE_TEST_SUITE_P(All, NeedsBothWays,
                         testing::Values(Refused{"router.architecture", "virtual_cut_through",
                                                 "router.architecture = \"virtual_cut_through\""},
                                         Refused{"router.architecture", "ideal", "router.architecture = \"ideal\""},
                                         Refused{"router.architecture", "po2", "router.architecture = \"po2\""},
                                         Refused{"router.architecture", "myrinet", "router.architecture = \"myrinet\""},
                                         Refused{"router.implementation", "rtl", "router.implementation = \"rtl\""},
                                         Refused{"interface.fairness", "sat", "interface.fairness = \"sat\""},
                                         Refused{"interface.packet_ejection_flits", 1,
                                                 "a bound of what nodes take or send (interface.packet_*_flits)"},
                                         Refused{"routing.algorithm", "best_paths",
                                                 "routing.algorithm = \"best_paths\""},
                                         Refused{"traffic.pattern", "local", "traffic.pattern = \"local\""}),
                         [](const auto& c) { return std::to_string(c.index); });

TEST(NeedsBothWaysToo, AreStreamsAndBroadcasts) {
  Experiment stream = stream_mesh("fm_radio_4x4.toml", 4, 4);
  for (const auto& [key, value] : {std::pair{"topology.kind", "butterfly"}, {"routing.algorithm", "destination_tag"}}) {
    stream.set(key, value);
  }
  EXPECT_EQ(complaint([&] { Bench bench(stream); }),
            "a section [stream] needs links that go both ways; topology is 4-ary 3-fly");
}

}  // namespace
}  // namespace braid::test::butterfly_network_test
