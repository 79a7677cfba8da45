#include "models/pins/modelled_router.h"

#include <fmt/format.h>

namespace braid::models::pins {

using hybrid::WireError;

ModelledRouter::ModelledRouter(const RouterPlace& place)
    : place_(place), codec_(place.shape, place.topology, store_) {
  reset_wires(place.straps);
}

void ModelledRouter::reset_wires(const hybrid::RouterSite&) {
  router_ = std::make_unique<LoneRouter>(place_, store_);
  for (std::size_t slot = 0; slot < inside_.size(); ++slot) {
    if (inside_[slot]) pool_.give_back(static_cast<PacketSlot>(slot));
  }
  inside_.clear();
  idle_ = {};
  for (std::uint32_t p = 0; p < place_.shape.ports; ++p) {
    lanes_[p].assign(place_.wired(p) ? place_.lanes(p) : 0, {});
    for (std::uint32_t l = 0; l < lanes_[p].size(); ++l) lanes_[p][l].room = place_.depth(l);
  }
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
    slice.allocate_vcs();
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

void ModelledRouter::check_link(std::uint32_t port, const hybrid::FlitWires& flit) {
  if (flit.lane >= lanes_[port].size()) {
    throw WireError(lanes_[port].empty()
                        ? fmt::format("link_valid_i[{}] is up, but router {} has no link there: leave the pin at 0", port,
                                      place_.topology.router_names[place_.router.value])
                        : fmt::format("link_lane_i[{}] = {}: expected 0 to {}", port, flit.lane, lanes_[port].size() - 1));
  }
  Lane& l = lane(port, flit.lane);
  if (l.room == 0) {
    throw WireError(fmt::format("link_valid_i[{}]: a flit comes on lane {} though its buffer of {} flits is full; the "
                                "sender has to wait for credit_o[{}]",
                                port, flit.lane, place_.depth(flit.lane), port));
  }
  if (flit.lane < place_.options.vcs && flit.head == l.packet_is_open) {
    throw WireError(fmt::format("link_head_i[{}] = {} on lane {}: {}", port, flit.head ? 1 : 0, flit.lane,
                                flit.head ? "the packet before has had no tail" : "a packet begins with its head"));
  }
  if (flit.lane >= place_.options.vcs && router_->bank().circuit_out(row(port, flit.lane)) == hybrid::kNone) {
    throw WireError(fmt::format("link_valid_i[{}]: a flit comes on lane {}, but no circuit stands there", port, flit.lane));
  }
  --l.room;
  l.packet_is_open = !flit.tail;
}

void ModelledRouter::check_credits(std::uint32_t port, std::uint32_t lanes) {
  for (std::uint32_t l = 0; (lanes >> l) != 0; ++l) {
    if ((lanes >> l & 1) == 0) continue;
    if (l >= lanes_[port].size() || lane(port, l).away == 0) {
      throw WireError(
          fmt::format("credit_i[{}]: a credit for lane {}, on which no flit is out; expected one a flit", port, l));
    }
    --lane(port, l).away;
  }
}

/// A flit's name inside: a slot of its own, with the destination that a head's data give.
PacketSlot ModelledRouter::keep(const hybrid::FlitWires& flit) {
  const PacketSlot slot = pool_.take();
  if (slot >= data_.size()) data_.resize(slot + 1);
  if (slot >= inside_.size()) inside_.resize(slot + 1);
  inside_[slot] = true;
  data_[slot] = flit.data;
  store_[slot] = {};
  if (!flit.head || flit.lane >= place_.options.vcs) return slot;  // a circuit's flit is not routed
  const auto code = static_cast<std::uint32_t>(flit.data[0] & 0xffff);
  const NodeId destination = codec_.node(code);
  if (destination.value >= place_.topology.node_count() || codec_.code(destination) != code) {
    throw WireError(fmt::format("link_data_i: a head is for node {:#x} (its lowest 16 bits); the network has none of "
                                "that {}",
                                code, place_.shape.routing == "table" ? "number" : "place, y << 8 | x"));
  }
  store_[slot].destination = destination;
  return slot;
}

/// Answers belong to a search that passed here, tear-downs to a circuit.
void ModelledRouter::check_stands(const hybrid::ControlWires& w, const char* pin) {
  const hybrid::VcIndex at = row(w.port, place_.options.vcs + w.circuit);
  const hybrid::RouterBank& bank = router_->bank();
  const bool answer = w.kind == hybrid::ControlKind::kBacktrack || w.kind == hybrid::ControlKind::kAcknowledge;
  if (answer && bank.circuit_in(at) == hybrid::kNone) {
    throw WireError(fmt::format("{}: an answer over port {}, over which no search has gone", pin, w.port));
  }
  if (w.kind == hybrid::ControlKind::kTearDown && bank.circuit_out(at) == hybrid::kNone) {
    throw WireError(fmt::format("{}: a tear-down of circuit {} of port {}, where none comes in", pin, w.circuit, w.port));
  }
}

hybrid::ControlPins ModelledRouter::control(const hybrid::ControlWires& w, const char* pin) {
  if (!w.valid) return {};
  if (!place_.options.circuits || lanes_[w.port].empty() || place_.options.vcs + w.circuit >= lanes_[w.port].size()) {
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
    if (in.credits[p] != 0) check_credits(p, in.credits[p]);
    inputs_.credits[p] = in.credits[p];
    if (!flit.valid) continue;
    check_link(p, flit);
    const std::uint32_t sequence = flit.head ? 0 : 1;
    inputs_.links[p] = {true, Flit(keep(flit), sequence, sequence + (flit.tail ? 1 : 2), flit.lane)};
  }
  inputs_.control = control(in.control, "control_valid_i");
  inputs_.request = control(in.request, "request_valid_i");
}

void ModelledRouter::give(const hybrid::RouterOutputs& modelled, hybrid::WireOutputs& out) {
  for (std::uint32_t p = 0; p < place_.shape.ports; ++p) {
    out.credits[p] = modelled.credits[p];
    for (std::uint32_t l = 0; (modelled.credits[p] >> l) != 0; ++l) lane(p, l).room += modelled.credits[p] >> l & 1;
    if (!modelled.links[p].valid) continue;
    const Flit flit = modelled.links[p].flit;
    ++lane(p, flit.vc()).away;
    out.links[p] = {true, flit.head(), flit.tail(), flit.vc(), data_[flit.packet()]};
    inside_[flit.packet()] = false;
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
