// What a waveform shows of Myrinet-like switches.
#pragma once

#include <vector>

#include "models/fabric/signal_names.h"
#include "models/families/myrinet/fabric.h"
#include "models/observe/signals.h"

namespace braid::models::myrinet {

class FabricSignals final : public SignalSource {
 public:
  FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers);
  void sample(std::uint64_t cycle) override;

 private:
  struct PortSignals {
    PortIndex output;
    PortIndex into;         // channel that leads to the input port
    Signal* state;          // of the input: idle, waits, routing, open
    Signal* flits;          // in its slack buffer
    Signal* stop;           // it has stopped its sender
    Signal* packet;         // at the front
    Signal* head_source;    // its source
    Signal* head_sequence;  // counted by its source
    Signal* stall;          // why its flits do not leave
    Signal* out;            // the output port it asks for or has
    Signal* held_by;        // the packet that has it
    Signal* sends;          // the output: a flit leaves in this cycle
    Signal* sending;        // of this packet
    Signal* go;             // as the far end's last signal said
    Signal* taken;          // a packet has it
    Signal* down;           // the link is, in both directions; null where none can go down
  };
  void add_port(SignalTable& table, RouterId router, PortId port);
  void sample_input(const PortSignals& s, std::uint64_t cycle) const;
  std::uint64_t number_of(PacketSlot slot) const;

  const Fabric& fabric_;
  PortNames names_;
  std::vector<PortSignals> ports_;
};

}  // namespace braid::models::myrinet
