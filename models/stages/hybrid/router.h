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

class Router final : public sc_core::sc_module {
 public:
  Router(const sc_core::sc_module_name& name, const ViewContext& context, std::size_t slice, Slice& registers);

 private:
  RouterChannels channels_;
  SwitchTraversal switch_traversal_;
  VcAllocator vc_allocator_;
  SwitchAllocator switch_allocator_;
  InputUnit input_unit_;
  OutputUnit output_unit_;
  RouteUnit route_unit_;
  NetworkInterface network_interface_;
  std::unique_ptr<CircuitUnit> circuit_unit_;  // null, as the next: a packet router
  std::unique_ptr<SetupUnit> setup_unit_;
};

}  // namespace braid::models::stages::hybrid
