// The k-ary n-tree (Petrini and Vanneschi; paper: sat-fairness, section III.A): k^n nodes, n levels of k^(n-1)
// switches.
#include "routing/topology/topology.h"

namespace braid::routing {
namespace {

constexpr std::uint32_t kMostTreeNodes = 1U << 20;

struct TreeOptions : LinkOptions {
  std::uint32_t arity = 4, levels = 3;
};

OptionTable<TreeOptions> k_ary_n_tree_options() {
  OptionTable<TreeOptions> table("topology");
  table.integer("arity", &TreeOptions::arity, 2, kMaxPorts / 2, "k, links up and links down of a switch")
      .integer("levels", &TreeOptions::levels, 1, 20, "n, levels of switches; k^n nodes");
  return add_link_options(table, 0);
}
const OptionTable<TreeOptions> kKAryNTreeTable = k_ary_n_tree_options();

void check_size(const TreeOptions& o) {
  std::uint64_t nodes = 1;
  for (std::uint32_t l = 0; l < o.levels && nodes <= kMostTreeNodes; ++l) nodes *= o.arity;
  if (nodes > kMostTreeNodes) {
    throw InputError("a " + std::to_string(o.arity) + "-ary " + std::to_string(o.levels) +
                     "-tree is out of range: expected at most " + std::to_string(kMostTreeNodes) + " nodes");
  }
}

void connect(Topology& t, RouterId lower, std::size_t up, RouterId upper, std::size_t down, const LinkOptions& o) {
  const std::uint32_t latency = o.link_latency_cycles, speed = o.link_flits_per_cycle;
  t.routers[lower.value][up] = {PortKind::kNetwork, upper, PortId{down}, NodeId{}, latency, {}, speed};
  t.routers[upper.value][down] = {PortKind::kNetwork, lower, PortId{up}, NodeId{}, latency, {}, speed};
}

void name_ports(Topology& t, std::uint32_t arity) {
  for (auto& ports : t.routers) {
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (ports[p].kind == PortKind::kLocal) continue;
      ports[p].name = p < arity ? "down" + std::to_string(p) : "up" + std::to_string(p - arity);
    }
  }
}

class KAryNTree final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    const TreeOptions options = kKAryNTreeTable.read(configuration);
    check_size(options);
    const Tree tree{options.arity, options.levels};
    const std::uint32_t k = tree.arity, width = tree.switches_per_level();
    Topology t;
    t.name = std::to_string(k) + "-ary " + std::to_string(tree.levels) + "-tree";
    t.tree = tree;
    const std::uint64_t switches = std::uint64_t{width} * tree.levels, nodes = std::uint64_t{width} * k;
    check_topology_room(t.name, switches, 2 * k * switches - nodes, nodes);
    for (std::uint32_t level = 0; level < tree.levels; ++level) {
      for (std::uint32_t w = 0; w < width; ++w) {
        t.routers.emplace_back(level + 1 < tree.levels ? 2 * k : k);
        t.router_names.push_back(std::to_string(level) + "." + std::to_string(w));
      }
    }
    for (std::uint32_t node = 0; node < width * k; ++node) {
      Port& port = t.routers[node / k][node % k];
      port.kind = PortKind::kLocal;
      port.node = NodeId{node};
      port.name = "node" + std::to_string(node);
      t.nodes.push_back({{RouterId{node / k}, PortId{node % k}}});
    }
    // Up port u of a switch leads to the switch whose digit number `level` is u; its down port back is the old digit.
    std::uint32_t place = 1;  // k^level
    for (std::uint32_t level = 0; level + 1 < tree.levels; ++level) {
      for (std::uint32_t w = 0; w < width; ++w) {
        const std::uint32_t digit = w / place % k;
        for (std::uint32_t u = 0; u < k; ++u) {
          const std::uint32_t above = w - digit * place + u * place;
          connect(t, tree.at(level, w), k + u, tree.at(level + 1, above), digit, options);
        }
      }
      place *= k;
    }
    name_ports(t, k);
    return t;
  }
};

const bool k_ary_n_tree_registered =
    TopologyRegistry::instance().add("k_ary_n_tree", "fat tree of equal switches, k links up and k down",
                                     kKAryNTreeTable.list(), [] { return std::make_unique<KAryNTree>(); });

}  // namespace
}  // namespace braid::routing
