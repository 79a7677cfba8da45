#include "models/experiment/link_flows.h"

#include <algorithm>

namespace braid::models {

void LinkFlows::add(const PacketRecord& record) {
  const Packet& p = record.packet;
  for (const PacketRecord::Visit& visit : record.path) {
    if (visit.cycle < first_ || visit.cycle >= end_) continue;
    const routing::Port& came_by = topology_.port(visit.router, visit.in_port);
    if (!came_by.came_from_router()) continue;
    const Link link{p.sequence % subnets_, came_by.peer_router, came_by.peer_port};
    flits_[link][{p.traffic_class, p.source, p.destination}] += p.length_flits;
  }
}

void LinkFlows::put(std::vector<LinkResult>& links, const std::vector<std::string>& classes) const {
  const auto cycles = static_cast<double>(end_ - first_);
  for (LinkResult& link : links) {
    link.flows.emplace();
    const auto found = flits_.find({link.subnet.value_or(0), link.from, link.port});
    if (found == flits_.end()) continue;
    for (const auto& [whose, flits] : found->second) {
      const auto& [traffic_class, source, destination] = whose;
      link.flows->push_back({source, destination, classes[traffic_class], static_cast<double>(flits) / cycles});
    }
    std::stable_sort(link.flows->begin(), link.flows->end(),
                     [](const LinkFlow& a, const LinkFlow& b) { return a.flits_per_cycle > b.flits_per_cycle; });
  }
}

}  // namespace braid::models
