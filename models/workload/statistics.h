// What is counted while the clock runs. One Statistics for each slice, merged when the run ends: sums of integers only,
// so that neither the order of slices nor the number of threads changes a figure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/flit.h"
#include "models/observe/distribution.h"
#include "models/workload/batch_means.h"
#include "models/workload/batch_series.h"
#include "models/workload/flow_statistics.h"
#include "models/workload/latency_histogram.h"
#include "models/workload/percentile_intervals.h"
#include "models/workload/saturation.h"
#include "models/workload/source_queues.h"
#include "models/workload/starvation.h"
#include "routing/base/checkpoint.h"
#include "routing/base/figures.h"
#include "routing/base/options.h"

namespace braid::models {

/// How evenly nodes get to send: over the nodes that have made a packet of the class (silent ones are left out).
struct InjectionSpread {
  std::uint64_t nodes = 0;
  double min = kNoSample, mean = kNoSample, max = kNoSample;  ///< flits/cycle injected by a node while measuring
  double jain_index = kNoSample;  ///< (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if one sends all
};

/// Figures that only those who ask for them have.
struct ResultsOptions {
  bool flows = false;       ///< latency of each pair of nodes and each stream
  bool histograms = false;  ///< of latency, whole
  bool batches = false;     ///< every batch of the window
  bool link_flows = false;  ///< whose packets each link carried
};
/// In section [results].
const OptionTable<ResultsOptions>& results_options();

/// Figures of one class of traffic.
struct TrafficClassResults {
  std::string name;
  double offered_flits_per_node_cycle = 0;
  Estimate accepted_flits_per_node_cycle, packet_latency_cycles, network_latency_cycles;
  Distribution packet_latency_distribution;
  PercentileIntervals packet_latency_percentiles;
  double queue_latency_mean_cycles = kNoSample;
  double hops_mean = kNoSample;                           ///< links between routers
  std::vector<double> delivered_flits_per_cycle_by_node;  ///< [node]
  std::vector<double> injected_flits_per_cycle_by_node;   ///< [node]
  std::vector<std::uint64_t> injected_packets_by_node;    ///< [node]
  InjectionSpread injection_spread;
  std::optional<LatencyBuckets> packet_latency_buckets;  ///< if asked for
  std::optional<std::vector<FlowResult>> flows;          ///< if asked for
  std::optional<BatchSeries> batches;                    ///< if asked for
  std::optional<SaturationVerdict> saturation = {};      ///< of sources that do not wait for the network
  StarvationVerdict starvation;
  std::vector<QueueLoad> source_queues;  ///< [node] or none, for intervals
  double flits_per_packet = 0;           ///< of those made while measuring
  double cycles_wanted = 0;              ///< if its latency's interval is not reliable for its queues: heavy_traffic.h
};
/// What they mean.
const FigureTable<TrafficClassResults>& class_figures();

/// When packets are measured. Set between cycles by the run's controller; the slices only read it.
struct MeasurementWindow {
  bool open = false;
  std::uint64_t first_cycle = 0;
  std::uint64_t batch_cycles = 1000;
  /// Does a packet, message or request count? It was made while a window was open, and that was this one.
  template <class Made>
  bool measures(const Made& made) const {
    return made.measured && made.created >= first_cycle;
  }
};

class Statistics {
 public:
  /// `classes`: names of the classes of traffic, by Packet::traffic_class.
  Statistics(const MeasurementWindow& window, std::size_t nodes, const std::vector<std::string>& classes = {"packets"},
             const ResultsOptions& keep = {})
      : window_(&window), nodes_(nodes), keep_(keep), names_(classes), classes_(classes.size()) {
    if (keep.flows) flows_.emplace();
  }

  /// Forgets what an earlier window counted; packets of it that are still under way are measured no longer.
  void begin_window();
  /// Marks the packet as measured if it is born while the window is open.
  void created(Packet& packet);
  void sent(std::uint64_t cycle, const Packet& packet);
  void delivered(std::uint64_t cycle, const Packet& packet);
  void lost(const Packet& packet);

  /// Delivered since the last call of take_interval(), all classes together.
  struct Interval {
    std::uint64_t packets = 0, flits = 0, latency_sum = 0;
  };
  Interval take_interval();

  /// Measured packets that have been created (delivered, lost).
  std::uint64_t measured_created() const { return measured_created_; }
  std::uint64_t measured_delivered() const { return measured_delivered_; }
  std::uint64_t measured_lost() const { return measured_lost_; }
  std::uint64_t packet_hash() const { return packet_hash_; }
  std::uint64_t packets_created() const { return packets_created_; }
  std::uint64_t packets_delivered() const { return packets_delivered_; }
  std::uint64_t packets_lost() const { return packets_lost_; }

  void merge(const Statistics& other);
  void checkpoint(Checkpoint& c) {
    c.each(classes_);
    for (const PerClass& one : classes_) {
      for (const auto* by_node :
           {&one.delivered_flits_by_node, &one.injected_flits_by_node, &one.injected_packets_by_node,
            &one.created_packets_by_node, &one.measured_packets_by_node}) {
        c.expect(by_node->empty() || by_node->size() == nodes_, "counts of other nodes");
      }
      c.expect(one.source_queues.size() == 0 || one.source_queues.size() == nodes_, "queues of other nodes");
    }
    c(flows_, interval_, measured_created_, measured_delivered_, measured_lost_, packets_created_, packets_delivered_,
      packets_lost_, packet_hash_);
    c.expect(flows_.has_value() == keep_.flows, "counts of flows");
  }
  /// Figures of every class that saw a packet, over `measured_cycles` of the window.
  std::vector<TrafficClassResults> results(std::uint64_t measured_cycles) const;
  /// All batches that `measured_cycles` hold whole, of a class.
  BatchSeries batches(std::size_t traffic_class, std::uint64_t measured_cycles) const;
  /// Its packets born while measuring that are still under way.
  std::uint64_t measured_under_way(std::size_t traffic_class) const;

 private:
  struct PerClass {
    std::uint64_t packets = 0, created_flits = 0, queue_latency_sum = 0, router_sum = 0, measured_lost = 0;
    BatchSeries batches;
    LatencySections latencies;
    SourceQueues source_queues;
    std::vector<std::uint64_t> delivered_flits_by_node, injected_flits_by_node, injected_packets_by_node;
    std::vector<std::uint64_t> created_packets_by_node;  // in the whole run
    std::vector<std::uint64_t> measured_packets_by_node;
    Batch& batch(std::uint64_t i);
    std::uint64_t created_packets() const;
    void checkpoint(Checkpoint& c) {
      c(packets, created_flits, queue_latency_sum, router_sum, measured_lost, batches, latencies, source_queues,
        delivered_flits_by_node, injected_flits_by_node, injected_packets_by_node, created_packets_by_node,
        measured_packets_by_node);
    }
  };
  std::size_t batch_of(std::uint64_t cycle) const { return (cycle - window_->first_cycle) / window_->batch_cycles; }
  static void add_by_node(std::vector<std::uint64_t>& counts, std::size_t nodes, NodeId node, std::uint64_t flits);
  InjectionSpread injection_spread(const PerClass& c, std::uint64_t measured_cycles) const;
  TrafficClassResults class_results(std::size_t c, std::uint64_t measured_cycles) const;

  const MeasurementWindow* window_;
  std::size_t nodes_;
  ResultsOptions keep_;
  std::vector<std::string> names_;  // [class]
  std::vector<PerClass> classes_;   // [class]
  std::optional<FlowStatistics> flows_;
  Interval interval_;
  std::uint64_t measured_created_ = 0, measured_delivered_ = 0, measured_lost_ = 0;
  std::uint64_t packets_created_ = 0, packets_delivered_ = 0, packets_lost_ = 0;
  std::uint64_t packet_hash_ = 0;
};

}  // namespace braid::models
