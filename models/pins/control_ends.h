// The control channel to a router: a way to each of its ports.
#pragma once

#include "models/pins/pin_types.h"
#include "models/rtl/wires.h"

namespace braid::models::pins {

/// Beside a module's LinkEnds, behind them among its bases.
class ControlEnds {
 public:
  PinVector<Out<bool>> control_valid_o{"control_valid_o"};
  PinVector<Out<KindBits>> control_kind_o{"control_kind_o"};
  PinVector<Out<SearchBits>> control_search_o{"control_search_o"};
  PinVector<Out<NodeBits>> control_destination_o{"control_destination_o"};

 protected:
  ControlEnds() = default;
  ~ControlEnds() = default;
  void make_control(std::size_t ports) {
    make_pins(ports, control_valid_o, control_kind_o, control_search_o, control_destination_o);
  }
  /// Calls need(pin) for the pins of a port.
  template <class Need>
  void check_control(std::size_t port, const Need& need) {
    need(control_valid_o[port]);
    need(control_kind_o[port]);
    need(control_search_o[port]);
    need(control_destination_o[port]);
  }
  /// `valid`: of this port. Where it is not the rest keeps its value.
  void write_control(std::size_t port, bool valid, const hybrid::ControlWires& control) {
    control_valid_o[port].write(valid);
    if (!valid) return;
    control_kind_o[port].write(static_cast<unsigned>(control.kind));
    control_search_o[port].write(control.search);
    control_destination_o[port].write(control.destination);
  }
};

}  // namespace braid::models::pins
