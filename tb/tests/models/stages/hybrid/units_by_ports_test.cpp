// Circuit and set-up units of somebody else's in the model's places: they know their ports alone, and the model around
// them takes from these what they grant, send and hold. Here they are the model's own units, which stand behind those
// ports as they would anywhere: so the network is that of the model. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>

#include "models/engine/engine.h"
#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/setup_unit.h"
#include "models/stages/hybrid/stage_seat.h"
#include "tb/tests/support/shadow.h"

namespace braid::test::units_by_ports_test {
namespace {

using models::Experiment;
using models::stages::Bits;
using models::stages::RegisterChannel;
using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)

/// A unit that stands alone and has on each of its ports what the port of that name has in the seat.
template <class Ports, class Unit>
class ByPorts final : public Ports {
 public:
  explicit ByPorts(const StageSeat& seat)
      : Ports(seat.name, seat.shape), unit_(sc_core::sc_gen_unique_name("unit"), seat.shape) {
    unit_.clk_i(still_);
    for (sc_core::sc_object* child : unit_.get_child_objects()) {
      const char* const name = sc_core::sc_gen_unique_name("by_port");
      if (auto* in = dynamic_cast<InBits*>(child)) {
        InBits& from = own<InBits>(in->basename());
        channels_.emplace_back(name, 1, bank_, [&from](Bits& b) { b = from->read(); });
        (*in)(channels_.back());
      }
      if (auto* out = dynamic_cast<OutBits*>(child)) {
        OutBits& to = own<OutBits>(out->basename());
        channels_.emplace_back(name, 1, bank_, [](Bits&) {}, [&to](const Bits& b) { to->write(b); });
        channels_.back().take_at_once();
        (*out)(channels_.back());
      }
    }
  }

 private:
  struct Own final : models::stages::Bank {};

  template <class Port>
  Port& own(const std::string& name) {
    for (sc_core::sc_object* child : this->get_child_objects()) {
      auto* port = dynamic_cast<Port*>(child);
      if (port != nullptr && port->basename() == name) return *port;
    }
    throw std::out_of_range(name);
  }
  void on_ports(std::uint64_t) override { unit_.run(); }

  Own bank_;
  sc_core::sc_signal<bool> still_;  // its clock: it is called by hand
  std::deque<RegisterChannel> channels_;
  Unit unit_;
};

struct Case {
  const char* name;
  const char* stage;
  unsigned lanes;  ///< two are too few for all streams: searches go back
  const char* schedule;
};

class UnitByPorts : public testing::TestWithParam<Case> {};

TEST_P(UnitByPorts, InItsPlaceGivesTheNetworkOfTheModel) {
  StageRegistry<SetupUnitPorts>::instance().add("by_ports", "the model's on its ports", [](const StageSeat& seat) {
    return std::make_unique<ByPorts<SetupUnitPorts, SetupUnit>>(seat);
  });
  StageRegistry<CircuitUnitPorts>::instance().add("by_ports", "the model's on its ports", [](const StageSeat& seat) {
    return std::make_unique<ByPorts<CircuitUnitPorts, CircuitUnit>>(seat);
  });
  constexpr std::uint64_t kCycles = 1000;
  const Case& c = GetParam();
  Experiment e = shadows::circuits(c.lanes);
  Bench model(e);
  model.run(kCycles);
  e.set(std::string("stage.") + c.stage, "by_ports");
  e.set("stage.routers", "1,1 2,1 1,2");
  e.set("simulation.schedule", c.schedule);
  Bench replaced(e, 16);
  const auto engine = models::make_engine(*replaced.network);
  engine->run(kCycles);
  EXPECT_GT(model.delivered(), 300U);
  EXPECT_EQ(replaced.delivered(), model.delivered());
  EXPECT_EQ(replaced.network->merged_statistics().packet_hash(), model.network->merged_statistics().packet_hash());
  EXPECT_EQ(replaced.network->flit_hops(), model.network->flit_hops());
  EXPECT_TRUE(replaced.network->conservation().holds());
  const models::SetupResults a = replaced.network->setup_results(), b = model.network->setup_results();
  EXPECT_EQ(a.total_cycles, b.total_cycles);
  EXPECT_EQ(a.orders_tried, b.orders_tried);
  ASSERT_EQ(a.circuits.size(), b.circuits.size());
  for (std::size_t i = 0; i < a.circuits.size(); ++i) {
    EXPECT_EQ(a.circuits[i].backtracks, b.circuits[i].backtracks) << i;
    EXPECT_EQ(a.circuits[i].path.size(), b.circuits[i].path.size()) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Units, UnitByPorts,
                         testing::Values(Case{"setup", "setup_unit", 2, "static"},
                                         Case{"setup_of_processes", "setup_unit", 4, "process_per_stage"},
                                         Case{"circuits", "circuit_unit", 2, "static"},
                                         Case{"circuits_of_processes", "circuit_unit", 4, "process_per_stage"}),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace braid::test::units_by_ports_test
