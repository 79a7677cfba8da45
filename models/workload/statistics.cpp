#include "models/workload/statistics.h"

#include <algorithm>
#include <utility>

#include "routing/base/random.h"

namespace braid::models {
namespace {

double ratio(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? kNoSample : static_cast<double>(sum) / static_cast<double>(count);
}

/// Different for packets that differ in their journey or length. What they are for (kind, stream, message) is not in
/// it.
std::uint64_t hash_packet(std::uint64_t cycle, const Packet& p) {
  std::uint64_t h = mix64((std::uint64_t{p.source.value} << 32) | p.destination.value);
  h = mix64(h + ((std::uint64_t{p.sequence} << 32) | p.length_flits));
  h = mix64(h + p.created);
  h = mix64(h + p.injected);
  return mix64(h + cycle + (std::uint64_t{p.routers} << 48));
}

}  // namespace

Batch& Statistics::PerClass::batch(std::uint64_t i) {
  if (i >= batches.size()) batches.resize(i + 1);
  return batches[i];
}

std::uint64_t Statistics::PerClass::created_packets() const {
  std::uint64_t created = 0;
  for (const Batch& one : batches) created += one.created_packets;
  return created;
}

void Statistics::add_by_node(std::vector<std::uint64_t>& counts, std::size_t nodes, NodeId node, std::uint64_t flits) {
  if (counts.empty()) counts.resize(nodes);
  counts[node.value] += flits;
}

void Statistics::begin_window() {
  for (PerClass& c : classes_) {
    PerClass fresh;
    fresh.created_packets_by_node = std::move(c.created_packets_by_node);
    c = std::move(fresh);
  }
  if (flows_) flows_.emplace();
  measured_created_ = measured_delivered_ = measured_lost_ = 0;
}

void Statistics::created(Packet& packet) {
  ++packets_created_;
  PerClass& c = classes_[packet.traffic_class];
  add_by_node(c.created_packets_by_node, nodes_, packet.source, 1);
  packet.measured = window_->open;
  if (!packet.measured) return;
  ++measured_created_;
  c.created_flits += packet.length_flits;
  add_by_node(c.measured_packets_by_node, nodes_, packet.source, 1);
  Batch& batch = c.batch(batch_of(packet.created));
  ++batch.created_packets;
  batch.created_flits += packet.length_flits;
}

void Statistics::sent(std::uint64_t cycle, const Packet& packet) {
  if (!window_->open) return;
  PerClass& c = classes_[packet.traffic_class];
  c.source_queues.leaves(packet.source.value, nodes_, cycle, packet.created, window_->first_cycle);
  add_by_node(c.injected_flits_by_node, nodes_, packet.source, packet.length_flits);
  add_by_node(c.injected_packets_by_node, nodes_, packet.source, 1);
}

void Statistics::delivered(std::uint64_t cycle, const Packet& packet) {
  packet_hash_ += hash_packet(cycle, packet);
  ++packets_delivered_;
  const std::uint64_t latency = cycle - packet.created;
  ++interval_.packets;
  interval_.flits += packet.length_flits;
  interval_.latency_sum += latency;
  PerClass& c = classes_[packet.traffic_class];
  if (window_->open) {
    c.batch(batch_of(cycle)).delivered_flits += packet.length_flits;
    add_by_node(c.delivered_flits_by_node, nodes_, packet.destination, packet.length_flits);
  }
  if (!window_->measures(packet)) return;
  ++measured_delivered_;
  ++c.packets;
  c.queue_latency_sum += packet.injected - packet.created;
  c.source_queues.waited(packet.source.value, nodes_, packet.injected - packet.created);
  c.router_sum += packet.routers;
  const std::size_t born = batch_of(packet.created);
  c.latencies.add(born, latency);
  if (flows_) flows_->delivered(packet, latency);
  Batch& batch = c.batch(born);
  ++batch.packets;
  batch.latency_sum += latency;
  batch.network_latency_sum += cycle - packet.injected;
}

void Statistics::lost(const Packet& packet) {
  ++packets_lost_;
  if (!window_->measures(packet)) return;
  ++measured_lost_;
  ++classes_[packet.traffic_class].measured_lost;
}

Statistics::Interval Statistics::take_interval() {
  const Interval taken = interval_;
  interval_ = {};
  return taken;
}

void Statistics::merge(const Statistics& other) {
  const auto add = [](std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
  };
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    PerClass& c = classes_[i];
    const PerClass& o = other.classes_[i];
    c.packets += o.packets;
    c.created_flits += o.created_flits;
    c.queue_latency_sum += o.queue_latency_sum;
    c.router_sum += o.router_sum;
    c.measured_lost += o.measured_lost;
    c.latencies.merge(o.latencies);
    c.source_queues.merge(o.source_queues);
    for (std::size_t b = 0; b < o.batches.size(); ++b) c.batch(b) += o.batches[b];
    add(c.delivered_flits_by_node, o.delivered_flits_by_node);
    add(c.injected_flits_by_node, o.injected_flits_by_node);
    add(c.injected_packets_by_node, o.injected_packets_by_node);
    add(c.created_packets_by_node, o.created_packets_by_node);
    add(c.measured_packets_by_node, o.measured_packets_by_node);
  }
  if (flows_) flows_->merge(*other.flows_);
  measured_created_ += other.measured_created_;
  measured_delivered_ += other.measured_delivered_;
  measured_lost_ += other.measured_lost_;
  packets_created_ += other.packets_created_;
  packets_delivered_ += other.packets_delivered_;
  packets_lost_ += other.packets_lost_;
  packet_hash_ += other.packet_hash_;
}

std::vector<TrafficClassResults> Statistics::results(std::uint64_t measured_cycles) const {
  std::vector<TrafficClassResults> all;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    if (classes_[c].packets > 0 || classes_[c].created_flits > 0) all.push_back(class_results(c, measured_cycles));
  }
  return all;
}

TrafficClassResults Statistics::class_results(std::size_t i, std::uint64_t measured_cycles) const {
  const PerClass& c = classes_[i];
  const double node_cycles = static_cast<double>(nodes_) * static_cast<double>(measured_cycles);
  TrafficClassResults r;
  r.name = names_[i];
  r.offered_flits_per_node_cycle = static_cast<double>(c.created_flits) / node_cycles;
  std::vector<BatchSum> accepted, latency, network;
  const BatchSeries series = batches(i, measured_cycles);
  for (const Batch& batch : series) {
    const auto packets = static_cast<double>(batch.packets);
    accepted.push_back({static_cast<double>(batch.delivered_flits),
                        static_cast<double>(nodes_) * static_cast<double>(window_->batch_cycles)});
    latency.push_back({static_cast<double>(batch.latency_sum), packets});
    network.push_back({static_cast<double>(batch.network_latency_sum), packets});
  }
  r.accepted_flits_per_node_cycle = estimate_of_batches(accepted);
  const LatencyHistogram latencies = c.latencies.all();
  r.packet_latency_distribution = latencies.distribution();
  if (keep_.histograms) r.packet_latency_buckets = latencies.buckets();
  if (keep_.batches) r.batches = series;
  if (flows_) r.flows = flows_->results(static_cast<std::uint8_t>(i));
  r.packet_latency_cycles = estimate_of_batches(latency);
  // Where not even the mean's can be relied on, nothing is said of percentiles.
  if (r.packet_latency_cycles.half_width_95 != kNotReliable) {
    r.packet_latency_percentiles = percentile_intervals(c.latencies.sections(series.size()));
  }
  r.packet_latency_cycles.mean = r.packet_latency_distribution.mean;  // over packets, not over batches
  r.network_latency_cycles = estimate_of_batches(network);
  r.queue_latency_mean_cycles = ratio(c.queue_latency_sum, c.packets);
  r.network_latency_cycles.mean = r.packet_latency_cycles.mean - r.queue_latency_mean_cycles;
  // Circuits' messages count no routers on their way: their path is known from set-up.
  r.hops_mean = c.router_sum == 0 ? kNoSample : ratio(c.router_sum, c.packets) - 1.0;
  const auto per_cycle = [&](const std::vector<std::uint64_t>& counts) {
    std::vector<double> rates(nodes_);
    for (std::size_t n = 0; n < counts.size(); ++n) rates[n] = ratio(counts[n], measured_cycles);
    return rates;
  };
  r.delivered_flits_per_cycle_by_node = per_cycle(c.delivered_flits_by_node);
  r.injected_flits_per_cycle_by_node = per_cycle(c.injected_flits_by_node);
  r.injected_packets_by_node = c.injected_packets_by_node;
  r.injected_packets_by_node.resize(nodes_);
  r.injection_spread = injection_spread(c, measured_cycles);
  r.starvation = starvation(c.measured_packets_by_node, c.injected_packets_by_node);
  r.source_queues = c.source_queues.loads(measured_cycles);
  r.flits_per_packet = ratio(c.created_flits, c.created_packets());
  return r;
}

BatchSeries Statistics::batches(std::size_t traffic_class, std::uint64_t measured_cycles) const {
  BatchSeries all = classes_[traffic_class].batches;
  all.resize(measured_cycles / window_->batch_cycles);
  return all;
}

std::uint64_t Statistics::measured_under_way(std::size_t traffic_class) const {
  const PerClass& c = classes_[traffic_class];
  return c.created_packets() - c.packets - c.measured_lost;
}

InjectionSpread Statistics::injection_spread(const PerClass& c, std::uint64_t measured_cycles) const {
  InjectionSpread spread;
  double sum = 0.0, squares = 0.0;
  for (std::size_t n = 0; n < c.created_packets_by_node.size(); ++n) {
    if (c.created_packets_by_node[n] == 0) continue;
    const double rate = n < c.injected_flits_by_node.size() ? ratio(c.injected_flits_by_node[n], measured_cycles) : 0.0;
    spread.min = spread.nodes == 0 ? rate : std::min(spread.min, rate);
    spread.max = spread.nodes == 0 ? rate : std::max(spread.max, rate);
    sum += rate;
    squares += rate * rate;
    ++spread.nodes;
  }
  if (spread.nodes == 0) return spread;
  const auto nodes = static_cast<double>(spread.nodes);
  spread.mean = sum / nodes;
  if (squares > 0.0) spread.jain_index = sum * sum / (nodes * squares);
  return spread;
}

}  // namespace braid::models
