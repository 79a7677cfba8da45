// Energy and area by hand (coefficients of docs/energy.md): what is counted between two counts, at both technologies
// and another clock, and what the keys are without being given.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/experiment/energy.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"

namespace braid::test::energy_counts_test {
namespace {

using models::Experiment;
using models::SwitchedFlits;

/// Two routers of two ports, a VC of 4 flits, 32 bits, links of 2 mm.
Experiment pair_of_routers() {
  Experiment e = uniform_mesh(0.1, 2, 1);
  e.set("router.vcs", 1).set("router.buffer_depth", 4).set("energy.flit_bits", 32).set("energy.link_mm", 2.0);
  return e;
}

Report energy(const Experiment& e, const std::vector<SwitchedFlits>& before, const std::vector<SwitchedFlits>& after) {
  return models::energy_report(e, routing::make_topology(e), before, after, 1000);
}

/// Ten flits through both routers.
Report of_ten(const Experiment& e) { return energy(e, {{}, {}}, {{10, 0, 10}, {10, 0, 0}}); }

/// What stood there before is not counted again, each of the three numbers of each router by itself: 30 packet flits
/// and 12 circuit flits through switches, 14 of them onto links, so that 28 were delivered.
TEST(EnergyCounts, AreThoseOfTheMeasuredCyclesAlone) {
  const Report r = energy(pair_of_routers(), {{100, 50, 70}, {7, 3, 1}}, {{120, 55, 82}, {17, 10, 3}});
  EXPECT_NEAR(r.get<double>("buffers_pj_per_flit"), 30 * 0.032 * (14.1 + 1.49 * 4 + 8.06 + 1.56 * 4) / 28, 1e-9);
  EXPECT_NEAR(r.get<double>("arbitration_pj_per_flit"), 30 * 0.001 * (19.5 + 4.33 * 4 + 1.06 * 2) / 28, 1e-9);
  EXPECT_NEAR(r.get<double>("crossbars_pj_per_flit"), 42 * 0.032 * (2.78 + 2.79 * 2) / 28, 1e-9);
  EXPECT_NEAR(r.get<double>("links_pj_per_flit"), 14 * 2 * 0.032 * 40.4 / 28, 1e-9);
  EXPECT_NEAR(r.get<double>("lanes_pj_per_flit"), 12 * 0.032 * (14.1 + 8.06) / 28, 1e-9);
  const double sum = r.get<double>("buffers_pj_per_flit") + r.get<double>("arbitration_pj_per_flit") +
                     r.get<double>("crossbars_pj_per_flit") + r.get<double>("links_pj_per_flit") +
                     r.get<double>("lanes_pj_per_flit");
  EXPECT_NEAR(r.get<double>("pj_per_flit"), sum, 1e-9);
}

/// A clock tree takes (127 + 1.28 x 2 x 32) fJ a cycle, a router leaks 32 (8030 x 2 + 1940 x 2 x 4) nW; 1000 ns.
TEST(EnergyCounts, OfClockAndLeakageAreOfAllRoutersAndCycles) {
  const Report r = of_ten(pair_of_routers());
  EXPECT_NEAR(r.get<double>("clock_pj_per_flit"), 2 * 1000 * 0.20892 / 10, 1e-9);
  EXPECT_NEAR(r.get<double>("leakage_pj_per_flit"), 2 * 1000 * 1.01056 / 10, 1e-9);
  EXPECT_NEAR(r.get<double>("power_mw"), (53.9756 + 2 * 1000 * 0.20892 + 2 * 1000 * 1.01056) / 1000, 1e-9);
}

/// At 2 GHz the cycles take 500 ns: half of the leakage, and twice the power of everything else.
TEST(EnergyCounts, OfAFasterClockLeakLess) {
  Experiment e = pair_of_routers();
  e.set("energy.clock_ghz", 2.0);
  const Report r = of_ten(e);
  EXPECT_NEAR(r.get<double>("clock_pj_per_flit"), 41.784, 1e-9);
  EXPECT_NEAR(r.get<double>("leakage_pj_per_flit"), 101.056, 1e-9);
  EXPECT_NEAR(r.get<double>("power_mw"), (53.9756 + 417.84) / 500 + 2.02112, 1e-9);
}

TEST(EnergyCounts, OfTwentyTwoNanometresHaveTheirOwnCoefficients) {
  Experiment e = pair_of_routers();
  e.set("energy.node", "22nm");
  const Report r = of_ten(e);
  EXPECT_NEAR(r.get<double>("buffers_pj_per_flit"), 0.064 * (3.77 + 0.389 * 4 + 2.14 + 0.383 * 4), 1e-9);
  EXPECT_NEAR(r.get<double>("arbitration_pj_per_flit"), 0.002 * (4.75 + 1.11 * 4 + 0.269 * 2), 1e-9);
  EXPECT_NEAR(r.get<double>("crossbars_pj_per_flit"), 0.064 * (0.871 + 0.675 * 2), 1e-9);
  EXPECT_NEAR(r.get<double>("links_pj_per_flit"), 2 * 0.032 * 23.6, 1e-9);
  EXPECT_NEAR(r.get<double>("clock_pj_per_flit"), 2 * 1000 * 0.001 * (31.7 + 0.426 * 64) / 10, 1e-9);
  EXPECT_NEAR(r.get<double>("leakage_pj_per_flit"), 2 * 1000 * 32e-6 * (2820 * 2 + 713 * 8) / 10, 1e-9);
}

/// Of a network of which no flit was delivered, and of no cycle at all, nothing is known.
TEST(EnergyCounts, OfNothingAreNone) {
  const Experiment e = pair_of_routers();
  const Report r = models::energy_report(e, routing::make_topology(e), {{}, {}}, {{}, {}}, 0);
  EXPECT_TRUE(std::isnan(r.get<double>("pj_per_flit")));
  EXPECT_TRUE(std::isnan(r.get<double>("leakage_pj_per_flit")));
  EXPECT_TRUE(std::isnan(r.get<double>("power_mw")));
}

/// One cycle at 1 GHz: a nanosecond is a time like any other.
TEST(EnergyCounts, OfOneNanosecondHaveAPower) {
  const Experiment e = pair_of_routers();
  const Report r = models::energy_report(e, routing::make_topology(e), {{}, {}}, {{}, {}}, 1);
  EXPECT_NEAR(r.get<double>("power_mw"), 2 * 0.20892 + 2.02112, 1e-9);
}

/// Two routers: buffers 2 x 32 (a + 4 b), crossbars 2 x 32 (a + 64 b), allocators 8 a + 2 b.
TEST(AreaOfANetwork, IsTheSumOfItsRouters) {
  Experiment e = pair_of_routers();
  Report r = models::area_report(e, routing::make_topology(e));
  EXPECT_NEAR(r.get<double>("buffers_um2"), 2 * 64 * (11.4 + 8.01 * 4), 1e-6);
  EXPECT_NEAR(r.get<double>("crossbars_um2"), 2 * 64 * (7.36 + 0.0435 * 64), 1e-6);
  EXPECT_NEAR(r.get<double>("allocators_um2"), 2 * (6.25 * 8 + 6.6 * 2), 1e-6);
  EXPECT_EQ(r.get<double>("circuits_um2"), 0.0);
  EXPECT_NEAR(r.get<double>("um2"), 5560.32 + 1298.432 + 126.4, 1e-6);
  e.set("energy.node", "22nm");
  r = models::area_report(e, routing::make_topology(e));
  EXPECT_NEAR(r.get<double>("buffers_um2"), 2 * 64 * (2.74 + 1.92 * 4), 1e-6);
  EXPECT_NEAR(r.get<double>("crossbars_um2"), 2 * 64 * (1.71 + 0.011 * 64), 1e-6);
  EXPECT_NEAR(r.get<double>("allocators_um2"), 2 * (1.5 * 8 + 1.58 * 2), 1e-6);
}

/// Gates 1510 + 6.88 P W, flip-flops 131 + 35 P and the lanes' own, P W N (docs/energy.md).
TEST(AreaOfCircuits, IsThatOfGatesAndFlipFlops) {
  const models::RouterBuild router = {5, 2, 5, 8, 3, 32};
  const double gates = 1510 + 6.88 * 160, flip_flops = 131 + 35 * 5 + 160 * 3;
  const auto area = models::router_area(router, models::TechnologyNode::k45nm);
  EXPECT_NEAR(area.circuits, gates * 1.056 + flip_flops * 5.28, 1e-6);
  EXPECT_NEAR(models::router_area(router, models::TechnologyNode::k22nm).circuits,
              gates * 0.25344 + flip_flops * 1.2672, 1e-6);
  EXPECT_NEAR(area.all(), area.buffers + area.crossbar + area.allocators + area.circuits, 1e-6);
}

/// Networks side by side have their routers each.
TEST(AreaOfANetwork, CountsEverySubnet) {
  Experiment e = pair_of_routers();
  const double one = models::area_report(e, routing::make_topology(e)).get<double>("um2");
  e.set("network.subnets", 3);
  EXPECT_EQ(models::router_builds(e, routing::make_topology(e)).size(), 6U);
  EXPECT_NEAR(models::area_report(e, routing::make_topology(e)).get<double>("um2"), 3 * one, 1e-6);
}

/// docs/configuration.md.
TEST(EnergyKeys, HaveTheirDefaults) {
  const models::EnergyOptions o = models::energy_options().read(uniform_mesh(0.1, 2, 1));
  EXPECT_EQ(o.node, models::TechnologyNode::k45nm);
  EXPECT_EQ(o.flit_bits, 64U);
  EXPECT_EQ(o.link_mm, 1.0);
  EXPECT_EQ(o.clock_ghz, 1.0);
  EXPECT_EQ(o.packet_flits, 16U);
}

/// A switch counts a flit where it leaves: ten cycles after the begin of a lone stream of circuits more cross than
/// leave.
TEST(SwitchedFlits, ThatGoOverNoLinkAreDelivered) {
  Bench bench(models::read_experiment(source_file("tb/experiments/fm_radio.toml")));
  bench.run(4000);
  std::uint64_t circuits = 0, packets = 0, onward = 0;
  for (const SwitchedFlits& s : models::switched_flits(*bench.network)) {
    circuits += s.of_circuits;
    packets += s.of_packets;
    onward += s.to_links;
  }
  const auto delivered = bench.network->conservation().flits_delivered;
  EXPECT_GT(delivered, 100U);
  EXPECT_GT(circuits, 0U);
  EXPECT_GT(onward, 0U);
  EXPECT_GE(circuits + packets - onward, delivered);
  EXPECT_LE(circuits + packets - onward, delivered + 200);
}

}  // namespace
}  // namespace braid::test::energy_counts_test
