// Which module runs in which step of a cycle, as the pages of docs/hardware-view say: a step reads what earlier ones
// have written, so one step too early or too late is a register of an old or a new cycle. One case a process (SystemC
// elaborates once).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "models/families/hybrid/stand_in.h"
#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/stage_seat.h"
#include "tb/tests/support/elaborate.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/network_of_modules.h"
#include "tb/tests/support/po2_row.h"
#include "tb/tests/support/sat.h"
#include "tb/tests/support/tile_streams.h"

namespace braid::test::steps_of_modules_test {
namespace {

using models::Experiment;
using Names = std::set<std::string>;

/// A module's name without the place that it ends in.
std::string kind_of(const models::stages::Stage& stage) {
  std::string name = stage.basename();
  for (const char* const unit : {"slack_buffer", "routing_control_unit", "output_port"}) {
    if (name.rfind(unit, 0) == 0) return unit;
  }
  name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }), name.end());
  return name;
}

std::vector<Names> steps_of(NetworkOfModules& network) {
  std::vector<Names> steps(network.clocks().size());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    for (const models::stages::Stage* stage : network.clocks()[s].stages()) steps[s].insert(kind_of(*stage));
  }
  return steps;
}

struct Case {
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
  const char* name;
  std::function<Experiment()> experiment;
  std::vector<Names> steps;
};

Experiment of_circuits() { return tile_streams(2, 2, 1, {{0, 3}}); }

Experiment on_a_line() {
  Experiment e = uniform_mesh(0.1, 2, 2);
  e.open("broadcast");
  e.set("broadcast.medium", "line");
  return e;
}

Experiment with_sat_auto() {
  Experiment e = uniform_mesh(0.1, 2, 2);
  e.set("interface.fairness", "sat_auto");
  return e;
}

const std::vector<Names> kHybrid = {{"switch_traversal", "vc_allocator"},
                                    {"switch_allocator"},
                                    {"input_unit", "output_unit"},
                                    {"route_unit"},
                                    {"network_interface"},
                                    {"nodes"}};
std::vector<Names> hybrid_and(const std::vector<Names>& lines) {
  std::vector<Names> all = kHybrid;
  all.insert(all.end(), lines.begin(), lines.end());
  return all;
}

class StepsOfModules : public testing::TestWithParam<Case> {};

TEST_P(StepsOfModules, AreThoseOfTheirPage) {
  NetworkOfModules network("network", GetParam().experiment());
  elaborate();
  EXPECT_EQ(steps_of(network), GetParam().steps);
}
INSTANTIATE_TEST_SUITE_P(
    Of, StepsOfModules,
    testing::Values(
        Case{"circuits",
             of_circuits,
             {{"switch_traversal", "vc_allocator", "circuit_unit"},
              {"switch_allocator"},
              {"input_unit", "output_unit"},
              {"route_unit", "setup_unit"},
              {"network_interface"},
              {"nodes"},
              {"setup_sequencer"}}},
        Case{"packets", [] { return uniform_mesh(0.1, 2, 2); }, hybrid_and({{}})},
        Case{"sat", [] { return with_sat(uniform_mesh(0.1, 2, 2), "ring", 2, 4); }, hybrid_and({{"line"}, {"node"}})},
        Case{"sat_auto", with_sat_auto, hybrid_and({{"line"}, {"node"}, {"home"}})},
        Case{"broadcast_line", on_a_line, hybrid_and({{"line"}, {"node"}})},
        Case{"virtual_cut_through",
             [] { return in_family("virtual_cut_through"); },
             {{"output_arbiter", "network_interface"}, {"output_unit"}, {"ejection"}, {"input_queue", "nodes"}, {}}},
        Case{"po2",
             [] { return small_po2(2, 2); },
             {{"offer_unit"}, {"buffer_pool"}, {"link_controller"}, {"route_unit"}, {"message_scheduler"}, {}}},
        Case{"myrinet",
             [] { return myrinet_row(2, "every_switch"); },
             {{"cables"},
              {"tail"},
              {"failing_link"},
              {"routing_control_unit"},
              {"arbiter", "begin"},
              {"output_port", "host_interface"},
              {"slack_buffer", "nodes", "all_hosts"},
              {"in_transit_host"},
              {}}},
        Case{"ideal",
             [] {
               Experiment e = uniform_mesh(0.1, 2, 2);
               e.set("router.architecture", "ideal");
               return e;
             },
             {{"links"}, {"receiver_"}, {"deliveries"}, {"link_scheduler"}, {"nodes"}, {}}}),
    [](const auto& c) { return std::string(c.param.name); });

// ---------------------------------------------------------------- others in the model's places

/// A circuit unit of somebody else's, which is never asked for anything.
class Still final : public models::stages::hybrid::CircuitUnitPorts {
 public:
  explicit Still(const models::stages::hybrid::StageSeat& seat) : CircuitUnitPorts(seat.name, seat.shape) {}

 private:
  void on_ports(std::uint64_t) override {}
};

/// What such a unit has in registers is taken when the set-up unit would have run.
TEST(StepsOfOthers, CircuitRegistersTakeTheSetUpUnitsStep) {
  models::stages::hybrid::StageRegistry<models::stages::hybrid::CircuitUnitPorts>::instance().add(
      "still", "does nothing",
      [](const models::stages::hybrid::StageSeat& seat) { return std::make_unique<Still>(seat); });
  Experiment e = of_circuits();
  e.set("stage.circuit_unit", "still");
  NetworkOfModules network("network", e);
  elaborate();
  EXPECT_EQ(steps_of(network)[3], (Names{"route_unit", "circuit_registers"}));
  EXPECT_EQ(steps_of(network)[0], (Names{"switch_traversal", "vc_allocator", "circuit_unit"}));
}

/// A router that is no more than its halves.
class Halves final : public models::hybrid::StandIn {
 public:
  explicit Halves(const models::hybrid::Seat& seat) : slice_(seat.slice) {}
  bool begin(std::uint64_t) override { return false; }
  void commit(std::uint64_t cycle) override { slice_.commit(cycle); }
  void show() override {}

 private:
  models::hybrid::Slice& slice_;
};

Experiment of_halves() {
  static const bool registered = models::hybrid::StandInRegistry::instance().add(
      "halves_of_this_test", "of the tests", models::hybrid::stand_in_options(),
      [](const models::hybrid::Seat& seat) { return std::make_unique<Halves>(seat); });
  EXPECT_TRUE(registered);
  Experiment e = uniform_mesh(0.4, 3, 1);
  e.set("router.implementation", "halves_of_this_test");
  e.set("router.rtl_routers", "1,0");
  return e;
}

/// The second half is as late as the interfaces of the other routers, and the nodes behind them all run once a cycle.
TEST(StepsOfOthers, HalvesOfARouterFrameTheStagesOfTheOthers) {
  Bench fast(uniform_mesh(0.4, 3, 1));
  NetworkOfModules network("network", of_halves());
  elaborate();
  const std::vector<Names> steps = steps_of(network);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    EXPECT_EQ(steps[s].count("compute"), s == 0 ? 1U : 0U) << s;
    EXPECT_EQ(steps[s].count("commit"), s == 4 ? 1U : 0U) << s;
  }
  fast.run(400);
  for (int cycle = 0; cycle < 400; ++cycle) network.cycle(ProcessOrder::kReversed);
  EXPECT_GT(fast.delivered(), 50U);
  EXPECT_EQ(network.network().merged_statistics().packet_hash(), fast.network->merged_statistics().packet_hash());
}

}  // namespace
}  // namespace braid::test::steps_of_modules_test
