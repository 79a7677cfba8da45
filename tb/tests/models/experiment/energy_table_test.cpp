// Every coefficient of energy and area, as the tables of docs/energy.md have them, put into the formulas that stand
// beside them there; and what the clock does to figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "models/experiment/energy.h"
#include "models/experiment/energy_model.h"
#include "tb/tests/support/bench.h"

namespace braid::test::energy_table_test {
namespace {

using models::EventEnergy;
using models::RouterArea;
using models::RouterBuild;
using models::TechnologyNode;

using Row = std::vector<double>;  // a, b, c

/// "14.1, 1.49"
Row numbers(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  Row all;
  for (double number = 0; words >> number;) all.push_back(number);
  return all;
}

/// [node][what of the table "energy.fits"], in the order of the columns.
std::map<TechnologyNode, std::map<std::string, Row>> fits() {
  std::map<TechnologyNode, std::map<std::string, Row>> all;
  std::ifstream file(source_file("docs/energy.md"));
  std::string line;
  while (std::getline(file, line) && line.find("<!-- table: energy.fits -->") == std::string::npos) continue;
  while (std::getline(file, line) && !line.empty()) {
    std::vector<std::string> cells;
    std::istringstream text(line.substr(1));
    for (std::string cell; std::getline(text, cell, '|');) cells.push_back(cell);
    if (cells.size() < 4 || cells[0].find("--") != std::string::npos || numbers(cells[2]).empty()) continue;
    const std::string what = cells[0].substr(1, cells[0].find(',') - 1);
    const bool is_area = cells[0].find("µm²") != std::string::npos;
    all[TechnologyNode::k45nm][what + (is_area ? " area" : "")] = numbers(cells[2]);
    all[TechnologyNode::k22nm][what + (is_area ? " area" : "")] = numbers(cells[3]);
  }
  return all;
}

/// P ports, V virtual channels, N flits of a port's buffer, W bits; of odd numbers, so that no term hides another.
TEST(EnergyTable, HasTheCoefficientsOfTheModel) {
  const auto tables = fits();
  ASSERT_EQ(tables.size(), 2U);
  for (const auto& [node, table] : tables) {
    ASSERT_EQ(table.size(), 9U) << "six energies and three areas";
    const auto c = [&, &rows = table](const std::string& what, std::size_t i) { return rows.at(what).at(i); };
    for (const RouterBuild& router :
         {RouterBuild{5, 4, 5, 32, 0, 64}, RouterBuild{3, 1, 3, 7, 0, 33}, RouterBuild{11, 7, 11, 64, 0, 128}}) {
      const double p = router.ports, v = router.vcs, n = router.buffer_flits, w = router.flit_bits;
      const EventEnergy e = models::event_energy(router, node);
      const auto expect = [&](double found, double femtojoules, const char* what) {
        EXPECT_NEAR(1000.0 * found, femtojoules, 1e-9 * femtojoules) << what << ", " << p << " ports";
      };
      expect(e.buffer_write, w * (c("buffer write", 0) + c("buffer write", 1) * n), "write");
      expect(e.buffer_read, w * (c("buffer read", 0) + c("buffer read", 1) * n), "read");
      expect(e.arbitration, c("arbitration", 0) + c("arbitration", 1) * p * p + c("arbitration", 2) * p * v * v,
             "arbitration");
      expect(e.crossbar, w * (c("crossbar", 0) + c("crossbar", 1) * p), "crossbar");
      expect(e.clock, c("clock", 0) + c("clock", 1) * p * w, "clock");
      expect(e.link_mm, w * (node == TechnologyNode::k45nm ? 40.4 : 23.6), "link");
      EXPECT_NEAR(1e6 * e.leakage_mw / (p * w * (c("leakage", 0) + c("leakage", 1) * n)), 1.0, 1e-9);
      const RouterArea area = models::router_area(router, node);
      EXPECT_NEAR(area.buffers / (p * w * (c("buffers area", 0) + c("buffers area", 1) * n)), 1.0, 1e-9);
      EXPECT_NEAR(area.crossbar / (p * w * (c("crossbar area", 0) + c("crossbar area", 1) * p * w)), 1.0, 1e-9);
      EXPECT_NEAR(area.allocators / (p * (c("allocators area", 0) * p * p + c("allocators area", 1) * v * v)), 1.0,
                  1e-9);
      EXPECT_EQ(area.circuits, 0.0);
      EXPECT_DOUBLE_EQ(area.all(), area.buffers + area.crossbar + area.allocators);
    }
  }
}

/// 1510 + 6.88 P W gates and 131 + 35 P flip-flops, and one for each bit of a lane; and what a flit of a circuit takes
/// in its lane, what the lane leaks. A gate is DSENT's NAND2, a flip-flop its DFF.
TEST(EnergyTable, HasTheCircuitsOfTheModel) {
  const auto tables = fits();
  for (const auto& [node, table] : tables) {
    const bool large = node == TechnologyNode::k45nm;
    const double gate = large ? 1.056 : 0.25344, flip_flop = large ? 5.28 : 1.2672;
    for (const std::uint32_t lane : {1U, 5U}) {
      const RouterBuild router{7, 2, 7, 8, lane, 32}, without{7, 2, 7, 8, 0, 32};
      const RouterArea area = models::router_area(router, node);
      const double gates = 1510 + 6.88 * 7 * 32, flip_flops = 131 + 35 * 7 + 7 * 32 * lane;
      EXPECT_NEAR(area.circuits / (gates * gate + flip_flops * flip_flop), 1.0, 1e-9);
      EXPECT_DOUBLE_EQ(area.all(), models::router_area(without, node).all() + area.circuits);
      const EventEnergy e = models::event_energy(router, node), none = models::event_energy(without, node);
      const auto c = [&, &rows = table](const std::string& what, std::size_t i) { return rows.at(what).at(i); };
      const double flit = 32 * (c("buffer write", 0) + c("buffer read", 0) +
                                (c("buffer write", 1) + c("buffer read", 1)) * static_cast<double>(lane));
      EXPECT_NEAR(1000.0 * e.lane / flit, 1.0, 1e-9);
      EXPECT_NEAR(1e6 * (e.leakage_mw - none.leakage_mw) / (32 * c("leakage", 1) * 7 * lane), 1.0, 1e-9);
    }
  }
}

/// Of the same counts at two clocks and on two lengths of wire: leakage lasts as long as the cycles, power is per time,
/// a link's energy by its length; all else stays.
TEST(Energy, HangsOnClockAndWireAsItShould) {
  const auto of = [](double ghz, double mm) {
    models::Experiment e = uniform_mesh(0.1, 2, 1);
    e.set("energy.clock_ghz", ghz).set("energy.link_mm", mm);
    const routing::Topology topology = routing::make_topology(e);
    const std::vector<models::SwitchedFlits> none(2);
    return models::energy_report(e, topology, none, {{100, 0, 100}, {100, 0, 0}}, 1000);
  };
  const Report one = of(1.0, 1.0), fast = of(4.0, 1.0), wide = of(1.0, 3.0);
  const auto figure = [](const Report& r, const char* name) { return r.get<double>(name); };
  for (const char* same : {"pj_per_flit", "buffers_pj_per_flit", "links_pj_per_flit", "clock_pj_per_flit"}) {
    EXPECT_DOUBLE_EQ(figure(fast, same), figure(one, same)) << same;
  }
  EXPECT_NEAR(figure(fast, "leakage_pj_per_flit"), figure(one, "leakage_pj_per_flit") / 4, 1e-9);
  EXPECT_NEAR(figure(wide, "links_pj_per_flit"), 3 * figure(one, "links_pj_per_flit"), 1e-9);
  EXPECT_DOUBLE_EQ(figure(wide, "leakage_pj_per_flit"), figure(one, "leakage_pj_per_flit"));
  for (const auto& [report, ghz] : {std::pair{&one, 1.0}, {&fast, 4.0}}) {
    const double all = 100 * (figure(*report, "pj_per_flit") + figure(*report, "clock_pj_per_flit") +
                              figure(*report, "leakage_pj_per_flit"));
    EXPECT_NEAR(figure(*report, "power_mw"), all / (1000 / ghz), 1e-9) << "a milliwatt is a picojoule in a nanosecond";
  }
}

/// A crossbar that is faster than the links was not fitted, and nothing is said of it. Of a butterfly's switches, which
/// have entries and exits of their own, what leads out counts: two ways on of 2 x 2.
TEST(RouterBuild, IsThereWhereItWasFittedAndCountsWhatLeadsOut) {
  models::Experiment e = uniform_mesh(0.1, 2, 2);
  EXPECT_EQ(models::router_builds(e, routing::make_topology(e)).size(), 4U);
  for (const char* key : {"router.input_speedup", "router.output_speedup"}) {
    models::Experiment fast = e;
    fast.set(key, 2);
    EXPECT_TRUE(models::router_builds(fast, routing::make_topology(fast)).empty()) << key;
    EXPECT_TRUE(models::area_report(fast, routing::make_topology(fast)).empty());
  }
  models::Experiment fly;
  fly.set("topology.kind", "butterfly").set("topology.arity", 2).set("topology.stages", 2);
  const auto switches = models::router_builds(fly, routing::make_topology(fly));
  ASSERT_EQ(switches.size(), 4U);
  for (const RouterBuild& one : switches) EXPECT_EQ(one.ports, 2U);
}

/// Flits that were there when the measured cycles began count in none of the figures.
TEST(Energy, IsOfTheMeasuredCyclesAlone) {
  const models::Experiment e = uniform_mesh(0.1, 2, 1);
  const routing::Topology topology = routing::make_topology(e);
  const auto of = [&](const std::vector<models::SwitchedFlits>& before,
                      const std::vector<models::SwitchedFlits>& after) {
    return models::energy_report(e, topology, before, after, 1000);
  };
  const Report from_zero = of(std::vector<models::SwitchedFlits>(2), {{40, 30, 50}, {20, 10, 0}});
  const Report later = of({{7, 6, 5}, {4, 3, 2}}, {{47, 36, 55}, {24, 13, 2}});
  for (const char* name : {"pj_per_flit", "buffers_pj_per_flit", "arbitration_pj_per_flit", "crossbars_pj_per_flit",
                           "links_pj_per_flit", "lanes_pj_per_flit", "clock_pj_per_flit", "power_mw"}) {
    EXPECT_DOUBLE_EQ(later.get<double>(name), from_zero.get<double>(name)) << name;
  }
}

}  // namespace
}  // namespace braid::test::energy_table_test
