// How the SAT signal gets from station to station. One carrier a file, registered by name (`sat.carrier`).
#pragma once

#include <cstdint>
#include <memory>

#include "models/event_lines/stops.h"
#include "models/observe/signals.h"
#include "routing/base/checkpoint.h"
#include "routing/base/registry.h"
#include "routing/topology/topology.h"

namespace braid::models {

class EventLine {
 public:
  static const char* axis() { return "SAT carrier"; }
  virtual ~EventLine() = default;

  /// One cycle of the line, after every slice has committed `cycle`. A signal that is at a station may leave it now;
  /// one that is on a wire moves on.
  virtual void step(std::uint64_t cycle, Stops& stops) = 0;
  /// Cycles from reception to reception if no station holds the signal. 0: not known yet.
  virtual std::uint64_t unheld_interval_cycles() const = 0;
  /// Declares the line's wires.
  virtual std::unique_ptr<SignalSource> signals(SignalTable& table) const = 0;
  /// Where the signal is.
  virtual void checkpoint(Checkpoint&) { Checkpoint::refuse("this sat.carrier has no checkpoint()"); }
};
using EventLineRegistry = Registry<EventLine, routing::Topology, Configuration>;

}  // namespace braid::models
