// Where synthetic packets go.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "routing/base/ids.h"
#include "routing/base/random.h"
#include "routing/base/registry.h"
#include "routing/topology/topology.h"

namespace braid::traffic {

class TrafficPattern {
 public:
  static const char* axis() { return "traffic pattern"; }
  virtual ~TrafficPattern() = default;

  /// The destination of the source's next packet; nullopt: this source is silent (a fixed point of a permutation
  /// that leaves fixed points out). Draws only from `random`, the source's own stream. Thread-safe.
  virtual std::optional<NodeId> destination(NodeId source, Random& random) const = 0;
  /// Of patterns that say how much a node sends; nullopt: as much as every other.
  virtual std::optional<double> rate_flits_per_cycle(NodeId) const { return std::nullopt; }
};

/// Factories receive (topology, configuration) and throw InputError where the pattern does not fit the topology
/// ("transpose needs a square grid; topology is 8x4").
using PatternRegistry = Registry<TrafficPattern, routing::Topology, Configuration>;

}  // namespace braid::traffic
