// A module of models/stages alone, whatever its room: a signal on each of its ports, and a clock that is moved by hand,
// an edge a nanosecond. What a room's tests like to call it is in stage_bench.h, lone_module.h, port_bench.h and
// stage_on_signals.h.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>

#include "models/stages/base/bit_ports.h"
#include "models/stages/base/stage.h"

namespace braid::test {

class OnSignals {
 public:
  using Bits = models::stages::Bits;

  /// `width_if_unsaid`: of signals on ports that do not say their own.
  explicit OnSignals(models::stages::Stage& module, unsigned width_if_unsaid = 0) : wires(module, width_if_unsaid) {
    module.clk_i(clock);
  }

  /// The edges of so many cycles: inputs are as they were set, outputs are those of the next.
  void edges(std::uint64_t count) {
    for (; count > 0; --count, ++edges_) {
      for (const bool level : {true, false}) {
        clock.write(level);
        sc_core::sc_start(500, sc_core::SC_PS);
      }
    }
  }
  void edge() { edges(1); }
  /// Cycles count from 0: after run_through(n) the edges of cycles 0 to n have been, and what they did is on the ports.
  void run_through(std::uint64_t cycle) { edges(cycle + 1 - edges_); }
  bool bit(const std::string& port, unsigned i) const { return wires.read(port)[i]; }
  std::uint64_t field(const std::string& port, unsigned low, unsigned width) const {
    return wires.read(port).field(low, width);
  }
  /// All bits of a port, of 64 at most.
  std::uint64_t whole(const std::string& port) const { return field(port, 0, wires.read(port).width()); }
  bool any(const std::string& port) const { return wires.read(port).any(); }

  sc_core::sc_signal<bool> clock{"clock"};
  models::stages::PortSignals wires;

 private:
  std::uint64_t edges_ = 0;
};

}  // namespace braid::test
