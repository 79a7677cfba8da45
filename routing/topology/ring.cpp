#include "routing/topology/ring.h"

#include <algorithm>

#include "routing/topology/spanning_tree.h"

namespace braid::routing {
namespace {

/// A walk under construction: wires since the last stop are kept until the next stop is known.
class Walk {
 public:
  explicit Walk(const Topology& topology) : topology_(topology), nodes_of_(topology.router_count()) {
    for (std::size_t n = 0; n < topology.node_count(); ++n) {
      nodes_of_[topology.router_of(NodeId{n}).value].push_back(NodeId{n});
    }
  }
  void link(RouterId from, RouterId to, std::uint32_t cycles) {
    wire(topology_.router_names[from.value] + "_to_" + topology_.router_names[to.value], cycles);
  }
  /// Calls at the nodes of a router, the first time it is passed.
  void call(RouterId router) {
    const std::uint32_t cycles = node_link_cycles(topology_);
    const std::string& name = topology_.router_names[router.value];
    for (const NodeId node : nodes_of_[router.value]) {
      const std::string node_name = "node" + std::to_string(node.value);
      if (cycles > 0) wire(name + "_to_" + node_name, cycles);
      stops_.push_back({node, {}});
      if (cycles > 0) wire(node_name + "_to_" + name, cycles);
    }
    nodes_of_[router.value].clear();
  }
  std::vector<RingStop> close() {
    stops_.back().wires.insert(stops_.back().wires.end(), before_first_.begin(), before_first_.end());
    return std::move(stops_);
  }

 private:
  void wire(std::string name, std::uint32_t cycles) {
    (stops_.empty() ? before_first_ : stops_.back().wires).push_back({std::move(name), cycles});
  }
  const Topology& topology_;
  std::vector<std::vector<NodeId>> nodes_of_;  // [router] that have not been called at
  std::vector<RingWire> before_first_;
  std::vector<RingStop> stops_;
};

/// Up column 0 is kept for the way back; the rows of the others are walked to and fro. Columns and rows may be swapped.
std::vector<RouterId> to_and_fro(std::uint32_t width, std::uint32_t height, const Grid& grid, bool swapped) {
  std::vector<RouterId> circuit;
  const auto add = [&](std::uint32_t x, std::uint32_t y) {
    circuit.push_back(swapped ? grid.at(y, x) : grid.at(x, y));
  };
  add(0, 0);
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t i = 1; i < width; ++i) add(y % 2 == 0 ? i : width - i, y);
  }
  for (std::uint32_t y = height; y-- > 1;) add(0, y);
  return circuit;
}

/// A Hamiltonian circuit of a grid, or nothing. The last row must end beside column 0: always with an even number of
/// rows, over the wrap-around link with an odd one.
std::vector<RouterId> grid_circuit(const Grid& grid) {
  if (grid.width < 2 || grid.height < 2) return {};
  if (grid.height % 2 == 0 || grid.wrap) return to_and_fro(grid.width, grid.height, grid, false);
  if (grid.width % 2 == 0) return to_and_fro(grid.height, grid.width, grid, true);
  return {};
}

/// The circle that follows one port number, if it visits every router.
std::vector<RouterId> one_way_circuit(const Topology& t) {
  for (std::size_t p = 0; p < t.port_count(RouterId{0}); ++p) {
    std::vector<RouterId> circuit;
    for (RouterId here{0}; circuit.size() < t.router_count();) {
      if (p >= t.port_count(here) || t.port(here, PortId{p}).kind != PortKind::kNetwork) break;
      circuit.push_back(here);
      here = t.port(here, PortId{p}).peer_router;
      if (here == RouterId{0}) break;
    }
    if (circuit.size() > 2 && circuit.size() == t.router_count() &&
        t.port(circuit.back(), PortId{p}).peer_router == RouterId{0}) {
      return circuit;
    }
  }
  return {};
}

std::uint32_t link_cycles(const Topology& t, RouterId from, RouterId to) {
  for (const Port& port : t.routers[from.value]) {
    if (port.kind == PortKind::kNetwork && port.peer_router == to) return port.latency_cycles;
  }
  return 1;
}

void tour(const SpanningTree& tree, std::uint32_t v, Walk& walk) {
  const SpanningTree::Vertex& vertex = tree.vertices[v];
  walk.call(vertex.router);
  for (const std::uint32_t c : vertex.children) {
    const SpanningTree::Vertex& child = tree.vertices[c];
    walk.link(vertex.router, child.router, child.link_cycles);
    tour(tree, c, walk);
    walk.link(child.router, vertex.router, child.link_cycles);
  }
}

}  // namespace

std::vector<RingStop> virtual_ring(const Topology& topology) {
  Walk walk(topology);
  std::vector<RouterId> circuit = topology.grid ? grid_circuit(*topology.grid) : one_way_circuit(topology);
  if (circuit.empty()) {
    tour(spanning_tree(topology), 0, walk);
    return walk.close();
  }
  for (std::size_t i = 0; i < circuit.size(); ++i) {
    const RouterId next = circuit[(i + 1) % circuit.size()];
    walk.call(circuit[i]);
    walk.link(circuit[i], next, link_cycles(topology, circuit[i], next));
  }
  return walk.close();
}

}  // namespace braid::routing
