// Latency of each flow of packets: what a node sends to another, each stream by itself. Kept if asked for
// (`results.flows`). Sums of integers only, as in Statistics.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "models/fabric/flit.h"
#include "models/observe/distribution.h"
#include "routing/base/checkpoint.h"
#include "routing/base/figures.h"
#include "routing/base/ids.h"

namespace braid::models {

struct FlowResult {
  NodeId source, destination;
  std::optional<std::uint64_t> stream;  ///< edge of the stream graph; none: not of a stream
  std::uint64_t flits = 0;
  Distribution latency;  ///< cycles; no percentiles
};
/// What they mean.
const FigureTable<FlowResult>& flow_figures();

class FlowStatistics {
 public:
  /// A measured packet has arrived, `latency` cycles after it was made.
  void delivered(const Packet& packet, std::uint64_t latency);
  void merge(const FlowStatistics& other);
  /// Those of a class of traffic with a packet that arrived, by source, destination, stream.
  std::vector<FlowResult> results(std::uint8_t traffic_class) const;
  void checkpoint(Checkpoint& c) { c(flows_); }

 private:
  using Key = std::tuple<std::uint8_t, NodeId, NodeId, std::uint32_t>;  // class, source, destination, tag
  struct Sums {
    std::uint64_t packets = 0, flits = 0, latency = 0, least = ~std::uint64_t{0}, most = 0;
  };
  std::map<Key, Sums> flows_;  // in the order of the results, whatever slice met them first
};

}  // namespace braid::models
