// Who runs a network's cycles: an engine under SystemC (engine.h), or a loop without it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "models/engine/network.h"

namespace braid::models {

class CycleRunner {
 public:
  virtual ~CycleRunner() = default;
  CycleRunner(const CycleRunner&) = delete;
  CycleRunner& operator=(const CycleRunner&) = delete;

  /// Called after every cycle, when all registers are settled (tracing, breakpoints).
  using Observer = std::function<void(std::uint64_t cycle)>;
  void on_cycle(Observer observer) { observer_ = std::move(observer); }

  /// Runs `cycles` cycles.
  virtual void run(std::uint64_t cycles) = 0;

 protected:
  CycleRunner() = default;
  /// Empty: nobody sees the cycles one by one.
  const Observer& observer() const { return observer_; }

 private:
  Observer observer_;
};

/// The static schedule without SystemC: a loop over Network::cycle(), or the threads that the experiment asks for.
std::unique_ptr<CycleRunner> make_loop_runner(Network& network);

}  // namespace braid::models
