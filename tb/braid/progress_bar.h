// A progress bar with the time left, on standard error, when that is a terminal.
#pragma once

#include <chrono>

#include "models/experiment/simulation.h"

namespace braid::tb {

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar() { clear(); }
  void show(const models::Progress& progress);
  /// Shows what it is told and lets it go on; only while the bar lives.
  models::Simulation::OnProgress watcher() {
    return [this](const models::Progress& progress) {
      show(progress);
      return true;
    };
  }
  /// What is shown next begins anew.
  void clear();

 private:
  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Catches SIGINT, SIGTERM and SIGHUP for as long as it lives; under nohup SIGHUP stays ignored.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  static bool raised();
};

}  // namespace braid::tb
