#include "models/experiment/link_results.h"

#include <algorithm>
#include <cstddef>

#include "models/fabric/fabric.h"
#include "routing/topology/topology.h"

namespace braid::models {

namespace {

void count_links(const routing::Topology& topology, const Fabric& fabric, std::uint32_t subnet,
                 std::vector<LinkCount>& links) {
  for (std::size_t r = 0; r < topology.router_count(); ++r) {
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      if (topology.port(RouterId{r}, PortId{p}).kind != routing::PortKind::kNetwork) continue;
      links.push_back({RouterId{r}, PortId{p}, fabric.link_use(RouterId{r}, PortId{p}), subnet});
    }
  }
}

}  // namespace

std::vector<LinkCount> link_counts(const Network& network) {
  std::vector<LinkCount> links;
  for (std::uint32_t s = 0; s < network.subnets(); ++s) {
    count_links(network.topology(), network.fabric().subnet(s), s, links);
  }
  return links;
}

std::vector<LinkResult> link_results(const std::vector<LinkCount>& before, const std::vector<LinkCount>& after,
                                     std::uint64_t cycles, bool name_subnets) {
  const auto per_cycle = [&](std::uint64_t count) { return static_cast<double>(count) / static_cast<double>(cycles); };
  std::vector<LinkResult> loads;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Fabric::LinkUse &from = before[i].use, &to = after[i].use;
    loads.push_back({after[i].from, after[i].port, per_cycle(to.packet_flits - from.packet_flits),
                     per_cycle(to.circuit_flits - from.circuit_flits)});
    if (name_subnets) loads.back().subnet = after[i].subnet;
    if (to.stopped_cycles) loads.back().stopped = per_cycle(*to.stopped_cycles - *from.stopped_cycles);
  }
  return loads;
}

std::vector<NodeLinkResult> node_link_results(const routing::Topology& topology,
                                              const std::vector<TrafficClassResults>& classes, std::size_t subnets) {
  std::vector<NodeLinkResult> links;
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    NodeLinkResult link{NodeId{n}, topology.nodes[n].size() * subnets, 0.0, 0.0};
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

std::vector<Fabric::Counters> subnet_counts(const Network& network) {
  std::vector<Fabric::Counters> all;
  for (std::size_t s = 0; s < network.subnets(); ++s) all.push_back(network.fabric().subnet(s).counters());
  return all;
}

namespace {

/// The first class, of packets that no workload has made, is there only if a workload's has its name.
std::vector<std::string> classes_of(const Network& network, std::uint32_t subnet) {
  std::vector<std::string> all;
  for (std::size_t c = 0; c < network.traffic_classes().size(); ++c) {
    const std::string& name = network.traffic_classes()[c];
    const std::vector<std::uint32_t>& by = network.class_subnets()[c];
    const auto& workloads = network.workloads();
    const bool sent = std::any_of(workloads.begin(), workloads.end(), [&](const auto& workload) {
      const std::vector<std::string> own = workload->classes();
      return std::find(own.begin(), own.end(), name) != own.end();
    });
    if (sent && std::find(by.begin(), by.end(), subnet) != by.end()) all.push_back(name);
  }
  return all;
}

/// The links of one subnet: the fullest, and the mean of how full they are.
void take_links(const std::vector<LinkResult>& links, const routing::Topology& topology, SubnetResult& result) {
  double sum = 0.0, most = -1.0;
  std::size_t count = 0;
  for (const LinkResult& link : links) {
    if (link.subnet != result.number) continue;
    const double load = (link.packet_flits_per_cycle + link.circuit_flits_per_cycle) /
                        topology.port(link.from, link.port).flits_per_cycle;
    ++count;
    sum += load;
    if (load <= most) continue;
    most = load;
    result.busiest_router = topology.router_names[link.from.value];
    result.busiest_port = topology.port(link.from, link.port).name;
  }
  if (count == 0) return;
  result.busiest_link_load = most;
  result.mean_link_load = sum / static_cast<double>(count);
}

}  // namespace

std::vector<SubnetResult> subnet_results(const Network& network, const std::vector<Fabric::Counters>& before,
                                         const std::vector<LinkResult>& links, std::uint64_t cycles) {
  const std::vector<Fabric::Counters> after = subnet_counts(network);
  const auto node_cycles = static_cast<double>(cycles) * static_cast<double>(network.topology().node_count());
  std::vector<SubnetResult> all;
  for (std::uint32_t s = 0; s < after.size(); ++s) {
    SubnetResult one;
    one.number = s;
    one.classes = classes_of(network, s);
    one.accepted = static_cast<double>(after[s].flits_delivered - before[s].flits_delivered) / node_cycles;
    one.injected = static_cast<double>(after[s].flits_injected - before[s].flits_injected) / node_cycles;
    take_links(links, network.topology(), one);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace braid::models
