#include "models/families/hybrid/packet_turns.h"

namespace braid::models::hybrid {

PacketTurns::PacketTurns(const RouterBank& bank, PortIndex first_port, std::size_t ports, std::uint32_t bound)
    : bank_(bank), first_port_(first_port), bound_(bound) {
  if (!bounded()) return;
  inputs_.resize(ports);
  outputs_.resize(ports);
  lanes_.resize(ports);
  wanted_ = std::make_unique<bool[]>(ports);
  wanted_list_.reserve(ports);
}

bool PacketTurns::find(const WakeSet& requesting) {
  const BankView bank = bank_;
  find_wanted(bank, requesting);
  bool any = false;
  requesting.for_each([&](std::size_t i) {
    const PortIndex port = first_port_ + static_cast<PortIndex>(i);
    const VcMask up = bank.switch_requests[port];
    const bool beside_circuit = (up >> bank.circuit_lane()) != 0;
    lanes_[i] = 0;
    if (beside_circuit && !inputs_[i].reached(bound_)) return;
    for (VcMask packets = up & ((VcMask{1} << bank.vcs()) - 1); packets != 0; packets &= packets - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(packets));
      if (goes_first(bank, port, lane, beside_circuit)) lanes_[i] |= VcMask{1} << lane;
    }
    any = any || lanes_[i] != 0;
  });
  for (const PortIndex out : wanted_list_) wanted_[out] = false;
  wanted_list_.clear();
  return any;
}

void PacketTurns::find_wanted(const BankView& bank, const WakeSet& requesting) {
  requesting.for_each([&](std::size_t i) {
    const PortIndex port = first_port_ + static_cast<PortIndex>(i);
    for (VcMask circuits = bank.switch_requests[port] >> bank.circuit_lane(); circuits != 0; circuits &= circuits - 1) {
      const auto circuit = static_cast<std::uint32_t>(__builtin_ctz(circuits));
      const PortIndex out = bank.port_of_vc(bank.circuit_out(bank.circuit_vc(port, circuit))) - first_port_;
      if (!wanted_[out]) wanted_list_.push(out);
      wanted_[out] = true;
    }
  });
}

/// Of a port whose input is not in the way: there is none, or it is the packets' turn. A port that no circuit asks for
/// is not in the way either; where neither is asked for, the packet gets what it asks for without going first.
bool PacketTurns::goes_first(const BankView& bank, PortIndex port, std::uint32_t lane, bool beside_circuit) const {
  const PortIndex out = bank.port_of_vc(bank.input_vcs[bank.vc_index(port, lane)].out_vc);
  if (bank.closed_outputs[out]) return false;
  if (!wanted_[out - first_port_]) return beside_circuit;
  return outputs_[out - first_port_].reached(bound_);
}

void PacketTurns::count(const WorkList<VcIndex>& grants) {
  const BankView bank = bank_;
  for (const VcIndex in_vc : grants) {
    CircuitBurst& in = inputs_[bank.port_of_vc(in_vc) - first_port_];
    CircuitBurst& out = outputs_[bank.port_of_vc(bank.input_vcs[in_vc].out_vc) - first_port_];
    if (bank.is_circuit_lane(bank.lane_of(in_vc))) {
      in.circuit_flit(bound_);
      out.circuit_flit(bound_);
    } else {
      in.packet_flit();
      out.packet_flit();
    }
  }
}

}  // namespace braid::models::hybrid
