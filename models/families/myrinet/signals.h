// What a waveform shows of Myrinet-like switches.
#pragma once

#include <vector>

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
    Signal* head_source;    // of the packet at the front
    Signal* head_sequence;  // counted by its source
    Signal* sends;          // the output: a flit leaves in this cycle
    Signal* go;             // as the far end's last signal said
    Signal* taken;          // a packet has it
    Signal* down;           // the link is, in both directions; null where none can go down
  };
  const Fabric& fabric_;
  std::vector<PortSignals> ports_;
};

}  // namespace braid::models::myrinet
