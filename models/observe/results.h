// What a run found out. Every figure's unit is in its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/base/ids.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// A sampled mean with the half-width of its 95 % confidence interval (batch means, Student's t).
struct Estimate {
  double mean = 0.0;
  double half_width_95 = 0.0;
};

struct Distribution {
  std::uint64_t count = 0;
  double min = 0, mean = 0, max = 0, p50 = 0, p95 = 0, p99 = 0;
};

/// Counts over the whole run, warm-up included. Always: created = queued + injected and injected = delivered +
/// in_flight.
struct Conservation {
  std::uint64_t packets_created = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t packets_in_flight = 0;  ///< counted by walking queues, buffers and links, not by subtraction
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_delivered = 0;
  std::uint64_t flits_in_flight = 0;  ///< counted by walking buffers and links
  bool holds() const {
    return packets_created == packets_delivered + packets_in_flight &&
           flits_injected == flits_delivered + flits_in_flight;
  }
};

/// How evenly nodes get to send: over the nodes that have made a packet of the class (silent ones are left out).
struct InjectionSpread {
  std::uint64_t nodes = 0;
  double min = 0, mean = 0, max = 0;  ///< flits/cycle injected by a node while measuring
  double jain_index = 0;              ///< (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if one sends all
};

/// Figures of one class of traffic (synthetic packets; stream packets; circuit messages).
struct TrafficClassResults {
  std::string name;
  double offered_flits_per_node_cycle = 0;  ///< created while measuring
  Estimate accepted_flits_per_node_cycle;
  Estimate packet_latency_cycles;   ///< creation to delivery of the tail
  Estimate network_latency_cycles;  ///< head enters the injection link to delivery of the tail
  Distribution packet_latency_distribution;
  double queue_latency_mean_cycles = 0;
  double hops_mean = 0;                                   ///< links between routers
  std::vector<double> delivered_flits_per_cycle_by_node;  ///< [node]
  std::vector<double> injected_flits_per_cycle_by_node;   ///< [node]
  std::vector<std::uint64_t> injected_packets_by_node;    ///< [node] while measuring
  InjectionSpread injection_spread;
};

struct CircuitResult {
  std::string stream;  ///< "from -> to"
  NodeId source, destination;
  std::vector<RouterId> path;  ///< routers from source to destination
  std::vector<PortId> ports;   ///< output port taken at each router of the path
  std::uint64_t setup_cycles = 0;
  std::uint32_t backtracks = 0;
};

struct SetupResults {
  bool attempted = false;
  bool fell_back_to_packets = false;
  std::uint32_t orders_tried = 0;
  std::string failed_stream;       ///< of the last order, if it fell back
  std::uint64_t total_cycles = 0;  ///< all streams, one after the other, all orders
  std::vector<CircuitResult> circuits;
};

struct StreamEdgeResult {
  std::string name;
  NodeId source, destination;
  double items_per_kilocycle = 0;
};

struct StreamResults {
  std::string graph;
  std::vector<NodeId> placement;  ///< [actor]
  std::vector<std::string> actor_names;
  Estimate iterations_per_kilocycle;  ///< steady states completed by the sinks
  std::vector<StreamEdgeResult> edges;
};

/// Messages of one length.
struct MessageLengthResult {
  std::uint32_t packets = 0;
  bool priority = false;
  std::uint64_t messages = 0;
  double latency_mean_cycles = 0;          ///< from creation until the last packet is at its destination
  double network_latency_mean_cycles = 0;  ///< of their packets
};

/// Figures of messages born while measuring.
struct MessageResults {
  std::uint64_t created = 0, delivered = 0;
  Estimate normalized_latency_cycles;  ///< a message's latency over its packets; mean over messages
  Distribution latency_distribution;
  std::vector<MessageLengthResult> by_length;
};

/// A figure of the router architecture's own, per measured cycle ("pe_port_busy").
struct RouterFigure {
  std::string name;
  double per_cycle = 0;
};

/// A fairness policy's own figures, over the measured cycles.
struct FairnessResults {
  std::string policy, carrier;
  std::uint32_t l = 0, k = 0;                ///< at the end
  std::uint64_t unheld_interval_cycles = 0;  ///< from reception to reception if no station held the signal
  Distribution interval_cycles;              ///< measured, at all stations; without percentiles
};

struct LinkResult {
  RouterId from;
  PortId port;
  double packet_flits_per_cycle = 0;
  double circuit_flits_per_cycle = 0;
};

struct Results {
  std::uint64_t cycles = 0;  ///< simulated in all
  std::uint64_t warmup_cycles = 0;
  std::uint64_t measured_cycles = 0;
  bool steady = true;             ///< the warm-up rule was met before its limit
  bool saturated = false;         ///< packets born while measuring were still queued when the drain limit came
  std::uint64_t packet_hash = 0;  ///< over every delivered packet, independent of order, schedule and threads
  std::uint64_t flit_hops = 0;    ///< flits that passed a router
  double wall_seconds = 0;
  Conservation conservation;
  std::vector<TrafficClassResults> classes;
  SetupResults setup;
  std::optional<StreamResults> stream;
  std::optional<MessageResults> messages;
  std::vector<RouterFigure> router;
  std::optional<FairnessResults> fairness;
  std::vector<LinkResult> links;
};

}  // namespace braid::models
