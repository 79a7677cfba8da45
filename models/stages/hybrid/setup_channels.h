// The wires of a hybrid router's set-up unit, as channels: names and widths as in hw/setup_unit.sv, but that a
// destination goes by its node's number. A row is a circuit lane of a port: port * circuit lanes + lane.
#pragma once

#include <string>
#include <vector>

#include "models/families/hybrid/slice.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"
#include "models/stages/hybrid/flit_wires.h"
#include "models/stages/hybrid/router_shape.h"

namespace braid::models::stages::hybrid {

using models::hybrid::ControlMessage;
using models::hybrid::SetupAction;
using models::hybrid::Slice;
using models::hybrid::VcIndex;

/// Bits of words that the RTL's package fixes (hw/words.toml).
constexpr unsigned kKindBits = 2, kSearchBits = 16;

class SetupChannels {
 public:
  /// Inside the router's module.
  SetupChannels(Bank& owner, Slice& slice, RouterId router, const RouterShape& shape, StepClock& clock);

  unsigned row(VcIndex lane) const;
  VcIndex lane(unsigned row) const;
  PortIndex port(unsigned p) const { return bank_.port_index(router_, PortId{p}); }
  /// What the router's unit has done in `cycle`, or in this one; null: nothing.
  const SetupAction* action(std::uint64_t cycle) const;
  const SetupAction* action() const { return action(clock_.cycle()); }
  /// What a unit that is not the model's has done, to the message of this cycle among others. Cycle and router of
  /// `action` are filled in.
  void take(SetupAction action);

 private:
  RegisterChannel& make(const char* name, unsigned width, RegisterChannel::Gather gather,
                        RegisterChannel::Scatter scatter = nullptr);
  /// One of the outputs of a unit in the set-up unit's seat.
  RegisterChannel::Scatter part(unsigned which);
  void take_parts();
  /// The message of this cycle; null: none, or one that has waited in the unit.
  const ControlMessage* message() const;
  /// A gather of straps: `of` the straps that hold for the message of this cycle.
  RegisterChannel::Gather straps(std::uint64_t models::hybrid::SetupUnits::Straps::* of) const;

  Bank& owner_;
  Slice& slice_;
  const models::hybrid::RouterBank& bank_;
  RouterId router_;
  RouterShape shape_;
  StepClock& clock_;
  ModuleList<RegisterChannel> channels_;
  std::vector<Bits> parts_;
  unsigned written_ = 0;  // one bit a part

 public:
  RegisterChannel& network_ports;  ///< [P] lead to other routers
  RegisterChannel& local_ports;    ///< [P] lead to this router's nodes
  RegisterChannel& avoid_ports;    ///< [P] not for searches with the highest bit of search set
  // The message of this cycle.
  RegisterChannel& valid;
  RegisterChannel& message_row;
  RegisterChannel& kind;
  RegisterChannel& search;
  RegisterChannel& destination;
  RegisterChannel& directions;  ///< [P] lead closer to the destination
  // Circuit table and circuit buffers.
  RegisterChannel& circuit_out;  ///< [input row][row bits]
  RegisterChannel& held;         ///< [output row] is reserved
  RegisterChannel& circuit_in;   ///< [output row][row bits]
  RegisterChannel& holds_flits;  ///< [input row] after this cycle
  // What the unit does. Whoever writes these writes all.
  RegisterChannel& lookup;
  RegisterChannel& release;
  RegisterChannel& release_in;
  RegisterChannel& release_out;
  RegisterChannel& reserve;
  RegisterChannel& reserve_in;
  RegisterChannel& reserve_out;
  RegisterChannel& send;  ///< [P] one hot
  RegisterChannel& send_kind;
  RegisterChannel& send_search;
  RegisterChannel& send_destination;
  RegisterChannel& done;
  RegisterChannel& success;
};

}  // namespace braid::models::stages::hybrid
