// braid run, braid check.
#include <fmt/format.h>

#include <cstdio>

#include "models/engine/engine.h"
#include "models/engine/watchdog.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "models/experiment/simulation.h"
#include "models/observe/output_file.h"
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

/// Everything that was asked for: what goes to people first, for a file may fail.
void give(const models::Simulation& simulation, const models::Results& results, const Options& options) {
  if (!options.quiet && options.json != "-") {
    print_results(simulation.experiment(), results, simulation.topology());
  }
  if (options.json.empty()) return;
  const auto document = models::results_json(simulation.experiment(), results, simulation.topology());
  models::write_file(options.json, models::pretty(document));
}

models::Results run(models::Simulation& simulation, ProgressBar& bar) {
  InterruptFlag flag;
  simulation.on_progress([&](const models::Progress& p) {
    bar.show(p);
    return !InterruptFlag::raised();
  });
  return simulation.run();
}

void tell_of_threads(const models::Experiment& experiment) {
  const std::uint32_t threads = models::schedule_options().read(experiment).threads;
  if (threads <= models::usable_cores()) return;
  fmt::print(stderr, "braid: simulation.threads = {}: {} run, one for each core; the results are the same\n", threads,
             models::usable_cores());
}

}  // namespace

int run_experiment(const Options& options) {
  if (!options.json.empty() && options.json != "-") models::check_writable(options.json);
  ProgressBar bar(options.quiet);
  models::Simulation simulation(models::read_experiment(options.experiment, options.settings), bar.watcher());
  if (!options.quiet) tell_of_threads(simulation.experiment());
  models::Results results;
  try {
    results = run(simulation, bar);
    bar.clear();
  } catch (const models::DeadlockError&) {
    bar.clear();
    give(simulation, simulation.results(), options);
    throw;
  }
  if (!results.conservation.holds()) {
    fmt::print(stderr, "braid: flits or packets were lost or made twice: this is an error in Braid\n");
    return kFailure;
  }
  give(simulation, results, options);
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
