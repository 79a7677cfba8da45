// When the stages run. An engine advances a network by whole cycles of SystemC time (models/observe/clock.h); every
// engine drives the same stage functions (models/families/hybrid/slice.h), and all give the same results bit by bit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "models/engine/network.h"

namespace braid::models {

class Engine {
 public:
  virtual ~Engine() = default;
  /// Called after every cycle, when all registers are settled (tracing, breakpoints).
  using Observer = std::function<void(std::uint64_t cycle)>;
  virtual void on_cycle(Observer observer) = 0;
  /// Runs `cycles` cycles.
  virtual void run(std::uint64_t cycles) = 0;
};

/// One clocked SC_METHOD walks the stages of all slices; with more than one slice, a thread for each.
std::unique_ptr<Engine> make_static_engine(Network& network);

/// An sc_module for each router and one for each of its stages. The network has one slice a router.
std::unique_ptr<Engine> make_process_per_stage_engine(Network& network);

enum class Schedule { kStatic, kProcessPerStage };

struct ScheduleOptions {
  Schedule schedule = Schedule::kStatic;
  std::uint32_t threads = 1;  ///< > 1 only with the static schedule
};
/// In section [simulation].
const OptionTable<ScheduleOptions>& schedule_options();

/// Cores that this process may run on; at least 1.
std::size_t usable_cores();

/// How a network is cut for a schedule.
std::size_t slices_for(const ScheduleOptions& options, std::size_t routers);

}  // namespace braid::models
