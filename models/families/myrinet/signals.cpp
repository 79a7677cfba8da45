#include "models/families/myrinet/signals.h"

namespace braid::models::myrinet {
namespace {

const SignalValues kInputStates{"input_state", {"idle", "waits", "routing", "open"}};

}  // namespace

FabricSignals::FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers)
    : fabric_(fabric) {
  const routing::Topology& topology = fabric.topology();
  const Slice& slice = fabric.slice();
  for (const RouterId r : routers) {
    for (std::size_t p = 0; p < topology.port_count(r); ++p) {
      const routing::Port& port = topology.port(r, PortId{p});
      if (port.kind == routing::PortKind::kUnconnected) continue;
      const std::string in = port_scope(topology.router_names[r.value], port.name);
      const PortIndex index = slice.wiring().port_index(r, PortId{p});
      ports_.push_back({index, slice.channel_into(index), table.add_shown(in, "state", 2, &kInputStates),
                        table.add_shown(in, "flits", 16), table.add_shown(in, "stop", 1),
                        table.add(in, "head_source", 20), table.add(in, "head_sequence", 32),
                        table.add_shown(in, "sends", 1), table.add(in, "go", 1), table.add_shown(in, "taken", 1),
                        slice.can_go_down(index) ? table.add_shown(in, "down", 1) : nullptr});
    }
  }
}

void FabricSignals::sample(std::uint64_t cycle) {
  const Slice& slice = fabric_.slice();
  for (const PortSignals& s : ports_) {
    const Channel& in = slice.channels()[s.into];
    const Channel& out = slice.channels()[s.output];
    s.state->value = static_cast<std::uint64_t>(slice.inputs()[s.into].state);
    s.flits->value = in.occupancy(cycle);
    s.stop->value = in.stopping ? 1 : 0;
    if (!in.passing.empty()) {
      const Packet& packet = fabric_.store()[in.passing.front().slot];
      s.head_source->value = packet.source.value;
      s.head_sequence->value = packet.sequence;
    }
    s.sends->value = out.sent.running() ? 1 : 0;
    s.go->value = out.go ? 1 : 0;
    if (s.down != nullptr) s.down->value = out.dead ? 1 : 0;
    s.taken->value = slice.outputs()[s.output].input != kNone ? 1 : 0;
  }
}

}  // namespace braid::models::myrinet
