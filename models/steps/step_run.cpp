#include "models/steps/step_run.h"

#include <boost/json.hpp>
#include <memory>

#include "models/engine/cycle_runner.h"
#include "models/engine/schedule.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/json_file.h"
#include "models/experiment/measured_run.h"
#include "models/experiment/results_json.h"
#include "models/fabric/packet_watch.h"

namespace braid::models {
namespace {

namespace json = boost::json;

/// What would be another run here than it is by the program.
void check_runs_here(const Experiment& experiment) {
  if (schedule_options().read(experiment).schedule == Schedule::kProcessPerStage) {
    throw InputError("simulation.schedule = \"process_per_stage\" needs SystemC: expected \"static\", or the program");
  }
  const WatchOptions watched = watch_options().read(experiment);
  if (!watched.what.empty() && watched.file == "-") {
    throw InputError("watch.file = \"-\" is for the program: expected the name of a file");
  }
}

}  // namespace

StepRun::Outcome StepRun::run(const std::string& text, const std::string& name,
                              const std::vector<std::string>& settings, const OnProgress& progress) {
  const Experiment experiment = parse_experiment(text, name, settings);
  check_runs_here(experiment);
  const auto run = with_places(experiment, [&] { return std::make_unique<MeasuredRun>(experiment, progress); });
  std::unique_ptr<CycleRunner> loop;
  const auto make_loop = [&loop](Network& network) -> CycleRunner& {
    loop = make_loop_runner(network);
    return *loop;
  };
  Outcome outcome;
  try {
    run->run_to_end([&] { run->start(make_loop); });
  } catch (const DeadlockError& e) {
    outcome.deadlock = e.what();
  }
  outcome.results = pretty(results_json(run->experiment, run->results, run->topology));
  return outcome;
}

std::string StepRun::configuration(const std::string& text, const std::string& name,
                                   const std::vector<std::string>& settings) {
  return json::serialize(configuration_json(parse_experiment(text, name, settings, Senders::kAnybody)));
}

std::string StepRun::declared() {
  json::array options;
  for_each_declared(experiment_options(), [&](const Option& option, const std::string& condition) {
    options.push_back(
        json::object{{"section", option.section},
                     {"name", option.name},
                     {"expected", option.expected()},
                     {"default", std::visit([](const auto& v) { return json::value_from(v); }, option.initial)},
                     {"meaning", option.text},
                     {"exists_with", condition}});
  });
  return json::serialize(json::object{{"options", std::move(options)}, {"schema", results_schema()}});
}

}  // namespace braid::models
