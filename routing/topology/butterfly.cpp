// The butterfly, a k-ary n-fly (Dally and Towles, "Principles and practices of interconnection networks", chapter 4):
// n stages of k^(n-1) switches, k^n nodes, links that go one way. Between stages s and s + 1 the digits n - 2 - s of
// words are exchanged with the numbers of ports, as in BookSim 2 (networks/fly.cpp).
#include <string>

#include "routing/topology/topology.h"

namespace braid::routing {
namespace {

constexpr std::uint64_t kMostButterflyNodes = std::uint64_t{1} << 16;

struct ButterflyOptions : LinkOptions {
  std::uint32_t arity = 4, stages = 3;
};

OptionTable<ButterflyOptions> fly_options() {
  OptionTable<ButterflyOptions> table("topology");
  table
      .integer("arity", &ButterflyOptions::arity, 2, kMaxPorts / 2,
               "k, links to and from a switch: k inputs, k outputs")
      .integer("stages", &ButterflyOptions::stages, 1, 16, "n, switches on each way; k^n nodes");
  return add_link_options(table, 0);
}
const OptionTable<ButterflyOptions> kFlyTable = fly_options();

Butterfly checked_fly(const ButterflyOptions& o) {
  std::uint64_t nodes = 1;
  for (std::uint32_t s = 0; s < o.stages && nodes <= kMostButterflyNodes; ++s) nodes *= o.arity;
  if (nodes > kMostButterflyNodes) {
    throw InputError("topology.stages: a " + std::to_string(o.arity) + "-ary " + std::to_string(o.stages) +
                     "-fly is out of range: expected at most " + std::to_string(kMostButterflyNodes) + " nodes");
  }
  return {o.arity, o.stages};
}

/// A router's k outputs, then its k inputs, none of them wired yet.
std::vector<Port> fly_ports(std::uint32_t arity) {
  std::vector<Port> ports(2 * std::size_t{arity});
  for (std::uint32_t p = 0; p < arity; ++p) {
    ports[p].name = "out" + std::to_string(p);
    ports[arity + p].name = "in" + std::to_string(p);
  }
  return ports;
}

void attach_fly_node(Topology& t, const Butterfly& fly, NodeId node) {
  const std::uint32_t word = node.value / fly.arity, place = node.value % fly.arity;
  const Attachment entry{RouterId{word}, PortId{std::size_t{fly.arity} + place}};
  const Attachment exit{RouterId{std::size_t{fly.stages - 1} * fly.routers_per_stage() + word}, PortId{place}};
  for (const auto& [at, kind] : {std::pair(entry, PortKind::kEntry), std::pair(exit, PortKind::kLocal)}) {
    Port& port = t.routers[at.router.value][at.port.value];
    port.kind = kind;
    port.node = node;
  }
  t.nodes.push_back({entry});
  t.exits.push_back({exit});
}

/// Output q of a router leads to the router of the next stage whose word has q in place of the digit; the input there
/// has the number of the old digit.
void connect_fly_output(Topology& t, const Butterfly& fly, RouterId r, std::uint32_t q, const LinkOptions& o) {
  const std::uint32_t place = fly.power(fly.stages - 2 - fly.stage(r)), digit = fly.word(r) / place % fly.arity;
  const RouterId to{std::size_t{r.value} + fly.routers_per_stage() + std::size_t{q} * place -
                    std::size_t{digit} * place};
  const PortId in{std::size_t{fly.arity} + digit};
  const auto wire = [&](Port& port, PortKind kind, RouterId peer, PortId peer_port) {
    port = Port(kind, peer, peer_port, NodeId{}, o.link_latency_cycles, port.name, o.link_flits_per_cycle);
  };
  wire(t.routers[r.value][q], PortKind::kNetwork, to, in);
  wire(t.routers[to.value][in.value], PortKind::kIncoming, r, PortId{q});
}

class ButterflyBuilder final : public TopologyBuilder {
 public:
  Topology build(const Configuration& configuration) const override {
    const ButterflyOptions options = kFlyTable.read(configuration);
    const Butterfly fly = checked_fly(options);
    const std::size_t routers = std::size_t{fly.stages} * fly.routers_per_stage();
    Topology t;
    t.name = std::to_string(fly.arity) + "-ary " + std::to_string(fly.stages) + "-fly";
    t.butterfly = fly;
    check_topology_room(t.name, routers, 2 * routers * fly.arity, fly.power(fly.stages));
    for (std::size_t i = 0; i < routers; ++i) {
      const RouterId r{i};
      t.router_names.push_back(std::to_string(fly.stage(r)) + "." + std::to_string(fly.word(r)));
      t.positions.push_back({2.0 * fly.stage(r), -1.0 * fly.word(r)});
      t.routers.push_back(fly_ports(fly.arity));
    }
    for (std::uint32_t n = 0; n < fly.power(fly.stages); ++n) attach_fly_node(t, fly, NodeId{n});
    const std::size_t last = routers - fly.routers_per_stage();
    for (std::size_t i = 0; i < last; ++i) {
      for (std::uint32_t q = 0; q < fly.arity; ++q) connect_fly_output(t, fly, RouterId{i}, q, options);
    }
    return t;
  }
};

const bool butterfly_registered =
    TopologyRegistry::instance().add("butterfly", "k-ary n-fly: stages of switches, links that go one way",
                                     kFlyTable.list(), [] { return std::make_unique<ButterflyBuilder>(); });

}  // namespace
}  // namespace braid::routing
