// A module alone whose ports are rows of entries (on_signals.h).
#pragma once

#include <string>

#include "tb/tests/support/on_signals.h"

namespace braid::test {

class StageOnSignals : public OnSignals {
 public:
  /// Inputs are 0 and as wide as anything may ask for.
  explicit StageOnSignals(models::stages::Stage& stage) : OnSignals(stage, 8192) {}

  /// Entry `i` of an input whose entries have `width` bits, from the next edge on.
  void set(const std::string& port, unsigned i, std::uint64_t value = 1, unsigned width = 1) {
    wires.set(port, i * width, width, value);
  }
  std::uint64_t get(const std::string& port, unsigned i, unsigned width = 1) const {
    return field(port, i * width, width);
  }
  const sc_core::sc_signal<Bits>& wire(const std::string& port) { return wires[port]; }
  /// Edges of the clock, a nanosecond each. Cycles count from 0: after n of them the edges of cycles 0 to n - 1 were.
  void run(unsigned cycles = 1) { edges(cycles); }
  void run_to(std::uint64_t cycle) {
    for (; now() < cycle;) run();
  }
  static std::uint64_t now() { return sc_core::sc_time_stamp().value() / 1000; }
};

}  // namespace braid::test
