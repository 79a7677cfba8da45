// The figures of a class of traffic: names, units, meanings.
#include "models/workload/statistics.h"

namespace braid::models {
namespace {

const FigureTable<InjectionSpread>& injection_spread_figures() {
  using I = InjectionSpread;
  static const FigureTable<I> table =
      FigureTable<I>()
          .add("nodes", "", "that have made a packet of the class; silent ones are left out", &I::nodes)
          .add("min", "flits/cycle", "of the node that sent least", &I::min)
          .add("mean", "flits/cycle", "over these nodes", &I::mean)
          .add("max", "flits/cycle", "of the node that sent most", &I::max)
          .add("jain_index", "", "1 if all send alike, 1/n if one of n sends all", &I::jain_index);
  return table;
}

const FigureTable<LatencyBuckets>& bucket_figures() {
  using B = LatencyBuckets;
  static const FigureTable<B> table =
      FigureTable<B>()
          .add("first_cycle", "cycles", "least latency of each bucket with a packet; one cycle wide below 2048",
               &B::first_cycle)
          .add("last_cycle", "cycles", "most latency of each", &B::last_cycle)
          .add("packets", "", "in each", &B::packets);
  return table;
}

}  // namespace

const OptionTable<ResultsOptions>& results_options() {
  using R = ResultsOptions;
  static const OptionTable<R> table =
      OptionTable<R>("results")
          .boolean("flows", &R::flows, "latency of each pair of nodes and each stream, in the JSON")
          .boolean("histograms", &R::histograms, "every latency that occurred and how often, in the JSON")
          .boolean("batches", &R::batches, "every batch of the measured window, in the JSON")
          .boolean("link_flows", &R::link_flows,
                   "whose packets each link carried, counted packet by packet, in the JSON and the table");
  return table;
}

const FigureTable<TrafficClassResults>& class_figures() {
  using C = TrafficClassResults;
  const auto delivered = [](const C& c) { return spread(c.delivered_flits_per_cycle_by_node); };
  const auto injected = [](const C& c) { return spread(c.injected_flits_per_cycle_by_node); };
  static const FigureTable<C> table =
      FigureTable<C>()
          .add("name", "", "packets, stream packets or circuits", &C::name)
          .add("offered_flits_per_node_cycle", "flits/node/cycle", "made while measuring",
               &C::offered_flits_per_node_cycle)
          .add("accepted_flits_per_node_cycle", "flits/node/cycle",
               "delivered while measuring; batches by delivery, empty ones count", &C::accepted_flits_per_node_cycle)
          .add("packet_latency_cycles", "cycles", "creation to delivery of the tail; batches by creation",
               &C::packet_latency_cycles)
          .of_delivered()
          .add("network_latency_cycles", "cycles",
               "head on the injection link to delivery of the tail; batches by creation", &C::network_latency_cycles)
          .of_delivered()
          .add("queue_latency_mean_cycles", "cycles", "creation until the head is on the injection link",
               &C::queue_latency_mean_cycles)
          .of_delivered()
          .part("packet_latency_distribution_cycles", "cycles", "of the packets born while measuring",
                &C::packet_latency_distribution, distribution_figures())
          .of_delivered()
          .part("packet_latency_percentile_intervals_cycles", "cycles",
                "95 % intervals of these percentiles, by Woodruff's method over batches by creation",
                &C::packet_latency_percentiles, percentile_interval_figures())
          .of_delivered()
          .add("hops_mean_links", "links", "between routers passed; 0 on circuits and in the ideal network",
               &C::hops_mean)
          .of_delivered()
          .part("saturation", "", "is more asked of the network than it takes? A test by paired batches and backlog",
                &C::saturation, saturation_figures())
          .exists_with("a section [traffic]")
          .part("starvation", "", "do nodes fail to send what they make?", &C::starvation, starvation_figures())
          .part("delivered_flits_per_cycle_over_nodes", "flits/cycle", "delivered to a node while measuring", delivered,
                spread_figures())
          .part("injected_flits_per_cycle_over_nodes", "flits/cycle", "sent by a node while measuring", injected,
                spread_figures())
          .add("delivered_flits_per_cycle_by_node", "flits/cycle", "delivered to each node while measuring",
               &C::delivered_flits_per_cycle_by_node)
          .add("injected_flits_per_cycle_by_node", "flits/cycle", "sent by each node while measuring",
               &C::injected_flits_per_cycle_by_node)
          .add("injected_packets_by_node", "", "sent by each node while measuring", &C::injected_packets_by_node)
          .part("injection_spread_flits_per_cycle", "flits/cycle", "how evenly nodes get to send", &C::injection_spread,
                injection_spread_figures())
          .part("packet_latency_histogram_cycles", "", "of the packets born while measuring",
                &C::packet_latency_buckets, bucket_figures())
          .exists_with("results.histograms = true")
          .only_in_json()
          .parts("flows", "", "packets born while measuring that arrived: a source to a destination, each stream apart",
                 &C::flows, flow_figures())
          .exists_with("results.flows = true")
          .only_in_json()
          .part("batches", "",
                "of the measured window, in order; created and delivered differ by what waits and travels", &C::batches,
                batch_figures())
          .exists_with("results.batches = true")
          .only_in_json();
  return table;
}

}  // namespace braid::models
