#include "models/experiment/simulation.h"

#include <fmt/format.h>

#include <utility>

#include "models/engine/engine.h"
#include "models/experiment/measured_run.h"
#include "models/observe/output_file.h"

namespace braid::models {

using Clock = MeasuredRun::Clock;

struct Simulation::Parts : MeasuredRun {
  std::unique_ptr<Engine> engine;

  using MeasuredRun::MeasuredRun;
  void start(const sc_core::sc_time& clock_period = sc_core::SC_ZERO_TIME) {
    if (engine) return;
    if (clock_period != sc_core::SC_ZERO_TIME) network->set_clock_period_ps(period_in_ps(clock_period));
    MeasuredRun::start([this](Network& made) -> CycleRunner& {
      engine = make_engine(made);
      return *engine;
    });
  }
};

Simulation::Simulation(const Experiment& experiment, OnProgress progress)
    : parts_(with_places(experiment, [&] { return std::make_unique<Parts>(experiment, progress); })) {}
Simulation::~Simulation() = default;

void Simulation::on_progress(OnProgress callback) { parts_->progress = std::move(callback); }

Engine& Simulation::engine(const sc_core::sc_time& clock_period) {
  Parts& p = *parts_;
  if (p.engine && clock_period != sc_core::SC_ZERO_TIME && clock_period != p.engine->period()) {
    throw InputError("the clock's period is chosen once, by the first call of Simulation::engine");
  }
  with_places(p.experiment, [&] { p.start(clock_period); });
  return *p.engine;
}

void Simulation::begin_measurement() {
  engine().settled();
  parts_->open_window();
}

Results Simulation::end_measurement() {
  Parts& p = *parts_;
  const Network& network = engine().settled();
  const MeasurementWindow& window = p.network->window();
  if (!window.open) throw InputError("end_measurement: no measurement has begun; expected begin_measurement before it");
  const std::uint64_t cycles = network.now() - window.first_cycle, batch = p.options.batch_cycles;
  if (cycles == 0 || cycles % batch != 0) {
    throw InputError(fmt::format("end_measurement after {} cycles: expected a multiple of simulation.batch_cycles = {}",
                                 cycles, batch));
  }
  p.close_window(cycles);
  p.take_results();
  return counts();
}

void Simulation::finish() {
  engine().settled();
  parts_->close_files();
}

void Simulation::save_checkpoint(const std::string& file) {
  engine().settled();
  const std::string in_hand =
      parts_->network->window().open ? "a measurement is open: expected end_measurement before it" : engine().in_hand();
  if (!in_hand.empty()) throw InputError({file, 0, 0}, "no checkpoint can be made: " + in_hand);
  const RunFiles::Scope scope(parts_->files);
  claim_output(file, "checkpoint.file");
  parts_->save(file);
}

Results Simulation::counts() {
  engine().settled();
  parts_->count_whole_run(Clock::now());
  return parts_->results;
}

Results Simulation::run() {
  Parts& p = *parts_;
  return p.run_to_end([&p] { p.start(); });
}

const Results& Simulation::results() const { return parts_->results; }
void Simulation::each_watched(const std::function<void(std::string_view)>& take) const {
  if (parts_->watched.file == "-") parts_->each_watched(take);
}

Results Simulation::set_up_only() {
  Parts& p = *parts_;
  with_places(p.experiment, [&] { p.start(); });
  p.set_up();
  p.results.cycles = p.network->now();
  if (p.waveform) p.waveform->close();
  return p.results;
}

void Simulation::check_for_users() const {
  with_places(parts_->experiment, [&] {
    for (const auto& workload : network().workloads()) workload->check_for_users();
  });
}

const routing::Topology& Simulation::topology() const { return parts_->topology; }
const routing::RoutingAlgorithm& Simulation::routing() const { return *parts_->routing; }
const Network& Simulation::network() const { return parts_->engine ? parts_->engine->settled() : *parts_->network; }
const Experiment& Simulation::experiment() const { return parts_->experiment; }

}  // namespace braid::models
