// A run of one experiment from its first cycle to its results, whoever runs the cycles: Simulation gives it an engine
// under SystemC, steps::run_experiment a loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/engine/cycle_runner.h"
#include "models/engine/network.h"
#include "models/engine/watchdog.h"
#include "models/engine/waveform.h"
#include "models/experiment/elaboration.h"
#include "models/experiment/energy.h"
#include "models/experiment/experiment.h"
#include "models/experiment/link_flows.h"
#include "models/experiment/link_results.h"
#include "models/experiment/measurement.h"
#include "models/experiment/results.h"
#include "models/experiment/stopping_rule.h"

namespace braid::models {

/// What was elaborated, and what a run of it needs.
struct MeasuredRun : Elaboration {
  using Clock = std::chrono::steady_clock;

  CycleRunner* runner = nullptr;  // null: not started
  std::unique_ptr<Waveform> waveform;
  std::unique_ptr<Watchdog> watchdog;
  std::vector<LinkCount> links_before;  // the measurement
  std::vector<SwitchedFlits> switched_before;
  std::vector<Fabric::Counters> subnets_before;
  std::optional<LinkFlows> link_flows;                 // if asked for
  std::vector<std::optional<Network::Oldest>> oldest;  // [class] when the window closed
  Network::PolicyReports reports_before;
  OnProgress progress;
  Clock::time_point last_report = Clock::now();
  const char* phase_now = "";
  std::uint64_t stride = 1;                          // cycles; of a very large network each takes long
  std::uint64_t first_cycle = 0, measured_from = 0;  // of this run; the latter as far as is known
  bool drained = false;                              // as far as the limit allows
  Results results;

  MeasuredRun(const Experiment& e, const OnProgress& on_progress, Senders senders = Senders::kWorkloads)
      : Elaboration(e, on_progress, senders), progress(on_progress) {}
  /// Whoever runs the cycles lives as long as the run.
  using MakeRunner = std::function<CycleRunner&(Network&)>;
  void start(const MakeRunner& make_runner);
  /// `begin_run` starts it. Throws DeadlockError, Interrupted.
  const Results& run_to_end(const std::function<void()>& begin_run);

  void set_up();
  void open_window();
  void close_window(std::uint64_t measured_cycles);
  void take_results();
  std::vector<TrafficClassResults> class_results(const Statistics& all, std::uint64_t cycles) const;
  void judge_saturation(const Statistics& all);
  void count_whole_run(Clock::time_point begin);
  void close_files();
  void save(const std::string& file);
  void each_watched(const std::function<void(std::string_view)>& take) const;

 private:
  void run(std::uint64_t cycles, const char* phase);
  void run_step(std::uint64_t cycles, const char* phase);
  void report(const char* phase);
  routing::OnProgress asked_in_a_cycle();
  std::string saved(const std::string& file);
  void restore();
  void checkpoint(Checkpoint& c);
  bool advanced();
  void warm_up();
  void warm_up_by_mser();
  void measure();
  bool measured_enough(const StoppingRule& rule, std::uint64_t done) const;
  void drain();
  void fill_reports(const Network::PolicyReports& before, const Network::PolicyReports& after);
  void expect_warm_up();
  void stream_records();
  void take_link_flows();
};

}  // namespace braid::models
