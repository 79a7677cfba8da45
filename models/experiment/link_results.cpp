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
      const Fabric::LinkUse use = network.fabric().link_use(RouterId{r}, PortId{p});
      links.push_back({RouterId{r}, PortId{p}, use.packet_flits, use.circuit_flits});
    }
  }
  return links;
}

std::vector<LinkResult> link_results(const std::vector<LinkCount>& before, const std::vector<LinkCount>& after,
                                     std::uint64_t cycles) {
  const auto per_cycle = [&](std::uint64_t flits) { return static_cast<double>(flits) / static_cast<double>(cycles); };
  std::vector<LinkResult> loads;
  for (std::size_t i = 0; i < after.size(); ++i) {
    loads.push_back({after[i].from, after[i].port, per_cycle(after[i].packet_flits - before[i].packet_flits),
                     per_cycle(after[i].circuit_flits - before[i].circuit_flits)});
  }
  return loads;
}

}  // namespace braid::models
