// Energy and area: coefficients against DSENT's own figures, counts by hand, and a run's figures against what it says
// of its links.
#include "models/experiment/energy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/places.h"

namespace braid::test::energy_test {
namespace {

using models::EventEnergy;
using models::Experiment;
using models::Results;
using models::RouterArea;
using models::RouterBuild;
using models::SwitchedFlits;
using models::TechnologyNode;

using Row = std::map<std::string, std::string>;

/// tb/reference/dsent.csv.
std::vector<Row> dsent() {
  std::ifstream file(std::string(kSourceFolder) + "/tb/reference/dsent.csv");
  const auto cells = [](const std::string& line) {
    std::vector<std::string> all;
    std::istringstream stream(line + ",");
    for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
    return all;
  };
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = cells(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> values = cells(line);
    rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) rows.back()[names[i]] = values.at(i);
  }
  return rows;
}

TechnologyNode node_of(const Row& row) {
  return row.at("node") == "45" ? TechnologyNode::k45nm : TechnologyNode::k22nm;
}

std::uint32_t count(const Row& row, const std::string& name) {
  return static_cast<std::uint32_t>(std::stoul(row.at(name)));
}

RouterBuild router_of(const Row& row) {
  const std::uint32_t ports = count(row, "ports");
  return {ports, count(row, "vcs"), ports, count(row, "flits"), 0, count(row, "bits")};
}

void expect_near(const Row& row, const std::string& name, double figure, double percent) {
  EXPECT_NEAR(figure / std::stod(row.at(name)), 1.0, percent / 100)
      << name << " of " << row.at("role") << ", " << row.at("node") << " nm, " << row.at("ports") << " ports";
}

// ---------------------------------------------------------------- coefficients

/// The spreads that docs/energy.md states; rows that were held out, and DSENT's own example, among them.
TEST(Energy, OfAnEventLiesWithinItsSpreadOfDsents) {
  std::size_t routers = 0, links = 0;
  for (const Row& row : dsent()) {
    if (row.at("role") == "link") {
      RouterBuild router;
      router.flit_bits = count(row, "bits");
      const double mm = std::stod(row.at("mm"));
      expect_near(row, "link_fj", 1000 * mm * models::event_energy(router, node_of(row)).link_mm, 4);
      ++links;
      continue;
    }
    const EventEnergy each = models::event_energy(router_of(row), node_of(row));
    expect_near(row, "write_fj", 1000 * each.buffer_write, 7);
    expect_near(row, "read_fj", 1000 * each.buffer_read, 7);
    expect_near(row, "crossbar_fj", 1000 * each.crossbar, 4);
    expect_near(row, "arbitration_fj", 1000 * each.arbitration, 14);
    expect_near(row, "clock_fj", 1000 * each.clock, 10);
    expect_near(row, "leakage_nw", 1e6 * each.leakage_mw, 12);
    ++routers;
  }
  EXPECT_EQ(routers, 46U);
  EXPECT_EQ(links, 8U);
}

TEST(Area, LiesWithinItsSpreadOfDsents) {
  for (const Row& row : dsent()) {
    if (row.at("role") == "link") continue;
    const RouterArea area = models::router_area(router_of(row), node_of(row));
    expect_near(row, "buffers_um2", area.buffers, 3);
    expect_near(row, "crossbar_um2", area.crossbar, 16);
    expect_near(row, "allocator_um2", area.allocators, 8);
    EXPECT_EQ(area.circuits, 0.0);
  }
}

/// DSENT's configs/router.cfg, which prints "Total: Dynamic power" at 0.3 flits a port and cycle and 1 GHz.
TEST(Energy, OfDsentsPublishedExample) {
  const RouterBuild router = {5, 5, 5, 23, 0, 64};
  const auto milliwatts = [&](TechnologyNode node) {
    const EventEnergy e = models::event_energy(router, node);
    return 0.3 * 5 * (e.buffer_write + e.buffer_read + e.crossbar + e.arbitration) + e.clock;
  };
  EXPECT_NEAR(milliwatts(TechnologyNode::k45nm) / 11.34087, 1.0, 0.01);
  EXPECT_NEAR(milliwatts(TechnologyNode::k22nm) / 2.928776, 1.0, 0.02);
}

/// docs/synthesis.md: gates and flip-flops that circuits add, as cells of 45 nm.
TEST(Area, OfCircuitsIsThatOfOurNetlist) {
  const auto cells = [](double gates, double flip_flops) { return gates * 1.056 + flip_flops * 5.28; };
  const auto circuits = [](std::uint32_t ports, std::uint32_t vcs, std::uint32_t bits) {
    return models::router_area({ports, vcs, ports, 32, 5, bits}, TechnologyNode::k45nm).circuits;
  };
  EXPECT_NEAR(circuits(5, 2, 32) / cells(12952 - 10332, 3431 - 2325), 1.0, 0.01);
  EXPECT_NEAR(circuits(5, 4, 64) / cells(37761 - 34052, 14651 - 12745), 1.0, 0.01);
  EXPECT_NEAR(circuits(7, 4, 64) / cells(63527 - 58909, 20753 - 18137), 1.0, 0.01);
  EXPECT_NEAR(circuits(5, 8, 64) / cells(72440 - 67786, 16611 - 14705), 1.0, 0.08);
}

TEST(Energy, OfABufferBeyondABankIsThatOfABank) {
  const RouterBuild bank = {5, 1, 5, 64, 0, 64}, four = {5, 1, 5, 256, 0, 64};
  const EventEnergy a = models::event_energy(bank, TechnologyNode::k45nm);
  const EventEnergy b = models::event_energy(four, TechnologyNode::k45nm);
  EXPECT_EQ(a.buffer_write, b.buffer_write);
  EXPECT_EQ(a.buffer_read, b.buffer_read);
  EXPECT_GT(b.leakage_mw, 3 * a.leakage_mw);
}

// ---------------------------------------------------------------- counts

/// Two routers of two ports, a VC of 4 flits, 32 bits, links of 2 mm.
struct Pair {
  Experiment experiment = [] {
    Experiment e = uniform_mesh(0.1, 2, 1);
    e.set("router.vcs", 1).set("router.buffer_depth", 4).set("energy.flit_bits", 32).set("energy.link_mm", 2.0);
    return e;
  }();
  routing::Topology topology = routing::make_topology(experiment);
  std::vector<SwitchedFlits> none = std::vector<SwitchedFlits>(2);

  Report of(std::uint64_t flits, std::uint64_t circuit_flits = 0) const {
    const std::uint64_t all = flits + circuit_flits;
    return models::energy_report(experiment, topology, none, {{flits, circuit_flits, all}, {flits, circuit_flits, 0}},
                                 1000);
  }
};

/// A flit is written and read, granted and switched twice, and goes over one link (femtojoules):
/// 2 x 32 (14.1 + 1.49 x 4 + 8.06 + 1.56 x 4), 2 (19.5 + 4.33 x 4 + 1.06 x 2), 2 x 32 (2.78 + 2.79 x 2), 2 mm x 32
/// x 40.4.
TEST(Energy, OfAFlitByHand) {
  const Report report = Pair().of(10);
  EXPECT_NEAR(report.get<double>("buffers_pj_per_flit"), 2.19904, 1e-9);
  EXPECT_NEAR(report.get<double>("arbitration_pj_per_flit"), 0.07788, 1e-9);
  EXPECT_NEAR(report.get<double>("crossbars_pj_per_flit"), 0.53504, 1e-9);
  EXPECT_NEAR(report.get<double>("links_pj_per_flit"), 2.5856, 1e-9);
  EXPECT_NEAR(report.get<double>("pj_per_flit"), 5.39756, 1e-9);
  EXPECT_EQ(report.get<double>("lanes_pj_per_flit"), 0.0);
}

/// A circuit's flit meets no buffer and no arbiter: its lane, here without a flit of room, the crossbar and the link.
TEST(Energy, OfACircuitsFlitByHand) {
  const Report report = Pair().of(0, 10);
  EXPECT_EQ(report.get<double>("buffers_pj_per_flit"), 0.0);
  EXPECT_EQ(report.get<double>("arbitration_pj_per_flit"), 0.0);
  EXPECT_NEAR(report.get<double>("lanes_pj_per_flit"), 2 * 0.032 * (14.1 + 8.06), 1e-9);
  EXPECT_NEAR(report.get<double>("crossbars_pj_per_flit"), 0.53504, 1e-9);
  EXPECT_NEAR(report.get<double>("links_pj_per_flit"), 2.5856, 1e-9);
}

TEST(Energy, IsProportionalToCounts) {
  const Pair pair;
  const Report once = pair.of(100), twice = pair.of(200), idle = pair.of(0);
  EXPECT_DOUBLE_EQ(once.get<double>("pj_per_flit"), twice.get<double>("pj_per_flit"));
  const double still = idle.get<double>("power_mw");
  EXPECT_GT(still, 0.0);
  EXPECT_NEAR(twice.get<double>("power_mw") - still, 2 * (once.get<double>("power_mw") - still), 1e-12);
  EXPECT_NEAR(once.get<double>("power_mw") - still, 100 * once.get<double>("pj_per_flit") / 1000, 1e-12);
  EXPECT_TRUE(std::isnan(idle.get<double>("pj_per_flit")));
}

// ---------------------------------------------------------------- families

RouterBuild first_router(const Experiment& e) { return models::router_builds(e, routing::make_topology(e)).at(0); }

TEST(RouterBuild, OfEachFamilyIsWhatItsOptionsSay) {
  Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("router.vcs", 2).set("router.buffer_depth", 8).set("energy.packet_flits", 10);
  RouterBuild router = first_router(e);
  EXPECT_EQ(router.ports, 3U) << "in a corner: two links and the node";
  EXPECT_EQ(router.buffers, 3U);
  EXPECT_EQ(router.buffer_flits, 16U);
  EXPECT_EQ(router.circuit_flits, 0U);
  Experiment shared = e;
  shared.set("router.buffers", "shared").set("router.reserved_depth", 1).set("router.shared_depth", 5);
  router = first_router(shared);
  EXPECT_EQ(router.buffers, 3U);
  EXPECT_EQ(router.buffer_flits, 7U) << "one place of each VC, and the pool";
  e.set("router.architecture", "virtual_cut_through").set("router.vcs", 1).set("router.queue_packets", 3);
  router = first_router(e);
  EXPECT_EQ(router.buffers, 3U);
  EXPECT_EQ(router.buffer_flits, 30U);
  e.set("router.architecture", "po2").set("po2.buffers", 20);
  router = first_router(e);
  EXPECT_EQ(router.buffers, 1U) << "one pool of all ports";
  EXPECT_EQ(router.buffer_flits, 200U);
  e.set("router.architecture", "ideal");
  EXPECT_TRUE(models::router_builds(e, routing::make_topology(e)).empty());
}

// ---------------------------------------------------------------- runs

double link_flits(const Results& r) {
  double sum = 0;
  for (const models::LinkResult& link : r.links) sum += link.packet_flits_per_cycle + link.circuit_flits_per_cycle;
  return sum * static_cast<double>(r.measured_cycles);
}

TEST(Energy, OfARunIsThatOfItsLinks) {
  Experiment e = uniform_mesh(0.2, 4, 4);
  e.set("simulation.measure_cycles", 2000);
  const Results r = models::Simulation(e).run();
  double delivered = 0;
  for (const double flits : r.classes.at(0).delivered_flits_per_cycle_by_node) delivered += flits;
  delivered *= static_cast<double>(r.measured_cycles);
  // Flits are counted at the switch, those delivered with their packet's tail.
  EXPECT_NEAR(r.energy.get<double>("links_pj_per_flit") / (0.064 * 40.4 * link_flits(r) / delivered), 1.0, 0.01);
  // At 1 GHz a cycle is a nanosecond, and a milliwatt a picojoule in it.
  const double a_flit = r.energy.get<double>("pj_per_flit") + r.energy.get<double>("clock_pj_per_flit") +
                        r.energy.get<double>("leakage_pj_per_flit");
  const double spent = r.energy.get<double>("power_mw") * static_cast<double>(r.measured_cycles);
  EXPECT_NEAR(spent / a_flit / delivered, 1.0, 0.01) << "of the measured cycles";
  EXPECT_GT(r.area.get<double>("um2"), 16 * 40000.0);
}

TEST(Energy, OfStreamsInCircuitsIsInLanes) {
  const Results r = models::Simulation(models::read_experiment(source_file("tb/experiments/fm_radio.toml"),
                                                               {"simulation.measure_cycles=2000"}))
                        .run();
  ASSERT_FALSE(r.setup.circuits.empty());
  EXPECT_GT(r.energy.get<double>("lanes_pj_per_flit"), 0.0);
  EXPECT_GT(r.area.get<double>("circuits_um2"), 0.0);
}

TEST(Energy, IsLeftOutWhereNobodyKnowsTheBuffers) {
  Experiment e = uniform_mesh(0.2, 4, 4);
  e.set("router.architecture", "ideal").set("simulation.measure_cycles", 1000);
  const Results r = models::Simulation(e).run();
  EXPECT_TRUE(r.energy.empty());
  EXPECT_TRUE(r.area.empty());
  e.set("energy.link_mm", 2.0);
  EXPECT_THROW(models::Simulation{e}, InputError);
}

}  // namespace
}  // namespace braid::test::energy_test
