#include "models/workload/statistics.h"

#include <algorithm>
#include <cmath>

#include "routing/base/random.h"

namespace braid::models {
namespace {

constexpr std::uint64_t kExact = 2048;    // histogram buckets of one cycle
constexpr std::uint64_t kPerOctave = 32;  // buckets for each doubling above

std::size_t bucket_of(std::uint64_t cycles) {
  if (cycles < kExact) return cycles;
  unsigned shift = 0;  // the bucket's width is 2^shift
  while ((cycles >> shift) >= 2 * kPerOctave) ++shift;
  return kExact + shift * kPerOctave + ((cycles >> shift) - kPerOctave);
}

double bucket_middle(std::size_t bucket) {
  if (bucket < kExact) return static_cast<double>(bucket);
  const std::size_t shift = (bucket - kExact) / kPerOctave;
  const std::size_t step = (bucket - kExact) % kPerOctave;
  return (static_cast<double>(kPerOctave + step) + 0.5) * std::ldexp(1.0, static_cast<int>(shift));
}

/// The least latency of a bucket that has any, or of the one after it.
std::uint64_t bucket_begin(std::size_t bucket) {
  if (bucket <= kExact) return bucket;
  return (kPerOctave + (bucket - kExact) % kPerOctave) << ((bucket - kExact) / kPerOctave);
}

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

void LatencyHistogram::add(std::uint64_t cycles) {
  const std::size_t bucket = bucket_of(cycles);
  if (bucket >= counts_.size()) counts_.resize(bucket + 1);
  ++counts_[bucket];
  ++count_;
  sum_ += cycles;
  min_ = std::min(min_, cycles);
  max_ = std::max(max_, cycles);
}

void LatencyHistogram::checkpoint(Checkpoint& c) {
  c(counts_, count_, sum_, min_, max_);
  c.index(counts_.size(), bucket_of(~std::uint64_t{0}) + 2, "bucket of latencies");
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

Distribution LatencyHistogram::distribution() const {
  Distribution d;
  if (count_ == 0) return d;
  d.count = count_;
  d.min = static_cast<double>(min_);
  d.max = static_cast<double>(max_);
  d.mean = ratio(sum_, count_);
  const auto percentile = [&](std::uint64_t thousandths) {
    const std::uint64_t rank = std::max<std::uint64_t>(1, (count_ * thousandths + 999) / 1000);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      below += counts_[i];
      if (below >= rank) return std::clamp(bucket_middle(i), d.min, d.max);
    }
    return d.max;
  };
  d.p50 = percentile(500);
  d.p95 = percentile(950);
  d.p99 = percentile(990);
  d.p99_9 = percentile(999);
  return d;
}

LatencyBuckets LatencyHistogram::buckets() const {
  LatencyBuckets all;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    all.first_cycle.push_back(bucket_begin(i));
    all.last_cycle.push_back(bucket_begin(i + 1) - 1);
    all.packets.push_back(counts_[i]);
  }
  return all;
}

Batch& Statistics::PerClass::batch(std::uint64_t i) {
  if (i >= batches.size()) batches.resize(i + 1);
  return batches[i];
}

void Statistics::add_by_node(std::vector<std::uint64_t>& counts, std::size_t nodes, NodeId node, std::uint64_t flits) {
  if (counts.empty()) counts.resize(nodes);
  counts[node.value] += flits;
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

void Statistics::sent(const Packet& packet) {
  if (!window_->open) return;
  PerClass& c = classes_[packet.traffic_class];
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
  if (!packet.measured) return;
  ++measured_delivered_;
  ++c.packets;
  c.queue_latency_sum += packet.injected - packet.created;
  c.router_sum += packet.routers;
  c.latencies.add(latency);
  if (flows_) flows_->delivered(packet, latency);
  Batch& batch = c.batch(batch_of(packet.created));
  ++batch.packets;
  batch.latency_sum += latency;
  batch.network_latency_sum += cycle - packet.injected;
}

void Statistics::lost(const Packet& packet) {
  ++packets_lost_;
  if (!packet.measured) return;
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
  r.packet_latency_distribution = c.latencies.distribution();
  if (keep_.histograms) r.packet_latency_buckets = c.latencies.buckets();
  if (keep_.batches) r.batches = series;
  if (flows_) r.flows = flows_->results(static_cast<std::uint8_t>(i));
  r.packet_latency_cycles = estimate_of_batches(latency);
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
  return r;
}

BatchSeries Statistics::batches(std::size_t traffic_class, std::uint64_t measured_cycles) const {
  BatchSeries all = classes_[traffic_class].batches;
  all.resize(measured_cycles / window_->batch_cycles);
  return all;
}

std::uint64_t Statistics::measured_under_way(std::size_t traffic_class) const {
  const PerClass& c = classes_[traffic_class];
  std::uint64_t created = 0;
  for (const Batch& batch : c.batches) created += batch.created_packets;
  return created - c.packets - c.measured_lost;
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
