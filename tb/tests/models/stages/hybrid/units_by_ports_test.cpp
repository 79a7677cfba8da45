// Circuit and set-up units of somebody else's in the model's places: they know their ports alone, and the model around
// them takes from these what they grant, send and hold. Here they are the model's own units, which stand behind those
// ports as they would anywhere: so the network is that of the model. One case a process (SystemC elaborates once).
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/engine/engine.h"
#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/setup_sequencer.h"
#include "models/stages/hybrid/setup_unit.h"
#include "models/stages/hybrid/stage_seat.h"
#include "models/stages/hybrid/vc_allocator.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/shadow.h"

namespace braid::test::units_by_ports_test {
namespace {

using models::Experiment;
using models::stages::Bits;
using models::stages::RegisterChannel;
using namespace models::stages::hybrid;  // NOLINT(google-build-using-namespace)

/// In which order a unit's outputs come to the seat's: whoever sits there writes all of them, in any.
enum class Order { kAsWritten, kLastFirst };

/// A unit that stands alone and has on each of its ports what the port of that name has in the seat.
template <class Ports, class Unit, Order order = Order::kAsWritten>
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
        channels_.emplace_back(
            name, 1, bank_, [](Bits&) {}, [this, &to](const Bits& b) { said_.emplace_back(&to, b); });
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
  void on_ports(std::uint64_t) override {
    unit_.run();
    if (order == Order::kLastFirst) std::reverse(said_.begin(), said_.end());
    for (const auto& [port, bits] : said_) (*port)->write(bits);
    said_.clear();
  }

  Own bank_;
  std::vector<std::pair<OutBits*, Bits>> said_;  // in this cycle
  sc_core::sc_signal<bool> still_;               // its clock: it is called by hand
  std::deque<RegisterChannel> channels_;
  Unit unit_;
};

template <class Ports, class Unit>
void add_by_ports() {
  auto& stages = StageRegistry<Ports>::instance();
  stages.add("by_ports", "the model's on its ports",
             [](const StageSeat& seat) { return std::make_unique<ByPorts<Ports, Unit>>(seat); });
  stages.add("last_first", "... which it writes from the last on",
             [](const StageSeat& seat) { return std::make_unique<ByPorts<Ports, Unit, Order::kLastFirst>>(seat); });
}
void add_all_by_ports() {
  add_by_ports<SetupUnitPorts, SetupUnit>();
  add_by_ports<CircuitUnitPorts, CircuitUnit>();
  add_by_ports<VcAllocatorPorts, VcAllocator>();
}

struct Case {
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
  const char* name;
  const char* stage;
  const char* by;
  unsigned lanes;  ///< two are too few for all streams: searches go back
  const char* schedule;
  bool move = false;  ///< circuits are torn down while flits are on them, and searched anew
};

class UnitByPorts : public testing::TestWithParam<Case> {};

TEST_P(UnitByPorts, InItsPlaceGivesTheNetworkOfTheModel) {
  add_all_by_ports();
  constexpr std::uint64_t kCycles = 1000;
  const Case& c = GetParam();
  Experiment e = shadows::circuits(c.lanes);
  if (c.move) e.set("setup.reroute", "all").set("setup.reroute_at_cycle", 250).set("setup.reroute_every_cycles", 100);
  Bench model(e);
  model.run(kCycles);
  e.set(std::string("stage.") + c.stage, c.by);
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
INSTANTIATE_TEST_SUITE_P(
    Units, UnitByPorts,
    testing::Values(Case{"setup", "setup_unit", "by_ports", 2, "static"},
                    Case{"setup_of_processes", "setup_unit", "by_ports", 4, "process_per_stage"},
                    Case{"setup_last_first", "setup_unit", "last_first", 2, "static"},
                    Case{"circuits", "circuit_unit", "by_ports", 2, "static"},
                    Case{"circuits_of_processes", "circuit_unit", "by_ports", 4, "process_per_stage"},
                    Case{"circuits_last_first", "circuit_unit", "last_first", 4, "static"},
                    Case{"setup_that_moves_circuits", "setup_unit", "by_ports", 4, "static", true},
                    Case{"circuits_that_move", "circuit_unit", "by_ports", 4, "static", true},
                    Case{"vcs_last_first", "vc_allocator", "last_first", 4, "static"},
                    Case{"vcs_last_first_of_processes", "vc_allocator", "last_first", 4, "process_per_stage"}),
    [](const auto& c) { return c.param.name; });

/// The searches of this draw leave two dead ends again, at whatever router.
TEST(SetupUnitByPorts, CountsTheDeadEndsThatSearchesLeave) {
  add_all_by_ports();
  Experiment e = shadows::circuits();
  e.set("experiment.seed", 2);
  Bench model(e);
  model.run(1000);
  e.set("stage.setup_unit", "by_ports");
  Bench replaced(e, 16);
  models::make_engine(*replaced.network)->run(1000);
  const auto a = replaced.network->setup_results().circuits, b = model.network->setup_results().circuits;
  std::uint32_t all = 0;
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].backtracks, b[i].backtracks) << i;
    all += b[i].backtracks;
  }
  EXPECT_EQ(all, 2U);
}

/// Channels below an object, by their names behind the network's.
void collect(const sc_core::sc_object& object, std::size_t name_begins,
             std::map<std::string, const RegisterChannel*>& all) {
  for (const sc_core::sc_object* child : object.get_child_objects()) {
    if (const auto* channel = dynamic_cast<const RegisterChannel*>(child)) {
      all[std::string(channel->name()).substr(name_begins)] = channel;
    }
    collect(*child, name_begins, all);
  }
}
std::map<std::string, const RegisterChannel*> channels_of(const std::string& network) {
  std::map<std::string, const RegisterChannel*> all;
  for (const char* router : {".router_1_1", ".router_2_1", ".router_1_2"}) {
    collect(*sc_core::sc_find_object((network + router).c_str()), network.size(), all);
  }
  return all;
}

class ChannelsOfUnitsByPorts : public testing::TestWithParam<const char*> {};

/// What such a unit and those around it have done is on the channels, as it is with the model's.
TEST_P(ChannelsOfUnitsByPorts, ShowWhatTheModelsDo) {
  add_all_by_ports();
  Experiment e = shadows::circuits(2);
  NetworkOfModules model("model", e);
  e.set(std::string("stage.") + GetParam(), "by_ports");
  e.set("stage.routers", "1,1 1,2");
  NetworkOfModules replaced("replaced", e);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const auto wanted = channels_of("model"), shown = channels_of("replaced");
  EXPECT_GT(wanted.size(), 200U);
  for (std::uint64_t cycle = 0; cycle < 250; ++cycle) {
    std::map<std::string, Bits> last;
    const auto at_the_end = [&](NetworkOfModules& network, const std::function<void()>& look) {
      network.cycle(ProcessOrder::kMade, [&](std::size_t step) {
        if (step == network.clocks().size()) look();
      });
    };
    at_the_end(model, [&] {
      for (const auto& [name, channel] : wanted) last[name] = channel->read();
    });
    at_the_end(replaced, [&] {
      for (const auto& [name, bits] : last) EXPECT_EQ(shown.at(name)->read(), bits) << name << ", cycle " << cycle;
    });
    ASSERT_FALSE(HasFailure());
  }
}
INSTANTIATE_TEST_SUITE_P(Units, ChannelsOfUnitsByPorts, testing::Values("setup_unit", "circuit_unit"),
                         [](const auto& c) { return std::string(c.param); });

/// A circuit unit of somebody else's has its set-up unit inside: nobody sits in that seat.
TEST(CircuitUnitByPorts, HasASetupUnitOfItsOwn) {
  add_all_by_ports();
  Experiment e = shadows::circuits(2);
  e.set("stage.circuit_unit", "by_ports");
  e.set("stage.routers", "1,1");
  NetworkOfModules network("network", e);
  const auto is_there = [](const char* name) { return sc_core::sc_find_object(name) != nullptr; };
  EXPECT_TRUE(is_there("network.router_1_1.circuit_registers"));
  EXPECT_FALSE(is_there("network.router_1_1.setup_unit"));
  EXPECT_FALSE(is_there("network.router_2_1.circuit_registers"));
  EXPECT_TRUE(is_there("network.router_2_1.setup_unit"));
  e.set("stage.setup_unit", "by_ports");
  EXPECT_EQ(complaint([&] { const NetworkOfModules refused("refused", e); }),
            "stage.setup_unit: what sits in stage.circuit_unit has a set-up unit of its own; expected \"model\"");
}

/// Modules in a network of another schedule need SystemC all the same.
TEST(RouterOfModules, RunsInASimulationOnly) {
  add_all_by_ports();
  Experiment e = shadows::circuits(2);
  e.set("stage.setup_unit", "by_ports");
  Bench bench(e, 16);
  EXPECT_EQ(complaint<std::logic_error>([&] { bench.run(1); }),
            "stages that are modules run in a SystemC simulation only, once it has been elaborated");
}

/// A sequencer that is bound to no network's registers has to be told its streams.
TEST(SetupSequencerAlone, HasToBeToldItsStreams) {
  SetupSequencer told("told", {{"a", NodeId{0U}, NodeId{5U}}}, models::hybrid::Options{}, 1), untold("untold");
  sc_core::sc_signal<bool> clock("clock");
  told.clk_i(clock), untold.clk_i(clock);
  const PortSignals signals(told), others(untold);
  EXPECT_EQ(complaint<std::logic_error>([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }),
            "untold: alone, and told no streams");
}

}  // namespace
}  // namespace braid::test::units_by_ports_test
