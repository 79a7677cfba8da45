// One stage of the hardware view on the bench: a signal on each of its ports, a clock by hand.
#pragma once

#include <gtest/gtest.h>

#include <systemc>
#include <utility>

#include "models/stages/hybrid/bit_ports.h"

namespace braid::test {

/// `Stage`: a module with ports of bits and a clk_i.
template <class Stage>
struct StageBench {
  sc_core::sc_signal<bool> clock{"clock"};
  Stage stage;
  models::stages::hybrid::PortSignals wires{stage};

  template <class... Arguments>
  explicit StageBench(Arguments&&... arguments) : stage("stage", std::forward<Arguments>(arguments)...) {
    stage.clk_i(clock);
  }
  /// The edge of the present cycle: inputs are as they were set, outputs are those of the next.
  void edge() {
    for (const bool level : {true, false}) {
      clock.write(level);
      sc_core::sc_start(500, sc_core::SC_PS);
    }
  }
  void edges(int count) {
    while (count-- > 0) edge();
  }
  bool bit(const std::string& port, unsigned i) const { return wires.read(port)[i]; }
  std::uint64_t field(const std::string& port, unsigned low, unsigned width) const {
    return wires.read(port).field(low, width);
  }
  bool any(const std::string& port) const { return wires.read(port).any(); }
};

}  // namespace braid::test
