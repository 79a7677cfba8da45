#include "models/experiment/link_results.h"

#include <cstddef>

#include "models/fabric/fabric.h"
#include "routing/topology/topology.h"

namespace braid::models {

std::vector<LinkCount> link_counts(const Network& network) {
  const routing::Topology& topology = network.topology();
  std::vector<LinkCount> links;
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      if (topology.port(RouterId{r}, PortId{p}).kind != routing::PortKind::kNetwork) continue;
      links.push_back({RouterId{r}, PortId{p}, network.fabric().link_use(RouterId{r}, PortId{p})});
    }
  }
  return links;
}

std::vector<LinkResult> link_results(const std::vector<LinkCount>& before, const std::vector<LinkCount>& after,
                                     std::uint64_t cycles) {
  const auto per_cycle = [&](std::uint64_t count) { return static_cast<double>(count) / static_cast<double>(cycles); };
  std::vector<LinkResult> loads;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Fabric::LinkUse &from = before[i].use, &to = after[i].use;
    loads.push_back({after[i].from, after[i].port, per_cycle(to.packet_flits - from.packet_flits),
                     per_cycle(to.circuit_flits - from.circuit_flits)});
    if (to.stopped_cycles) loads.back().stopped = per_cycle(*to.stopped_cycles - *from.stopped_cycles);
  }
  return loads;
}

std::vector<NodeLinkResult> node_link_results(const routing::Topology& topology,
                                              const std::vector<TrafficClassResults>& classes) {
  std::vector<NodeLinkResult> links;
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    NodeLinkResult link{NodeId{n}, topology.nodes[n].size(), 0.0, 0.0};
    for (const TrafficClassResults& c : classes) {
      link.injected_flits_per_cycle += c.injected_flits_per_cycle_by_node[n];
      link.ejected_flits_per_cycle += c.delivered_flits_per_cycle_by_node[n];
    }
    link.injected_flits_per_cycle /= static_cast<double>(link.ports);
    link.ejected_flits_per_cycle /= static_cast<double>(link.ports);
    links.push_back(link);
  }
  return links;
}

}  // namespace braid::models
