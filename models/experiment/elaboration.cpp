#include "models/experiment/elaboration.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <set>
#include <utility>

#include "models/engine/memory.h"
#include "models/engine/schedule.h"
#include "models/engine/waveform.h"
#include "models/experiment/mser.h"
#include "models/experiment/recorded_trace.h"
#include "models/experiment/stopping_rule.h"
#include "models/fabric/subnets.h"
#include "models/injection/injection_point.h"
#include "models/observe/output_file.h"
#include "models/observe/wave_file.h"
#include "models/workload/synthetic/synthetic_sources.h"
#include "models/workload/synthetic/virtual_networks.h"
#include "routing/base/memory.h"

namespace braid::models {
namespace {

/// What sources ask of the injection point.
void check_together(const SyntheticOptions& traffic, const InjectionOptions& injection) {
  if (traffic.priority_fraction > 0.0 && injection.scheduler == "fifo") {
    throw InputError(
        "message.priority_fraction needs an interface.scheduler that knows priorities: expected \"alpha\" (with "
        "message.alpha = 0: first in, first out), \"round_robin\" or \"shortest_first\"");
  }
  if (traffic.priority > 0 && injection.scheduler != "classes") {
    throw InputError("traffic.priority needs an interface.scheduler that knows classes: expected \"classes\"");
  }
  if (traffic.source_queue_packets != 0 && injection.behind_gate_packets >= traffic.source_queue_packets) {
    throw InputError(fmt::format(
        "interface.behind_gate_packets = {}: no packet of interface.source_queue_packets = {} would ever wait for the "
        "gate; expected less",
        injection.behind_gate_packets, traffic.source_queue_packets));
  }
}

MeasurementOptions checked_options(const Experiment& experiment, Senders senders) {
  check_experiment(experiment, {}, senders);
  for (std::size_t i = 0; i < experiment.times("traffic"); ++i) {
    check_together(synthetic_options().read(experiment.of_class(i)), injection_options().read(experiment));
  }
  const MeasurementOptions o = measurement_options().read(experiment);
  if (o.measure_cycles % o.batch_cycles != 0) {
    throw InputError(fmt::format("simulation.measure_cycles = {}: expected a multiple of simulation.batch_cycles = {}",
                                 o.measure_cycles, o.batch_cycles));
  }
  const std::optional<StoppingRule> rule = StoppingRule::of(o.until);
  if (rule && rule->figure == StoppingRule::Figure::kIterations && experiment.times("stream") == 0) {
    throw InputError("simulation.until = \"" + one_line(o.until) +
                     "\": expected a stream program ([stream]), which has iterations");
  }
  if (rule && (o.most_measure_cycles % o.batch_cycles != 0 || o.most_measure_cycles < o.measure_cycles)) {
    throw InputError(fmt::format(
        "simulation.most_measure_cycles = {}: expected a multiple of simulation.batch_cycles = {}, no less than "
        "simulation.measure_cycles = {}",
        o.most_measure_cycles, o.batch_cycles, o.measure_cycles));
  }
  if (o.warmup_rule == WarmUpRule::kMser5 && o.batch_cycles < kMserGroup) {
    throw InputError(
        fmt::format("simulation.warmup_rule = \"mser5\" looks at fifths of batches: expected "
                    "simulation.batch_cycles of at least {}",
                    kMserGroup));
  }
  if (o.max_warmup_cycles < o.min_warmup_cycles) {
    throw InputError(
        fmt::format("simulation.max_warmup_cycles = {}: expected at least simulation.min_warmup_cycles = {}",
                    o.max_warmup_cycles, o.min_warmup_cycles));
  }
  const ScheduleOptions schedule = schedule_options().read(experiment);
  if (schedule.threads > 1 && schedule.schedule == Schedule::kProcessPerStage) {
    throw InputError("simulation.threads needs simulation.schedule = \"static\"");
  }
  return o;
}

constexpr std::int64_t kMostCycles = 1'000'000'000'000;  // sums of cycles must fit 64 bits

const OptionTable<MeasurementOptions>& until_table() {
  using M = MeasurementOptions;
  static const OptionTable<M> table = OptionTable<M>("simulation")
                                          .integer("most_measure_cycles", &M::most_measure_cycles, 1, kMostCycles,
                                                   "where it ends at the latest, a multiple of batch_cycles")
                                          .after_warm_up();
  return table;
}

}  // namespace

const OptionTable<MeasurementOptions>& measurement_options() {
  using M = MeasurementOptions;
  static const OptionTable<M> table =
      OptionTable<M>("simulation")
          .integer("batch_cycles", &M::batch_cycles, 1, 1000000000, "for warm-up and confidence intervals")
          .integer("min_warmup_cycles", &M::min_warmup_cycles, 0, kMostCycles, "cycles")
          .integer("max_warmup_cycles", &M::max_warmup_cycles, 0, kMostCycles,
                   "cycles, rounded up to a batch; then the run counts as unsteady")
          .number("warmup_tolerance", &M::warmup_tolerance, 0.0, 1.0,
                  "warm-up ends when latency and throughput change by no more than this share, two batches running")
          .choice<WarmUpRule>("warmup_rule", &M::warmup_rule,
                              {{"calm", WarmUpRule::kCalm}, {"mser5", WarmUpRule::kMser5}},
                              "when the warm-up ends: two calm batches running, or MSER-5 over the mean latencies of "
                              "fifths of batches")
          .integer("measure_cycles", &M::measure_cycles, 1, kMostCycles, "a multiple of batch_cycles")
          .after_warm_up()
          .text("until", &M::until,
                "\"latency P %\", \"accepted P %\" or, of a stream program, \"iterations N\": measures longer than "
                "measure_cycles, until N iterations have ended or the 95 % interval of "
                "every class is no wider than so much of the mean on either side; \"\": no longer")
          .with_it(until_table())
          .after_warm_up()
          .integer("max_drain_cycles", &M::max_drain_cycles, 0, kMostCycles,
                   "for packets born while measuring; then the run counts as saturated")
          .after_warm_up();
  return table;
}

routing::OnProgress passed_on(const OnProgress& progress, const char* phase) {
  using Clock = std::chrono::steady_clock;
  if (!progress) return {};
  return [progress, phase, last_report = Clock::now()](const char* counts, std::size_t done, std::size_t all) mutable {
    if (Clock::now() - last_report < std::chrono::milliseconds(100)) return;
    last_report = Clock::now();
    if (!progress({done, all, phase, counts})) throw Interrupted();
  };
}

void throw_with_place(const Experiment& experiment, const InputError& error) {
  const std::string says = error.what();
  if (!error.has_place()) throw InputError(experiment.place_named_in(says), says);
  for (const auto& [key, given] : experiment.given()) {
    const auto* file = std::get_if<std::string>(&given.value);
    if (file == nullptr || file->empty() || says.compare(0, file->size() + 2, *file + ": ") != 0) continue;
    if (!Experiment::declared(key, given.where).is_file) continue;  // one that the run writes, or goes on from
    throw InputError(given.where, key + ": " + says);               // a place in the file has its line behind the name
  }
  throw InputError(error);
}

Elaboration::Elaboration(const Experiment& e, const OnProgress& progress, Senders senders)
    : elaborates(std::in_place, files),
      breaks_off(std::in_place, passed_on(progress, "network")),
      experiment(e),
      options(checked_options(e, senders)),
      checkpoint_file(checkpoint_options().read(e)),
      watched(watch_options().read(e)),
      log_file(log_options().read(e).file),
      topology((claim_files(), routing::make_topology(e))) {
  const auto begin = [&](const char* part) {
    if (progress && !progress({0, 0, part})) throw Interrupted();
  };
  begin("routes");
  routing = make_routing_by_class(topology, e, passed_on(progress, "routes"));
  if (!checkpoint_file.from.empty()) registers = read_checkpoint(checkpoint_file.from, experiment);
  const auto family = FabricRegistry::instance().make(fabric_options().read(e).architecture);
  const std::size_t slices = checked_slices(*family);
  begin("network");
  check_memory(topology, subnet_count(e) * family->fabric_bytes(e, topology, *routing), available_bytes());
  network = std::make_unique<Network>(e, topology, *routing, slices, passed_on(progress, "network"));
  check_waveform(topology, waveform_options().read(e));
  network->check_deadlock_free(passed_on(progress, "deadlock check"));
  breaks_off.reset();
  elaborates.reset();
}

/// Before the run, not after it, and before any other file is read: what reads an output is refused then.
void Elaboration::claim_files() const {
  std::set<std::string> named;  // read before this simulation knew of them
  for (const auto& [key, given] : experiment.given()) named.insert(given.where.file);
  for (const std::string& file : named) {
    if (!file.empty()) RunFiles::read(file);
  }
  const std::string wave = waveform_options().read(experiment).file;
  if (!wave.empty()) check_wave_file(wave);
  if (!checkpoint_file.file.empty()) claim_output(checkpoint_file.file, "checkpoint.file");
  if (!log_file.empty()) check_packet_log_name(log_file);
  claim_trace(experiment);
  if (!watched.what.empty() && watched.file != "-") claim_output(watched.file, "watch.file");
}

std::size_t Elaboration::checked_slices(const FabricFamily& family) const {
  const ScheduleOptions schedule = schedule_options().read(experiment);
  const std::size_t slices = slices_for(schedule, topology.router_count());
  if (schedule.threads > 1 && family.one_thread(experiment)) {
    throw InputError(
        experiment.find("simulation.threads")->where,
        fmt::format("simulation.threads = {}: routers of modules or behind pins run on one thread; expected 1",
                    schedule.threads));
  }
  return slices;
}

}  // namespace braid::models
