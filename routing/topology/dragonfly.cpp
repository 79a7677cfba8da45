// The dragonfly (Kim, Dally, Scott, Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008): groups
// of `a` routers, all of a group joined; every router has `p` nodes and `h` links to other groups; a h + 1 groups, so
// that one link joins each two. Which router has which of a group's links: link j of group g is at its router j / h.
// As a palm tree (Camarero, Vallejo, Beivide, TACO 11(4), 2014) it leads to group g + j + 1, and is link a h - 1 - j at
// the far end. In the absolute arrangement (Hastings et al., CLUSTER 2015; BookSim 2's dragonflies) links go to the
// other groups in their order: link j to group j, or to group j + 1 if that is g or comes after it.
#include <string>

#include "routing/topology/topology.h"

namespace braid::routing {
namespace {

struct DragonflyOptions : LinkOptions {
  std::uint32_t routers_per_group = 4, global_ports = 2, nodes_per_router = 2;
  std::uint32_t global_latency_cycles = 1, global_flits_per_cycle = 1;
  Dragonfly::GlobalLinks global_links = Dragonfly::GlobalLinks::kPalmTree;
};

OptionTable<DragonflyOptions> dragonfly_options() {
  OptionTable<DragonflyOptions> table("topology");
  table
      .integer("routers_per_group", &DragonflyOptions::routers_per_group, 1, kMaxPorts - 1,
               "a, all joined to each other")
      .integer("global_ports", &DragonflyOptions::global_ports, 1, kMaxPorts - 1,
               "h, a router's links to other groups; a h + 1 groups")
      .integer("nodes_per_router", &DragonflyOptions::nodes_per_router, 1, kMaxPorts - 1, "p")
      .choice<Dragonfly::GlobalLinks>(
          "global_links", &DragonflyOptions::global_links,
          {{"palm_tree", Dragonfly::GlobalLinks::kPalmTree}, {"absolute", Dragonfly::GlobalLinks::kAbsolute}},
          "which groups a group's links lead to, in the order of its routers: the next ones, or the first ones")
      .integer("global_latency_cycles", &DragonflyOptions::global_latency_cycles, 1, kMostLinkLatency,
               "LT of links between groups, in cycles")
      .integer("global_flits_per_cycle", &DragonflyOptions::global_flits_per_cycle, 1, kMostLinkSpeed,
               "flits that a link between groups takes in a cycle, each way");
  return add_link_options(table, 0);
}
const OptionTable<DragonflyOptions> kDragonflyTable = dragonfly_options();

std::string dragonfly_name(const DragonflyOptions& o) {
  return "dragonfly a=" + std::to_string(o.routers_per_group) + " p=" + std::to_string(o.nodes_per_router) +
         " h=" + std::to_string(o.global_ports) +
         (o.global_links == Dragonfly::GlobalLinks::kAbsolute ? ", absolute" : "");
}

std::vector<Port> links_of(const Dragonfly& dragonfly, RouterId here, const DragonflyOptions& o) {
  const std::uint32_t a = o.routers_per_group, h = o.global_ports;
  const std::uint32_t group = dragonfly.group(here), place = dragonfly.place(here);
  std::vector<Port> ports;
  for (std::uint32_t to = 0; to < a; ++to) {
    if (to == place) continue;
    ports.push_back({PortKind::kNetwork, RouterId{std::size_t{group} * a + to},
                     PortId{std::size_t{place} - (place > to ? 1 : 0)}, NodeId{}, o.link_latency_cycles,
                     "to_" + std::to_string(to), o.link_flits_per_cycle});
  }
  for (std::uint32_t port = 0; port < h; ++port) {
    const std::uint32_t link = place * h + port;
    const std::uint32_t peer = dragonfly.end_of_link(group, link), back = dragonfly.link_to(peer, group);
    ports.push_back({PortKind::kNetwork, RouterId{std::size_t{peer} * a + back / h},
                     PortId{std::size_t{a} - 1 + back % h}, NodeId{}, o.global_latency_cycles,
                     "group_" + std::to_string(peer), o.global_flits_per_cycle});
  }
  return ports;
}

class DragonflyBuilder final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    const DragonflyOptions o = kDragonflyTable.read(configuration);
    const Dragonfly dragonfly{o.routers_per_group, o.global_ports, o.global_links};
    const std::uint64_t routers = std::uint64_t{dragonfly.groups()} * o.routers_per_group;
    const std::uint64_t ports = o.routers_per_group - 1 + o.global_ports + o.nodes_per_router;
    Topology t;
    t.name = dragonfly_name(o);
    if (ports > kMaxPorts) {
      throw InputError("a " + t.name + " has routers of " + std::to_string(ports) + " ports: expected at most " +
                       std::to_string(kMaxPorts));
    }
    check_topology_room(t.name, routers, routers * ports, routers * o.nodes_per_router);
    t.dragonfly = dragonfly;
    for (std::uint64_t i = 0; i < routers; ++i) {
      const RouterId r{i};
      std::vector<Port> all = links_of(dragonfly, r, o);
      for (std::uint32_t n = 0; n < o.nodes_per_router; ++n) {
        t.nodes.push_back({{r, PortId{all.size()}}});
        all.push_back(
            {PortKind::kLocal, RouterId{}, PortId{}, NodeId{t.nodes.size() - 1}, 1, "local" + std::to_string(n)});
      }
      t.router_names.push_back(std::to_string(dragonfly.group(r)) + "," + std::to_string(dragonfly.place(r)));
      t.routers.push_back(std::move(all));
    }
    return t;
  }
};

const bool dragonfly_registered = TopologyRegistry::instance().add(
    "dragonfly", "groups of routers, all of a group joined, and one link between each two groups",
    kDragonflyTable.list(), [] { return std::make_unique<DragonflyBuilder>(); });

}  // namespace
}  // namespace braid::routing
