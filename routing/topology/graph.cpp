// A network of any shape from a GraphML file: vertices are routers, edges full-duplex links. Optional attributes:
// vertex `name`, vertex `nodes` (how many nodes hang on the router, default 1), edge `name`, edge `latency` (cycles).
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fstream>

#include "routing/topology/topology.h"

namespace braid::routing {
namespace {

struct Vertex {
  std::string name;
  int nodes = 1;
};
struct Edge {
  std::string name;
  int latency = 0;  // 0: not given
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, Vertex, Edge>;

Graph read(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw InputError({file, 0, 0}, "cannot be read: expected a GraphML file");
  Graph graph;
  boost::dynamic_properties properties(boost::ignore_other_properties);
  properties.property("name", boost::get(&Vertex::name, graph));
  properties.property("nodes", boost::get(&Vertex::nodes, graph));
  properties.property("name", boost::get(&Edge::name, graph));
  properties.property("latency", boost::get(&Edge::latency, graph));
  try {
    boost::property_tree::ptree xml;
    boost::property_tree::read_xml(in, xml);
    in.clear();
    in.seekg(0);
    boost::read_graphml(in, graph, properties);
    std::size_t declared = 0;  // Boost makes a vertex of any name that an edge mentions
    for (const auto& [tag, child] : xml.get_child("graphml.graph")) declared += tag == "node" ? 1 : 0;
    if (declared < boost::num_vertices(graph)) {
      throw InputError({file, 0, 0}, "an edge names a vertex that no <node> declares");
    }
  } catch (const InputError&) {
    throw;
  } catch (const boost::property_tree::xml_parser_error& e) {
    throw InputError({file, e.line(), 0}, "not well-formed XML: " + one_line(e.message()));
  } catch (const std::exception& e) {
    throw InputError({file, 0, 0}, "not a GraphML network: " + one_line(e.what()));
  }
  return graph;
}

struct GraphOptions : LinkOptions {
  std::string file;
};

OptionTable<GraphOptions> graph_options() {
  OptionTable<GraphOptions> table("topology");
  table.file("file", &GraphOptions::file, "GraphML; a link's latency there goes before link_latency_cycles");
  return add_link_options(table, kMaxPorts - 4);
}
const OptionTable<GraphOptions> kGraphTable = graph_options();

void add_nodes(Topology& t, std::size_t router, const Vertex& vertex, const GraphOptions& options) {
  const auto per_router = static_cast<std::size_t>(vertex.nodes) * options.local_ports;
  if (t.routers[router].size() + per_router > kMaxPorts) {
    throw InputError({options.file, 0, 0}, "router " + t.router_names[router] + " has more than " +
                                               std::to_string(kMaxPorts) + " ports with its nodes");
  }
  for (int n = 0; n < vertex.nodes; ++n) {
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

class GraphFile final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    const GraphOptions options = kGraphTable.read(configuration);
    if (options.file.empty()) throw InputError("topology \"graph\" needs topology.file: expected a GraphML file");
    const SourcePosition where{options.file, 0, 0};
    const Graph graph = read(options.file);
    Topology t;
    t.name = "graph " + options.file;
    t.routers.resize(boost::num_vertices(graph));
    for (std::size_t v = 0; v < t.routers.size(); ++v) {
      t.router_names.push_back(graph[v].name.empty() ? "n" + std::to_string(v) : graph[v].name);
      if (graph[v].nodes < 0) throw InputError(where, "router " + t.router_names[v] + ": nodes must be at least 0");
    }
    for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
      const std::size_t a = boost::source(edge, graph), b = boost::target(edge, graph);
      const int given = graph[edge].latency;
      const int latency = given == 0 ? static_cast<int>(options.link_latency_cycles) : given;
      const std::string link = t.router_names[a] + " - " + t.router_names[b];
      if (a == b) throw InputError(where, "link " + link + " joins a router to itself");
      if (latency < 1 || latency > 64) {
        throw InputError(where, "link " + link + ": latency = " + std::to_string(latency) + ", expected 1 to 64");
      }
      const PortId at_a{t.routers[a].size()}, at_b{t.routers[b].size()};
      const auto cycles = static_cast<std::uint32_t>(latency);
      const std::string name = graph[edge].name;
      t.routers[a].push_back(
          {PortKind::kNetwork, RouterId{b}, at_b, NodeId{}, cycles, name.empty() ? "to_" + t.router_names[b] : name});
      t.routers[b].push_back(
          {PortKind::kNetwork, RouterId{a}, at_a, NodeId{}, cycles, name.empty() ? "to_" + t.router_names[a] : name});
    }
    for (std::size_t v = 0; v < t.routers.size(); ++v) add_nodes(t, v, graph[v], options);
    if (t.nodes.empty())
      throw InputError(where, "the network has no node: expected at least one vertex with nodes > 0");
    return t;
  }
};

const bool graph_registered = TopologyRegistry::instance().add(
    "graph", "any shape, from a GraphML file", kGraphTable.list(), [] { return std::make_unique<GraphFile>(); });

}  // namespace
}  // namespace braid::routing
