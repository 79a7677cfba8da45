// BraidNode: a node's network interface with pins, packets and callbacks on one side, the wires of its router's local
// ports on the other. Pins have the names of the router's that they are joined to, _i for _o. docs/pins.md
//
//   pins::BraidNode<64> node("node", e, NodeId{5});
//   node.on_arrival([](const auto& packet) { ... });
//   node.send(NodeId{0}, {{0x12340000}, {42}});   // two flits
#pragma once

#include "models/pins/braid_node_base.h"

namespace braid::models::pins {

template <int FlitWidth = 64>
class BraidNode final : public WithFlitData<FlitWidth, BraidNodeBase> {
 public:
  /// Node `node` of the experiment's network. Throws InputError (RouterPlace), or if there is no such node.
  BraidNode(const sc_core::sc_module_name& name, const Configuration& experiment, NodeId node)
      : WithFlitData<FlitWidth, BraidNodeBase>(name, experiment, node) {}
};

}  // namespace braid::models::pins
