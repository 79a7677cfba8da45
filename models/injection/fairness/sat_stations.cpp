#include "models/injection/fairness/sat_stations.h"

#include <fmt/format.h>

#include <algorithm>

namespace braid::models {

SatStations::SatStations(std::size_t nodes, const SatOptions& options)
    : thresholds_{options.l, options.k}, stations_(nodes) {
  if (options.k == 0) throw InputError("sat.k = 0: no node could ever send; expected 1 or more");
  if (options.l > options.k) {
    throw InputError(
        fmt::format("sat.l = {} is more than sat.k = {}: a node would hold the signal for packets that it may "
                    "not send; expected l <= k",
                    options.l, options.k));
  }
  for (Station& s : stations_) s.thresholds = thresholds_;
  for (const std::uint32_t node : options.dead_nodes) {
    if (node >= nodes) {
      throw InputError(fmt::format("sat.dead_nodes: node {} is out of range: expected 0 to {}", node, nodes - 1));
    }
    stations_[node].dead = true;
  }
}

void SatStations::receive(NodeId node, std::uint64_t cycle) {
  Station& s = stations_[node.value];
  if (s.received_before) {
    s.interval = cycle - s.received;
    ++intervals_.count;
    intervals_.sum += s.interval;
    intervals_.min = std::min(intervals_.min, s.interval);
    intervals_.max = std::max(intervals_.max, s.interval);
  }
  s.received_before = true;
  s.received = cycle;
  s.holds = true;
  limited_ |= s.sent >= s.thresholds.k;
}

bool SatStations::starved(NodeId node, const InjectionGate::Waiting& waiting) const {
  const Station& s = stations_[node.value];
  return s.sent < s.thresholds.l && waiting(node) > 0;
}

bool SatStations::try_release(NodeId node, const InjectionGate::Waiting& waiting) {
  if (!satisfied(node, waiting)) return false;
  release(node);
  return true;
}

void SatStations::release(NodeId node) {
  Station& s = stations_[node.value];
  s.sent = 0;
  s.holds = false;
  s.thresholds = thresholds_;
}

void SatStations::take(NodeId node, const Visit& visit, std::uint64_t cycle) {
  if (visit.here) receive(node, cycle);
  if (visit.leaves) release(node);
  if (visit.arrives) receive(node, cycle + 1);
}

}  // namespace braid::models
