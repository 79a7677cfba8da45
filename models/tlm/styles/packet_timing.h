// When a packet arrives, without moving its flits: the approximately timed and the loosely timed coding style. Plain
// C++; the sockets ask it once a packet. (The third style, cycle accurate, is the engine itself.)
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/fabric/router_timing.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/registry.h"
#include "routing/topology/topology.h"

namespace braid::models {

class PacketTiming {
 public:
  static const char* axis() { return "TLM coding style"; }
  virtual ~PacketTiming() = default;

  /// A packet of `flits` (at least 1) made in cycle `at_cycle`: the cycle in which its tail is at its destination, as
  /// Packet's `delivered` in the engine. `now_cycle` is simulated time, which ascends from call to call; a caller that
  /// runs ahead of it (a quantum) says a later `at_cycle`. Packets between two nodes need not arrive in the order of
  /// the calls.
  virtual std::uint64_t deliver(NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at_cycle,
                                std::uint64_t now_cycle) = 0;
  /// Is it coarse enough that blocking calls may run ahead of simulated time, annotated, and no kernel event be spent?
  virtual bool annotates() const { return false; }
};

/// What a style is made from; all of it outlives the style.
struct PacketTimingContext {
  const Configuration& configuration;
  const routing::Topology& topology;
  const routing::RoutingAlgorithm& routing;
  RouterTiming routers;
};
using PacketTimingRegistry = Registry<PacketTiming, PacketTimingContext>;

constexpr const char* kCycleAccurate = "cycle_accurate";
struct StyleOptions {
  std::string style = kCycleAccurate;
};
/// tlm.style, with the options of the styles.
const OptionTable<StyleOptions>& style_options();

/// The style that `tlm.style` names; null: cycle accurate. Throws InputError: no such style, or what no estimate knows:
/// a router family that states no timing, in-transit buffers of hosts that do not cut through, nodes of several ports,
/// links that go down.
std::unique_ptr<PacketTiming> make_packet_timing(const Configuration& configuration, const routing::Topology& topology,
                                                 const routing::RoutingAlgorithm& routing);

}  // namespace braid::models
