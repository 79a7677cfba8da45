#include "models/families/hybrid/stall_signals.h"

namespace braid::models::hybrid {

enum class StallSignals::Stall : std::uint8_t {
  kNothing,       ///< no flit was there
  kMoves,         ///< a flit was granted the switch
  kGetsVc,        ///< the head was granted an output VC
  kRoutes,        ///< RC of a head that came behind a tail
  kVcTaken,       ///< no output VC that it may take was free
  kLostVc,        ///< one was, and another packet got it
  kNoCredit,      ///< no free buffer behind its output VC
  kCircuitFirst,  ///< a circuit's flit took the input or the output port, or the output is closed to packets
  kLostSwitch,    ///< another packet got the output port, or another VC of the input port was offered
};

const SignalValues& StallSignals::reasons() {
  static const SignalValues names{
      "hybrid_stall",
      {"-", "moves", "gets VC", "routes", "VC taken", "lost VC", "no credit", "circuit first", "lost switch"},
      static_cast<std::size_t>(Stall::kVcTaken)};
  return names;
}

StallSignals::StallSignals(const Fabric& fabric)
    : fabric_(fabric),
      bank_(fabric.bank()),
      ports_(fabric.topology()),
      before_(bank_.input_vc_count()),
      moved_(bank_.input_vc_count()),
      crossed_from_(bank_.input_port_count()),
      crossed_to_(bank_.input_port_count()),
      circuit_crossed_from_(bank_.input_port_count()),
      circuit_crossed_to_(bank_.input_port_count()) {
  for (VcIndex v = 0; v < before_.size(); ++v) before_[v] = look(v);
}

void StallSignals::add(SignalTable& table, const std::string& scope, VcIndex in_vc) {
  const SignalValues& ports = ports_.of(bank_.router_of(bank_.port_of_vc(in_vc)));
  Row row{in_vc, nullptr, nullptr, nullptr, nullptr, nullptr};
  row.stall = table.add_stall(scope, reasons());
  row.packet = table.add_packet(scope, "packet")->answers(kWhyStalled);
  row.out = table.add_named(scope, "out", PortNames::kBits, ports)->answers(kWhyStalled);
  row.out_credits = table.add(scope, "out_credits", bank_.count_bits())->answers(kWhyStalled);
  row.held_by = table.add_packet(scope, "held_by")->answers(kWhyStalled);
  rows_.push_back(row);
}

std::uint64_t StallSignals::number_of(const Flit& flit) const {
  const Packet& packet = fabric_.store()[flit.packet()];
  return packet_number(packet.source.value, packet.sequence);
}

/// Of a VC that waits for the rest of its packet, what it held before.
std::uint64_t StallSignals::packet_in(VcIndex in_vc) const {
  const InputVc& vc = bank_.input_vcs[in_vc];
  if (vc.count > 0) return number_of(bank_.front(in_vc));
  return vc.state == VcState::kActive || vc.state == VcState::kForked ? before_[in_vc].packet : 0;
}

StallSignals::Before StallSignals::look_at_branch(VcIndex in_vc) const {
  const PacketForks& forks = *fabric_.packet_forks();
  const PacketForks::Branch& b = forks.last_branch(in_vc);
  Before now;
  now.vc = bank_.input_vcs[in_vc];
  now.vc.state = b.out_vc == kNone ? VcState::kWaitsForVc : VcState::kActive;
  now.packet = packet_in(in_vc);
  now.asked = b.out_port;
  now.wanted = b.vcs;
  now.free = b.vcs & bank_.free_vcs[b.out_port];
  if (b.out_vc == kNone) return now;
  const std::uint16_t credits = bank_.output_vcs[b.out_vc].credits;
  now.out_credits = credits < forks.credits_needed(forks.fork(in_vc), b) ? std::uint16_t{0} : credits;
  return now;
}

StallSignals::Before StallSignals::look(VcIndex in_vc) const {
  if (bank_.input_vcs[in_vc].state == VcState::kForked) return look_at_branch(in_vc);
  Before now;
  now.vc = bank_.input_vcs[in_vc];
  now.packet = packet_in(in_vc);
  if (now.vc.state == VcState::kActive) {
    now.asked = bank_.port_of_vc(now.vc.out_vc);
    now.out_credits = bank_.output_vcs[now.vc.out_vc].credits;
    now.closed = bank_.closed_outputs[now.asked];
  } else if (now.vc.state == VcState::kWaitsForVc) {
    const PortIndex router = bank_.port_of_vc(in_vc) & ~(bank_.port_stride() - 1);
    const routing::Candidate* const candidates = bank_.candidates(in_vc);
    now.asked = router | candidates->port.value;
    now.wanted = candidates->vcs;
    for (std::uint32_t c = 0; c < bank_.ways[in_vc] && now.free == 0; ++c) {
      const PortIndex port = router | candidates[c].port.value;
      now.free = candidates[c].vcs & bank_.free_vcs[port];
      if (now.free != 0) now.asked = port;
    }
  }
  return now;
}

void StallSignals::note_grants() {
  moved_.assign(moved_.size(), false);
  for (auto* list : {&crossed_from_, &crossed_to_}) list->assign(list->size(), 0);
  for (auto* list : {&circuit_crossed_from_, &circuit_crossed_to_}) list->assign(list->size(), false);
  for (std::size_t s = 0; s < fabric_.slice_count(); ++s) {
    for (const Slice::Traversal& t : fabric_.slice(s).switch_register()) {
      const PortIndex from = bank_.port_of_vc(t.in_vc);
      moved_[t.in_vc] = true;
      crossed_from_[from] = crossed_to_[t.out_port] = number_of(t.flit);
      circuit_crossed_from_[from] = circuit_crossed_to_[t.out_port] = bank_.is_circuit_lane(t.flit.vc());
    }
    for (const Slice::Traversal& t : fabric_.slice(s).copies()) {
      if (bank_.is_circuit_lane(t.flit.vc())) continue;
      moved_[t.in_vc] = true;
      crossed_from_[bank_.port_of_vc(t.in_vc)] = crossed_to_[t.out_port] = number_of(t.flit);
    }
  }
}

StallSignals::Stall StallSignals::stall_of(VcIndex in_vc, const Before& before) const {
  if (moved_[in_vc]) return Stall::kMoves;
  if (before.vc.count == 0) return Stall::kNothing;
  if (before.vc.state == VcState::kNeedsRoute) return Stall::kRoutes;
  if (before.vc.state == VcState::kWaitsForVc) {
    if (look(in_vc).vc.state == VcState::kActive) return Stall::kGetsVc;
    return before.free == 0 ? Stall::kVcTaken : Stall::kLostVc;
  }
  if (before.vc.state != VcState::kActive) return Stall::kNothing;
  if (before.out_credits == 0) return Stall::kNoCredit;
  const bool packet = !bank_.is_circuit_lane(bank_.lane_of(in_vc));
  const bool circuit = circuit_crossed_from_[bank_.port_of_vc(in_vc)] || circuit_crossed_to_[before.asked];
  return packet && (before.closed || circuit) ? Stall::kCircuitFirst : Stall::kLostSwitch;
}

/// The packet that has what this one waits for; 0 if no packet does.
std::uint64_t StallSignals::holder(VcIndex in_vc, const Before& before, Stall stall) const {
  switch (stall) {
    case Stall::kVcTaken:
    case Stall::kLostVc: {
      const VcMask asked = stall == Stall::kLostVc ? before.free : before.wanted;
      for (VcMask vcs = asked; vcs != 0; vcs &= vcs - 1) {
        const VcIndex out = bank_.vc_index(before.asked, static_cast<unsigned>(__builtin_ctz(vcs)));
        const VcIndex owner = bank_.output_vcs[out].owner;
        if (owner != kNone) return packet_in(owner);
      }
      return 0;
    }
    case Stall::kCircuitFirst:
    case Stall::kLostSwitch:
      if (crossed_to_[before.asked] != 0) return crossed_to_[before.asked];
      return crossed_from_[bank_.port_of_vc(in_vc)];
    default:
      return 0;
  }
}

void StallSignals::sample() {
  note_grants();
  for (const Row& row : rows_) {
    const Before& before = before_[row.in_vc];
    const Stall stall = stall_of(row.in_vc, before);
    row.stall->value = static_cast<std::uint64_t>(stall);
    row.held_by->value = holder(row.in_vc, before, stall);
  }
  for (VcIndex v = 0; v < before_.size(); ++v) before_[v] = look(v);
  for (const Row& row : rows_) {
    const Before& now = before_[row.in_vc];
    const bool asks = now.vc.state == VcState::kActive || now.vc.state == VcState::kWaitsForVc;
    row.packet->value = now.packet;
    row.out->value = asks ? bank_.port_of(now.asked) + 1 : 0;
    row.out_credits->value = now.out_credits;
  }
}

}  // namespace braid::models::hybrid
