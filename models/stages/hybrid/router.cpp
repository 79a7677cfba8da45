#include "models/stages/hybrid/router.h"

#include "models/families/hybrid/fabric.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/nodes.h"
#include "models/stages/base/whole_router.h"
#include "models/stages/hybrid/setup_sequencer.h"
#include "models/stages/hybrid/staged_router.h"

namespace braid::models::stages::hybrid {
namespace {

RouterShape shape_of(const Slice& registers, const routing::Topology& topology, RouterId router) {
  RouterShape shape;
  shape.ports = static_cast<unsigned>(topology.port_count(router));
  shape.vcs = registers.bank().vcs();
  shape.depth = registers.options().buffer_depth;
  shape.circuit_lanes = registers.bank().circuit_lanes();
  shape.escape = registers.routing().escape_vcs() == kEscapeVc;
  return shape;
}

class View final : public HardwareView {
 public:
  explicit View(const ViewContext& context) : nodes_("nodes", context), routers_(context.slices) {
    nodes_.clk_i(context.clocks[kSteps - 1]);
    models::hybrid::Fabric& fabric = models::hybrid::of(context.fabric);
    if (fabric.slice(0).options().speculative) {
      throw InputError(
          "router.speculative: no module asks for the switch and for a VC at once; expected false, or "
          "simulation.schedule = \"static\"");
    }
    if (fabric.slice(0).options().lookahead) {
      throw InputError(
          "router.lookahead: no module writes a buffer and asks for a VC at once; expected false, or "
          "simulation.schedule = \"static\"");
    }
    refuse_speedups(fabric.slice(0).options(),
                    "no module has several ports of the crossbar a port, nor several steps a cycle",
                    ", or simulation.schedule = \"static\"");
    for (std::size_t s = 0; s < fabric.slice_count(); ++s) {
      const std::string& router = context.topology.router_names[s];
      const std::string name = module_name("router", router);
      const models::hybrid::StandIn* stand_in = fabric.stand_in(RouterId{s});
      const bool staged = dynamic_cast<const StagedRouter*>(stand_in) != nullptr;
      if (stand_in != nullptr && !staged) {
        whole_.add(name.c_str(), context, s, kSteps - 2, false);
      } else {
        routers_.add(name.c_str(), RouterPlace{context.configuration, context.topology, RouterId{s}, fabric.slice(s),
                                               &context.clocks, staged});
      }
    }
    if (fabric.setup_sequencer() == nullptr || !whole_.empty())
      return;  // stand-ins tell of a search after the last step
    sequencer_channels_ = std::make_unique<SequencerChannels>(fabric, context.line_clock());
    sequencer_ = std::make_unique<SetupSequencer>("setup_sequencer");
    sequencer_->clk_i(context.line_clock());
    sequencer_->bind(*sequencer_channels_);
    fabric.leave_set_up_to_module();
  }

 private:
  Nodes nodes_;
  ModuleList<Router> routers_;
  ModuleList<WholeRouter> whole_;
  std::unique_ptr<SequencerChannels> sequencer_channels_;  // null, as the next: no circuits are wanted
  std::unique_ptr<SetupSequencer> sequencer_;
};

class Factory final : public ViewFactory {
 public:
  std::size_t steps() const override { return kSteps; }
  std::unique_ptr<HardwareView> make(const ViewContext& context) const override {
    return std::make_unique<View>(context);
  }
};

const bool hybrid_registered =
    ViewRegistry::instance().add("hybrid", "a module a stage", [] { return std::make_unique<Factory>(); });

/// What sits in a seat.
template <class Ports>
std::unique_ptr<Ports> seated(const RouterPlace& at, const RouterShape& shape, const char* name,
                              std::string StageOptions::* option) {
  const StageOptions options = at.staged ? stage_options().read(at.configuration) : StageOptions{};
  return StageRegistry<Ports>::instance().make(options.*option,
                                               {name, shape, at.configuration, at.topology, at.router});
}

}  // namespace

Router::Router(const sc_core::sc_module_name& name, const RouterPlace& at)
    : sc_module(name),
      own_clocks_(at.clocks == nullptr ? std::make_unique<StepClocks>(kSteps) : nullptr),
      clocks_(at.clocks == nullptr ? *own_clocks_ : *at.clocks),
      channels_(at.registers, at.router, shape_of(at.registers, at.topology, at.router), clocks_[0]),
      switch_traversal_("switch_traversal", channels_.shape()),
      vc_allocator_(seated<VcAllocatorPorts>(at, channels_.shape(), "vc_allocator", &StageOptions::vc_allocator)),
      switch_allocator_(
          seated<SwitchAllocatorPorts>(at, channels_.shape(), "switch_allocator", &StageOptions::switch_allocator)),
      input_unit_("input_unit", channels_.shape()),
      output_unit_("output_unit", channels_.shape()),
      route_unit_("route_unit", channels_.shape()),
      network_interface_("network_interface", channels_.shape()) {
  const auto place = [&](auto& stage, std::size_t step) {
    stage.clk_i(clocks_[step]);
    stage.bind(channels_);
  };
  place(switch_traversal_, 0);
  place(*vc_allocator_, 0);
  place(*switch_allocator_, 1);
  place(input_unit_, 2);
  place(output_unit_, 2);
  place(route_unit_, 3);
  place(network_interface_, 4);
  if (!at.registers.bank().has_circuits()) return;
  circuit_unit_ = seated<CircuitUnitPorts>(at, channels_.shape(), "circuit_unit", &StageOptions::circuit_unit);
  if (circuit_unit_->is_modelled()) {
    setup_unit_ = seated<SetupUnitPorts>(at, channels_.shape(), "setup_unit", &StageOptions::setup_unit);
  } else if (stage_options().read(at.configuration).setup_unit != "model") {
    throw InputError(
        "stage.setup_unit: what sits in stage.circuit_unit has a set-up unit of its own; expected \"model\"");
  } else {
    circuit_registers_ = std::make_unique<CircuitRegisters>("circuit_registers", channels_.circuits());
  }
  place(*circuit_unit_, 0);
  if (setup_unit_) place(*setup_unit_, 3);
  if (circuit_registers_) circuit_registers_->clk_i(clocks_[3]);
}

}  // namespace braid::models::stages::hybrid
