// BraidNode: a node's network interface with pins, packets and callbacks on one side, the wires of its router's local
// ports on the other. Pins have the names of the router's that they are joined to, _i for _o. docs/pins.md
//
//   pins::BraidNode<64> node("node", e, NodeId{5});
//   node.on_arrival([](const auto& packet) { ... });
//   node.send(NodeId{0}, {{0x12340000}, {42}});   // two flits
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "models/pins/braid_node_base.h"
#include "models/pins/flit_bits.h"

namespace braid::models::pins {

template <int FlitWidth = 64>
class BraidNode final : public BraidNodeBase {
 public:
  /// Node `node` of the experiment's network. Throws InputError (RouterPlace), or if there is no such node.
  BraidNode(const sc_core::sc_module_name& name, const Configuration& experiment, NodeId node)
      : BraidNodeBase(name, experiment, node),
        link_data_i("link_data_i", this->ports().size()),
        link_data_o("link_data_o", this->ports().size()) {}

  PinVector<In<sc_dt::sc_bv<FlitWidth>>> link_data_i;
  PinVector<Out<sc_dt::sc_bv<FlitWidth>>> link_data_o;

 private:
  void check_data_pins(std::size_t i) override {
    expect(link_data_i[i], true, "data of the flits from the router");
    expect(link_data_o[i], true, "data of the flits to the router");
  }
  void read_data(std::size_t i, hybrid::FlitData& data) const override { from_bits(link_data_i[i].read(), data); }
  void write_data(std::size_t i, const hybrid::FlitData& data) override {
    link_data_o[i].write(to_bits<FlitWidth>(data));
  }
};

}  // namespace braid::models::pins
