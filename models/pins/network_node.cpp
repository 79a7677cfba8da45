#include "models/pins/network_node.h"

#include <fmt/format.h>

#include <stdexcept>

namespace braid::models::pins {

NetworkNode::NetworkNode(const RouterPlace& place, NodeId node)
    : place_(place), node_(node), rules_(place, true), codec_(place.shape, place.topology, *store_) {
  for (const routing::Attachment& a : place.topology.nodes.at(node.value)) {
    if (a.router == place.router) ports_.push_back(a.port.value);
  }
  reset();
}

void NetworkNode::reset() {
  router_ = std::make_unique<LoneRouter>(place_, *store_);
  interfaces().set_sink(this);
  rules_.reset();
  for (const auto& [slot, sending] : sending_) pool_.give_back(slot);
  for (const auto& [slot, flits] : arriving_) pool_.give_back(slot);
  sending_.clear();
  arriving_.clear();
  for (const std::uint32_t p : ports_) receiving_[p].assign(place_.lanes(p), {});
  circuits_ = {};
  asked_.reset();
  next_port_ = 0;
  cycle_ = 1;
}

// ---------------------------------------------------------------- the user's side

void NetworkNode::check(NodeId to, const FlitList& flits) const {
  if (flits.empty() || flits.size() > UINT16_MAX)
    throw std::invalid_argument(fmt::format("a packet of {} flits: expected 1 to 65535", flits.size()));
  if (to.value >= place_.topology.node_count())
    throw std::invalid_argument(
        fmt::format("a packet to node {}: the network has {} nodes", to.value, place_.topology.node_count()));
}

void NetworkNode::check_search(std::uint32_t search) const {
  if (!place_.options.circuits)
    throw std::invalid_argument(
        "this experiment has no circuits; expected a section [stream] and interface.switching = \"circuit\"");
  if (search == 0 || search > UINT16_MAX)
    throw std::invalid_argument(fmt::format("search number {}: expected 1 to 65535", search));
}

PacketSlot NetworkNode::prepare(std::uint64_t packet, NodeId to, FlitList flits) {
  const PacketSlot slot = pool_.take();
  (*store_)[slot] = {};
  (*store_)[slot].source = node_;
  (*store_)[slot].destination = to;
  (*store_)[slot].length_flits = static_cast<std::uint16_t>(flits.size());
  sending_[slot] = {packet, std::move(flits)};
  return slot;
}

std::size_t NetworkNode::local_port(std::uint32_t port) const {
  const hybrid::RouterBank& bank = router_->bank();
  return bank.local_port_of_injection(bank.upstream[bank.port_index(place_.router, PortId{std::size_t{port}})]);
}

void NetworkNode::send(std::uint64_t packet, NodeId to, FlitList flits) {
  flits[0][0] = (flits[0][0] & ~std::uint64_t{0xffff}) | codec_.code(to);
  const PacketSlot slot = prepare(packet, to, std::move(flits));
  interfaces().send(local_port(ports_[next_port_++ % ports_.size()]), slot);
}

std::optional<CircuitStart> NetworkNode::request_circuit(NodeId to, std::uint32_t search) {
  if (asked_) return {};
  for (std::uint32_t c = 0; c < place_.options.circuit_lanes; ++c) {
    for (const std::uint32_t p : ports_) {
      if ((circuits_[p] >> c & 1) != 0) continue;
      circuits_[p] |= 1U << c;
      asked_ = CircuitStart{p, c};
      router_->slice().send_local_control(cycle_, {router_->bank().port_index(place_.router, PortId{std::size_t{p}}),
                                                   hybrid::ControlKind::kProbe, search, to, c});
      return asked_;
    }
  }
  return {};
}

void NetworkNode::tear_down(CircuitStart circuit, std::uint32_t search) {
  if ((circuits_.at(circuit.port) >> circuit.circuit & 1) == 0 || asked_)
    throw std::invalid_argument(fmt::format("no circuit {} starts at port {}", circuit.circuit, circuit.port));
  circuits_[circuit.port] &= ~(1U << circuit.circuit);
  router_->slice().send_local_control(cycle_,
                                      {router_->bank().port_index(place_.router, PortId{std::size_t{circuit.port}}),
                                       hybrid::ControlKind::kTearDown, search, NodeId{0}, circuit.circuit});
}

void NetworkNode::send_on_circuit(std::uint64_t packet, CircuitStart circuit, FlitList flits) {
  if ((circuits_.at(circuit.port) >> circuit.circuit & 1) == 0)
    throw std::invalid_argument(fmt::format("no circuit {} starts at port {}", circuit.circuit, circuit.port));
  const PacketSlot slot = prepare(packet, node_, std::move(flits));  // a circuit's flits are not routed
  interfaces().send_on_circuit(local_port(circuit.port), circuit.circuit, slot);
}

// ---------------------------------------------------------------- the interface's side

bool NetworkNode::admit(PacketSlot packet) { return !callbacks.room || callbacks.room(arriving_.at(packet).front()); }

void NetworkNode::deliver(std::uint64_t cycle, PacketSlot packet) {
  const bool on_circuit = (*store_)[packet].tag != kNoTag;
  Arrival arrival{cycle, on_circuit, std::move(arriving_.at(packet))};
  arriving_.erase(packet);
  pool_.give_back(packet);
  if (callbacks.arrived) callbacks.arrived(arrival);
}

void NetworkNode::sent(std::uint64_t, PacketSlot packet) {
  if (callbacks.sent) callbacks.sent(sending_.at(packet).packet, (*store_)[packet].injected);
}

// ---------------------------------------------------------------- cycles

void NetworkNode::clock(const hybrid::WireOutputs& router, hybrid::WireInputs& to_router) {
  hybrid::RouterOutputs seen;
  for (const std::uint32_t p : ports_) {
    rules_.credits_in(p, router.credits[p]);
    seen.credits[p] = router.credits[p];
    if (router.links[p].valid) seen.links[p] = {true, receive(p, router.links[p])};
  }
  // What is on the wires in this cycle left the router at the edge before.
  router_->pins().drive(cycle_ - 1, seen);
  router_->pins().consume(cycle_);
  if (router.outcome) end_request(router.success);
  write(to_router);
  ++cycle_;
}

/// To the interface a packet is a slot and a count of flits.
Flit NetworkNode::receive(std::uint32_t port, const hybrid::FlitWires& wires) {
  rules_.flit_in(port, wires);
  Receiving& now = receiving_[port][wires.lane];
  if (wires.head) {
    now = {pool_.take(), 0};
    (*store_)[now.slot] = {};
    if (wires.lane >= place_.options.vcs) (*store_)[now.slot].tag = wires.lane;
  }
  arriving_[now.slot].push_back(wires.data);
  const std::uint32_t sequence = now.flits++;
  return Flit(now.slot, sequence, sequence + (wires.tail ? 1 : 2), wires.lane);
}

/// One search or tear-down is under way in the network: this node's search, or a tear-down that has come to its end.
void NetworkNode::end_request(bool success) {
  if (!asked_) {
    if (callbacks.torn_down) callbacks.torn_down();
    return;
  }
  if (!success) circuits_[asked_->port] &= ~(1U << asked_->circuit);
  asked_.reset();
  if (callbacks.outcome) callbacks.outcome(success);
}

void NetworkNode::write(hybrid::WireInputs& to_router) {
  router_->pins().inputs(cycle_ + 1, false, inputs_);
  for (const std::uint32_t p : ports_) {
    rules_.credits_out(p, inputs_.credits[p]);
    to_router.credits[p] = inputs_.credits[p];
    hybrid::FlitWires& link = to_router.links[p];
    link.valid = inputs_.links[p].valid;
    if (!link.valid) continue;
    const Flit flit = inputs_.links[p].flit;
    rules_.flit_out(p, flit.vc());
    link = {true, flit.head(), flit.tail(), flit.vc(), sending_.at(flit.packet()).flits[flit.sequence()]};
    if (!flit.tail()) continue;
    sending_.erase(flit.packet());
    pool_.give_back(flit.packet());
  }
  const hybrid::ControlPins& r = inputs_.request;
  to_router.request.valid = r.valid;
  if (r.valid) to_router.request = {true, r.port, r.kind, r.search, codec_.code(r.destination), r.circuit};
}

}  // namespace braid::models::pins
