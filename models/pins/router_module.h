// A router with the pins of hw/hybrid_router.sv, by their names, whatever is inside: the model's stages (BraidRouter)
// or the Verilated RTL (RtlRouter). A bus of the RTL is a vector of pins, one a port.
#pragma once

#include <memory>
#include <string>

#include "models/pins/link_ends.h"
#include "models/pins/lone_router.h"

namespace braid::models::pins {

/// An end of a link for each port; straps and circuits beside them.
class RouterModuleBase : public LinkEnds {
 public:
  // Straps. They need not be bound; those that are must say what the experiment says.
  In<CoordinateBits> x_i{"x_i"}, y_i{"y_i"};
  In<PortSet> network_ports_i{"network_ports_i"}, local_ports_i{"local_ports_i"}, port_class_i{"port_class_i"};
  In<bool> share_reserved_i{"share_reserved_i"};
  // Table routing. They need not be bound: the routes are those of the experiment.
  In<bool> table_write_i{"table_write_i"};
  In<sc_dt::sc_uint<2>> table_set_i{"table_set_i"};
  In<NodeBits> table_node_i{"table_node_i"};
  In<PortSet> table_ports_i{"table_ports_i"};

  // Circuits.
  PinVector<In<bool>> control_valid_i;
  PinVector<In<KindBits>> control_kind_i;
  PinVector<In<SearchBits>> control_search_i;
  PinVector<In<NodeBits>> control_destination_i;
  PinVector<Out<bool>> control_valid_o;
  Out<KindBits> control_kind_o{"control_kind_o"};
  Out<SearchBits> control_search_o{"control_search_o"};
  Out<NodeBits> control_destination_o{"control_destination_o"};
  In<bool> request_valid_i{"request_valid_i"};
  In<PortBits> request_port_i{"request_port_i"};
  In<LaneBits> request_lane_i{"request_lane_i"};
  In<KindBits> request_kind_i{"request_kind_i"};
  In<SearchBits> request_search_i{"request_search_i"};
  In<NodeBits> request_destination_i{"request_destination_i"};
  Out<bool> outcome_valid_o{"outcome_valid_o"}, outcome_success_o{"outcome_success_o"};

  const RouterPlace& place() const { return *place_; }

  /// Binds what a node asks of the set-up unit to signals of these names.
  template <class Signals>
  void ask_by(Signals& s) {
    request_valid_i(s.request_valid);
    request_port_i(s.request_port);
    request_lane_i(s.request_lane);
    request_kind_i(s.request_kind);
    request_search_i(s.request_search);
    request_destination_i(s.request_destination);
  }

 protected:
  RouterModuleBase(const sc_core::sc_module_name& name, std::unique_ptr<const RouterPlace> place);
  void set_router(std::unique_ptr<hybrid::WiredRouter> router, const hybrid::RouterSite& site);

  void enter_reset() override;
  void clock_edge() override;
  void check_pins() override;

 private:
  void check_straps() const;
  void check_circuit_pins();
  void read_control();
  void write_links(bool all);
  void write_control(bool all);

  std::unique_ptr<const RouterPlace> place_;
  std::unique_ptr<hybrid::WiredRouter> router_;
  hybrid::RouterSite site_;
  hybrid::WireInputs inputs_;
  hybrid::WireOutputs outputs_;
};

template <int FlitWidth>
class RouterModule : public WithFlitData<FlitWidth, RouterModuleBase> {
 protected:
  using WithFlitData<FlitWidth, RouterModuleBase>::WithFlitData;
};

}  // namespace braid::models::pins
