#include "models/stages/myrinet/switch.h"

#include "models/families/myrinet/fabric.h"
#include "models/stages/base/module_list.h"

namespace braid::models::stages::myrinet {
namespace {

class View final : public HardwareView {
 public:
  explicit View(const ViewContext& context)
      : runs_in_transit_(!context.in_transit.empty()), switches_(context.topology.router_count()) {
    Slice& slice = models::myrinet::of(context.fabric).slice();
    surroundings_ = std::make_unique<Surroundings>("surroundings", context, slice);
    for (std::size_t r = 0; r < context.topology.router_count(); ++r) {
      const std::string name = module_name("switch", context.topology.router_names[r]);
      switches_.add(name.c_str(), context, slice, RouterId{r});
    }
    const auto& ports = slice.wiring().local_ports;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      std::string name = "host_" + std::to_string(ports[i].node.value);
      if (i > 0 && ports[i - 1].node == ports[i].node) name += "_port_" + std::to_string(i);
      hosts_.add(name.c_str(), context, slice, i);
    }
  }
  bool runs_in_transit() const override { return runs_in_transit_; }

 private:
  const bool runs_in_transit_;
  std::unique_ptr<Surroundings> surroundings_;
  ModuleList<Switch> switches_;
  ModuleList<Host> hosts_;
};

class Factory final : public ViewFactory {
 public:
  std::size_t steps() const override { return kSteps; }
  std::unique_ptr<HardwareView> make(const ViewContext& context) const override {
    return std::make_unique<View>(context);
  }
};

const bool myrinet_registered = ViewRegistry::instance().add("myrinet", "modules of switches and hosts",
                                                             [] { return std::make_unique<Factory>(); });

}  // namespace

Switch::Port::Port(const ViewContext& context, Slice& registers, PortIndex port, unsigned ports,
                   const std::string& name)
    : channels(registers, port, ports, name),
      slack_buffer(module_name("slack_buffer", name).c_str(), registers.options()),
      routing_control_unit(module_name("routing_control_unit", name).c_str(), ports, registers.timing()),
      output_port(module_name("output_port", name).c_str(), ports, registers.timing(), &context.clocks) {
  routing_control_unit.clk_i(context.clocks[kHeaders]);
  output_port.clk_i(context.clocks[kFlits]);
  slack_buffer.clk_i(context.clocks[kSignals]);
  slack_buffer.bind(channels);
  routing_control_unit.bind(channels);
  output_port.bind(channels);
}

Switch::Switch(const sc_core::sc_module_name& name, const ViewContext& context, Slice& registers, RouterId router)
    : sc_module(name) {
  const auto ports = static_cast<unsigned>(context.topology.port_count(router));
  for (unsigned p = 0; p < ports; ++p) {
    const routing::Port& port = context.topology.port(router, PortId{p});
    if (port.kind == routing::PortKind::kUnconnected) continue;
    const PortIndex index = registers.wiring().port_index(router, PortId{p});
    ports_.add(context, registers, index, ports, port.name);
  }
}

Host::Host(const sc_core::sc_module_name& name, const ViewContext& context, Slice& registers, std::size_t local_port)
    : sc_module(name),
      channels_(registers, context.in_transit.empty() ? nullptr : context.in_transit.front(), local_port),
      interface_("host_interface", &context.clocks) {
  interface_.clk_i(context.clocks[kFlits]);
  interface_.bind(channels_);
  const InTransit* in_transit = channels_.in_transit();
  if (in_transit == nullptr || !in_transit->queues()) return;
  in_transit_host_ = std::make_unique<InTransitHost>("in_transit_host", in_transit->times());
  in_transit_host_->clk_i(context.clocks[kHosts]);
  in_transit_host_->bind(channels_);
}

Surroundings::Surroundings(const sc_core::sc_module_name& name, const ViewContext& context, Slice& registers)
    : sc_module(name),
      cables_("cables", context.clocks[kArrivals], [&registers](std::uint64_t cycle) { registers.begin_cycle(cycle); }),
      failing_link_("failing_link", context.clocks[kFailure],
                    [&registers](std::uint64_t) { registers.cut_link_if_due(); }),
      nodes_("nodes", context.clocks[kSignals], [run = context.run_nodes](std::uint64_t) { run(0); }) {
  if (context.in_transit.empty() || !context.in_transit.front()->queues()) return;
  all_hosts_ = std::make_unique<Part>(
      "all_hosts", context.clocks[kSignals],
      [&in_transit = *context.in_transit.front()](std::uint64_t cycle) { in_transit.begin_step(cycle); });
}

}  // namespace braid::models::stages::myrinet
