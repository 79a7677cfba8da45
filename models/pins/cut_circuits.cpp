#include "models/pins/cut_circuits.h"

#include <fmt/format.h>

#include "models/rtl/wires.h"

namespace braid::models::pins {

using hybrid::ControlKind;
using hybrid::kNone;
using hybrid::VcIndex;
using hybrid::WireError;

void CutCircuits::clocked(std::uint64_t cycle, const hybrid::RouterInputs& in, const hybrid::RouterOutputs& out) {
  if (in.control.valid) told(in.control);
  if (in.request.valid) told(in.request);
  if (out.control.valid) says(out.control);
  if (out.outcome) ended(cycle, out.success);
}

void CutCircuits::told(const hybrid::ControlPins& m) {
  const VcIndex lane = bank_.circuit_vc(index(m.port), m.circuit);
  switch (m.kind) {
    case ControlKind::kProbe:
      if (m.search == search_) break;  // been here: it goes back
      search_ = m.search;
      destination_ = m.destination;
      in_vc_ = lane;
      break;
    case ControlKind::kBacktrack:
      ++setup_.outcome().backtracks;
      if (in_vc_ != kNone) bank_.release(in_vc_, lane);
      break;
    case ControlKind::kAcknowledge:
      if (m.search == 0) {  // the numbers of searches begin anew
        search_ = 0;
        in_vc_ = kNone;
      }
      break;
    case ControlKind::kTearDown:
      torn_ = lane;
      break;
  }
}

void CutCircuits::says(const hybrid::ControlPins& m) {
  const auto need = [&](bool holds, const char* expected) {
    if (holds) return;
    throw WireError(fmt::format("control_valid_i[{}]: a message of kind {}, search {}; expected {}", m.port,
                                static_cast<unsigned>(m.kind), m.search, expected));
  };
  const Link& link = bank_.links[index(m.port)];
  need(link.target != kNone && !link.to_node, "a port to another router");
  const VcIndex lane = bank_.circuit_vc(index(m.port));
  const bool searches = m.kind == ControlKind::kProbe || m.kind == ControlKind::kBacktrack;  // on from there
  need(!searches || in_vc_ == kNone || m.destination == destination_, "the destination of the search");
  switch (m.kind) {
    case ControlKind::kProbe:
      need(in_vc_ != kNone && m.search == search_ && bank_.circuit_in(lane) == kNone,
           "a probe of the search that came here last, over a link that no circuit holds");
      bank_.reserve(in_vc_, lane);
      break;
    case ControlKind::kAcknowledge:
      need(in_vc_ != kNone && lane == bank_.circuit_vc(bank_.port_of_vc(in_vc_)),
           "an answer to where the search is from");
      if (is_destination()) reserve_ejection();
      break;
    case ControlKind::kBacktrack:
      need(in_vc_ != kNone, "an answer to a search");
      break;
    case ControlKind::kTearDown:
      need(torn_ != kNone && bank_.circuit_out(torn_) == lane, "a tear-down of the circuit, on the way that it takes");
      release(torn_);
      break;
  }
}

void CutCircuits::ended(std::uint64_t cycle, bool success) {
  if (torn_ == kNone && in_vc_ == kNone) throw WireError("outcome_valid_i: no search, no tear-down has come here");
  if (torn_ != kNone) {
    release(torn_);
  } else if (success && is_destination()) {
    reserve_ejection();
  }
  hybrid::SearchOutcome& outcome = setup_.outcome();
  outcome.done = true;
  outcome.success = success;
  outcome.cycle = cycle;
}

void CutCircuits::reserve_ejection() {
  const VcIndex out = bank_.first_lane(topology_.nodes[destination_.value],
                                       [&](VcIndex lane) { return bank_.circuit_in(lane) == kNone; });
  if (out == kNone) throw WireError("an acknowledgement, though no lane to the node is free");
  bank_.reserve(in_vc_, out);
}

void CutCircuits::release(VcIndex in_vc) {
  bank_.release(in_vc, bank_.circuit_out(in_vc));
  torn_ = kNone;
}

void CutCircuits::check_flit(std::uint32_t port, std::uint32_t lane) const {
  if (!bank_.is_circuit_lane(lane) || bank_.circuit_in(bank_.vc_index(index(port), lane)) != kNone) return;
  throw WireError(fmt::format("link_lane_i[{}] = {}: no circuit goes out on that lane", port, lane));
}

}  // namespace braid::models::pins
