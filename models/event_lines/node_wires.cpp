#include "models/event_lines/node_wires.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <memory>

#include "routing/topology/spanning_tree.h"

namespace braid::models {
namespace {

using Links = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, std::uint32_t>>;

/// Between routers, with their cycles.
std::shared_ptr<const Links> links_of(const routing::Topology& topology) {
  auto links = std::make_shared<Links>(topology.router_count());
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    for (const routing::Port& port : topology.routers[r]) {
      if (port.kind == routing::PortKind::kNetwork) add_edge(r, port.peer_router.value, port.latency_cycles, *links);
    }
  }
  return links;
}

}  // namespace

traffic::WireCycles wires_between(const routing::Topology& topology, const std::vector<NodeId>& nodes,
                                  std::uint32_t hop_cycles) {
  const std::uint32_t ends = 2 * routing::node_link_cycles(topology);
  std::vector<std::size_t> at;  // [position] router
  for (const NodeId node : nodes) at.push_back(topology.router_of(node).value);
  return [links = links_of(topology), at, hop_cycles, ends, last = SIZE_MAX, row = std::vector<std::uint32_t>{}](
             std::uint32_t from, std::uint32_t to) mutable {
    if (at[from] != last) {
      last = at[from];
      row.resize(num_vertices(*links));
      boost::dijkstra_shortest_paths(*links, last, boost::distance_map(row.data()));
    }
    return hop_cycles * (row[at[to]] + ends);
  };
}

}  // namespace braid::models
