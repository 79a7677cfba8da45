#include "models/experiment/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <utility>

#include "models/engine/engine.h"
#include "models/engine/network.h"
#include "models/engine/watchdog.h"
#include "models/engine/waveform.h"
#include "models/experiment/elaboration.h"
#include "models/experiment/json_file.h"
#include "models/experiment/link_results.h"
#include "models/observe/clock.h"
#include "models/observe/output_file.h"
#include "routing/base/break_off.h"

namespace braid::models {
namespace {

using Clock = std::chrono::steady_clock;

/// "deadlock: no flit has moved …" and the lines that follow.
Verdict verdict_of(const std::string& complaint) {
  std::istringstream lines(complaint);
  Verdict verdict;
  std::getline(lines, verdict.text);
  verdict.what = verdict.text.substr(0, verdict.text.find(':'));
  for (std::string line; std::getline(lines, line);) {
    verdict.waiting.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
  return verdict;
}

}  // namespace

/// What was elaborated, and what a run of it needs.
struct Simulation::Parts : Elaboration {
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Waveform> waveform;
  std::unique_ptr<Watchdog> watchdog;
  std::vector<LinkCount> links_before;  // the measurement
  Network::PolicyReports reports_before;
  OnProgress progress;
  Clock::time_point last_report = Clock::now();
  const char* phase_now = "";
  std::uint64_t stride = 64;                         // cycles
  std::uint64_t first_cycle = 0, measured_from = 0;  // of this run; the latter as far as is known
  Results results;

  Parts(const Experiment& e, const OnProgress& on_progress) : Elaboration(e, on_progress), progress(on_progress) {}
  void start(const sc_core::sc_time& clock_period = sc_core::SC_ZERO_TIME);
  void open_window();
  void close_window(std::uint64_t measured_cycles);
  void take_results();
  void run(std::uint64_t cycles, const char* phase);
  void run_step(std::uint64_t cycles, const char* phase);
  void report(const char* phase);
  routing::OnProgress asked_in_a_cycle();
  std::string saved(const std::string& file);
  void save(const std::string& file);
  void restore();
  void checkpoint(Checkpoint& c);
  void set_up();
  bool advanced();
  void warm_up();
  void measure();
  void drain();
  void fill_reports(const Network::PolicyReports& before, const Network::PolicyReports& after);
  void expect_warm_up();
  void count_whole_run(Clock::time_point begin);
  void close_files();
  void stream_records();
  void each_watched(const std::function<void(std::string_view)>& take) const;
};

void Simulation::Parts::start(const sc_core::sc_time& clock_period) {
  if (engine) return;
  const RunFiles::Scope scope(files);
  if (clock_period != sc_core::SC_ZERO_TIME) {
    network->set_clock_period_ps(period_in_ps(clock_period));
  }
  network->check_room();
  watchdog = std::make_unique<Watchdog>(*network, watchdog_options().read(experiment));
  stream_records();
  if (!registers.empty()) restore();
  if (!checkpoint_file.file.empty()) (void)saved(checkpoint_file.file);  // what cannot be is refused before the run
  first_cycle = network->now();
  expect_warm_up();
  const WaveformOptions options_of_waveform = waveform_options().read(experiment);
  if (!options_of_waveform.file.empty() && options_of_waveform.to_cycle < first_cycle) {
    throw InputError(fmt::format("trace.to_cycle = {}: the run begins at cycle {}, where the checkpoint was made",
                                 options_of_waveform.to_cycle, first_cycle));
  }
  engine = make_engine(*network);
  if (!options_of_waveform.file.empty()) {
    const routing::BreakOff heard(passed_on(progress, "waveform"));
    waveform = std::make_unique<Waveform>(*network, options_of_waveform);
    engine->on_cycle([this](std::uint64_t cycle) { waveform->sample(cycle); });
  }
}

void Simulation::Parts::checkpoint(Checkpoint& c) { c(results.warmup_cycles, results.steady, *watchdog, *network); }

std::string Simulation::Parts::saved(const std::string& file) {
  Checkpoint c;
  try {
    checkpoint(c);
  } catch (const CheckpointError& e) {
    throw InputError({file, 0, 0}, std::string("no checkpoint can be made: ") + e.what());
  }
  return c.bytes();
}

void Simulation::Parts::save(const std::string& file) {
  write_checkpoint(file, experiment, network->now(), saved(file));
}

void Simulation::Parts::restore() {
  Checkpoint c(registers);
  try {
    checkpoint(c);
    c.finish();
  } catch (const CheckpointError& e) {
    throw InputError({checkpoint_file.from, 0, 0},
                     std::string("is damaged, or of another build of braid: ") + e.what());
  }
  registers = {};
}

/// In the watchdog's steps, as the cycles at which it looks are part of what a run says.
void Simulation::Parts::run(std::uint64_t cycles, const char* phase) {
  while (cycles > 0) {
    const std::uint64_t step = std::min(cycles, watchdog->step_cycles());
    run_step(step, phase);
    cycles -= step;
    watchdog->check();
  }
}

/// In strides of a few hundredths of a second, for a progress bar that moves and an interrupt that is heard. A large
/// network with a waveform takes seconds for what a small one does in a millisecond.
void Simulation::Parts::run_step(std::uint64_t cycles, const char* phase) {
  constexpr auto kShort = std::chrono::milliseconds(10), kLong = std::chrono::milliseconds(50);
  phase_now = phase;
  while (cycles > 0) {
    const std::uint64_t now = std::min(cycles, stride);
    const auto begin = Clock::now();
    engine->run(now);
    if (waveform) waveform->check();
    if (const PacketLog* log = network->packet_log()) log->check();
    cycles -= now;
    const auto end = Clock::now();
    if (end - begin < kShort && now == stride) stride = std::min<std::uint64_t>(2 * stride, 1 << 20);
    if (end - begin > kLong) stride = std::max<std::uint64_t>(stride / 2, 1);
    if (progress && end - last_report > std::chrono::milliseconds(100)) report(phase);
  }
}

/// Has every workload come on since the last call?
bool Simulation::Parts::advanced() {
  bool all = true;
  for (const auto& workload : network->workloads()) all = workload->advanced() && all;
  return all;
}

void Simulation::Parts::report(const char* phase) {
  last_report = Clock::now();
  const std::uint64_t end = std::max(measured_from + options.measure_cycles, network->now());
  if (!progress({network->now() - first_cycle, end - first_cycle, phase})) throw Interrupted();
}

/// The first cycles of a large network make its routing tables, and may take minutes each. Threads that would wait for
/// one that is broken off there are none.
routing::OnProgress Simulation::Parts::asked_in_a_cycle() {
  if (!progress || schedule_options().read(experiment).threads > 1) return {};
  return [this](const char*, std::size_t, std::size_t) {
    if (Clock::now() - last_report > std::chrono::milliseconds(100)) report(phase_now);
  };
}

/// The shortest, from now on.
void Simulation::Parts::expect_warm_up() {
  measured_from = network->now() + std::max<std::uint64_t>(options.min_warmup_cycles, 3 * options.batch_cycles);
}

void Simulation::Parts::set_up() {
  while (!network->setup_done()) run(1, "set-up");
  results.setup = network->setup_results();
  expect_warm_up();
}

/// Ends with two batches running whose mean latency and throughput both changed by less than the tolerance, and in
/// which packets arrived and a stream program's sinks fired.
void Simulation::Parts::warm_up() {
  const MeasurementOptions& s = options;
  const auto close = [&](double a, double b) { return std::fabs(a - b) <= s.warmup_tolerance * std::max(a, b); };
  const std::uint64_t begin = network->now();
  unsigned calm_batches = 0;
  double last_latency = -1.0, last_flits = -1.0;
  const auto& workloads = network->workloads();
  const bool packets =
      std::any_of(workloads.begin(), workloads.end(), [](const auto& workload) { return workload->sends_packets(); });
  advanced();  // since now
  network->take_interval();
  results.steady = false;
  while (network->now() - begin < s.max_warmup_cycles && !results.steady) {
    run(s.batch_cycles, "warm-up");
    const Statistics::Interval i = network->take_interval();
    const double flits = static_cast<double>(i.flits);
    const double latency = i.packets == 0 ? 0.0 : static_cast<double>(i.latency_sum) / static_cast<double>(i.packets);
    const bool alive = advanced() && (i.packets > 0 || !packets);
    calm_batches = alive && close(latency, last_latency) && close(flits, last_flits) ? calm_batches + 1 : 0;
    last_latency = latency;
    last_flits = flits;
    results.steady = calm_batches >= 2 && network->now() - begin >= s.min_warmup_cycles;
  }
  results.warmup_cycles = network->now() - begin;
}

void Simulation::Parts::measure() {
  open_window();
  for (std::uint64_t done = 0; done < options.measure_cycles; done += options.batch_cycles) {
    run(options.batch_cycles, "measure");
  }
  close_window(options.measure_cycles);
}

void Simulation::Parts::open_window() {
  measured_from = network->now();
  links_before = link_counts(*network);
  reports_before = network->policy_reports();
  network->window() = {true, network->now(), options.batch_cycles};
  network->begin_fairness_window();
  for (const auto& workload : network->workloads()) workload->begin_window();
}

void Simulation::Parts::close_window(std::uint64_t measured_cycles) {
  network->window().open = false;
  results.measured_cycles = measured_cycles;
  results.links = link_results(links_before, link_counts(*network), measured_cycles);
  fill_reports(reports_before, network->policy_reports());
}

/// Of all that is counted by class of traffic or by workload.
void Simulation::Parts::take_results() {
  results.classes = network->merged_statistics().results(results.measured_cycles);
  results.workloads = {};
  for (const auto& workload : network->workloads()) {
    const Report own = workload->report(results.measured_cycles);
    results.workloads.figures.insert(results.workloads.figures.end(), own.figures.begin(), own.figures.end());
  }
}

void Simulation::Parts::drain() {
  const std::uint64_t end = network->now() + options.max_drain_cycles;
  while (network->measured_packets_under_way() > 0 && network->now() < end) {
    run(std::min<std::uint64_t>(100, end - network->now()), "drain");
  }
  const auto& workloads = network->workloads();
  const bool open_loop = std::any_of(workloads.begin(), workloads.end(), [](const auto& w) { return w->open_loop(); });
  results.saturated = open_loop && network->measured_packets_under_way() > 0;
}

void Simulation::Parts::fill_reports(const Network::PolicyReports& before, const Network::PolicyReports& after) {
  const auto grown = [&](const Report& from, const Report& to) { return rates(from, to, results.measured_cycles); };
  results.router = grown(before.fabric, after.fabric);
  results.routing = grown(before.routing, after.routing);
  results.scheduler = grown(before.scheduler, after.scheduler);
  results.fairness = grown(before.gate, after.gate);
  results.in_transit = grown(before.in_transit, after.in_transit);
}

Simulation::Simulation(const Experiment& experiment, OnProgress progress)
    : parts_(with_places(experiment, [&] { return std::make_unique<Parts>(experiment, progress); })) {}
Simulation::~Simulation() = default;

void Simulation::on_progress(OnProgress callback) { parts_->progress = std::move(callback); }

void Simulation::Parts::count_whole_run(Clock::time_point begin) {
  results.cycles = network->now();
  results.packet_hash = network->merged_statistics().packet_hash();
  results.flit_hops = network->flit_hops();
  results.conservation = network->conservation();
  const Network::PolicyReports reports = network->policy_reports();
  results.failure = reports.failure;
  results.reroutes = reports.reroutes;
  results.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
}

void Simulation::Parts::close_files() {
  if (waveform) waveform->close(results.verdict ? results.verdict->waiting : std::vector<std::string>());
  const PacketLog* log = network->packet_log();
  if (log == nullptr) return;
  if (!watched.what.empty() && watched.file != "-") {
    OutputFile file(watched.file);
    each_watched([&](std::string_view line) { file.out() << line << '\n'; });
    file.finish();
  }
  if (log_file.empty()) return;
  const auto kind_of = [this](const Packet& packet) { return network->kind_of(packet); };
  write_packet_log(
      log_file, [&](const PacketLog::TakeColumns& take) { log->columns(topology, network->store(), kind_of, take); });
}

/// A long run has more packets than memory has room for.
void Simulation::Parts::stream_records() {
  PacketLog* log = network->packet_log();
  if (log == nullptr) return;
  const PacketWatch* watch = network->watch();
  const bool all = !log_file.empty();
  log->stream(all ? log_file : watched.file,
              [all, watch](const PacketRecord& record) { return all || watch->shows(record); });
}

void Simulation::Parts::each_watched(const std::function<void(std::string_view)>& take) const {
  if (network->watch() == nullptr) return;
  network->watch()->each_line(*network->packet_log(), network->store(), watched.file, take);
}

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
  const auto begin = Clock::now();
  with_places(p.experiment, [&] { p.start(); });
  const routing::BreakOff breaks_off(p.asked_in_a_cycle());
  try {
    p.set_up();
    if (p.results.warmup_cycles == 0) p.warm_up();  // else it was before the checkpoint
    if (!p.checkpoint_file.file.empty()) p.save(p.checkpoint_file.file);
    p.measure();
    p.drain();
  } catch (const DeadlockError& e) {
    p.results.verdict = verdict_of(e.what());
    p.results.links.clear();
    p.count_whole_run(begin);
    p.close_files();
    throw;
  } catch (const CheckpointError& e) {  // met while running, for nobody can look at all of it before
    throw InputError({p.checkpoint_file.from, 0, 0}, std::string("is damaged: ") + e.what());
  }
  Results& r = p.results;
  p.take_results();
  p.count_whole_run(begin);
  p.close_files();
  return r;
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
