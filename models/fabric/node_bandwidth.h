// What a node sends into the network and takes out of it in a cycle, over all its local ports together. How many ports
// there are says the topology; a node may serve fewer of them at once, and packets' and circuits' flits apart: packets
// may come through one physical port while every circuit has its own. Families declare the keys, for who keeps to a
// bound is their interface; what counts on it (models/workload/streams) reads them here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "routing/base/options.h"

namespace braid::models {

/// Flits a cycle; 0: one for each local port.
struct NodeBandwidth {
  std::uint32_t packet_injection = 0;
  std::uint32_t packet_ejection = 0;
  std::uint32_t circuit_injection = 0;
  std::uint32_t circuit_ejection = 0;
  /// Of streams that are pushed in packets: items that wait at their consumer beside those that its next firing sees.
  /// 0: any number. A packet without room stays in the network.
  std::uint32_t ejection_queue_items = 0;

  bool bounds_packets() const { return packet_injection != 0 || packet_ejection != 0; }
  bool bounds_circuits() const { return circuit_injection != 0 || circuit_ejection != 0; }
  bool bounded() const { return bounds_packets() || bounds_circuits(); }
  /// For estimates of latency that know a node by its local ports. Throws InputError where packets are bounded.
  void refuse_estimates() const;
};

/// What a node with so many local ports moves in a cycle under a bound.
inline std::size_t served(std::uint32_t bound, std::size_t ports) {
  return bound == 0 ? ports : std::min<std::size_t>(bound, ports);
}

/// The keys, for a family that keeps to them.
const OptionTable<NodeBandwidth>& packet_bandwidth_options();
const OptionTable<NodeBandwidth>& circuit_bandwidth_options();
const OptionTable<NodeBandwidth>& ejection_queue_options();
/// Are streams pushed, so that such queues can be full?
bool has_pushed_streams(const Configuration& configuration);
/// Whichever of them the experiment gives. Throws InputError.
NodeBandwidth read_node_bandwidth(const Configuration& configuration);

}  // namespace braid::models
