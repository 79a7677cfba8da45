#include "models/experiment/measured_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <utility>

#include "models/engine/schedule.h"
#include "models/experiment/mser.h"
#include "models/experiment/queue_intervals.h"
#include "models/experiment/recorded_trace.h"
#include "models/experiment/warnings.h"
#include "models/fabric/subnets.h"
#include "models/fabric/trace_options.h"
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

/// What several workloads have a list of is one list.
void add(const Reported& figure, Report& to) {
  const auto* more = std::get_if<std::vector<Report>>(&figure.value);
  const auto there = std::find_if(to.figures.begin(), to.figures.end(),
                                  [&](const Reported& r) { return r.declared->name == figure.declared->name; });
  if (more == nullptr || there == to.figures.end()) {
    to.figures.push_back(figure);
    return;
  }
  auto& all = std::get<std::vector<Report>>(there->value);
  all.insert(all.end(), more->begin(), more->end());
}

}  // namespace

void MeasuredRun::start(const MakeRunner& make_runner) {
  if (runner != nullptr) return;
  const RunFiles::Scope scope(files);
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
  {
    const routing::BreakOff heard(passed_on(progress, "modules"));
    runner = &make_runner(*network);
  }
  if (!options_of_waveform.file.empty()) {
    const routing::BreakOff heard(passed_on(progress, "waveform"));
    waveform = std::make_unique<Waveform>(*network, options_of_waveform);
    runner->on_cycle([this](std::uint64_t cycle) { waveform->sample(cycle); });
  }
}

void MeasuredRun::checkpoint(Checkpoint& c) { c(results.warmup_cycles, results.steady, *watchdog, *network); }

std::string MeasuredRun::saved(const std::string& file) {
  Checkpoint c;
  try {
    checkpoint(c);
  } catch (const CheckpointError& e) {
    throw InputError({file, 0, 0}, std::string("no checkpoint can be made: ") + e.what());
  }
  return c.bytes();
}

void MeasuredRun::save(const std::string& file) { write_checkpoint(file, experiment, network->now(), saved(file)); }

void MeasuredRun::restore() {
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
void MeasuredRun::run(std::uint64_t cycles, const char* phase) {
  while (cycles > 0) {
    const std::uint64_t step = std::min(cycles, watchdog->step_cycles());
    run_step(step, phase);
    cycles -= step;
    watchdog->check();
  }
}

/// In strides of a few hundredths of a second, for a progress bar that moves and an interrupt that is heard. A large
/// network with a waveform takes seconds for what a small one does in a millisecond.
void MeasuredRun::run_step(std::uint64_t cycles, const char* phase) {
  constexpr auto kShort = std::chrono::milliseconds(10), kLong = std::chrono::milliseconds(50);
  phase_now = phase;
  while (cycles > 0) {
    const std::uint64_t now = std::min(cycles, stride);
    const auto begin = Clock::now();
    runner->run(now);
    if (waveform) waveform->check();
    if (const PacketLog* log = network->packet_log()) log->check();
    cycles -= now;
    const auto end = Clock::now();
    if (end - begin < kShort && now == stride) stride *= 2;
    if (end - begin > kLong) stride = std::max<std::uint64_t>(stride / 2, 1);
    if (progress && end - last_report > std::chrono::milliseconds(100)) report(phase);
  }
}

/// Has every workload come on since the last call?
bool MeasuredRun::advanced() {
  bool all = true;
  for (const auto& workload : network->workloads()) all = workload->advanced() && all;
  return all;
}

void MeasuredRun::report(const char* phase) {
  last_report = Clock::now();
  const std::uint64_t end = std::max(measured_from + options.measure_cycles, network->now());
  if (!progress({network->now() - first_cycle, end - first_cycle, phase})) throw Interrupted();
}

/// The first cycles of a large network make its routing tables, and may take minutes each. Threads that would wait for
/// one that is broken off there are none.
routing::OnProgress MeasuredRun::asked_in_a_cycle() {
  if (!progress || schedule_options().read(experiment).threads > 1) return {};
  return [this](const char*, std::size_t, std::size_t) {
    if (Clock::now() - last_report > std::chrono::milliseconds(100)) report(phase_now);
  };
}

/// The shortest, from now on.
void MeasuredRun::expect_warm_up() {
  measured_from = network->now() + std::max<std::uint64_t>(options.min_warmup_cycles, 3 * options.batch_cycles);
}

void MeasuredRun::set_up() {
  while (!network->setup_done()) run(1, "set-up");
  results.setup = network->setup_results();
  expect_warm_up();
}

namespace {

/// Ends with two batches running whose mean latency and throughput both changed by less than the tolerance, and in
/// which packets arrived and a stream program's sinks fired.
class CalmBatches {
 public:
  explicit CalmBatches(double tolerance) : tolerance_(tolerance) {}
  /// Of a batch in which everybody came on or did not; are there two calm ones?
  bool hold(const Statistics::Interval& i, bool alive) {
    const double flits = static_cast<double>(i.flits);
    const double latency = i.packets == 0 ? 0.0 : static_cast<double>(i.latency_sum) / static_cast<double>(i.packets);
    calm_ = alive && close(latency, last_latency_) && close(flits, last_flits_) ? calm_ + 1 : 0;
    last_latency_ = latency;
    last_flits_ = flits;
    return calm_ >= 2;
  }

 private:
  bool close(double a, double b) const { return std::fabs(a - b) <= tolerance_ * std::max(a, b); }
  double tolerance_;
  unsigned calm_ = 0;
  double last_latency_ = -1.0, last_flits_ = -1.0;
};

}  // namespace

void MeasuredRun::warm_up() {
  const std::uint64_t begin = network->now();
  advanced();  // since now
  network->take_interval();
  results.steady = false;
  if (options.warmup_rule == WarmUpRule::kMser5) {
    warm_up_by_mser();
  } else {
    const auto& workloads = network->workloads();
    const bool packets =
        std::any_of(workloads.begin(), workloads.end(), [](const auto& workload) { return workload->sends_packets(); });
    CalmBatches batches(options.warmup_tolerance);
    while (network->now() - begin < options.max_warmup_cycles && !results.steady) {
      run(options.batch_cycles, "warm-up");
      const Statistics::Interval i = network->take_interval();
      const bool calm = batches.hold(i, advanced() && (i.packets > 0 || !packets));
      results.steady = calm && network->now() - begin >= options.min_warmup_cycles;
    }
  }
  results.warmup_cycles = network->now() - begin;
}

/// Ends with the first batch at which the best cut lies in the first half of what has run: the rest is steady. Looks at
/// fifths of batches; one without a packet says what the one before said.
void MeasuredRun::warm_up_by_mser() {
  const std::uint64_t begin = network->now(), batch = options.batch_cycles, step = batch / kMserGroup;
  std::vector<double> latencies;
  while (network->now() - begin < options.max_warmup_cycles && !results.steady) {
    for (std::size_t i = 0; i < kMserGroup; ++i) {
      run(i + 1 < kMserGroup ? step : batch - (kMserGroup - 1) * step, "warm-up");
      const Statistics::Interval seen = network->take_interval();
      const double last = latencies.empty() ? 0.0 : latencies.back();
      latencies.push_back(
          seen.packets == 0 ? last : static_cast<double>(seen.latency_sum) / static_cast<double>(seen.packets));
    }
    const bool alive = advanced();
    results.steady = alive && mser5(latencies) && network->now() - begin >= options.min_warmup_cycles;
  }
}

void MeasuredRun::measure() {
  open_window();
  const std::optional<StoppingRule> rule = StoppingRule::of(options.until);
  std::uint64_t done = 0, next_look = options.measure_cycles;
  do {
    run(options.batch_cycles, "measure");
    done += options.batch_cycles;
    if (!rule || done < next_look) continue;
    if (measured_enough(*rule, done) || done >= options.most_measure_cycles) break;
    next_look = std::max(done + options.batch_cycles, done + done / 10);  // looking costs time, and more so in the end
    next_look = std::min(next_look, options.most_measure_cycles);
  } while (rule || done < options.measure_cycles);
  close_window(done);
}

bool MeasuredRun::measured_enough(const StoppingRule& rule, std::uint64_t done) const {
  if (rule.figure != StoppingRule::Figure::kIterations)
    return rule.holds(class_results(network->merged_statistics(), done));
  Report reports;
  for (const auto& workload : network->workloads()) {
    for (const Reported& figure : workload->report(done).figures) add(figure, reports);
  }
  return rule.holds(reports, done);
}

void MeasuredRun::open_window() {
  drained = false;
  measured_from = network->now();
  links_before = link_counts(*network);
  switched_before = switched_flits(*network);
  subnets_before = subnet_counts(*network);
  reports_before = network->policy_reports();
  network->begin_window(options.batch_cycles);
  if (link_flows) link_flows->open(network->now());
}

void MeasuredRun::close_window(std::uint64_t measured_cycles) {
  network->window().open = false;
  if (link_flows) link_flows->close(measured_cycles);
  results.measured_cycles = measured_cycles;
  oldest = network->oldest_packets();
  results.links = link_results(links_before, link_counts(*network), measured_cycles, has_subnets(experiment));
  if (has_subnets(experiment)) {
    results.subnets = subnet_results(*network, subnets_before, results.links, measured_cycles);
  }
  results.energy = energy_report(experiment, topology, switched_before, switched_flits(*network), measured_cycles);
  results.area = area_report(experiment, topology);
  fill_reports(reports_before, network->policy_reports());
}

/// With what the queues leave to say of the latency of classes whose sources do not wait for the network.
std::vector<TrafficClassResults> MeasuredRun::class_results(const Statistics& all, std::uint64_t cycles) const {
  std::vector<TrafficClassResults> classes = all.results(cycles);
  const std::vector<NodeLinkResult> links = node_link_results(topology, classes, network->subnets());
  for (const auto& workload : network->workloads()) {
    if (!workload->open_loop()) continue;
    for (const std::string& name : workload->classes()) {
      const auto one = std::find_if(classes.begin(), classes.end(), [&](const auto& c) { return c.name == name; });
      if (one != classes.end()) allow_for_queues(*one, links, cycles);
    }
  }
  return classes;
}

/// Of all that is counted by class of traffic or by workload.
void MeasuredRun::take_results() {
  const Statistics all = network->merged_statistics();
  results.classes = class_results(all, results.measured_cycles);
  for (TrafficClassResults& c : results.classes) {
    const std::vector<std::string>& names = network->traffic_classes();
    const auto& age = oldest[static_cast<std::size_t>(std::find(names.begin(), names.end(), c.name) - names.begin())];
    if (!age) continue;
    c.starvation.oldest_age_cycles = static_cast<double>(age->age_cycles);
    c.starvation.oldest_source = age->source.value;
  }
  results.node_links = node_link_results(topology, results.classes, network->subnets());
  take_link_flows();
  judge_saturation(all);
  results.workloads = {};
  for (const auto& workload : network->workloads()) {
    for (const Reported& figure : workload->report(results.measured_cycles).figures) add(figure, results.workloads);
  }
  results.warnings = warnings_of(experiment, results);
}

/// Of every class whose sources do not wait for the network.
void MeasuredRun::judge_saturation(const Statistics& all) {
  const MeasurementWindow& window = network->window();
  const std::vector<std::string>& names = network->traffic_classes();
  results.saturated = false;
  for (const auto& workload : network->workloads()) {
    if (!workload->open_loop()) continue;
    const std::vector<std::string> own = workload->classes();
    for (std::size_t c = 0; c < own.size(); ++c) {
      const auto place = std::find_if(results.classes.begin(), results.classes.end(),
                                      [&](const TrafficClassResults& one) { return one.name == own[c]; });
      if (place == results.classes.end()) continue;
      const auto number = static_cast<std::size_t>(std::find(names.begin(), names.end(), own[c]) - names.begin());
      place->saturation =
          saturation({all.batches(number, results.measured_cycles), workload->stalled_source_cycles(c),
                      window.batch_cycles, topology.node_count(), drained ? all.measured_under_way(number) : 0});
      results.saturated = results.saturated || place->saturation->saturated;
    }
  }
}

void MeasuredRun::drain() {
  const std::uint64_t end = network->now() + options.max_drain_cycles;
  while (network->measured_packets_under_way() > 0 && network->now() < end) {
    run(std::min<std::uint64_t>(100, end - network->now()), "drain");
  }
  drained = true;
}

void MeasuredRun::fill_reports(const Network::PolicyReports& before, const Network::PolicyReports& after) {
  const auto grown = [&](const Report& from, const Report& to) { return rates(from, to, results.measured_cycles); };
  results.router = grown(before.fabric, after.fabric);
  results.routing = grown(before.routing, after.routing);
  results.scheduler = grown(before.scheduler, after.scheduler);
  results.fairness = grown(before.gate, after.gate);
  results.in_transit = grown(before.in_transit, after.in_transit);
}

void MeasuredRun::count_whole_run(Clock::time_point begin) {
  results.cycles = network->now();
  results.packet_hash = network->merged_statistics().packet_hash();
  results.flit_hops = network->flit_hops();
  results.conservation = network->conservation();
  results.engines = network->fabric().engines();
  const Network::PolicyReports reports = network->policy_reports();
  results.failure = reports.failure;
  results.reroutes = reports.reroutes;
  results.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
}

void MeasuredRun::close_files() {
  if (waveform) waveform->close(results.verdict ? results.verdict->waiting : std::vector<std::string>());
  const PacketLog* log = network->packet_log();
  if (log == nullptr) return;
  if (!watched.what.empty() && watched.file != "-") {
    OutputFile file(watched.file);
    each_watched([&](std::string_view line) { file.out() << line << '\n'; });
    file.finish();
  }
  if (const std::string trace = record_options().read(experiment).trace; !trace.empty()) write_trace(trace, *network);
  if (log_file.empty()) return;
  const auto kind_of = [this](const Packet& packet) { return network->kind_of(packet); };
  const bool path = log_options().read(experiment).path;
  write_packet_log(log_file, [&](const PacketLog::TakeColumns& take) {
    log->columns(topology, network->store(), kind_of, take, path);
  });
}

/// A long run has more packets than memory has room for.
void MeasuredRun::stream_records() {
  PacketLog* log = network->packet_log();
  if (log == nullptr) return;
  const PacketWatch* watch = network->watch();
  const std::string trace = record_options().read(experiment).trace;
  const bool all = !log_file.empty() || !trace.empty();
  const std::string beside = !log_file.empty() ? log_file : !trace.empty() ? trace : watched.file;
  if (results_options().read(experiment).link_flows) link_flows.emplace(topology, network->subnets());
  log->stream(beside, [this, all, watch](const PacketRecord& record) {
    if (link_flows) link_flows->add(record);
    return all || (watch != nullptr && watch->shows(record));
  });
}

/// Records that have left memory are counted; of packets under way, links that they have come over.
void MeasuredRun::take_link_flows() {
  if (!link_flows) return;
  LinkFlows flows = *link_flows;
  for (const PacketLog::Page& page : network->packet_log()->pages()) {
    for (const PacketRecord& record : page.records()) flows.add(record);
  }
  flows.put(results.links, network->traffic_classes());
}

void MeasuredRun::each_watched(const std::function<void(std::string_view)>& take) const {
  if (network->watch() == nullptr) return;
  network->watch()->each_line(*network->packet_log(), network->store(), watched.file, take);
}

const Results& MeasuredRun::run_to_end(const std::function<void()>& begin_run) {
  const auto begin = Clock::now();
  with_places(experiment, begin_run);
  const routing::BreakOff interrupts(asked_in_a_cycle());
  try {
    set_up();
    if (results.warmup_cycles == 0) warm_up();  // else it was before the checkpoint
    if (!checkpoint_file.file.empty()) save(checkpoint_file.file);
    measure();
    drain();
  } catch (const DeadlockError& e) {
    results.verdict = verdict_of(e.what());
    results.links.clear();
    results.node_links.clear();
    results.subnets = {};
    results.energy = {};
    count_whole_run(begin);
    close_files();
    throw;
  } catch (const CheckpointError& e) {  // met while running, for nobody can look at all of it before
    throw InputError({checkpoint_file.from, 0, 0}, std::string("is damaged: ") + e.what());
  }
  take_results();
  count_whole_run(begin);
  close_files();
  return results;
}

}  // namespace braid::models
