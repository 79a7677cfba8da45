// A router of the model seen from outside, as the pins of its RTL: what a slice of one router finds in its incoming
// channel slots and puts into its outgoing ones, cycle by cycle. The one place that knows how slots and pins relate.
//
// A pin carries a flit in the cycle in which it is on the link (LT). A packet's flit is in the slot of the cycle after
// (BW), a circuit's in the slot of the same cycle; a control message reaches the unit a cycle after it was on the wire.
#pragma once

#include <array>
#include <cstdint>

#include "models/fabric/flit.h"
#include "models/families/hybrid/channel.h"
#include "models/families/hybrid/router_bank.h"
#include "models/rtl/router_image.h"

namespace braid::models::hybrid {

class Slice;

struct LinkPins {
  bool valid = false;
  Flit flit;  ///< vc() is the lane
};

struct ControlPins {
  bool valid = false;
  std::uint32_t port = 0;  ///< of the router whose pins these are
  ControlKind kind = ControlKind::kProbe;
  std::uint32_t search = 0;
  NodeId destination;
  std::uint32_t circuit = 0;  ///< of a node's request: which of its local port's circuits
};

/// Links and the credits that belong to them; no pin is driven at first.
struct LinkBundle {
  std::array<LinkPins, kMaxPinPorts> links;
  std::array<std::uint32_t, kMaxPinPorts> credits = {};  ///< one bit a lane

  bool any_link() const {
    std::uint32_t driven = 0;
    for (std::size_t p = 0; p < kMaxPinPorts; ++p) driven |= credits[p] | (links[p].valid ? 1U : 0U);
    return driven != 0;
  }
  void clear_links() {
    credits.fill(0);
    for (LinkPins& link : links) link.valid = false;
  }
};

/// Links by input port, credits by output port.
struct RouterInputs : LinkBundle {
  ControlPins control;  ///< from another router
  ControlPins request;  ///< from a node of this router

  bool any() const { return any_link() || control.valid || request.valid; }
  void clear() {
    clear_links();
    control.valid = request.valid = false;
  }
};

/// Values after the clock edge that ends a cycle. Links by output port, credits by input port.
struct RouterOutputs : LinkBundle {
  ControlPins control;
  bool outcome = false;  ///< a search or tear-down has ended here
  bool success = false;

  bool any() const { return any_link() || control.valid || outcome; }
  void clear() {
    clear_links();
    control.valid = outcome = success = false;
  }
};

class RouterPins {
 public:
  /// `slice` holds just the one router.
  RouterPins(Slice& slice, RouterId router);

  /// Reads the inputs of `cycle`. Before any stage of the slice has run in it. Throws std::logic_error for two control
  /// messages in one cycle, which the set-up token excludes. `ignore_request`: a message of the node's own channel is
  /// the waiting tear-down of the unit itself.
  void inputs(std::uint64_t cycle, bool ignore_request, RouterInputs& in) const;

  /// What the model's stages put on the wires in `cycle`. After commit().
  RouterOutputs modelled_outputs(std::uint64_t cycle) const;

  // From outside, where the stages' neighbours and nodes are whoever drives the pins:
  /// puts the inputs of `cycle` where the stages take them, before any of them runs ...
  void supply(std::uint64_t cycle, const RouterInputs& in);
  /// ... and modelled_outputs() off the wires, for nobody is at their other end.
  RouterOutputs take_outputs(std::uint64_t cycle);

  /// In place of the stages: puts the outputs after `cycle` on the wires ...
  void drive(std::uint64_t cycle, const RouterOutputs& outputs);
  /// ... and takes what came for the router and its nodes in `cycle`; the nodes then work as ever.
  void consume(std::uint64_t cycle);

  /// The circuit lane whose tear-down waits in the model's unit after `cycle`, or kNone.
  VcIndex waiting_tear_down(std::uint64_t cycle) const;

  /// Puts what another implementation holds into the model's registers, for whoever reads those: reservations only,
  /// or all (64-bit flits).
  void show_circuits(RouterImage& image);
  void show(RouterImage& image);

 private:
  bool of_node(const Channel& channel, const ControlMessage& message) const;
  std::uint64_t flit_delay(std::uint32_t out_port) const;   ///< from ST to the slot of a packet's flit
  std::uint64_t credit_delay(std::uint32_t in_port) const;  ///< from ST to the slot of the credit
  Channel& forward(std::uint32_t out_port) const;
  Channel& back(std::uint32_t in_port) const;
  PortIndex index(std::uint32_t port) const { return bank_.port_index(router_, PortId{port}); }
  bool wired(std::uint32_t port) const { return bank_.links[index(port)].target != kNone; }

  Slice& slice_;
  RouterBank& bank_;
  RouterId router_;
  std::uint32_t ports_;
};

}  // namespace braid::models::hybrid
