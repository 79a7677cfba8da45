#include "models/pins/modelled_router.h"

#include <fmt/format.h>

namespace braid::models::pins {

using hybrid::WireError;

ModelledRouter::ModelledRouter(const RouterPlace& place)
    : place_(place), rules_(place, false), codec_(place.shape, place.topology, *store_) {
  reset_wires(place.straps);
}

void ModelledRouter::reset_wires(const hybrid::RouterSite&) {
  router_ = std::make_unique<LoneRouter>(place_, *store_);
  for (const auto& [slot, data] : inside_) pool_.give_back(slot);
  inside_.clear();
  idle_ = {};
  rules_.reset();
}

void ModelledRouter::clock_wires(const hybrid::WireInputs& in, hybrid::WireOutputs& out) {
  for (hybrid::FlitWires& link : out.links) link.valid = false;
  out.credits.fill(0);
  out.control.valid = out.outcome = out.success = false;
  take(in);
  if (!idle_.idle(inputs_)) {
    hybrid::Slice& slice = router_->slice();
    router_->pins().supply(cycle_, inputs_);
    slice.traverse_switch(cycle_);
    slice.allocate_switch(cycle_);
    slice.allocate_vcs(cycle_);
    slice.commit(cycle_);
    hybrid::RouterOutputs modelled = router_->pins().take_outputs(cycle_);
    hybrid::SearchOutcome& outcome = router_->setup().outcome();
    modelled.outcome = outcome.done;
    modelled.success = outcome.success;
    outcome = {};
    idle_.clocked(inputs_, modelled);
    give(modelled, out);
  }
  ++cycle_;
}

/// A flit's name inside: a slot of its own, with the destination that a head's data give.
PacketSlot ModelledRouter::keep(std::uint32_t port, const hybrid::FlitWires& flit) {
  const PacketSlot slot = pool_.take();
  inside_[slot] = flit.data;
  (*store_)[slot] = {};
  if (!flit.head || flit.lane >= place_.options.vcs) return slot;  // a circuit's flit is not routed
  const auto code = static_cast<std::uint32_t>(flit.data[0] & 0xffff);
  const NodeId destination = codec_.node(code);
  if (destination.value >= place_.topology.node_count() || codec_.code(destination) != code) {
    throw WireError(
        fmt::format("link_data_i[{}]: a head is for node {:#x} (its lowest 16 bits); the network has none of "
                    "that {}",
                    port, code, place_.shape.routing == "table" ? "number" : "place, y << 8 | x"));
  }
  if (!place_.leads_on(port, flit.lane, destination)) {
    throw WireError(
        fmt::format("link_data_i[{}]: a head is for node {:#x}; from there the routing has no way to it", port, code));
  }
  (*store_)[slot].destination = destination;
  return slot;
}

void ModelledRouter::check_circuit(std::uint32_t port, std::uint32_t lane) const {
  if (lane < place_.options.vcs || router_->bank().circuit_out(row(port, lane)) != hybrid::kNone) return;
  throw WireError(fmt::format("link_valid_i[{}]: a flit comes on lane {}, but no circuit stands there", port, lane));
}

/// Answers belong to a search that passed here, tear-downs to a circuit.
void ModelledRouter::check_stands(const hybrid::ControlWires& w, const char* pin) {
  const hybrid::VcIndex at = row(w.port, place_.options.vcs + w.circuit);
  const hybrid::RouterBank& bank = router_->bank();
  const bool forgets = w.kind == hybrid::ControlKind::kAcknowledge && w.search == 0;  // all searches seen so far
  const bool answer =
      w.kind == hybrid::ControlKind::kBacktrack || (w.kind == hybrid::ControlKind::kAcknowledge && !forgets);
  if (answer && bank.circuit_in(at) == hybrid::kNone) {
    throw WireError(fmt::format("{}: an answer over port {}, over which no search has gone", pin, w.port));
  }
  if (w.kind == hybrid::ControlKind::kTearDown && bank.circuit_out(at) == hybrid::kNone) {
    throw WireError(
        fmt::format("{}: a tear-down of circuit {} of port {}, where none comes in", pin, w.circuit, w.port));
  }
}

hybrid::ControlPins ModelledRouter::control(const hybrid::ControlWires& w, const char* pin) {
  if (!w.valid) return {};
  if (!place_.options.circuits || !place_.wired(w.port) || place_.options.vcs + w.circuit >= place_.lanes(w.port)) {
    throw WireError(fmt::format("{}: no circuit {} at port {}", pin, w.circuit, w.port));
  }
  check_stands(w, pin);
  const bool asks = w.kind == hybrid::ControlKind::kProbe;
  const NodeId destination = codec_.node(w.destination);
  if (asks && (destination.value >= place_.topology.node_count() || codec_.code(destination) != w.destination)) {
    throw WireError(fmt::format("{}: a probe for node {:#x}, which the network has not", pin, w.destination));
  }
  if (asks && w.search == 0) throw WireError(fmt::format("{}: searches are numbered from 1", pin));
  const auto known = destination.value < place_.topology.node_count() ? destination : NodeId{0};
  router_->setup().prepare(known);
  return {true, w.port, w.kind, w.search, known, w.circuit};
}

void ModelledRouter::take(const hybrid::WireInputs& in) {
  inputs_.clear();
  for (std::uint32_t p = 0; p < place_.shape.ports; ++p) {
    const hybrid::FlitWires& flit = in.links[p];
    rules_.credits_in(p, in.credits[p]);
    inputs_.credits[p] = in.credits[p];
    if (!flit.valid) continue;
    rules_.flit_in(p, flit);
    check_circuit(p, flit.lane);
    const std::uint32_t sequence = flit.head ? 0 : 1;
    inputs_.links[p] = {true, Flit(keep(p, flit), sequence, sequence + (flit.tail ? 1 : 2), flit.lane)};
  }
  inputs_.control = control(in.control, "control_valid_i");
  inputs_.request = control(in.request, "request_valid_i");
}

void ModelledRouter::give(const hybrid::RouterOutputs& modelled, hybrid::WireOutputs& out) {
  for (std::uint32_t p = 0; p < place_.shape.ports; ++p) {
    out.credits[p] = modelled.credits[p];
    rules_.credits_out(p, modelled.credits[p]);
    if (!modelled.links[p].valid) continue;
    const Flit flit = modelled.links[p].flit;
    rules_.flit_out(p, flit.vc());
    out.links[p] = {true, flit.head(), flit.tail(), flit.vc(), inside_.at(flit.packet())};
    inside_.erase(flit.packet());
    pool_.give_back(flit.packet());
  }
  if (modelled.control.valid) {
    const hybrid::ControlPins& c = modelled.control;
    out.control = {true, c.port, c.kind, c.search, codec_.code(c.destination), 0};
  }
  out.outcome = modelled.outcome;
  out.success = modelled.success;
}

}  // namespace braid::models::pins
