#include "models/families/virtual_cut_through/signals.h"

namespace braid::models::virtual_cut_through {

FabricSignals::FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers)
    : fabric_(fabric) {
  const routing::Topology& topology = fabric.topology();
  for (const RouterId r : routers) {
    for (std::size_t p = 0; p < topology.port_count(r); ++p) {
      const routing::Port& port = topology.port(r, PortId{p});
      if (port.kind == routing::PortKind::kUnconnected) continue;
      const std::string in = port_scope(topology.router_names[r.value], port.name);
      ports_.push_back({fabric.bank().port_index(r, PortId{p}), table.add_shown(in, "packets", 8),
                        table.add(in, "head_source", 20), table.add(in, "head_sequence", 32),
                        table.add_shown(in, "leaving", 1), table.add_shown(in, "busy", 1),
                        table.add(in, "credits", 8)});
    }
  }
}

void FabricSignals::sample(std::uint64_t) {
  const Bank& bank = fabric_.bank();
  for (const PortSignals& s : ports_) {
    const Queue& queue = bank.queues[s.port];
    s.packets->value = queue.count;
    s.leaving->value = queue.leaving ? 1 : 0;
    if (queue.count > 0) {
      s.head_source->value = bank.front(s.port).source.value;
      s.head_sequence->value = fabric_.store()[bank.front(s.port).slot].sequence;
    }
    s.busy->value = ((bank.routers[bank.router_of(s.port).value].free_outputs >> bank.port_of(s.port)) & 1) ^ 1;
    s.credits->value = bank.credits[s.port];
  }
}

}  // namespace braid::models::virtual_cut_through
