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
  void clear();

 private:
  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Catches SIGINT, SIGTERM and SIGHUP for as long as it lives; what is ignored (nohup) stays so.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  static bool raised();
};

}  // namespace braid::tb
