// braid run, braid check.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <system_error>

#include "models/engine/engine.h"
#include "models/engine/watchdog.h"
#include "models/experiment/json_file.h"
#include "models/experiment/results_json.h"
#include "models/experiment/simulation.h"
#include "models/experiment/warnings.h"
#include "models/fabric/packet_log.h"
#include "models/workload/streams/stream_workload.h"
#include "routing/base/input_error.h"
#include "tb/braid/commands.h"
#include "tb/braid/draw_loads.h"
#include "tb/braid/layout.h"
#include "tb/braid/print_bottlenecks.h"
#include "tb/braid/print_report.h"
#include "tb/braid/process.h"
#include "tb/braid/program_files.h"
#include "tb/braid/progress_bar.h"
#include "tb/braid/replications.h"

namespace braid::tb {
namespace {

void print_note(const std::string& note) { fmt::print("{}\n", wrapped("", words_of(note), 2)); }

void print_results(const models::Simulation& simulation, const models::Results& r) {
  fmt::print("{}\n", simulation.experiment().get<std::string>("experiment.name"));
  for (const models::Warning& warning : r.warnings) print_note(warning.text);
  print_report(models::report(r, simulation.topology()), r.saturated);
  print_bottlenecks(simulation, r);
}

/// What goes to people; the error, if nobody reads it or it cannot be written.
std::exception_ptr print(const models::Simulation& simulation, const models::Results& results, const Options& options) {
  try {
    simulation.each_watched([](std::string_view line) { fmt::print("{}\n", line); });
    if (options.prints()) print_results(simulation, results);
  } catch (const std::system_error&) {
    return std::current_exception();
  }
  return nullptr;
}

/// Everything that was asked for: what goes to people first, for a file may fail. Files come nevertheless.
void give(const models::Simulation& simulation, const models::Results& results, const Options& options) {
  const std::exception_ptr unprinted = print(simulation, results, options);
  write_program_files(simulation, results.setup, options);
  if (!options.draw.empty() && !draws_layout(simulation)) {
    const std::string title =
        fmt::format("{} on {}: flits/cycle over each link while measuring",
                    simulation.experiment().get<std::string>("experiment.name"), simulation.topology().name);
    models::write_file(options.draw, loads_svg(simulation.topology(), results.links, results.node_links, title));
  }
  if (!options.json.empty()) {
    const auto document = models::results_json(simulation.experiment(), results, simulation.topology());
    models::write_file(options.json, models::pretty(document));
  }
  if (unprinted != nullptr) std::rethrow_exception(unprinted);
}

models::Results run(models::Simulation& simulation, ProgressBar& bar) {
  const InterruptFlag flag(InterruptFlag::kAll);
  simulation.on_progress(bar.watcher());
  return simulation.run();
}

void tell_of_threads(const models::Experiment& experiment) {
  const std::uint32_t threads = models::schedule_options().read(experiment).threads;
  if (threads <= models::usable_cores()) return;
  say(fmt::format("braid: simulation.threads = {}: {} run, one for each core; the results are the same\n", threads,
                  models::usable_cores()));
}

/// Where no table says it.
void tell_of_doubts(const models::Results& results) {
  for (const models::Warning& warning : results.warnings) say("braid: " + warning.text + "\n");
}

/// Both would be on standard output.
void check_outputs(const models::Experiment& experiment, const Options& options) {
  const models::WatchOptions watch = models::watch_options().read(experiment);
  if (!watch.what.empty() && watch.file == "-" && options.json == "-") {
    throw InputError("--json - and the watched packets both go to standard output: expected a file for watch.file");
  }
}

/// The program of streams would run on packets.
bool would_fall_back(const models::Simulation& simulation, models::SetupResults& setup) {
  const auto* streams = simulation.network().workload<models::StreamWorkload>();
  if (streams == nullptr || !streams->wants_circuits()) return false;
  const models::Fabric& fabric = simulation.network().fabric();
  const std::vector<models::CircuitRequest> wanted = streams->program().circuits();
  if (fabric.circuits_would_stand(wanted)) return false;
  setup.failed_stream = fmt::format("all {} streams", wanted.size());
  setup.lanes_that_would_do = fabric.lanes_that_would_do(wanted);
  return true;
}

}  // namespace

int run_experiment(const Options& options) {
  if (options.seeds > 0) return run_replications(options);
  ProgressBar bar(options.quiet);
  const auto elaboration = elaborated(options, bar);
  models::Simulation& simulation = *elaboration;
  check_outputs(simulation.experiment(), options);
  check_program_files(simulation, options);
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
    const models::Conservation& c = results.conservation;
    say(fmt::format(
        "braid: flits or packets were lost or made twice: this is an error in Braid (packets: {} created, {} "
        "delivered, {} lost, {} found in flight; flits: {} injected, {} delivered, {} lost, {} found in flight)\n",
        c.packets_created, c.packets_delivered, c.packets_lost.value_or(0), c.packets_in_flight, c.flits_injected,
        c.flits_delivered, c.flits_lost.value_or(0), c.flits_in_flight));
    return kFailure;
  }
  give(simulation, results, options);
  if (!options.prints()) tell_of_doubts(results);
  const bool grave = std::any_of(results.warnings.begin(), results.warnings.end(), models::is_grave);
  return options.strict && grave ? kDoubtful : kSuccess;
}

int check_experiment_file(const Options& options) {
  ProgressBar bar(options.quiet);
  const auto elaboration = elaborated(options, bar);
  const models::Simulation& simulation = *elaboration;
  check_outputs(simulation.experiment(), options);
  fmt::print("{}: good ({}, {} nodes, {} links)\n", options.experiment, simulation.topology().name,
             simulation.topology().node_count(), simulation.topology().link_count());
  models::SetupResults setup;
  if (would_fall_back(simulation, setup)) print_note(models::fallen_back(setup).text);
  return kSuccess;
}

}  // namespace braid::tb
