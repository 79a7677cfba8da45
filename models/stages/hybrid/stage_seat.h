// The place of a stage in a modelled router, and what may sit in it: the model's own module, the RTL of hw/, both in
// lockstep, or a module of somebody else's. Whatever sits there has the stage's ports and is clocked in the stage's
// step.
//
// A module of one's own derives from the ports of its stage (SwitchAllocatorPorts, …), does a cycle's work in
// on_ports(), and registers:
//
//   const bool registered = StageRegistry<SwitchAllocatorPorts>::instance().add(
//       "by_age", "the oldest request first", [](const StageSeat& seat) { return std::make_unique<ByAge>(seat); });
#pragma once

#include "models/families/hybrid/stage_options.h"
#include "models/stages/hybrid/router_shape.h"
#include "routing/base/configuration.h"
#include "routing/base/registry.h"
#include "routing/topology/topology.h"

namespace braid::models::stages::hybrid {

struct StageSeat {
  const char* name;  ///< of the module
  const RouterShape& shape;
  const Configuration& configuration;
  const routing::Topology& topology;
  RouterId router;
};

/// By the ports of a stage; their axis() is the option that chooses.
template <class Ports>
using StageRegistry = Registry<Ports, StageSeat>;

using models::hybrid::StageOptions;
const OptionTable<StageOptions>& stage_options();

/// Outputs that mean something only where another output says so.
struct Qualified {
  const char* output;
  const char* by;
  bool any;  ///< where any bit of `by` is 1; else bit i of `by` stands for the i-th of as many equal parts
};

}  // namespace braid::models::stages::hybrid
