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

struct PatternOptions {
  std::string pattern = "uniform";
  std::string file;                      ///< "permutation": a text file, one destination node per source
  std::vector<std::uint32_t> hot_nodes;  ///< "hot_spot"
  double hot_fraction = 0.2;             ///< "hot_spot", "hot_region": of the packets that go there, in [0, 1]
  std::uint32_t hot_region_nodes = 0;    ///< "hot_region": nodes 0 .. n - 1; 0: an eighth of all
  bool silent_fixed_points = false;      ///< bit permutations: a node that would send to itself sends nothing
};

class TrafficPattern {
 public:
  static const char* axis() { return "traffic pattern"; }
  virtual ~TrafficPattern() = default;

  /// The destination of the source's next packet; nullopt: this source is silent (a fixed point of a permutation
  /// that leaves fixed points out). Draws only from `random`, the source's own stream. Thread-safe.
  virtual std::optional<NodeId> destination(NodeId source, Random& random) const = 0;
};

/// Factories receive (topology, options) and throw InputError where the pattern does not fit the topology
/// ("transpose needs a square grid; topology is 8x4").
using PatternRegistry = Registry<TrafficPattern, routing::Topology, PatternOptions>;

}  // namespace braid::traffic
