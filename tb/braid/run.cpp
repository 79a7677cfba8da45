// braid run, braid check.
#include <fmt/format.h>

#include <cstdio>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "models/experiment/simulation.h"
#include "tb/braid/commands.h"
#include "tb/braid/print_report.h"
#include "tb/braid/progress_bar.h"

namespace braid::tb {
namespace {

void print_results(const models::Experiment& e, const models::Results& r, const routing::Topology& topology) {
  fmt::print("{}\n", e.get<std::string>("experiment.name"));
  if (!r.steady) fmt::print("not steady: the warm-up limit came before latency and throughput settled\n");
  if (r.saturated) fmt::print("saturated: packets born while measuring were still on their way at the drain limit\n");
  print_report(models::report(r, topology));
}

}  // namespace

int run_experiment(const Options& options) {
  ProgressBar bar(options.quiet);
  models::Simulation simulation(models::read_experiment(options.experiment, options.settings), bar.watcher());
  models::Results results;
  {
    InterruptFlag flag;
    simulation.on_progress([&](const models::Progress& p) {
      bar.show(p);
      return !InterruptFlag::raised();
    });
    results = simulation.run();
    bar.clear();
  }
  const models::Experiment& e = simulation.experiment();
  if (!results.conservation.holds()) {
    fmt::print(stderr, "braid: flits or packets were lost or made twice: this is an error in Braid\n");
    return kFailure;
  }
  if (!options.json.empty())
    models::write_file(options.json, models::pretty(models::results_json(e, results, simulation.topology())));
  if (!options.quiet && options.json != "-") print_results(e, results, simulation.topology());
  return kSuccess;
}

int check_experiment_file(const Options& options) {
  ProgressBar bar(options.quiet);
  const models::Simulation simulation(models::read_experiment(options.experiment, options.settings), bar.watcher());
  bar.clear();
  fmt::print("{}: good ({}, {} nodes, {} links)\n", options.experiment, simulation.topology().name,
             simulation.topology().node_count(), simulation.topology().link_count());
  return kSuccess;
}

}  // namespace braid::tb
