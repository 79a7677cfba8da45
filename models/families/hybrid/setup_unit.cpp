#include "models/families/hybrid/setup_unit.h"

#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

SetupUnits::SetupUnits(const routing::Topology& topology, RouterBank& bank, bool share_reserved_links)
    : topology_(topology),
      bank_(bank),
      share_reserved_links_(share_reserved_links),
      history_(topology.router_count()),
      avoided_(bank.input_port_count()) {}

void SetupUnits::prepare(NodeId destination) {
  const RouterId router = topology_.router_of(destination);
  if (distances_.count(router.value) == 0) distances_[router.value] = topology_.distances_to(router);
}

void SetupUnits::receive(Slice& slice, std::uint64_t cycle, const ControlMessage& message) {
  const RouterId router = bank_.router_of(message.port);
  switch (message.kind) {
    case ControlKind::kProbe:
      probe(slice, cycle, message);
      break;
    case ControlKind::kBacktrack:
      ++outcome_.backtracks;
      release(history_[router.value].in_vc, bank_.circuit_vc(message.port));
      advance(slice, cycle, router, message.destination);
      break;
    case ControlKind::kAcknowledge:
      reply(slice, cycle, bank_.port_of_vc(bank_.circuit_in(bank_.circuit_vc(message.port))), ControlKind::kAcknowledge,
            message);
      break;
    case ControlKind::kTearDown:
      tear_down(slice, cycle, message);
      break;
  }
}

void SetupUnits::probe(Slice& slice, std::uint64_t cycle, const ControlMessage& message) {
  const RouterId router = bank_.router_of(message.port);
  History& history = history_[router.value];
  if (history.search == message.search) {  // been here: a path through this router again would be a loop
    reply(slice, cycle, message.port, ControlKind::kBacktrack, message);
    return;
  }
  history = {message.search, bank_.circuit_vc(message.port, message.circuit), 0};
  advance(slice, cycle, router, message.destination);
}

void SetupUnits::advance(Slice& slice, std::uint64_t cycle, RouterId router, NodeId destination) {
  History& history = history_[router.value];
  ControlMessage message{0, ControlKind::kProbe, history.search, destination};
  const bool arrived = topology_.router_of(destination) == router;
  const PortIndex in_port = bank_.port_of_vc(history.in_vc);
  const VcIndex out = arrived ? free_ejection(destination) : next_link(router, destination);
  if (out == kNone) {
    reply(slice, cycle, in_port, ControlKind::kBacktrack, message);
    return;
  }
  reserve(history.in_vc, out);
  if (arrived) {
    reply(slice, cycle, in_port, ControlKind::kAcknowledge, message);
  } else {
    history.tried |= std::uint64_t{1} << bank_.port_of(bank_.port_of_vc(out));
    slice.send_control(cycle, bank_.port_of_vc(out), message);
  }
}

VcIndex SetupUnits::next_link(RouterId router, NodeId destination) const {
  const History& history = history_[router.value];
  const std::vector<std::uint32_t>& distance = distances_.at(topology_.router_of(destination).value);
  VcIndex detour = kNone;
  for (std::size_t p = 0; p < topology_.port_count(router); ++p) {
    const routing::Port& port = topology_.port(router, PortId{p});
    const VcIndex out = bank_.circuit_vc(bank_.port_index(router, PortId{p}));
    if (port.kind != routing::PortKind::kNetwork || out == history.in_vc) continue;
    if (((history.tried >> p) & 1) != 0 || bank_.circuit_in(out) != kNone) continue;
    if ((history.search & kAvoids) != 0 && avoided_[bank_.port_of_vc(out)]) continue;
    if (distance[port.peer_router.value] < distance[router.value]) return out;
    if (detour == kNone) detour = out;
  }
  return detour;
}

VcIndex SetupUnits::free_ejection(NodeId destination) const {
  return bank_.first_lane(topology_.nodes[destination.value],
                          [&](VcIndex out) { return bank_.circuit_in(out) == kNone; });
}

void SetupUnits::reply(Slice& slice, std::uint64_t cycle, PortIndex in_port, ControlKind kind,
                       const ControlMessage& message) {
  if (is_local(in_port)) {  // back at the source: the search has ended
    outcome_.done = true;
    outcome_.success = kind == ControlKind::kAcknowledge;
    outcome_.cycle = cycle;
    return;
  }
  ControlMessage answer = message;
  answer.kind = kind;
  slice.send_control(cycle, in_port, answer);
}

void SetupUnits::tear_down(Slice& slice, std::uint64_t cycle, const ControlMessage& message) {
  const VcIndex in = bank_.circuit_vc(message.port, message.circuit);
  if (bank_.input_vcs[in].count > 0) {
    slice.send_local_control(cycle, message);  // wait for the circuit's last flits
    return;
  }
  const VcIndex out = bank_.circuit_out(in);
  release(in, out);
  if (is_local(bank_.port_of_vc(out))) {
    outcome_.done = true;
    outcome_.success = true;
    outcome_.cycle = cycle;
  } else {
    ControlMessage next = message;
    next.circuit = 0;
    slice.send_control(cycle, bank_.port_of_vc(out), next);
  }
}

void SetupUnits::reserve(VcIndex in, VcIndex out) {
  bank_.reserve(in, out);
  bank_.closed_outputs[bank_.port_of_vc(out)] = !share_reserved_links_;
}

void SetupUnits::release(VcIndex in, VcIndex out) {
  bank_.release(in, out);
  const PortIndex port = bank_.port_of_vc(out);
  bank_.closed_outputs[port] = !share_reserved_links_ && bank_.reserved(port);
}

bool SetupUnits::is_local(PortIndex port) const {
  return topology_.port(bank_.router_of(port), PortId{bank_.port_of(port)}).kind == routing::PortKind::kLocal;
}

}  // namespace braid::models::hybrid
