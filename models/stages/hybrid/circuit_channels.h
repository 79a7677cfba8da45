// The wires of a hybrid router's circuit unit, as channels: names and widths as in hw/circuit_unit.sv, but that a
// destination goes by its node's number, and a flit's data are its packet and its place there.
#pragma once

#include <vector>

#include "models/stages/base/module_list.h"
#include "models/stages/hybrid/setup_channels.h"

namespace braid::models::stages::hybrid {

/// Writes a flit there, reads it; `vc` as Flit::vc().
void put_circuit_flit(Bits& bits, unsigned low, const Flit& flit);
Flit circuit_flit_of(const Bits& bits, unsigned low, std::uint32_t vc);

class CircuitChannels {
 public:
  /// Inside the router's module.
  CircuitChannels(Bank& owner, SetupChannels& setup, Slice& slice, RouterId router, const RouterShape& shape,
                  StepClock& clock);
  /// The registers of a unit that is not the model's, when the stages of the cycle have run: its table, the message
  /// that it sends, the end of a search.
  void take_registers();

 private:
  enum Kind { kWires, kRegisters, kKinds };
  RegisterChannel& make(const char* name, unsigned width, RegisterChannel::Gather gather,
                        RegisterChannel::Scatter scatter = nullptr);
  /// The next output of a kind of whoever sits in the circuit unit's seat.
  RegisterChannel::Scatter part(Kind kind);
  void take_grants();
  bool is_local(PortIndex port) const { return bank_.links[port].to_node; }
  /// visit(message, port): that is on a control channel, to be latched at the end of this cycle.
  template <class Visit>
  void for_each_coming(Visit visit) const;
  /// Of the node, for this cycle; null: none.
  const ControlMessage* request() const;
  /// visit(port, circuit lane): that were granted.
  template <class Visit>
  void for_each_grant(Visit visit) const;
  /// The action of the cycle before: its outputs are in registers.
  const SetupAction* before() const { return clock_.cycle() == 0 ? nullptr : setup_.action(clock_.cycle() - 1); }

  Bank& owner_;
  SetupChannels& setup_;
  Slice& slice_;
  const models::hybrid::RouterBank& bank_;
  RouterId router_;
  RouterShape shape_;
  StepClock& clock_;
  ModuleList<RegisterChannel> channels_;
  std::vector<Bits> parts_[kKinds];
  unsigned written_ = 0;  // of the wires, one bit a part

 public:
  RegisterChannel& arrives;  ///< [P][C] a circuit's flit is on the link
  RegisterChannel& flit;     ///< [P][flit bits]
  RegisterChannel& control_in_valid;
  RegisterChannel& control_in_kind;
  RegisterChannel& control_in_search;
  RegisterChannel& control_in_destination;
  RegisterChannel& request_valid;
  RegisterChannel& request_port;
  RegisterChannel& request_lane;
  RegisterChannel& request_kind;
  RegisterChannel& request_search;
  RegisterChannel& request_destination;
  // What the unit does. Whoever writes these writes all.
  RegisterChannel& grant;         ///< [P] a circuit's flit crosses in the next cycle
  RegisterChannel& takes;         ///< [P][P] by input port
  RegisterChannel& granted_flit;  ///< [P][flit bits]
  RegisterChannel& in_lane;       ///< [P][circuit bits]
  RegisterChannel& out_port;      ///< [P][port bits]
  RegisterChannel& out_lane;      ///< [P][circuit bits]
  RegisterChannel& held;          ///< [P] output port is reserved
  RegisterChannel& lookup;
  // ... from registers, in the cycle after.
  RegisterChannel& control_valid;
  RegisterChannel& control_kind;
  RegisterChannel& control_search;
  RegisterChannel& control_destination;
  RegisterChannel& outcome_valid;
  RegisterChannel& outcome_success;
  RegisterChannel& table_valid;  ///< [input row]
  RegisterChannel& table_row;    ///< [input row][row bits] the output row that it holds
};

}  // namespace braid::models::stages::hybrid
