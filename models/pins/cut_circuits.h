// Which circuits stand in a router of which only the pins are seen: followed from the messages that come and go, for
// the set-up sequencer, which reads them in the network's registers.
#pragma once

#include <cstdint>

#include "models/families/hybrid/stand_in.h"
#include "models/rtl/router_pins.h"

namespace braid::models::pins {

class CutCircuits {
 public:
  explicit CutCircuits(const hybrid::Seat& seat)
      : topology_(seat.context.topology), bank_(seat.bank), setup_(seat.setup), router_(seat.router) {}

  /// After the edge that ended `cycle`: what the router was told in it, and what it says then. A circuit that ends here
  /// does so on the first free lane, as in the model and the RTL. Throws WireError for a message that no search or
  /// tear-down here leads to.
  void clocked(std::uint64_t cycle, const hybrid::RouterInputs& in, const hybrid::RouterOutputs& out);
  /// A flit leaves on a lane. Throws WireError if it is a circuit's and none goes out there.
  void check_flit(std::uint32_t port, std::uint32_t lane) const;
  /// Of the search that was here last.
  NodeId destination() const { return destination_; }

 private:
  void told(const hybrid::ControlPins& message);
  void says(const hybrid::ControlPins& message);
  void ended(std::uint64_t cycle, bool success);
  void reserve_ejection();
  void release(hybrid::VcIndex in_vc);
  bool is_destination() const { return topology_.router_of(destination_) == router_; }
  hybrid::PortIndex index(std::uint32_t port) const { return bank_.port_index(router_, PortId{std::size_t{port}}); }

  const routing::Topology& topology_;
  const hybrid::RouterBank& bank_;
  hybrid::SetupUnits& setup_;
  RouterId router_;
  std::uint32_t search_ = 0;  // the last one here; 0: none yet
  NodeId destination_;
  hybrid::VcIndex in_vc_ = hybrid::kNone;  // lane on which it came in
  hybrid::VcIndex torn_ = hybrid::kNone;   // lane whose circuit is to be torn down
};

}  // namespace braid::models::pins
