// What one slice of the network puts on the wires to another: lists of flits, credits and control messages.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/mailbox.h"
#include "models/fabric/work_list.h"
#include "models/families/hybrid/router_bank.h"

namespace braid::models::hybrid {

/// A flit at the end of a link.
struct FlitArrival {
  Flit flit;
  std::uint32_t target = 0;  ///< first VC of an input port of a router, or local port of a node
};

enum class ControlKind : std::uint8_t { kProbe, kBacktrack, kAcknowledge, kTearDown };

/// One message of the narrow control channel between set-up units (paper: tentacle-routing, section 2.3).
struct ControlMessage {
  PortIndex port = 0;  ///< of the receiving router: where the message comes in; a node names its local port
  ControlKind kind = ControlKind::kProbe;
  std::uint32_t search = 0;  ///< number of the search; tells a router's old history from new
  NodeId destination;
  std::uint32_t circuit = 0;  ///< of a node: which of the circuits of its local port; between routers there is one
  std::uint32_t tree = 0;     ///< of a probe and its backtracks: number of the tree of circuits; 0: none
  bool waits = false;         ///< a tear-down that has waited a cycle at its router, for its circuit's last flits
};

/// A slot is written in earlier cycles than the one in which it is read.
struct alignas(64) ChannelSlot {    // what packets need is one cache line
  WorkList<FlitArrival> packets;    ///< BW in this cycle
  WorkList<VcIndex> credits;        ///< for these output VCs; they count from the next cycle on
  WorkList<FlitArrival> ejections;  ///< reach a node's interface in this cycle
  WorkList<FlitArrival> circuits;   ///< on the link in this cycle: SA looks ahead, ST follows in the next
  std::vector<ControlMessage> control;

  /// `ports`: the most input ports that it can bring flits to.
  void reserve(std::size_t ports) {
    packets.reserve(ports);
    circuits.reserve(ports);
    ejections.reserve(ports);
    credits.reserve(2 * ports);
  }
  void checkpoint(Checkpoint& c) { c(packets, circuits, ejections, credits, control); }
};
using Channel = Mailbox<ChannelSlot>;

}  // namespace braid::models::hybrid
