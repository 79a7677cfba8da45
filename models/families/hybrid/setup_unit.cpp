#include "models/families/hybrid/setup_unit.h"

#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

SetupUnits::SetupUnits(const routing::Topology& topology, RouterBank& bank, bool share_reserved_links)
    : topology_(topology),
      bank_(bank),
      share_reserved_links_(share_reserved_links),
      history_(topology.router_count()) {}

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
      release(history_[router.value].in_port, message.port);
      advance(slice, cycle, router, message.destination);
      break;
    case ControlKind::kAcknowledge:
      reply(slice, cycle, bank_.circuit_in[message.port], ControlKind::kAcknowledge, message);
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
  history = {message.search, message.port, 0};
  advance(slice, cycle, router, message.destination);
}

void SetupUnits::advance(Slice& slice, std::uint64_t cycle, RouterId router, NodeId destination) {
  History& history = history_[router.value];
  ControlMessage message{0, ControlKind::kProbe, history.search, destination};
  const bool arrived = topology_.router_of(destination) == router;
  const PortIndex out = arrived ? free_ejection_port(destination) : next_port(router, destination);
  if (out == kNone) {
    reply(slice, cycle, history.in_port, ControlKind::kBacktrack, message);
    return;
  }
  reserve(history.in_port, out);
  if (arrived) {
    reply(slice, cycle, history.in_port, ControlKind::kAcknowledge, message);
  } else {
    history.tried |= std::uint64_t{1} << bank_.port_of(out);
    slice.send_control(cycle, out, message);
  }
}

PortIndex SetupUnits::next_port(RouterId router, NodeId destination) const {
  const History& history = history_[router.value];
  const std::vector<std::uint32_t>& distance = distances_.at(topology_.router_of(destination).value);
  PortIndex detour = kNone;
  for (std::size_t p = 0; p < topology_.port_count(router); ++p) {
    const routing::Port& port = topology_.port(router, PortId{p});
    const PortIndex out = bank_.port_index(router, PortId{p});
    if (port.kind != routing::PortKind::kNetwork || out == history.in_port) continue;
    if (((history.tried >> p) & 1) != 0 || bank_.circuit_in[out] != kNone) continue;
    if (distance[port.peer_router.value] < distance[router.value]) return out;
    if (detour == kNone) detour = out;
  }
  return detour;
}

PortIndex SetupUnits::free_ejection_port(NodeId destination) const {
  for (const routing::Attachment& a : topology_.nodes[destination.value]) {
    const PortIndex out = bank_.port_index(a.router, a.port);
    if (bank_.circuit_in[out] == kNone) return out;
  }
  return kNone;
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
  if (bank_.input_vcs[bank_.vc_index(message.port, bank_.circuit_lane())].count > 0) {
    slice.send_local_control(cycle, message);  // wait for the circuit's last flits
    return;
  }
  const PortIndex out = bank_.circuit_out[message.port];
  release(message.port, out);
  if (is_local(out)) {
    outcome_.done = true;
    outcome_.success = true;
    outcome_.cycle = cycle;
  } else {
    slice.send_control(cycle, out, message);
  }
}

void SetupUnits::reserve(PortIndex in, PortIndex out) {
  bank_.circuit_out[in] = out;
  bank_.circuit_in[out] = in;
  InputVc& lane = bank_.input_vcs[bank_.vc_index(in, bank_.circuit_lane())];
  lane.state = VcState::kActive;
  lane.out_vc = bank_.vc_index(out, bank_.circuit_lane());
  bank_.output_vcs[lane.out_vc].owner = bank_.vc_index(in, bank_.circuit_lane());
  bank_.closed_outputs[out] = !share_reserved_links_;
}

void SetupUnits::release(PortIndex in, PortIndex out) {
  bank_.circuit_out[in] = kNone;
  bank_.circuit_in[out] = kNone;
  InputVc& lane = bank_.input_vcs[bank_.vc_index(in, bank_.circuit_lane())];
  bank_.output_vcs[lane.out_vc].owner = kNone;
  lane.state = VcState::kIdle;
  lane.out_vc = kNone;
  bank_.closed_outputs[out] = false;
}

bool SetupUnits::is_local(PortIndex port) const {
  return topology_.port(bank_.router_of(port), PortId{bank_.port_of(port)}).kind == routing::PortKind::kLocal;
}

}  // namespace braid::models::hybrid
