// A network of any shape from a GraphML file (docs/graphml.md): its nodes are routers, its edges full-duplex links.
#include <set>
#include <string>
#include <vector>

#include "routing/topology/graphml.h"
#include "routing/topology/topology.h"

namespace braid::routing {
namespace {

struct GraphOptions : LinkOptions {
  std::string file;
};

OptionTable<GraphOptions> graph_options() {
  OptionTable<GraphOptions> table("topology");
  table.file("file", &GraphOptions::file,
             "GraphML; a link's latency and flits_per_cycle there go before the two keys above");
  return add_link_options(table, kMaxPorts - 4);
}
const OptionTable<GraphOptions> kGraphTable = graph_options();

/// A table tells the ports of a router apart by name only.
void check_port_names(const GraphMl& graph, const Topology& t, const std::string& file) {
  std::vector<std::set<std::string>> names(t.router_count());
  std::vector<std::size_t> ports(t.router_count());
  for (const GraphMl::Edge& edge : graph.edges) {
    for (const std::size_t r : {edge.from, edge.to}) {
      const std::string& name = t.routers[r][ports[r]++].name;
      if (names[r].insert(name).second) continue;
      throw InputError({file, edge.line, 0}, "router " + one_line(t.router_names[r]) + " has a link \"" +
                                                 one_line(name) + "\" already: expected edges with names of their own");
    }
  }
}

void add_nodes(Topology& t, std::size_t router, const GraphMl::Node& vertex, const GraphOptions& options) {
  const std::size_t per_router = std::size_t{vertex.nodes} * options.local_ports;
  if (t.routers[router].size() + per_router > kMaxPorts) {
    throw InputError({options.file, vertex.line, 0}, "router " + one_line(vertex.name) + " has more than " +
                                                         std::to_string(kMaxPorts) + " ports with its nodes");
  }
  for (std::uint32_t n = 0; n < vertex.nodes; ++n) {
    const NodeId node{t.nodes.size()};
    t.nodes.emplace_back();
    for (std::uint32_t l = 0; l < options.local_ports; ++l) {
      Port port;
      port.kind = PortKind::kLocal;
      port.node = node;
      port.name = "node" + std::to_string(node.value) + ".local" + std::to_string(l);
      t.nodes.back().push_back({RouterId{router}, PortId{t.routers[router].size()}});
      t.routers[router].push_back(port);
    }
  }
}

/// Of all routers or of none.
void add_positions(Topology& t, const GraphMl& graph) {
  for (const GraphMl::Node& vertex : graph.nodes) {
    if (vertex.position) t.positions.push_back(*vertex.position);
  }
  if (t.positions.size() != graph.nodes.size()) t.positions.clear();
}

void add_links(Topology& t, const GraphMl& graph, const LinkOptions& o) {
  for (const GraphMl::Edge& edge : graph.edges) {
    const std::size_t a = edge.from, b = edge.to;
    const std::uint32_t cycles = edge.latency_cycles == 0 ? o.link_latency_cycles : edge.latency_cycles;
    const std::uint32_t speed = edge.flits_per_cycle == 0 ? o.link_flits_per_cycle : edge.flits_per_cycle;
    const PortId at_a{t.routers[a].size()}, at_b{t.routers[b].size()};
    const auto name = [&](std::size_t there) { return edge.name.empty() ? "to_" + t.router_names[there] : edge.name; };
    t.routers[a].push_back({PortKind::kNetwork, RouterId{b}, at_b, NodeId{}, cycles, name(b), speed});
    t.routers[b].push_back({PortKind::kNetwork, RouterId{a}, at_a, NodeId{}, cycles, name(a), speed});
  }
}

class GraphFile final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    const GraphOptions options = kGraphTable.read(configuration);
    if (options.file.empty()) throw InputError("topology \"graph\" needs topology.file: expected a GraphML file");
    const GraphMl graph = read_graphml(options.file);
    Topology t;
    t.name = "graph " + options.file;
    std::uint64_t nodes = 0;
    for (const GraphMl::Node& vertex : graph.nodes) nodes += vertex.nodes;
    check_topology_room(t.name, graph.nodes.size(), 2 * graph.edges.size() + nodes * options.local_ports, nodes);
    t.routers.resize(graph.nodes.size());
    for (const GraphMl::Node& vertex : graph.nodes) t.router_names.push_back(vertex.name);
    add_positions(t, graph);
    add_links(t, graph, options);
    check_port_names(graph, t, options.file);
    for (std::size_t v = 0; v < t.routers.size(); ++v) add_nodes(t, v, graph.nodes[v], options);
    if (t.nodes.empty()) {
      throw InputError({options.file, 0, 0}, "the network has no node: expected at least one vertex with nodes > 0");
    }
    return t;
  }
};

const bool graph_registered = TopologyRegistry::instance().add(
    "graph", "any shape, from a GraphML file", kGraphTable.list(), [] { return std::make_unique<GraphFile>(); });

}  // namespace
}  // namespace braid::routing
