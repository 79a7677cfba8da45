// A stage in a testbench of ten lines: a signal on each of its ports, edges by hand.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <systemc>

#include "models/stages/hybrid/router_stage.h"

namespace braid::test {

template <class Stage>
struct PortBench {
  using Bits = models::stages::Bits;
  using Shape = models::stages::hybrid::RouterShape;

  sc_core::sc_signal<bool> clock{"clock"};
  Stage stage;
  std::map<std::string, std::unique_ptr<sc_core::sc_signal<Bits>>> wires;

  explicit PortBench(const Shape& shape) : stage("stage", shape) {
    stage.clk_i(clock);
    for (sc_core::sc_object* child : stage.get_child_objects()) {
      const std::string name = child->basename();
      auto& wire = wires[name];
      wire = std::make_unique<sc_core::sc_signal<Bits>>(sc_core::sc_gen_unique_name("wire"));
      if (auto* in = dynamic_cast<sc_core::sc_in<Bits>*>(child)) {
        (*in)(*wire);
      } else if (auto* out = dynamic_cast<sc_core::sc_out<Bits>*>(child)) {
        (*out)(*wire);
      } else {
        wires.erase(name);  // the clock, the process
      }
    }
  }

  void set(const std::string& port, unsigned width, std::uint64_t value = 0) {
    wires.at(port)->write(Bits(width, value));
  }
  /// `bits` of `width` become `value`, from `low` on; the others stay.
  void put(const std::string& port, unsigned low, unsigned width, std::uint64_t value) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // what was set before is there
    Bits bits = wires.at(port)->read();
    bits.set(low, width, value);
    wires.at(port)->write(bits);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  /// The edge that ends the present cycle.
  void edge() {
    for (const bool level : {true, false}) {
      clock.write(level);
      sc_core::sc_start(500, sc_core::SC_PS);
    }
  }
  std::uint64_t read(const std::string& port) const {
    const Bits& bits = wires.at(port)->read();
    return bits.field(0, bits.width());
  }
};

}  // namespace braid::test
