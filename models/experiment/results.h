// What a run found out, all parts together. What each figure means stands where it is counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/engine/network.h"
#include "models/fabric/circuits.h"
#include "models/workload/statistics.h"
#include "routing/base/figures.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// What one node sends to another over a link, of one class.
struct LinkFlow {
  NodeId source, destination;
  std::string traffic_class;
  double flits_per_cycle = 0;
};

struct LinkResult {
  RouterId from;
  PortId port;
  double packet_flits_per_cycle = 0;
  double circuit_flits_per_cycle = 0;
  std::optional<double> stopped = {};               ///< share of the cycles
  std::optional<std::uint32_t> subnet = {};         ///< where the experiment has a section [network]
  std::optional<std::vector<LinkFlow>> flows = {};  ///< of packets, if asked for; most comes first
};

/// The links between a node and its router, each the mean over the node's local ports.
struct NodeLinkResult {
  NodeId node;
  std::size_t ports = 1;
  double injected_flits_per_cycle = 0, ejected_flits_per_cycle = 0;
};

/// One of the networks that lie side by side (models/fabric/subnets.h).
struct SubnetResult {
  std::uint32_t number = 0;
  std::vector<std::string> classes;                      ///< of traffic, that it carries
  double accepted = kNoSample, injected = kNoSample;     ///< flits/node/cycle
  double busiest_link_load = 0.0, mean_link_load = 0.0;  ///< of what a link takes, 0 to 1
  std::string busiest_router, busiest_port;              ///< where that link begins
};

/// Why the watchdog ended a run.
struct Verdict {
  std::string what;                  ///< deadlock, livelock, stalled, starvation, dead SAT station
  std::string text;                  ///< the sentence
  std::vector<std::string> waiting;  ///< what waits for what, in the order of the cycle
};

/// What is to be said against the figures.
struct Warning {
  std::string code;   ///< saturated, unsteady, starved, fallen_back, unreliable, limit, rate_not_held, wide, queued
  std::string text;   ///< a sentence
  std::string place;  ///< a class of traffic, an actor, "setup" or "run"
};

struct Results {
  std::uint64_t cycles = 0;
  std::uint64_t warmup_cycles = 0;
  std::uint64_t measured_cycles = 0;
  bool steady = true;
  bool saturated = false;
  std::uint64_t packet_hash = 0;
  std::uint64_t flit_hops = 0;
  double wall_seconds = 0;
  std::optional<Fabric::Engines> engines;
  std::vector<Warning> warnings;
  std::optional<Verdict> verdict;  ///< then all figures but those of the whole run are missing
  Conservation conservation;
  std::vector<TrafficClassResults> classes;
  SetupResults setup;
  Report workloads;  ///< what they report of themselves, one after the other
  /// What the chosen policies report of themselves.
  Report router, routing, scheduler, fairness, in_transit, failure, reroutes;
  Report energy, area;
  std::vector<LinkResult> links;
  std::vector<NodeLinkResult> node_links;
  std::optional<std::vector<SubnetResult>> subnets;  ///< where the experiment has a section [network]
};
/// All figures of a run.
const FigureTable<OnTopology<Results>>& result_figures();
inline Report report(const Results& results, const routing::Topology& topology) {
  return result_figures().of({&results, &topology});
}

}  // namespace braid::models
