#include "models/workload/flow_statistics.h"

#include <algorithm>

namespace braid::models {

const FigureTable<FlowResult>& flow_figures() {
  using F = FlowResult;
  static const FigureTable<F> table =
      FigureTable<F>()
          .add("source_node", "", "number", [](const F& f) { return f.source.value; })
          .add("destination_node", "", "number", [](const F& f) { return f.destination.value; })
          .add("stream", "", "place among the results' stream.edges; a stream's packets only", &F::stream)
          .add("flits", "", "of the packets counted", &F::flits)
          .part("latency_cycles", "cycles", "creation to delivery of the tail", &F::latency, range_figures());
  return table;
}

void FlowStatistics::delivered(const Packet& packet, std::uint64_t latency) {
  Sums& flow = flows_[Key{packet.traffic_class, packet.source, packet.destination, packet.tag}];
  ++flow.packets;
  flow.flits += packet.length_flits;
  flow.latency += latency;
  flow.least = std::min(flow.least, latency);
  flow.most = std::max(flow.most, latency);
}

void FlowStatistics::merge(const FlowStatistics& other) {
  for (const auto& [key, more] : other.flows_) {
    Sums& flow = flows_[key];
    flow.packets += more.packets;
    flow.flits += more.flits;
    flow.latency += more.latency;
    flow.least = std::min(flow.least, more.least);
    flow.most = std::max(flow.most, more.most);
  }
}

std::vector<FlowResult> FlowStatistics::results(std::uint8_t wanted) const {
  std::vector<FlowResult> all;
  for (const auto& [key, sums] : flows_) {
    const auto& [traffic_class, source, destination, tag] = key;
    if (traffic_class != wanted) continue;
    FlowResult flow{source, destination, std::nullopt, sums.flits, {}};
    if (tag != kNoTag) flow.stream = tag;
    flow.latency.count = sums.packets;
    flow.latency.min = static_cast<double>(sums.least);
    flow.latency.mean = static_cast<double>(sums.latency) / static_cast<double>(sums.packets);
    flow.latency.max = static_cast<double>(sums.most);
    all.push_back(flow);
  }
  return all;
}

}  // namespace braid::models
