// The registers of a cable that takes more than a cycle, one direction of it: flits and control messages from one
// router's port to another's, and the credits that go the same way.
#pragma once

#include <deque>

#include "models/pins/control_ends.h"
#include "models/pins/link_ends.h"

namespace braid::models::pins {

/// How many each way has, beside the output register of the router at its begin.
struct CableLength {
  std::size_t flits = 0;  ///< and control messages
  std::size_t credits = 0;
};

class CableRegistersBase : public LinkEnds, public ControlEnds {
 public:
  PinVector<In<bool>> control_valid_i{"control_valid_i", 1};
  PinVector<In<KindBits>> control_kind_i{"control_kind_i", 1};
  PinVector<In<SearchBits>> control_search_i{"control_search_i", 1};
  PinVector<In<NodeBits>> control_destination_i{"control_destination_i", 1};

 protected:
  CableRegistersBase(const sc_core::sc_module_name& name, CableLength length);
  void enter_reset() override;
  void clock_edge() override;
  void check_pins() override;

 private:
  struct Messages {
    hybrid::FlitWires flit;
    hybrid::ControlWires control;
  };
  CableLength length_;
  std::deque<Messages> messages_;  // the registers, the one at the end of the cable first
  std::deque<std::uint32_t> credits_;
};

template <int FlitWidth>
class CableRegisters final : public WithFlitData<FlitWidth, CableRegistersBase> {
 public:
  CableRegisters(const sc_core::sc_module_name& name, CableLength length)
      : WithFlitData<FlitWidth, CableRegistersBase>(name, length) {}
};

}  // namespace braid::models::pins
