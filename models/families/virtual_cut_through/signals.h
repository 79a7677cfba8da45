// Virtual cut-through routers' queues, outputs and credits as signals of a waveform.
#pragma once

#include <optional>
#include <vector>

#include "models/fabric/signal_names.h"
#include "models/families/virtual_cut_through/fabric.h"
#include "models/observe/signals.h"

namespace braid::models::virtual_cut_through {

class FabricSignals final : public SignalSource {
 public:
  FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers);
  void sample(std::uint64_t cycle) override;

 private:
  struct PortSignals {
    std::uint32_t port;
    Signal* packets;        // in the input queue
    Signal* packet;         // the first one
    Signal* head_source;    // its source
    Signal* head_sequence;  // counted by its source
    Signal* leaving;        // it crosses the switch
    Signal* stall;          // or why it does not
    Signal* out;            // the output port it asks for, the lowest of several
    Signal* held_by;        // the packet that has it
    Signal* busy;           // the output port carries a packet
    Signal* crossing;       // which
    Signal* credits;        // free packet buffers behind the output port
  };
  /// What a port's registers were at the start of the cycle.
  struct Before {
    bool waits = false, leaving = false;
    PortMask wants = 0, enters = 0;  // outputs that the head asks for; of which it needs a bubble for
    std::uint64_t packet = 0, crossing = 0;
  };
  enum class Stall : std::uint8_t;
  static const SignalValues& reasons();
  void add_port(SignalTable& table, RouterId router, PortId port);
  Before look(std::uint32_t port) const;
  Stall stall_of(std::uint32_t port, const Before& now) const;
  std::uint64_t holder(std::uint32_t port, Stall stall) const;
  std::uint64_t front(std::uint32_t port) const;
  std::optional<std::uint32_t> winner(std::uint32_t out) const;

  const Fabric& fabric_;
  PortNames names_;
  std::vector<PortSignals> ports_;
  std::vector<Before> before_;   // [port]
  std::vector<Router> routers_;  // as they were
};

}  // namespace braid::models::virtual_cut_through
