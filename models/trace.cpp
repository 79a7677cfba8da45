#include "models/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <fstream>
#include <sstream>

#include "models/wave_file.h"

namespace braid::models {
namespace {

/// The signals of one port: what is on its link, in its ST register, in its tables.
struct PortSignals {
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
  Signal* circuit_out;                         // reserved output port of this input port, or 63
  Signal* control;                             // message at the set-up unit from this port: see kControlNames
  std::vector<Signal*> state, count, credits;  // [lane]
};

constexpr unsigned kNoPort = 63;
constexpr const char* kControlNames[] = {"-", "PROBE", "BACKTRACK", "ACKNOWLEDGE", "TEAR_DOWN"};
constexpr const char* kStateNames[] = {"idle", "needs_route", "waits_for_vc", "active"};

std::string identifier(std::string name) {
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace

struct Trace::Parts {
  const Network& network;
  TraceOptions options;
  std::deque<Signal> signals;
  Signal* cycle = nullptr;
  std::vector<std::unique_ptr<PortSignals>> ports;  // [port index], null where not traced
  std::vector<Signal*> search, tried;               // [router], null where not traced
  std::unique_ptr<WaveFile> file;
  bool closed = false;

  Signal* add(const std::string& scope, const std::string& name, unsigned bits) {
    signals.push_back({scope, name, bits, 0});
    return &signals.back();
  }
  std::vector<RouterId> chosen_routers() const;
  void add_router(RouterId router);
  void clear_wires();
  void take_link(const FlitArrival& arrival, bool circuit);
  void take_registers();
  void write_save_file() const;
};

std::vector<RouterId> Trace::Parts::chosen_routers() const {
  const std::vector<std::string>& names = network.topology().router_names;
  std::vector<RouterId> chosen;
  if (options.routers == "all") {
    for (std::size_t r = 0; r < names.size(); ++r) chosen.push_back(RouterId{r});
    return chosen;
  }
  std::istringstream words(options.routers);
  for (std::string name; words >> name;) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw InputError("trace.routers: unknown router \"" + name + "\"" + did_you_mean(name, names));
    }
    chosen.push_back(RouterId{static_cast<std::size_t>(found - names.begin())});
  }
  if (chosen.empty()) throw InputError("trace.routers names no router: expected \"all\" or names with blanks between");
  return chosen;
}

void Trace::Parts::add_router(RouterId router) {
  const RouterBank& bank = network.bank();
  const routing::Topology& topology = network.topology();
  const std::string scope = "router_" + identifier(topology.router_names[router.value]);
  if (bank.has_circuits()) {
    search[router.value] = add(scope + ".setup", "search", 16);
    tried[router.value] = add(scope + ".setup", "tried_ports", static_cast<unsigned>(topology.port_count(router)));
  }
  for (std::size_t p = 0; p < topology.port_count(router); ++p) {
    const routing::Port& port = topology.port(router, PortId{p});
    if (port.kind == routing::PortKind::kUnconnected) continue;
    const std::string in = scope + "." + identifier(port.name);
    auto s = std::make_unique<PortSignals>();
    s->link_valid = add(in, "link_valid", 1);
    s->link_circuit = add(in, "link_circuit", 1);
    s->link_vc = add(in, "link_vc", 5);
    s->link_source = add(in, "link_source", 16);
    s->link_sequence = add(in, "link_sequence", 32);
    s->link_flit = add(in, "link_flit", 16);
    s->st_valid = add(in, "st_valid", 1);
    s->st_circuit = add(in, "st_circuit", 1);
    s->st_source = add(in, "st_source", 16);
    s->st_sequence = add(in, "st_sequence", 32);
    s->st_flit = add(in, "st_flit", 16);
    s->circuit_out = add(in, "circuit_out", 6);
    s->control = add(in, "control", 3);
    for (std::uint32_t lane = 0; lane < bank.vcs() + (bank.has_circuits() ? 1 : 0); ++lane) {
      const std::string vc = in + (lane == bank.vcs() ? std::string(".circuit") : fmt::format(".vc{}", lane));
      s->state.push_back(add(vc, "state", 2));
      s->count.push_back(add(vc, "count", 7));
      s->credits.push_back(add(vc, "credits", 7));
    }
    ports[bank.port_index(router, PortId{p})] = std::move(s);
  }
}

void Trace::Parts::clear_wires() {
  for (const auto& s : ports) {
    if (!s) continue;
    for (Signal* signal : {s->link_valid, s->link_circuit, s->st_valid, s->st_circuit, s->control}) signal->value = 0;
  }
}

void Trace::Parts::take_link(const FlitArrival& arrival, bool circuit) {
  PortSignals* s = ports[network.bank().port_of_vc(arrival.target)].get();
  if (s == nullptr) return;
  const Packet& packet = network.store()[arrival.flit.packet()];
  s->link_valid->value = 1;
  s->link_circuit->value = circuit ? 1 : 0;
  s->link_vc->value = arrival.flit.vc();
  s->link_source->value = packet.source.value;
  s->link_sequence->value = packet.sequence;
  s->link_flit->value = arrival.flit.sequence();
}

void Trace::Parts::take_registers() {
  const RouterBank& bank = network.bank();
  for (PortIndex p = 0; p < ports.size(); ++p) {
    PortSignals* s = ports[p].get();
    if (s == nullptr) continue;
    s->circuit_out->value = bank.circuit_out[p] == kNone ? kNoPort : bank.port_of(bank.circuit_out[p]);
    for (std::uint32_t lane = 0; lane < s->state.size(); ++lane) {
      const VcIndex v = bank.vc_index(p, lane);
      s->state[lane]->value = static_cast<std::uint64_t>(bank.input_vcs[v].state);
      s->count[lane]->value = bank.input_vcs[v].count;
      s->credits[lane]->value = bank.output_vcs[v].credits;
    }
  }
  for (std::size_t r = 0; r < search.size(); ++r) {
    if (search[r] == nullptr) continue;
    search[r]->value = network.setup_units().history(RouterId{r}).search;
    tried[r]->value = network.setup_units().history(RouterId{r}).tried;
  }
}

Trace::Trace(const Network& network, const TraceOptions& options)
    : parts_(new Parts{network, options, {}, nullptr, {}, {}, {}, {}, false}) {
  Parts& p = *parts_;
  const std::vector<RouterId> routers = p.chosen_routers();
  p.ports.resize(network.bank().input_port_count());
  p.search.resize(network.topology().router_count());
  p.tried.resize(network.topology().router_count());
  p.cycle = p.add("network", "cycle", 32);
  for (const RouterId r : routers) p.add_router(r);
  p.file = open_wave_file(options.file);
  p.file->declare(p.signals);
}

Trace::~Trace() {
  if (parts_->closed) return;
  parts_->file.reset();
  std::remove(parts_->options.file.c_str());
}

void Trace::sample(std::uint64_t cycle) {
  Parts& p = *parts_;
  if (cycle < p.options.from_cycle || cycle > p.options.to_cycle) return;
  p.cycle->value = cycle;
  p.clear_wires();
  for (std::size_t i = 0; i < p.network.slice_count(); ++i) {
    const Slice& slice = p.network.slice(i);
    for (const auto& channel : slice.outgoing()) {  // what is on the links in the next cycle
      const Channel::Slot& slot = channel->at(cycle + 2);
      for (const FlitArrival& a : slot.packets) p.take_link(a, false);
      for (const FlitArrival& a : channel->at(cycle + 1).circuits) p.take_link(a, true);
      for (const ControlMessage& m : channel->at(cycle + 1).control) {
        if (p.ports[m.port]) p.ports[m.port]->control->value = static_cast<std::uint64_t>(m.kind) + 1;
      }
    }
    for (const Slice::Traversal& t : slice.switch_register()) {
      PortSignals* s = p.ports[t.out_port].get();
      if (s == nullptr) continue;
      const Packet& packet = p.network.store()[t.flit.packet()];
      s->st_valid->value = 1;
      s->st_circuit->value = t.flit.vc() == p.network.bank().circuit_lane() ? 1 : 0;
      s->st_source->value = packet.source.value;
      s->st_sequence->value = packet.sequence;
      s->st_flit->value = t.flit.sequence();
    }
  }
  p.take_registers();
  p.file->write(cycle);
}

void Trace::close() {
  parts_->closed = true;
  parts_->file.reset();
  parts_->write_save_file();
}

/// A GTKWave save file: set-up messages and reservations of every port first, translated to words.
void Trace::Parts::write_save_file() const {
  const std::string& trace = options.file;
  const std::string stem = trace.substr(0, trace.size() - 4);
  const auto write_names = [&](const std::string& suffix, const auto& names) {
    std::ofstream out(stem + suffix);
    std::size_t value = 0;
    for (const char* name : names) out << fmt::format("{:x} {}\n", value++, name);
    return stem + suffix;
  };
  const std::string control_names = write_names(".control.txt", kControlNames);
  const std::string state_names = write_names(".state.txt", kStateNames);
  std::ofstream out(stem + ".gtkw");
  const std::string root = trace.substr(trace.size() - 4) == ".vcd" ? "SystemC." : "";
  out << "[dumpfile] \"" << trace << "\"\n[timestart] 0\n[size] 1600 900\n";
  const auto show = [&](const Signal& s, const std::string& names) {
    out << (names.empty() ? "@24\n" : "@2022\n^1 " + names + "\n") << root << s.scope << "." << s.name;
    if (s.bits > 1) out << fmt::format("[{}:0]", s.bits - 1);
    out << "\n";
  };
  for (const Signal& s : signals) {
    if (s.name == "cycle") show(s, "");
    if (s.name == "control") show(s, control_names);
    if (s.name == "circuit_out" || s.name == "link_valid" || s.name == "st_valid") show(s, "");
    if (s.name == "state") show(s, state_names);
  }
}

}  // namespace braid::models
