#include "models/experiment/results_json.h"

#include <fmt/format.h>

#include "routing/base/random.h"

namespace braid::models {
namespace {

namespace json = boost::json;
using models::Estimate;

json::object estimate_json(const Estimate& e) { return {{"mean", e.mean}, {"half_width_95", e.half_width_95}}; }

json::object spread_json(const std::vector<double>& values) {
  if (values.empty()) return {};
  double low = values.front(), high = values.front(), sum = 0.0;
  for (const double v : values) {
    low = std::min(low, v);
    high = std::max(high, v);
    sum += v;
  }
  return {{"min", low}, {"mean", sum / static_cast<double>(values.size())}, {"max", high}};
}

json::object distribution_json(const models::Distribution& d) {
  return {{"count", d.count}, {"min", d.min}, {"mean", d.mean}, {"p50", d.p50},
          {"p95", d.p95},     {"p99", d.p99}, {"max", d.max}};
}

json::object class_json(const models::TrafficClassResults& c) {
  const models::Distribution& d = c.packet_latency_distribution;
  json::object o;
  o["name"] = c.name;
  o["offered_flits_per_node_cycle"] = c.offered_flits_per_node_cycle;
  o["accepted_flits_per_node_cycle"] = estimate_json(c.accepted_flits_per_node_cycle);
  o["packet_latency_cycles"] = estimate_json(c.packet_latency_cycles);
  o["network_latency_cycles"] = estimate_json(c.network_latency_cycles);
  o["queue_latency_mean_cycles"] = c.queue_latency_mean_cycles;
  o["packet_latency_distribution_cycles"] = distribution_json(d);
  o["hops_mean_links"] = c.hops_mean;
  o["delivered_flits_per_cycle_over_nodes"] = spread_json(c.delivered_flits_per_cycle_by_node);
  o["injected_flits_per_cycle_over_nodes"] = spread_json(c.injected_flits_per_cycle_by_node);
  o["delivered_flits_per_cycle_by_node"] = json::value_from(c.delivered_flits_per_cycle_by_node);
  o["injected_flits_per_cycle_by_node"] = json::value_from(c.injected_flits_per_cycle_by_node);
  o["injected_packets_by_node"] = json::value_from(c.injected_packets_by_node);
  const models::InjectionSpread& s = c.injection_spread;
  o["injection_spread_flits_per_cycle"] =
      json::object{{"nodes", s.nodes}, {"min", s.min}, {"mean", s.mean}, {"max", s.max}, {"jain_index", s.jain_index}};
  return o;
}

json::object messages_json(const models::MessageResults& m) {
  json::array lengths;
  for (const models::MessageLengthResult& l : m.by_length) {
    lengths.push_back(json::object{{"packets", l.packets},
                                   {"priority", l.priority},
                                   {"messages", l.messages},
                                   {"latency_mean_cycles", l.latency_mean_cycles},
                                   {"network_latency_mean_cycles", l.network_latency_mean_cycles}});
  }
  return {{"created", m.created},
          {"delivered", m.delivered},
          {"normalized_latency_cycles", estimate_json(m.normalized_latency_cycles)},
          {"latency_distribution_cycles", distribution_json(m.latency_distribution)},
          {"by_length", lengths}};
}

json::object fairness_json(const models::FairnessResults& f) {
  const models::Distribution& d = f.interval_cycles;
  return {{"policy", f.policy},
          {"carrier", f.carrier},
          {"l", f.l},
          {"k", f.k},
          {"unheld_interval_cycles", f.unheld_interval_cycles},
          {"interval_cycles", json::object{{"count", d.count}, {"min", d.min}, {"mean", d.mean}, {"max", d.max}}}};
}

json::object stream_json(const models::StreamResults& s) {
  json::array actors, edges;
  for (std::size_t a = 0; a < s.actor_names.size(); ++a) {
    actors.push_back(json::object{{"name", s.actor_names[a]}, {"node", s.placement[a].value}});
  }
  for (const models::StreamEdgeResult& e : s.edges) {
    edges.push_back(json::object{{"name", e.name},
                                 {"source_node", e.source.value},
                                 {"destination_node", e.destination.value},
                                 {"items_per_kilocycle", e.items_per_kilocycle}});
  }
  return {{"graph", s.graph},
          {"iterations_per_kilocycle", estimate_json(s.iterations_per_kilocycle)},
          {"actors", actors},
          {"edges", edges}};
}

json::array links_json(const std::vector<models::LinkResult>& links, const routing::Topology& topology) {
  json::array all;
  for (const models::LinkResult& l : links) {
    all.push_back(json::object{{"router", topology.router_names[l.from.value]},
                               {"port", topology.port(l.from, l.port).name},
                               {"packet_flits_per_cycle", l.packet_flits_per_cycle},
                               {"circuit_flits_per_cycle", l.circuit_flits_per_cycle}});
  }
  return all;
}

}  // namespace

json::object configuration_json(const models::Experiment& experiment) {
  json::object all;
  for_each_option(experiment_options(), experiment, [&](const Option& option, const OptionValue& value) {
    if (!all.contains(option.section)) all[option.section] = json::object{};
    all[option.section].as_object()[option.name] = std::visit([](const auto& v) { return json::value_from(v); }, value);
  });
  return all;
}

json::object setup_json(const models::SetupResults& setup, const routing::Topology& topology) {
  json::array circuits;
  for (const models::CircuitResult& c : setup.circuits) {
    json::array path;
    for (std::size_t i = 0; i < c.path.size(); ++i) {
      path.push_back(json::object{{"router", topology.router_names[c.path[i].value]},
                                  {"port", topology.port(c.path[i], c.ports[i]).name}});
    }
    circuits.push_back(json::object{{"stream", c.stream},
                                    {"source_node", c.source.value},
                                    {"destination_node", c.destination.value},
                                    {"setup_cycles", c.setup_cycles},
                                    {"backtracks", c.backtracks},
                                    {"path", path}});
  }
  return {{"fell_back_to_packets", setup.fell_back_to_packets},
          {"orders_tried", setup.orders_tried},
          {"failed_stream", setup.failed_stream},
          {"total_cycles", setup.total_cycles},
          {"circuits", circuits}};
}

json::object results_json(const models::Experiment& experiment, const models::Results& r,
                          const routing::Topology& topology) {
  json::array classes;
  for (const models::TrafficClassResults& c : r.classes) classes.push_back(class_json(c));
  const models::Conservation& k = r.conservation;
  json::object o;
  o["program"] = "braid";
  o["version"] = BRAID_VERSION;
  o["schema"] = 1;
  o["configuration"] = configuration_json(experiment);
  o["seed"] = read_seed(experiment);
  o["cycles"] = r.cycles;
  o["warmup_cycles"] = r.warmup_cycles;
  o["measured_cycles"] = r.measured_cycles;
  o["steady"] = r.steady;
  o["saturated"] = r.saturated;
  o["packet_hash"] = fmt::format("{:016x}", r.packet_hash);
  o["flit_hops"] = r.flit_hops;
  o["wall_seconds"] = r.wall_seconds;
  o["conservation"] = json::object{{"packets_created", k.packets_created},
                                   {"packets_delivered", k.packets_delivered},
                                   {"packets_in_flight", k.packets_in_flight},
                                   {"flits_injected", k.flits_injected},
                                   {"flits_delivered", k.flits_delivered},
                                   {"flits_in_flight", k.flits_in_flight},
                                   {"holds", k.holds()}};
  o["classes"] = classes;
  if (r.stream) o["stream"] = stream_json(*r.stream);
  if (r.messages) o["messages"] = messages_json(*r.messages);
  if (!r.router.empty()) {
    json::object figures;
    for (const models::RouterFigure& f : r.router) figures[f.name] = f.per_cycle;
    o["router_per_cycle"] = figures;
  }
  if (r.fairness) o["fairness"] = fairness_json(*r.fairness);
  if (r.setup.attempted) o["setup"] = setup_json(r.setup, topology);
  o["links"] = links_json(r.links, topology);
  return o;
}

}  // namespace braid::models
