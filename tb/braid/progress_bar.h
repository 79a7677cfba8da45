// A progress bar with the time left, on standard error, when that is a terminal.
#pragma once

#include <chrono>
#include <memory>

#include "models/experiment/simulation.h"
#include "tb/braid/commands.h"
#include "tb/braid/process.h"

namespace braid::tb {

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar() { clear(); }
  void show(const models::Progress& progress);
  /// Shows what it is told and lets it go on until an interrupt is raised; only while the bar lives.
  models::Simulation::OnProgress watcher();
  /// What is shown next begins anew.
  void clear();

 private:
  bool visible_;
  bool drawn_ = false;
  models::Progress last_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The experiment that the options name, elaborated under the bar until an interrupt. Throws InputError, Interrupted.
std::unique_ptr<models::Simulation> elaborated(const Options& options, ProgressBar& bar);

}  // namespace braid::tb
