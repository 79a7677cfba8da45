// Virtual cut-through routers' queues, outputs and credits as signals of a waveform.
#pragma once

#include <vector>

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
    Signal* head_source;    // of the first one
    Signal* head_sequence;  // counted by its source
    Signal* leaving;        // it crosses the switch
    Signal* busy;           // the output port carries a packet
    Signal* credits;        // free packet buffers behind the output port
  };
  const Fabric& fabric_;
  std::vector<PortSignals> ports_;
};

}  // namespace braid::models::virtual_cut_through
