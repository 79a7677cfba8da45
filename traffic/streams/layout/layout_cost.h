// What a layout costs, for whoever searches a good one (paper: tentacle-routing, section 2.1). One cost a file,
// registered by name.
#pragma once

#include <cstddef>
#include <vector>

#include "routing/base/ids.h"
#include "routing/base/registry.h"
#include "routing/topology/topology.h"
#include "traffic/streams/stream_graph.h"

namespace braid::traffic {

/// All of it outlives the cost.
struct LayoutContext {
  const StreamGraph& graph;
  const routing::Topology& topology;
  const PlacementOptions& options;
};

class LayoutCost {
 public:
  static const char* axis() { return "layout cost"; }
  virtual ~LayoutCost() = default;
  /// Of actors at these nodes ([actor]; more may follow). The same on every machine.
  virtual double of(const std::vector<NodeId>& place) = 0;
};
using LayoutCostRegistry = Registry<LayoutCost, LayoutContext>;

/// How many items an edge carries in a steady state, and over how many links.
class HopsOfItems {
 public:
  explicit HopsOfItems(const LayoutContext& context);
  double items(std::size_t edge) const { return items_[edge]; }
  double links(std::size_t edge, const std::vector<NodeId>& place) const {
    const StreamEdge& e = graph_.edges[edge];
    return distance_[place[e.from].value][place[e.to].value];
  }

 private:
  const StreamGraph& graph_;
  std::vector<double> items_;
  std::vector<std::vector<std::uint32_t>> distance_;
};

/// Streams on the links of a grid, each on its X-first path: a stream that an actor's splitter deals out over several
/// edges counts in shares (paper: footnote 2), copies of one stream that share a link count once.
class LinkLoads {
 public:
  explicit LinkLoads(const LayoutContext& context);
  /// [router * 4 + port], till the next call.
  const std::vector<double>& of(const std::vector<NodeId>& place);

 private:
  void add(RouterId from, RouterId to, double share, std::uint32_t once);

  const StreamGraph& graph_;
  const routing::Topology& topology_;
  std::vector<double> shares_;       // [edge]
  std::vector<std::uint32_t> once_;  // [edge] number of its group of copies; 0: alone
  std::vector<std::size_t> order_;   // edges, groups together
  std::vector<double> loads_;        // [link]
  std::vector<std::uint32_t> last_;  // [link] group that was there last
};

}  // namespace braid::traffic
