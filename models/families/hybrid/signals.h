// The hybrid router's registers and links as signals of a waveform.
#pragma once

#include <memory>
#include <vector>

#include "models/families/hybrid/fabric.h"
#include "models/families/hybrid/setup_signals.h"
#include "models/families/hybrid/stall_signals.h"
#include "models/observe/signals.h"

namespace braid::models::hybrid {

class FabricSignals final : public SignalSource {
 public:
  FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers);
  ~FabricSignals() override;
  void sample(std::uint64_t cycle) override;

 private:
  struct PortSignals;
  Signal* for_setup(Signal* signal) const;
  void add_router(SignalTable& table, RouterId router);
  void clear_wires();
  void take_link(const FlitArrival& arrival, bool circuit);
  void take_channel(Channel& channel, std::uint64_t cycle);
  void take_searches(std::uint64_t cycle);
  void take_traversals(const Slice& slice);
  void take_registers();

  const Fabric& fabric_;
  std::unique_ptr<SetupSignals> setup_;  // null: no circuits are wanted
  StallSignals stalls_;
  std::vector<std::unique_ptr<PortSignals>> ports_;  // [port index], null where not traced
  std::vector<Signal*> search_, tried_;              // [router], null where not traced
};

}  // namespace braid::models::hybrid
