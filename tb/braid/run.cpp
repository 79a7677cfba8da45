// braid run, braid check.
#include <fmt/format.h>

#include <cstdio>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "models/experiment/simulation.h"
#include "tb/braid/commands.h"
#include "tb/braid/progress_bar.h"

namespace braid::tb {
namespace {

void print_class(const models::TrafficClassResults& c) {
  const models::Distribution& d = c.packet_latency_distribution;
  fmt::print("\n{}\n", c.name);
  fmt::print("  offered                {:10.4f} flits/node/cycle\n", c.offered_flits_per_node_cycle);
  fmt::print("  accepted               {:10.4f} ± {:.4f} flits/node/cycle\n", c.accepted_flits_per_node_cycle.mean,
             c.accepted_flits_per_node_cycle.half_width_95);
  fmt::print(
      "  packet latency         {:10.2f} ± {:.2f} cycles (min {:.0f}, p50 {:.0f}, p95 {:.0f}, p99 {:.0f}, max "
      "{:.0f})\n",
      c.packet_latency_cycles.mean, c.packet_latency_cycles.half_width_95, d.min, d.p50, d.p95, d.p99, d.max);
  fmt::print("  of it in the queue     {:10.2f} cycles\n", c.queue_latency_mean_cycles);
  if (c.hops_mean > 0.0) fmt::print("  links passed           {:10.3f}\n", c.hops_mean);
  const models::InjectionSpread& s = c.injection_spread;
  fmt::print("  injected by a node     {:10.4f} flits/cycle ({} nodes, min {:.4f}, max {:.4f}, Jain index {:.4f})\n",
             s.mean, s.nodes, s.min, s.max, s.jain_index);
}

void print_setup(const models::SetupResults& s) {
  fmt::print("\nset-up of circuits\n");
  if (s.fell_back_to_packets) {
    fmt::print("  fell back to packets after {} orders; the last stream without a path: {}\n", s.orders_tried,
               s.failed_stream);
    return;
  }
  fmt::print("  {} circuits in {} cycles, order {} \n", s.circuits.size(), s.total_cycles, s.orders_tried);
  for (const models::CircuitResult& c : s.circuits) {
    fmt::print("  {:32} {:3} links {:5} cycles {:3} backtracks\n", c.stream, c.path.size() - 1, c.setup_cycles,
               c.backtracks);
  }
}

void print_results(const models::Experiment& e, const models::Results& r) {
  fmt::print("{}: {} cycles ({} warm-up, {} measured), {:.2f} s\n", e.get<std::string>("experiment.name"), r.cycles,
             r.warmup_cycles, r.measured_cycles, r.wall_seconds);
  if (!r.steady) fmt::print("  not steady: the warm-up limit came before latency and throughput settled\n");
  if (r.saturated) fmt::print("  saturated: packets born while measuring were still on their way at the drain limit\n");
  if (r.setup.attempted) print_setup(r.setup);
  if (r.fairness) {
    fmt::print("{} line ({}), l = {}, k = {}: interval {:.1f} cycles (min {:.0f}, max {:.0f}; {} if nobody held it)\n",
               r.fairness->policy, r.fairness->carrier, r.fairness->l, r.fairness->k, r.fairness->interval_cycles.mean,
               r.fairness->interval_cycles.min, r.fairness->interval_cycles.max, r.fairness->unheld_interval_cycles);
  }
  if (r.stream) {
    fmt::print("\nstream program {}\n  throughput             {:10.3f} ± {:.3f} iterations/kilocycle\n",
               r.stream->graph, r.stream->iterations_per_kilocycle.mean,
               r.stream->iterations_per_kilocycle.half_width_95);
  }
  for (const models::TrafficClassResults& c : r.classes) print_class(c);
  if (r.messages) {
    const models::MessageResults& m = *r.messages;
    fmt::print("\nmessages\n  latency over packets   {:10.2f} ± {:.2f} cycles ({} of {} measured messages arrived)\n",
               m.normalized_latency_cycles.mean, m.normalized_latency_cycles.half_width_95, m.delivered, m.created);
  }
  if (!r.router.empty()) fmt::print("\nrouters, per cycle\n");
  for (const models::RouterFigure& f : r.router) fmt::print("  {:22} {:10.4f}\n", f.name, f.per_cycle);
  const models::Conservation& k = r.conservation;
  fmt::print("\nflits {} = {} delivered + {} in flight; {} flit-hops; packet hash {:016x}\n", k.flits_injected,
             k.flits_delivered, k.flits_in_flight, r.flit_hops, r.packet_hash);
}

}  // namespace

int run_experiment(const Options& options) {
  models::Simulation simulation(models::read_experiment(options.experiment, options.settings));
  models::Results results;
  {
    InterruptFlag flag;
    ProgressBar bar(options.quiet);
    simulation.on_progress([&](const models::Progress& p) {
      bar.show(p);
      return !InterruptFlag::raised();
    });
    results = simulation.run();
  }
  const models::Experiment& e = simulation.experiment();
  if (!results.conservation.holds()) {
    fmt::print(stderr, "braid: flits or packets were lost or made twice: this is an error in Braid\n");
    return kFailure;
  }
  if (!options.json.empty())
    models::write_file(options.json, models::pretty(models::results_json(e, results, simulation.topology())));
  if (!options.quiet && options.json != "-") print_results(e, results);
  return kSuccess;
}

int check_experiment_file(const Options& options) {
  const models::Simulation simulation(models::read_experiment(options.experiment, options.settings));
  fmt::print("{}: good ({}, {} nodes, {} links)\n", options.experiment, simulation.topology().name,
             simulation.topology().node_count(), simulation.topology().link_count());
  return kSuccess;
}

}  // namespace braid::tb
