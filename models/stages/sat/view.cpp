// The SAT mechanism of a network as modules: `sat.node3`, a station a node; `sat.line`; `sat.home` of sat_auto. In a
// cycle the line moves when the nodes have sent, then the stations take what it did, then the home station decides.
#include <fmt/format.h>

#include <memory>

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/module_list.h"
#include "models/stages/sat/home.h"
#include "models/stages/sat/line.h"
#include "models/stages/sat/station.h"

namespace braid::models::stages::sat {
namespace {

constexpr std::size_t kSteps = 2;        // line, stations
constexpr std::size_t kStepsOfAuto = 3;  // and the home station

std::size_t steps_of_sat(const Configuration& configuration) {
  const std::string fairness = injection_options().read(configuration).fairness;
  if (fairness == "sat_auto") return kStepsOfAuto;
  return fairness == "sat" ? kSteps : 0;
}

class Modules final : public sc_core::sc_module {
 public:
  Modules(const sc_core::sc_module_name& name, const ViewContext& context, SatGate& gate, std::size_t steps)
      : sc_module(name), channels_(gate, context.waiting, context.line_clock()), line_("line", channels_) {
    line_.clk_i(context.line_clock(steps - 1));
    for (std::size_t n = 0; n < gate.stations().size(); ++n) {
      const SatStations::Station& station = gate.stations().station(NodeId{n});
      Station& module = stations_.add(fmt::format("node{}", n).c_str(), station.thresholds, station.dead);
      module.clk_i(context.line_clock(steps - 2));
      module.bind(channels_, NodeId{n});
    }
    if (steps < kStepsOfAuto) return;
    home_ = std::make_unique<Home>("home", gate.stations().thresholds().k);
    home_->clk_i(context.line_clock());
    home_->bind(channels_);
  }

 private:
  Channels channels_;
  Line line_;
  ModuleList<Station> stations_;  // [node]
  std::unique_ptr<Home> home_;    // null: the thresholds are given
};

class View final : public HardwareView {
 public:
  View(const ViewContext& context, SatGate& gate, std::size_t steps) : modules_("sat", context, gate, steps) {}
  bool runs_gate() const override { return true; }

 private:
  Modules modules_;
};

class Factory final : public MechanismViewFactory {
 public:
  std::size_t steps(const Configuration& configuration) const override { return steps_of_sat(configuration); }
  std::unique_ptr<HardwareView> make(const ViewContext& context) const override {
    auto* gate = dynamic_cast<SatGate*>(context.gate);
    const std::size_t steps = steps_of_sat(context.configuration);
    if (gate == nullptr || steps == 0) return nullptr;
    return std::make_unique<View>(context, *gate, steps);
  }
};

const bool sat_view_registered = MechanismViewRegistry::instance().add("sat", "the SAT line and its stations",
                                                                       [] { return std::make_unique<Factory>(); });

}  // namespace
}  // namespace braid::models::stages::sat
