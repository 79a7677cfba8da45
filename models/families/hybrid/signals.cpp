#include "models/families/hybrid/signals.h"

#include <fmt/format.h>

namespace braid::models::hybrid {
namespace {

constexpr unsigned kNoPort = 63;
/// Of SearchKind + 1.
const SignalValues kSearchNames{"searches", {"-", "RIP_UP", "RIPPED_UP", "ACKNOWLEDGE", "BACKTRACK", "PROBE"}};
const SignalValues kStateNames{"state", {"idle", "needs_route", "waits_for_vc", "active"}};

/// ".vc0", ".circuit", or where a port has several ".circuit0".
std::string lane_scope(const RouterBank& bank, std::uint32_t circuits, std::uint32_t lane) {
  if (!bank.is_circuit_lane(lane)) return fmt::format(".vc{}", lane);
  return circuits == 1 ? std::string(".circuit") : fmt::format(".circuit{}", lane - bank.vcs());
}

}  // namespace

/// The signals of one port: what is on its link, in its ST register, in its tables.
struct FabricSignals::PortSignals {
  Signal* link_packet;   // of the flit on the link
  Signal* link_valid;    // a flit is on the link into this port
  Signal* link_circuit;  // ... of a circuit
  Signal* link_vc;
  Signal* link_source;
  Signal* link_sequence;  // of the packet, counted by its source
  Signal* link_flit;      // 0 is the head
  Signal* st_valid;       // a flit crosses the switch to this port
  Signal* st_circuit;
  Signal* st_source;
  Signal* st_sequence;
  Signal* st_flit;
  Signal* control;                             // message at the set-up unit from this port: see kControlNames
  std::vector<Signal*> circuit_out;            // [circuit] output port reserved for it, or 63
  std::vector<Signal*> state, count, credits;  // [lane]
};

FabricSignals::FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers)
    : fabric_(fabric),
      stalls_(fabric),
      ports_(fabric.bank().input_port_count()),
      search_(fabric.topology().router_count()),
      tried_(fabric.topology().router_count()) {
  if (fabric.setup_sequencer() != nullptr) {
    setup_ = std::make_unique<SetupSignals>(fabric, *fabric.setup_sequencer(), table);
  }
  for (const RouterId r : routers) add_router(table, r);
}

FabricSignals::~FabricSignals() = default;

/// Where circuits are wanted, rows of the set-up units help to answer how it went.
Signal* FabricSignals::for_setup(Signal* signal) const { return setup_ ? signal->answers(kHowSetUp) : signal; }

void FabricSignals::add_router(SignalTable& table, RouterId router) {
  const RouterBank& bank = fabric_.bank();
  const routing::Topology& topology = fabric_.topology();
  const std::string scope = router_scope(topology.router_names[router.value]);
  if (bank.has_circuits()) {
    search_[router.value] = for_setup(table.add(scope + ".setup", "search", 16));
    tried_[router.value] =
        for_setup(table.add(scope + ".setup", "tried_ports", static_cast<unsigned>(topology.port_count(router))));
  }
  for (std::size_t p = 0; p < topology.port_count(router); ++p) {
    const routing::Port& port = topology.port(router, PortId{p});
    if (port.kind == routing::PortKind::kUnconnected) continue;
    const std::string in = port_scope(topology.router_names[router.value], port.name);
    auto s = std::make_unique<PortSignals>();
    s->link_packet = table.add_packet(in, "link_packet");
    s->link_valid = table.add_shown(in, "link_valid", 1);
    s->link_circuit = table.add(in, "link_circuit", 1);
    s->link_vc = table.add(in, "link_vc", 5);
    s->link_source = table.add(in, "link_source", 16);
    s->link_sequence = table.add(in, "link_sequence", 32);
    s->link_flit = table.add(in, "link_flit", 16);
    s->st_valid = table.add_shown(in, "st_valid", 1);
    s->st_circuit = table.add(in, "st_circuit", 1);
    s->st_source = table.add(in, "st_source", 16);
    s->st_sequence = table.add(in, "st_sequence", 32);
    s->st_flit = table.add(in, "st_flit", 16);
    const std::uint32_t circuits = port.kind == routing::PortKind::kLocal ? bank.circuit_lanes() : 1;
    if (circuits <= 1) s->circuit_out.push_back(for_setup(table.add_shown(in, "circuit_out", 6)));
    const bool at_once = fabric_.parallel_setup() != nullptr;
    s->control = for_setup(table.add_shown(in, "control", 3, at_once ? &kSearchNames : &kControlNames));
    for (std::uint32_t lane = 0; lane < bank.vcs() + (bank.has_circuits() ? circuits : 0); ++lane) {
      const std::string vc = in + lane_scope(bank, circuits, lane);
      if (bank.is_circuit_lane(lane) && circuits > 1) {
        s->circuit_out.push_back(for_setup(table.add_shown(vc, "circuit_out", 6)));
      }
      s->state.push_back(table.add_shown(vc, "state", 2, &kStateNames));
      s->count.push_back(table.add(vc, "count", bank.count_bits()));
      s->credits.push_back(table.add(vc, "credits", bank.count_bits()));
      stalls_.add(table, vc, bank.vc_index(bank.port_index(router, PortId{p}), lane));
    }
    ports_[bank.port_index(router, PortId{p})] = std::move(s);
  }
}

void FabricSignals::clear_wires() {
  for (const auto& s : ports_) {
    if (!s) continue;
    for (Signal* signal : {s->link_valid, s->link_circuit, s->st_valid, s->st_circuit, s->control, s->link_packet}) {
      signal->value = 0;
    }
  }
  if (setup_) setup_->clear();
}

void FabricSignals::take_link(const FlitArrival& arrival, bool circuit) {
  PortSignals* s = ports_[fabric_.bank().port_of_vc(arrival.target)].get();
  if (s == nullptr) return;
  const Packet& packet = fabric_.store()[arrival.flit.packet()];
  s->link_packet->value = packet_number(packet.source.value, packet.sequence);
  s->link_valid->value = 1;
  s->link_circuit->value = circuit ? 1 : 0;
  s->link_vc->value = arrival.flit.vc();
  s->link_source->value = packet.source.value;
  s->link_sequence->value = packet.sequence;
  s->link_flit->value = arrival.flit.sequence();
}

/// What is on the links in the next cycle.
void FabricSignals::take_channel(Channel& channel, std::uint64_t cycle) {
  for (const FlitArrival& a : channel.at(cycle + 2).packets) take_link(a, false);
  for (const FlitArrival& a : channel.at(cycle + 1).circuits) take_link(a, true);
  for (const ControlMessage& m : channel.at(cycle + 1).control) {
    if (ports_[m.port]) ports_[m.port]->control->value = static_cast<std::uint64_t>(m.kind) + 1;
    if (setup_) setup_->take(m);
  }
}

/// Messages of all streams at once that are at units in the next cycle.
void FabricSignals::take_searches(std::uint64_t cycle) {
  if (fabric_.parallel_setup() == nullptr) return;
  for (const SearchUnits::UnderWay& u : fabric_.parallel_setup()->units().under_way()) {
    PortSignals* s = ports_[fabric_.bank().port_of_vc(u.message.lane)].get();
    if (s != nullptr && u.cycle == cycle + 1) s->control->value = static_cast<std::uint64_t>(u.message.kind) + 1;
  }
}

void FabricSignals::take_traversals(const Slice& slice) {
  for (const auto* crossing : {&slice.switch_register(), &slice.copies()}) {
    for (const Slice::Traversal& t : *crossing) {
      PortSignals* s = ports_[t.out_port].get();
      if (s == nullptr) continue;
      const Packet& packet = fabric_.store()[t.flit.packet()];
      s->st_valid->value = 1;
      s->st_circuit->value = fabric_.bank().is_circuit_lane(t.flit.vc()) ? 1 : 0;
      s->st_source->value = packet.source.value;
      s->st_sequence->value = packet.sequence;
      s->st_flit->value = t.flit.sequence();
    }
  }
}

void FabricSignals::take_registers() {
  const RouterBank& bank = fabric_.bank();
  for (PortIndex p = 0; p < ports_.size(); ++p) {
    PortSignals* s = ports_[p].get();
    if (s == nullptr) continue;
    for (std::uint32_t c = 0; c < s->circuit_out.size(); ++c) {
      const VcIndex out = bank.has_circuits() ? bank.circuit_out(bank.circuit_vc(p, c)) : kNone;
      s->circuit_out[c]->value = out == kNone ? kNoPort : bank.port_of(bank.port_of_vc(out));
    }
    for (std::uint32_t lane = 0; lane < s->state.size(); ++lane) {
      const VcIndex v = bank.vc_index(p, lane);
      const VcState state = bank.input_vcs[v].state;  // of a packet that forks: "active"
      s->state[lane]->value = static_cast<std::uint64_t>(std::min(state, VcState::kActive));
      s->count[lane]->value = bank.input_vcs[v].count;
      s->credits[lane]->value = bank.output_vcs[v].credits;
    }
  }
  for (std::size_t r = 0; r < search_.size(); ++r) {
    if (search_[r] == nullptr) continue;
    search_[r]->value = fabric_.setup_units().history(RouterId{r}).search;
    tried_[r]->value = fabric_.setup_units().history(RouterId{r}).tried;
  }
}

void FabricSignals::sample(std::uint64_t cycle) {
  fabric_.show_registers();
  clear_wires();
  for (std::size_t s = 0; s < fabric_.slice_count(); ++s) {
    for (const auto& channel : fabric_.slice(s).outgoing()) take_channel(*channel, cycle);
    take_traversals(fabric_.slice(s));
  }
  take_searches(cycle);
  take_registers();
  stalls_.sample();
  if (setup_) setup_->sample();
}

}  // namespace braid::models::hybrid
