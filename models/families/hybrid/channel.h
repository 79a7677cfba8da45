// What one slice of the network puts on the wires to another: lists of flits, credits and control messages, filed under
// the cycle in which the far end takes them. A slot is written in earlier cycles than the one in which it is read, so
// neither the order of slices nor the number of threads can matter.
#pragma once

#include <cstdint>
#include <vector>

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
  PortIndex port = 0;  ///< of the receiving router: where the message comes in
  ControlKind kind = ControlKind::kProbe;
  std::uint32_t search = 0;  ///< number of the search; tells a router's old history from new
  NodeId destination;
};

class Channel {
 public:
  struct Slot {
    WorkList<FlitArrival> packets;    ///< BW in this cycle
    WorkList<FlitArrival> circuits;   ///< on the link in this cycle: SA looks ahead, ST follows in the next
    WorkList<FlitArrival> ejections;  ///< reach a node's interface in this cycle
    WorkList<VcIndex> credits;        ///< for these output VCs; they count from the next cycle on
    std::vector<ControlMessage> control;
  };

  /// `ports`: the most input ports that one slot can bring flits to. `horizon`: the furthest cycle ahead.
  Channel(std::size_t ports, std::size_t horizon) {
    std::size_t slots = 1;
    while (slots <= horizon) slots *= 2;
    slots_.resize(slots);
    for (Slot& slot : slots_) {
      slot.packets.reserve(ports);
      slot.circuits.reserve(ports);
      slot.ejections.reserve(ports);
      slot.credits.reserve(2 * ports);
    }
  }

  Slot& at(std::uint64_t cycle) { return slots_[cycle & (slots_.size() - 1)]; }
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  std::vector<Slot> slots_;
};

}  // namespace braid::models::hybrid
