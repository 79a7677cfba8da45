// The network and the traffic of po2-message-scheduling, section 3.
#pragma once

#include <string>

#include "models/experiment/experiment.h"

namespace braid::test {

constexpr std::uint32_t kPacket = 160;  ///< flits

/// `full_load`: offered, as a share of what a node's port can carry.
inline models::Experiment po2(double full_load, const std::string& routing, std::uint32_t edge = 6) {
  models::Experiment e;
  e.set("topology.kind", "hexagonal");
  e.set("topology.edge", edge);
  e.set("router.architecture", "po2");
  e.set("routing.algorithm", routing);
  e.set("routing.allow_deadlock", true);
  e.set("message.packet_flits", kPacket);
  e.open("traffic");
  e.set("traffic.pattern", "uniform_without_self");
  e.set("traffic.rate_flits_per_node_cycle", full_load * kPacket / 420.0);
  e.set("traffic.length", "bursty");
  e.set("traffic.max_flits", 5);
  e.set("traffic.long_flits", 25);
  e.set("traffic.long_fraction", 0.1);
  return e;
}

}  // namespace braid::test
