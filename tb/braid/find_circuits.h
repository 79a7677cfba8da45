// braid circuits: the demands of a stream program on a layout, and every finder's answer to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/configuration.h"
#include "routing/paths/disjoint/disjoint_finder.h"
#include "traffic/streams/stream_graph.h"

namespace braid::tb {

/// One stream each, in the order of the routers' set-up token: node by node.
struct StreamDemands {
  std::vector<std::uint32_t> edges;  ///< of the stream graph
  std::vector<routing::Demand> demands;
};
StreamDemands stream_demands(const traffic::StreamGraph& graph, const std::vector<NodeId>& layout,
                             const routing::Topology& topology);

/// One actor a node, wherever; layout number `index` of the seed's.
std::vector<NodeId> random_layout(std::size_t actors, std::size_t nodes, std::uint64_t seed, std::uint32_t index);

struct FinderAnswer {
  std::string finder;
  routing::DisjointPaths found;
  double cpu_seconds = 0.0;

  std::size_t links() const;
  std::size_t longest() const;
};
/// Of `disjoint.finder`, or of all by name.
std::vector<FinderAnswer> ask_finders(const Configuration& configuration, const routing::Topology& topology,
                                      const routing::Channels& channels, const std::vector<routing::Demand>& demands,
                                      const routing::OnProgress& progress);

/// What a finder did on many layouts.
struct FinderCounts {
  std::string finder;
  std::uint32_t found = 0, none = 0, unknown = 0;
  std::uint32_t one_router = 0;  ///< of `none`: by a router with more streams than links
  std::uint64_t links = 0;       ///< where it found paths
  std::uint32_t compared = 0;    ///< layouts on which it found paths and the fewest links are known
  std::uint64_t excess = 0;      ///< links over the fewest, there
  double cpu_seconds = 0.0;

  void count(const FinderAnswer& answer, std::optional<std::size_t> fewest_links);
  std::uint32_t layouts() const { return found + none + unknown; }
};

/// E. B. Wilson's interval (1927) for a share of `hits` in `all` > 0, confidence 95 %.
std::pair<double, double> wilson_95(std::uint32_t hits, std::uint32_t all);

}  // namespace braid::tb
