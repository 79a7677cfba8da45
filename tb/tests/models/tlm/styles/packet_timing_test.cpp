// The styles without flits against the engine: to the cycle where nobody is in the way, in the mean under load.
#include "models/tlm/styles/packet_timing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/fabric/fabric.h"
#include "routing/base/input_error.h"
#include "tb/braid/style_comparison.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/lone_packet.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::packet_timing_test {

using models::Experiment;
using models::PacketTiming;

Experiment network(const std::string& family, std::uint32_t width = 4, std::uint32_t height = 4) {
  Experiment e = uniform_mesh(0.0, width, height);
  const bool both = family == "both", shorter = both || family == "lookahead" || family == "speculative";
  if (shorter) {  // hybrid routers whose heads save a cycle, or two
    e.set("router.lookahead", family != "speculative");
    e.set("router.speculative", family != "lookahead");
  }
  e.set("router.architecture", shorter ? "hybrid" : family);
  if (family == "virtual_cut_through") e.set("router.vcs", 1);
  if (family == "po2") {
    e.set("routing.algorithm", "best_paths");
    e.set("routing.allow_deadlock", true);
  }
  if (family == "myrinet") {
    as_myrinet(e);
    e.set("routing.allow_deadlock", true);
  }
  return e;
}

/// 16 switches cabled at random, minimal paths with in-transit buffers: tb/experiments/irregular.toml.
Experiment cluster() {
  Experiment e;
  e.set("topology.kind", "irregular");
  e.set("topology.switches", 16);
  e.set("topology.switch_ports", 8);
  e.set("topology.hosts", 4);
  as_myrinet(e, "balanced", "minimum");
  e.set("traffic.pattern", "uniform");
  e.set("traffic.rate_flits_per_node_cycle", 0.0);
  return e;
}

/// `observation_cycles`: of the loosely timed style; 0: the default.
std::unique_ptr<PacketTiming> timing(const Bench& bench, const std::string& style, int observation_cycles = 0) {
  Configuration e = bench.experiment;
  if (observation_cycles > 0) e.set("tlm.observation_cycles", observation_cycles);
  e.set("tlm.style", style);
  return models::make_packet_timing(e, bench.topology, *bench.routing);
}

/// Of one who is not ahead of simulated time.
std::uint64_t deliver(PacketTiming& estimate, NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at_cycle) {
  return estimate.deliver(from, to, flits, at_cycle, at_cycle);
}

struct Idle {
  const char* family;
  std::uint32_t flits, link_latency;
};
class PacketTimingIdle : public testing::TestWithParam<Idle> {};

TEST_P(PacketTimingIdle, IsTheEnginesToTheCycle) {
  const auto [family, flits, link_latency] = GetParam();
  Experiment e = network(family);
  e.set("topology.link_latency_cycles", link_latency);
  Bench bench(e);
  bench.run(10);
  for (const char* style : {"approximately_timed", "loosely_timed"}) {
    for (const std::size_t to : {1u, 2u, 7u, 15u, 4u}) {
      const NodeId from{to == 4 ? 14 : 0u};
      const std::uint64_t cycles = cycles_alone(bench, from, NodeId{to}, flits);
      const auto estimate = timing(bench, style);  // anew: the loosely timed one would see the load of these packets
      EXPECT_EQ(deliver(*estimate, from, NodeId{to}, flits, 100) - 100, cycles) << style << " to " << to;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Families, PacketTimingIdle,
                         testing::Values(Idle{"hybrid", 1, 1}, Idle{"hybrid", 4, 1}, Idle{"hybrid", 8, 3},
                                         Idle{"lookahead", 1, 1}, Idle{"lookahead", 4, 3}, Idle{"speculative", 4, 1},
                                         Idle{"both", 4, 1}, Idle{"virtual_cut_through", 1, 1},
                                         Idle{"virtual_cut_through", 16, 1}, Idle{"virtual_cut_through", 16, 4},
                                         Idle{"po2", 160, 1}, Idle{"po2", 5, 3}, Idle{"ideal", 1, 1},
                                         Idle{"ideal", 16, 3}, Idle{"myrinet", 1, 1}, Idle{"myrinet", 32, 8},
                                         Idle{"myrinet", 512, 8}),
                         [](const auto& c) {
                           return std::string(c.param.family) + std::to_string(c.param.flits) + "flits" +
                                  std::to_string(c.param.link_latency) + "cycles";
                         });

/// Of the ways between 64 hosts some rest once, few twice.
TEST(PacketTimingIdle, InTransitBuffersTakeWhatTheEnginesTake) {
  Bench bench(cluster());
  bench.run(10);
  const auto& table = *bench.routing->routes();
  std::size_t rests = 0, seen = 0;
  for (std::size_t to = 1; to < 64 && seen < 12; ++to) {
    const NodeId from{(to * 7) % 64}, there{to};
    if (from == there) continue;
    rests += table.in_transit_ahead(table.first(from, there)) > 0 ? 1 : 0;
    if (table.in_transit_ahead(table.first(from, there)) == 0 && seen % 3 != 0) continue;
    ++seen;
    const std::uint64_t cycles = cycles_alone(bench, from, there, 100);
    for (const char* style : {"approximately_timed", "loosely_timed"}) {
      const auto estimate = timing(bench, style);
      // One more: a packet that is made between two cycles goes from the host to its interface in the next.
      EXPECT_EQ(deliver(*estimate, from, there, 100, 100) - 100 + 1, cycles) << style << " to " << to;
    }
  }
  EXPECT_GT(rests, 2u) << "else nothing has been tested";
}

/// A packet that waits holds the channel behind it as long as in the engine: docs/tlm-styles.md draws it. The first of
/// three keeps the second waiting at the last switch, and the third leaves its host when the second one's tail has.
void expect_three(std::uint32_t blocking, std::uint32_t waiting) {
  Bench bench(network("myrinet", 4, 1));
  bench.run(10);
  struct Sent {
    std::size_t from, to;
    std::uint32_t flits;
  };
  const Sent all[] = {{2, 3, blocking}, {0, 3, waiting}, {0, 1, 20}};
  for (const Sent& s : all) bench.network->send_packet(NodeId{s.from}, NodeId{s.to}, s.flits);
  std::uint64_t there[4] = {};  // [n]: the cycle in which the n-th arrived
  for (std::uint64_t cycle = 1; bench.delivered() < 3 && cycle < 5000; ++cycle) {
    bench.run(1);
    for (std::size_t n = 1; n <= bench.delivered(); ++n) there[n] = there[n] == 0 ? cycle : there[n];
  }
  const auto estimate = timing(bench, "approximately_timed");
  std::vector<std::uint64_t> told;
  for (const Sent& s : all) told.push_back(deliver(*estimate, NodeId{s.from}, NodeId{s.to}, s.flits, 9) - 9);
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told[0], there[1]) << blocking << " " << waiting;
  EXPECT_EQ(told[1], there[2]) << blocking << " " << waiting;
  EXPECT_EQ(told[2], there[3]) << blocking << " " << waiting;
}
TEST(ApproximatelyTimed, WhoWaitsHoldsTheLinkBehindAsInTheEngineMyrinet) {
  for (const std::uint32_t waiting : {20u, 60u, 67u, 68u, 69u, 70u, 100u, 300u}) expect_three(250, waiting);
}

/// Two packets made in one cycle by two nodes as far from a third: when both are there, in the engine and as reserved.
void expect_both(const std::string& family, std::uint32_t flits) {
  Bench bench(network(family, 5, 1));
  bench.run(10);
  bench.network->send_packet(NodeId{0}, NodeId{2}, flits);
  bench.network->send_packet(NodeId{4}, NodeId{2}, flits);
  std::vector<std::uint64_t> engine;
  for (std::uint64_t cycle = 1; engine.size() < 2 && cycle < 5000; ++cycle) {
    bench.run(1);
    while (engine.size() < bench.delivered()) engine.push_back(cycle);
  }
  const auto estimate = timing(bench, "approximately_timed");
  EXPECT_EQ(deliver(*estimate, NodeId{0}, NodeId{2}, flits, 9) - 9, engine.at(0));
  EXPECT_EQ(deliver(*estimate, NodeId{4}, NodeId{2}, flits, 9) - 9, engine.at(1));
  EXPECT_GT(engine[1], engine[0]);
}
TEST(ApproximatelyTimed, TheSecondWaitsForTheFirstAsInTheEngineCutThrough) { expect_both("virtual_cut_through", 16); }
TEST(ApproximatelyTimed, TheSecondWaitsForTheFirstAsInTheEnginePo2) { expect_both("po2", 160); }
TEST(ApproximatelyTimed, TheSecondWaitsForTheFirstAsInTheEngineMyrinet) { expect_both("myrinet", 200); }

/// 50 flits go to node 1, 10 more have to wait for them there; meanwhile their source sends another 10 to node 3.
TEST(ApproximatelyTimed, AnIdealNetworksSourceSendsToOthersWhileADestinationIsTaken) {
  const Bench bench(network("ideal"));
  const auto estimate = timing(bench, "approximately_timed");
  EXPECT_EQ(deliver(*estimate, NodeId{0}, NodeId{1}, 50, 9) - 9, 51u);
  EXPECT_EQ(deliver(*estimate, NodeId{2}, NodeId{1}, 10, 9) - 9, 61u);
  EXPECT_EQ(deliver(*estimate, NodeId{2}, NodeId{3}, 10, 9) - 9, 11u);
}

TEST(ApproximatelyTimed, ANodesPacketsFollowEachOtherAsInTheEngine) {
  for (const char* family : {"hybrid", "virtual_cut_through", "po2", "ideal", "myrinet"}) {
    Bench bench(network(family, 5, 1));
    bench.run(10);
    const std::uint32_t flits = std::string(family) == "po2" ? 160 : 4;
    for (int i = 0; i < 3; ++i) bench.network->send_packet(NodeId{0}, NodeId{3}, flits);
    const auto estimate = timing(bench, "approximately_timed");
    std::uint64_t cycle = 0;
    for (std::uint64_t i = 1; i <= 3; ++i) {
      for (; bench.delivered() < i && cycle < 5000; ++cycle) bench.run(1);
      EXPECT_EQ(deliver(*estimate, NodeId{0}, NodeId{3}, flits, 9) - 9, cycle) << family << " packet " << i;
    }
  }
}

/// A packet of 4 flits every 8 cycles from one node to one: each of the channels is half busy, so a packet waits 4 x
/// 0.5 / (2 x 0.5) = 2 cycles at each, as the formula has it (random arrivals).
TEST(LooselyTimed, WaitsByTheFormulaOfTheObservedLoad) {
  Experiment e = network("hybrid", 2, 1);
  Bench bench(e);
  const auto estimate = timing(bench, "loosely_timed", 800);
  const std::uint64_t idle = 3 + 5 * 2 + 3;
  for (std::uint64_t at = 0; at < 800; at += 8) {
    ASSERT_EQ(deliver(*estimate, NodeId{0}, NodeId{1}, 4, at) - at, idle)
        << "nothing is known in the first observation";
  }
  for (std::uint64_t at = 800; at < 4000; at += 8) {
    ASSERT_EQ(deliver(*estimate, NodeId{0}, NodeId{1}, 4, at) - at, idle + 3 * 2) << "injection, link, ejection";
  }
  EXPECT_EQ(deliver(*estimate, NodeId{1}, NodeId{0}, 4, 4000) - 4000, idle) << "the other way nobody goes";
  EXPECT_EQ(deliver(*estimate, NodeId{0}, NodeId{1}, 4, 4000000) - 4000000, idle) << "a load of long ago is forgotten";
}

/// Two lengths on one channel: the mean square counts, not the mean. A packet of 2 and one of 10 flits every 24 cycles:
/// load 0.5, mean square of the cycles (4 + 100) / 24, wait 104 / 24 / (2 x 0.5) = 4.33 at each of three channels.
TEST(LooselyTimed, LongPacketsMakeOthersWaitByTheSquare) {
  Experiment e = network("hybrid", 2, 1);
  Bench bench(e);
  const auto estimate = timing(bench, "loosely_timed", 960);
  for (std::uint64_t at = 0; at < 960; at += 24) {
    (void)deliver(*estimate, NodeId{0}, NodeId{1}, 2, at);
    (void)deliver(*estimate, NodeId{0}, NodeId{1}, 10, at + 12);
  }
  EXPECT_EQ(deliver(*estimate, NodeId{0}, NodeId{1}, 4, 960) - 960, 3 + 5 * 2 + 3 + 13u);
}

/// From node 0 to 5 there are two ways, by 1 and by 4; the one by 1 comes first, and is free before loads are known.
/// Both also send to 0. So on the link to 1 packets meet, on that to 4 they do not.
TEST(LooselyTimed, PacketsTakeTheFirstWayThatIsFree) {
  const Bench bench(network("po2"));
  const auto estimate = timing(bench, "loosely_timed");
  for (std::uint64_t at = 0; at < 1000; at += 300) {
    (void)deliver(*estimate, NodeId{0}, NodeId{5}, 40, at);
    (void)deliver(*estimate, NodeId{1}, NodeId{0}, 40, at);
    (void)deliver(*estimate, NodeId{4}, NodeId{0}, 40, at);
  }
  const std::uint64_t to_1 = deliver(*estimate, NodeId{0}, NodeId{1}, 40, 1100);
  EXPECT_GT(to_1, deliver(*estimate, NodeId{0}, NodeId{4}, 40, 1100));
}

struct Loaded {
  const char* name;
  const char* family;
  double rate;
  std::uint32_t flits;
  double approximate, loose;  ///< most error of the mean latency
  std::uint64_t warmup, measured;
};
class PacketTimingUnderLoad : public testing::TestWithParam<Loaded> {};

TEST_P(PacketTimingUnderLoad, MeanLatencyIsNearTheEngines) {
  const Loaded& c = GetParam();
  Experiment e = std::string(c.family) == "myrinet" ? cluster() : network(c.family, 8, 8);
  e.set("traffic.rate_flits_per_node_cycle", c.rate);
  e.set("traffic.flits", c.flits);
  e.set("simulation.min_warmup_cycles", c.warmup);
  e.set("simulation.measure_cycles", c.measured);
  const auto result = tb::compare_styles(e);
  EXPECT_EQ(result.undelivered, 0u);
  EXPECT_NEAR(result.load_flits_per_node_cycle, c.rate, 0.05 * c.rate);
  for (const tb::StyleFigures& style : result.styles) {
    EXPECT_DOUBLE_EQ(style.error, style.mean_latency_cycles / result.styles.front().mean_latency_cycles - 1.0);
    const double most = style.style == "approximately_timed" ? c.approximate : c.loose;
    EXPECT_LE(std::abs(style.error), style.style == models::kCycleAccurate ? 0.0 : most) << style.style;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Loads, PacketTimingUnderLoad,
    testing::Values(Loaded{"hybrid_10", "hybrid", 0.1, 4, 0.02, 0.05, 5000, 5000},
                    Loaded{"hybrid_28", "hybrid", 0.28, 4, 0.05, 0.08, 5000, 5000},
                    Loaded{"cut_through_20", "virtual_cut_through", 0.2, 4, 0.03, 0.06, 5000, 5000},
                    Loaded{"cut_through_25", "virtual_cut_through", 0.25, 4, 0.05, 0.15, 5000, 5000},
                    Loaded{"po2_8", "po2", 0.08, 160, 0.03, 0.06, 40000, 100000},
                    Loaded{"po2_14", "po2", 0.14, 160, 0.03, 0.10, 40000, 100000},
                    Loaded{"ideal_10", "ideal", 0.1, 4, 0.05, 0.05, 5000, 5000},
                    Loaded{"ideal_50", "ideal", 0.5, 4, 0.05, 0.13, 5000, 5000},
                    Loaded{"myrinet_5", "myrinet", 0.05, 128, 0.03, 0.05, 20000, 200000},
                    Loaded{"myrinet_8", "myrinet", 0.08, 128, 0.05, 0.10, 20000, 200000}),
    [](const auto& c) { return std::string(c.param.name); });

std::string refusal(Experiment e, const std::string& style) {
  try {
    Bench bench(std::move(e));
    (void)timing(bench, style);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PacketTiming, RefusesWhatHasNoTiming) {
  EXPECT_EQ(timing(Bench(network("hybrid")), "cycle_accurate"), nullptr);
  EXPECT_EQ(refusal(network("hybrid"), "loosly_timed")
                .rfind("unknown TLM coding style \"loosly_timed\" (did you mean "
                       "\"loosely_timed\"?)",
                       0),
            0u)
      << refusal(network("hybrid"), "loosly_timed");
  static const bool added = models::FabricRegistry::instance().add(
      "untimed", "a family without a timing", []() -> std::unique_ptr<models::FabricFamily> { return nullptr; });
  EXPECT_TRUE(added);
  Experiment e = network("hybrid");
  const Bench bench(e);
  e.set("router.architecture", "untimed");
  e.set("tlm.style", "loosely_timed");
  try {
    (void)models::make_packet_timing(e, bench.topology, *bench.routing);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "tlm.style = \"loosely_timed\": router.architecture = \"untimed\" states no timing of its routers; "
                 "expected hybrid, ideal, myrinet, po2, virtual_cut_through, or tlm.style = \"cycle_accurate\"");
  }
}

TEST(PacketTiming, RefusesWhatNoEstimateKnows) {
  Experiment rests = cluster();
  rests.set("router.architecture", "virtual_cut_through");
  EXPECT_EQ(refusal(rests, "approximately_timed"),
            "tlm.style = \"approximately_timed\" knows in-transit buffers of hosts that cut through; expected "
            "router.architecture = \"myrinet\", routing.in_transit = \"none\" or tlm.style = \"cycle_accurate\"");
  Experiment ports = network("hybrid");
  ports.set("topology.local_ports", 2);
  EXPECT_EQ(refusal(ports, "loosely_timed"),
            "tlm.style = \"loosely_timed\" knows nodes of one port; expected topology.local_ports = 1 (it is 2), or "
            "tlm.style = \"cycle_accurate\"");
  Experiment down = cluster();
  down.set("failure.router", "s0");
  down.set("failure.port", "link0");
  down.set("failure.cycle", 1000);
  EXPECT_EQ(refusal(down, "loosely_timed"),
            "tlm.style = \"loosely_timed\" knows no links that go down ([failure]); expected tlm.style = "
            "\"cycle_accurate\"");
}

}  // namespace braid::test::packet_timing_test
