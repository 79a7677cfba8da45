#include "models/families/hybrid/setup_unit.h"

#include <algorithm>

#include "models/families/hybrid/circuit_forks.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

SetupUnits::SetupUnits(const routing::Topology& topology, RouterBank& bank, bool share_reserved_links,
                       CircuitForks* forks)
    : topology_(topology),
      bank_(bank),
      share_reserved_links_(share_reserved_links),
      forks_(forks),
      history_(topology.router_count()),
      avoided_(bank.input_port_count()) {}

void SetupUnits::prepare(NodeId destination) {
  const RouterId router = topology_.router_of(destination);
  if (distances_.count(router.value) == 0) distances_[router.value] = topology_.distances_to(router);
}

void SetupUnits::receive(Slice& slice, std::uint64_t cycle, const ControlMessage& message) {
  const RouterId router = bank_.router_of(message.port);
  action_ = {};
  action_.cycle = cycle;
  action_.router = router;
  switch (message.kind) {
    case ControlKind::kProbe:
      probe(slice, cycle, message);
      break;
    case ControlKind::kBacktrack:
      ++outcome_.backtracks;
      if (!history_[router.value].follows) release(history_[router.value].in_vc, bank_.circuit_vc(message.port));
      advance(slice, cycle, router, message.destination);
      break;
    case ControlKind::kAcknowledge:
      if (message.search == 0) {  // the numbers of searches begin anew
        history_[router.value] = {};
        break;
      }
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
  const VcIndex in_vc = bank_.circuit_vc(message.port, message.circuit);
  const bool on_tree = message.tree != 0 && bank_.circuit_out(in_vc) != kNone;
  if (message.tree != 0 && !on_tree && forks_->passes(router, message.tree)) {  // it would have left the tree here
    reply(slice, cycle, message.port, ControlKind::kBacktrack, message);
    return;
  }
  history = {message.search, in_vc, 0, message.tree, on_tree, false};
  advance(slice, cycle, router, message.destination);
}

void SetupUnits::advance(Slice& slice, std::uint64_t cycle, RouterId router, NodeId destination) {
  History& history = history_[router.value];
  ControlMessage message{0, ControlKind::kProbe, history.search, destination};
  message.tree = history.tree;
  const Straps around = straps(router, destination);
  const bool arrived = (around.directions & around.local_ports) != 0;
  const PortIndex in_port = bank_.port_of_vc(history.in_vc);
  const VcIndex out = arrived            ? free_ejection(router, around)
                      : path_ != nullptr ? on_path(router)
                      : history.on_tree  ? next_of_tree(router, around)
                                         : next_link(router, around);
  if (out == kNone) {
    reply(slice, cycle, in_port, ControlKind::kBacktrack, message);
    return;
  }
  history.follows = history.on_tree && bank_.circuit_in(out) == history.in_vc;
  if (!history.follows) reserve(history.in_vc, out);
  if (arrived) {
    reply(slice, cycle, in_port, ControlKind::kAcknowledge, message);
  } else {
    history.tried |= std::uint64_t{1} << bank_.port_of(bank_.port_of_vc(out));
    send(slice, cycle, bank_.port_of_vc(out), message);
  }
}

SetupUnits::Straps SetupUnits::straps(RouterId router, NodeId destination) const {
  if (told_) return *told_;
  Straps around;
  const RouterId to = topology_.router_of(destination);
  const std::vector<std::uint32_t>& distance = distances_.at(to.value);
  for (std::size_t p = 0; p < topology_.port_count(router); ++p) {
    const routing::Port& port = topology_.port(router, PortId{p});
    const std::uint64_t bit = std::uint64_t{1} << p;
    if (port.kind == routing::PortKind::kNetwork) {
      around.network_ports |= bit;
      if (avoided_[bank_.port_index(router, PortId{p})]) around.avoid_ports |= bit;
      if (distance[port.peer_router.value] < distance[router.value]) around.directions |= bit;
    } else if (port.kind == routing::PortKind::kLocal) {
      around.local_ports |= bit;
      if (port.node == destination) around.directions |= bit;
    }
  }
  return around;
}

VcIndex SetupUnits::next_link(RouterId router, const Straps& straps) const {
  const History& history = history_[router.value];
  std::uint64_t open = straps.network_ports & ~history.tried;
  if ((history.search & kAvoids) != 0) open &= ~straps.avoid_ports;
  VcIndex detour = kNone;
  for (; open != 0; open &= open - 1) {
    const auto p = static_cast<unsigned>(__builtin_ctzll(open));
    const VcIndex out = bank_.circuit_vc(bank_.port_index(router, PortId{p}));
    if (out == history.in_vc || bank_.circuit_in(out) != kNone) continue;
    if ((straps.directions >> p & 1) != 0) return out;
    if (detour == kNone) detour = out;
  }
  return detour;
}

/// Of a branch that is on its tree still: on along the tree, or off it by a free port. Nearer first; where both are as
/// near, along the tree.
VcIndex SetupUnits::next_of_tree(RouterId router, const Straps& straps) const {
  const History& history = history_[router.value];
  constexpr unsigned kTaken = 4;
  VcIndex next = kNone;
  unsigned best = kTaken;
  for (std::uint64_t open = straps.network_ports & ~history.tried; open != 0; open &= open - 1) {
    const auto p = static_cast<unsigned>(__builtin_ctzll(open));
    const VcIndex out = bank_.circuit_vc(bank_.port_index(router, PortId{p}));
    const bool ours = bank_.circuit_in(out) == history.in_vc;
    if (out == history.in_vc || (!ours && bank_.circuit_in(out) != kNone)) continue;
    const unsigned rank = ((straps.directions >> p & 1) != 0 ? 0U : 2U) + (ours ? 0U : 1U);
    if (rank >= best) continue;
    best = rank;
    next = out;
  }
  return next;
}

/// The link that the probe's path takes here, if it is free.
VcIndex SetupUnits::on_path(RouterId router) const {
  if (path_ == nullptr) return kNone;
  const auto step = std::find_if(path_->begin(), path_->end(), [&](const auto& s) { return s.router == router; });
  if (step == path_->end() || (history_[router.value].tried >> step->port.value & 1) != 0) return kNone;
  const VcIndex out = bank_.circuit_vc(bank_.port_index(router, step->port));
  return bank_.circuit_in(out) == kNone ? out : kNone;
}

/// The lowest lane that any of the node's ports has free, of the lowest port.
VcIndex SetupUnits::free_ejection(RouterId router, const Straps& straps) const {
  for (std::uint32_t c = 0; c < bank_.circuit_lanes(); ++c) {
    for (std::uint64_t ports = straps.directions & straps.local_ports; ports != 0; ports &= ports - 1) {
      const auto p = static_cast<unsigned>(__builtin_ctzll(ports));
      const VcIndex out = bank_.circuit_vc(bank_.port_index(router, PortId{p}), c);
      if (bank_.circuit_in(out) == kNone) return out;
    }
  }
  return kNone;
}

void SetupUnits::send(Slice& slice, std::uint64_t cycle, PortIndex out_port, const ControlMessage& message) {
  action_.send = out_port;
  action_.sent = message;
  slice.send_control(cycle, out_port, message);
}

void SetupUnits::end_search(std::uint64_t cycle, bool success) {
  if (outcome_.ends > 1) {
    --outcome_.ends;
    return;
  }
  action_.done = outcome_.done = true;
  action_.success = outcome_.success = success;
  outcome_.cycle = cycle;
}

void SetupUnits::take(Slice& slice, const SetupAction& action, bool backtrack) {
  if (backtrack) ++outcome_.backtracks;
  if (action.release_in != kNone) release(action.release_in, action.release_out);
  if (action.reserve_in != kNone) reserve(action.reserve_in, action.reserve_out);
  if (action.send != kNone) send(slice, action.cycle, action.send, action.sent);
  if (action.done) end_search(action.cycle, action.success);
  action_ = action;
}

void SetupUnits::reply(Slice& slice, std::uint64_t cycle, PortIndex in_port, ControlKind kind,
                       const ControlMessage& message) {
  if (is_local(in_port)) {  // back at the source: the search has ended
    return end_search(cycle, kind == ControlKind::kAcknowledge);
  }
  ControlMessage answer = message;
  answer.kind = kind;
  send(slice, cycle, in_port, answer);
}

void SetupUnits::tear_down(Slice& slice, std::uint64_t cycle, const ControlMessage& message) {
  const VcIndex in = bank_.circuit_vc(message.port, message.circuit);
  if (bank_.input_vcs[in].count > 0) {
    ControlMessage waiting = message;  // for the circuit's last flits
    waiting.waits = true;
    slice.send_local_control(cycle, waiting);
    return;
  }
  do {
    const VcIndex out = bank_.circuit_out(in);
    release(in, out);
    if (is_local(bank_.port_of_vc(out))) {
      end_search(cycle, true);
    } else {
      ControlMessage next = message;
      next.circuit = 0;
      next.waits = false;
      send(slice, cycle, bank_.port_of_vc(out), next);
    }
  } while (bank_.circuit_out(in) != kNone);  // a fork: down every branch
}

void SetupUnits::reserve(VcIndex in, VcIndex out) {
  action_.reserve_in = in;
  action_.reserve_out = out;
  if (forks_ != nullptr) {
    forks_->reserve(in, out, history_[bank_.router_of(bank_.port_of_vc(in)).value].tree);
  } else {
    bank_.reserve(in, out);
  }
  bank_.closed_outputs[bank_.port_of_vc(out)] = !share_reserved_links_;
}

void SetupUnits::release(VcIndex in, VcIndex out) {
  action_.release_in = in;
  action_.release_out = out;
  forks_ != nullptr ? forks_->release(in, out) : bank_.release(in, out);
  const PortIndex port = bank_.port_of_vc(out);
  bank_.closed_outputs[port] = !share_reserved_links_ && bank_.reserved(port);
}

bool SetupUnits::is_local(PortIndex port) const {
  if (told_) return (told_->local_ports >> bank_.port_of(port) & 1) != 0;
  return topology_.port(bank_.router_of(port), PortId{bank_.port_of(port)}).kind == routing::PortKind::kLocal;
}

}  // namespace braid::models::hybrid
