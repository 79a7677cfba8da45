// The hardware view of a network: its routers and mechanisms as SystemC modules with ports. A family of routers
// registers here what its modules are (`router.architecture`).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/event_lines/broadcast_line.h"
#include "models/fabric/fabric.h"
#include "models/injection/in_transit.h"
#include "models/injection/injection_point.h"
#include "models/stages/base/step_clock.h"
#include "routing/base/registry.h"

namespace braid::models::stages {

/// What modules are made from; all of it outlives them. They are made inside the network's module.
struct ViewContext {
  const Configuration& configuration;
  const routing::Topology& topology;
  Fabric& fabric;
  std::size_t slices;  ///< one a router, but where the family has one for all
  StepClocks& clocks;
  /// What is behind the interfaces of a slice's nodes, after these: workload, schedulers, in-transit buffers.
  std::function<void(std::size_t slice)> run_nodes;
  InjectionGate* gate;                      ///< null: no fairness policy
  InjectionGate::Waiting waiting;           ///< packets at a node's injection point
  std::vector<InTransit*> in_transit = {};  ///< [slice] in-transit buffers of its nodes; none: run_nodes() runs them
  std::vector<BroadcastLine*> event_lines = {};   ///< of workloads, beside the network
  std::function<void()> run_all_nodes = nullptr;  ///< run_nodes() of all slices, where that costs less; null: by slice

  /// The last step, or so many before it: what belongs to no router (lines beside the network).
  StepClock& line_clock(std::size_t before_last = 0) const { return clocks[clocks.size() - 1 - before_last]; }
};

/// The modules of a network, or of a mechanism in it.
class HardwareView {
 public:
  virtual ~HardwareView() = default;
  /// Do they run the line of the fairness policy (InjectionGate::end_cycle)?
  virtual bool runs_gate() const { return false; }
  /// Do they run the in-transit buffers (InTransit::step)?
  virtual bool runs_in_transit() const { return false; }
};

/// What registers under a name of `router.architecture`.
class ViewFactory {
 public:
  static const char* axis() { return "hardware view"; }
  virtual ~ViewFactory() = default;
  /// Steps of a cycle in its routers.
  virtual std::size_t steps() const = 0;
  virtual std::unique_ptr<HardwareView> make(const ViewContext& context) const = 0;
};
using ViewRegistry = Registry<ViewFactory>;

/// What registers for a mechanism beside the routers (a SAT line, say), in a network of whatever family.
class MechanismViewFactory {
 public:
  static const char* axis() { return "hardware view of a mechanism"; }
  virtual ~MechanismViewFactory() = default;
  /// Steps that it takes when the routers have had theirs; 0: the network has no such thing.
  virtual std::size_t steps(const Configuration& configuration) const = 0;
  /// Null: the network has no such thing.
  virtual std::unique_ptr<HardwareView> make(const ViewContext& context) const = 0;
};
using MechanismViewRegistry = Registry<MechanismViewFactory>;

/// Steps of a cycle of a network, the lines' included.
std::size_t steps_of(const std::string& architecture, const Configuration& configuration);
/// All modules of a network: of its family's room (where it has none, two processes a router) and of its mechanisms.
std::vector<std::unique_ptr<HardwareView>> make_views(const std::string& architecture, const ViewContext& context);

/// A module's name for a thing of the topology: "router", "1,2" -> "router_1_2".
std::string module_name(const std::string& what, const std::string& name);

}  // namespace braid::models::stages
