#include "models/experiment/queue_intervals.h"

#include <algorithm>
#include <cmath>

#include "models/workload/batch_means.h"
#include "models/workload/heavy_traffic.h"

namespace braid::models {
namespace {

/// Before the ports by which packets of the class leave the network, used by those of all classes.
std::vector<QueueLoad> ejections(const TrafficClassResults& of, const std::vector<NodeLinkResult>& links) {
  double all = 0.0;
  for (const double flits : of.delivered_flits_per_cycle_by_node) all += flits;
  std::vector<QueueLoad> queues;
  for (std::size_t n = 0; n < links.size(); ++n) {
    if (of.delivered_flits_per_cycle_by_node[n] == 0.0) continue;
    queues.push_back(before_ejection(of.delivered_flits_per_cycle_by_node[n] / all, links[n].ejected_flits_per_cycle,
                                     static_cast<double>(links[n].ports), of.flits_per_packet));
  }
  return queues;
}

void allow_for(const HeavyTraffic& said, Estimate& latency) {
  if (std::isnan(latency.half_width_95)) return;  // one batch
  latency.half_width_95 = said.reliable ? std::max(latency.half_width_95, said.least_half_width) : kNotReliable;
}

}  // namespace

void allow_for_queues(TrafficClassResults& of, const std::vector<NodeLinkResult>& links, std::uint64_t cycles) {
  if (of.packet_latency_distribution.count == 0) return;
  const std::vector<QueueLoad> behind = ejections(of, links);
  const auto window = static_cast<double>(cycles);
  const HeavyTraffic whole = heavy_traffic(of.source_queues, behind, of.packet_latency_cycles.mean, window);
  of.cycles_wanted = whole.cycles_wanted;
  allow_for(whole, of.packet_latency_cycles);
  allow_for(heavy_traffic({}, behind, of.network_latency_cycles.mean, window), of.network_latency_cycles);
  if (!whole.reliable) of.packet_latency_percentiles = {};
}

}  // namespace braid::models
