// A hybrid router as a module of its stages, each bound to the registers between them.
//
// Steps of a cycle (models/stages/base/step_clock.h): ST, VA and the circuits' switch; SA, behind the circuits'; BW and
// the output units; RC and set-up; the interfaces; what is behind these.
#pragma once

#include <memory>

#include "models/stages/base/hardware_view.h"
#include "models/stages/hybrid/circuit_unit.h"
#include "models/stages/hybrid/input_unit.h"
#include "models/stages/hybrid/network_interface.h"
#include "models/stages/hybrid/output_unit.h"
#include "models/stages/hybrid/route_unit.h"
#include "models/stages/hybrid/router_channels.h"
#include "models/stages/hybrid/setup_unit.h"
#include "models/stages/hybrid/switch_allocator.h"
#include "models/stages/hybrid/switch_traversal.h"
#include "models/stages/hybrid/vc_allocator.h"

namespace braid::models::stages::hybrid {

constexpr std::size_t kSteps = 6;

/// What a router's modules are made from.
struct RouterPlace {
  const Configuration& configuration;
  const routing::Topology& topology;
  RouterId router;
  Slice& registers;    ///< of that router only
  StepClocks* clocks;  ///< null: clocks of its own, for whoever steps it
  bool staged;         ///< may stages of somebody else's sit here (stage_seat.h)?
};

/// What a circuit unit that is not the model's has in its registers after the edge, for the model around it.
class CircuitRegisters final : public Stage {
 public:
  CircuitRegisters(const sc_core::sc_module_name& name, CircuitChannels& circuits) : Stage(name), circuits_(circuits) {}

 private:
  void step(std::uint64_t) override { circuits_.take_registers(); }
  CircuitChannels& circuits_;
};

class Router final : public sc_core::sc_module {
 public:
  Router(const sc_core::sc_module_name& name, const RouterPlace& at);
  StepClocks& clocks() { return clocks_; }

 private:
  const std::unique_ptr<StepClocks> own_clocks_;  // null: the network's
  StepClocks& clocks_;
  RouterChannels channels_;
  SwitchTraversal switch_traversal_;
  std::unique_ptr<VcAllocatorPorts> vc_allocator_;
  std::unique_ptr<SwitchAllocatorPorts> switch_allocator_;
  InputUnit input_unit_;
  OutputUnit output_unit_;
  RouteUnit route_unit_;
  NetworkInterface network_interface_;
  std::unique_ptr<CircuitUnitPorts> circuit_unit_;  // null, as the next: a packet router
  std::unique_ptr<SetupUnitPorts> setup_unit_;  // null: the circuit unit is not the model's and has its own, and then
  std::unique_ptr<CircuitRegisters> circuit_registers_;
};

}  // namespace braid::models::stages::hybrid
