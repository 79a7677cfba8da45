// Modules say that they have nothing to do where nothing is under way, so that a step costs nothing there. A packet has
// gone through each network before. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <set>
#include <string>

#include "models/stages/base/stage.h"
#include "tb/tests/support/elaborate.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/network_of_modules.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/sat.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::sleep_test {
namespace {

using models::Experiment;
using Names = std::set<std::string>;

/// A module's name, numbers left out.
std::string kind_of(const models::stages::Stage& stage) {
  std::string name = stage.basename();
  name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }), name.end());
  return name;
}

/// Runs so many cycles: the modules that had something to do in the step that came next.
Names awake(NetworkOfModules& network, int cycles) {
  Names names;
  for (int i = 0; i < cycles; ++i) {
    network.cycle(ProcessOrder::kReversed, [&](std::size_t step) {
      if (step == network.clocks().size()) return;
      for (models::stages::Stage* stage : network.clocks()[step].stages()) {
        if (stage->has_work(network.network().now())) names.insert(kind_of(*stage));
      }
    });
  }
  return names;
}

struct Case {
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
  const char* name;
  std::function<Experiment()> experiment;
  Names always;  ///< that do not say whether they have anything to do
  Names moves;   ///< that had something to do when the packet went by
};

/// A mesh in which nothing is sent by itself.
Experiment silent(const std::string& architecture) {
  Experiment e = uniform_mesh(0.0, 3, 2);
  e.set("router.architecture", architecture);
  return e;
}
Experiment silent_tree() {
  Experiment e;
  e.set("router.architecture", "virtual_cut_through");
  e.set("topology.kind", "k_ary_n_tree").set("topology.arity", 2).set("topology.levels", 3);
  e.set("router.vcs", 1).set("router.credit_delay_cycles", 1).set("routing.algorithm", "tree_adaptive");
  add_traffic(e, 0.0);
  return e;
}

class Asleep : public testing::TestWithParam<Case> {};

TEST_P(Asleep, IsWhoHasNothingToDo) {
  NetworkOfModules network("network", GetParam().experiment());
  elaborate();
  models::Network& n = network.network();
  const Case& c = GetParam();
  EXPECT_EQ(awake(network, 10), c.always) << "before";
  n.send_packet(NodeId{0}, NodeId{n.topology().node_count() - 1}, 4);
  Names wanted = c.always;
  wanted.insert(c.moves.begin(), c.moves.end());
  EXPECT_EQ(awake(network, 800), wanted);
  EXPECT_EQ(n.conservation().packets_delivered, 1U);
  EXPECT_EQ(awake(network, 10), c.always) << "afterwards";
}
INSTANTIATE_TEST_SUITE_P(
    In, Asleep,
    testing::Values(Case{"hybrid",
                         [] { return silent("hybrid"); },
                         {"nodes"},
                         {"input_unit", "network_interface", "output_unit", "route_unit", "switch_allocator",
                          "switch_traversal", "vc_allocator"}},
                    Case{"virtual_cut_through",
                         silent_tree,
                         {"nodes"},
                         {"ejection", "input_queue", "network_interface", "output_arbiter", "output_unit"}},
                    Case{"po2",
                         [] { return small_po2(3, 2); },
                         {"message_scheduler"},
                         {"buffer_pool", "link_controller", "offer_unit", "route_unit"}},
                    Case{"myrinet",
                         [] { return myrinet_row(3); },
                         {"cables", "failing_link", "nodes"},
                         {"arbiter", "begin", "host_interface", "output_port_east", "output_port_local",
                          "routing_control_unit_west", "routing_control_unit_local", "slack_buffer_west",
                          "slack_buffer_local", "tail"}},
                    Case{"ideal",
                         [] { return silent("ideal"); },
                         {"deliveries", "link_scheduler", "links", "nodes"},
                         {"receiver_"}},
                    Case{"in_transit",
                         [] { return myrinet_row(2, "every_switch"); },
                         {"all_hosts", "cables", "failing_link", "nodes"},
                         {"arbiter", "begin", "host_interface", "in_transit_host", "output_port_east",
                          "output_port_local", "routing_control_unit_local", "routing_control_unit_west",
                          "slack_buffer_local", "slack_buffer_west", "tail"}}),
    [](const auto& c) { return c.param.name; });

/// The token of set-up has nothing to do when all circuits stand, nor have the units that searched.
TEST(AsleepAfterSetUp, IsWhoSetCircuitsUp) {
  Experiment e = tile_streams(2, 2, 1, {{0, 3}}, 100);
  NetworkOfModules network("network", e);
  elaborate();
  const Names first = awake(network, 60);
  EXPECT_EQ(first.count("setup_sequencer"), 1U);
  EXPECT_EQ(first.count("setup_unit"), 1U);
  ASSERT_TRUE(network.network().setup_done());
  const Names later = awake(network, 400);
  EXPECT_EQ(later.count("setup_sequencer"), 0U);
  EXPECT_EQ(later.count("setup_unit"), 0U);
  EXPECT_EQ(later.count("circuit_unit"), 1U) << "flits are on the circuit";
}

/// Where nobody sends only the stations have work that the signal visits: one a cycle, or the one that it leaves and
/// the next.
TEST(AsleepBesideALine, IsAStationWithoutTheSignal) {
  NetworkOfModules network("network", with_sat(silent("hybrid"), "ring", 2, 4));
  elaborate();
  std::set<std::string> visited;
  for (int cycle = 0; cycle < 200; ++cycle) {
    unsigned stations = 0;
    network.cycle(ProcessOrder::kMade, [&](std::size_t step) {
      if (step + 1 != network.clocks().size()) return;
      for (models::stages::Stage* stage : network.clocks()[step].stages()) {
        if (kind_of(*stage) != "node" || !stage->has_work(network.network().now())) continue;
        ++stations;
        visited.insert(stage->basename());
      }
    });
    EXPECT_LE(stations, 2U) << cycle;
  }
  EXPECT_EQ(visited.size(), 6U) << "the signal goes round";
}

}  // namespace
}  // namespace braid::test::sleep_test
