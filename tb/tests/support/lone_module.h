// A module of models/stages alone: a signal on each of its ports, and a clock that is moved by hand, an edge a cycle.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <systemc>

#include "models/stages/base/stage.h"

namespace braid::test {

class LoneModule {
 public:
  using Bits = models::stages::Bits;

  /// Inputs are 0 to begin with.
  explicit LoneModule(models::stages::Stage& module) {
    module.clk_i(clock_);
    for (sc_core::sc_object* child : module.get_child_objects()) {
      const std::string name = child->basename();
      if (name == "clk_i") continue;
      auto* in = dynamic_cast<sc_core::sc_port_b<sc_core::sc_signal_in_if<Bits>>*>(child);
      auto* out = dynamic_cast<sc_core::sc_port_b<sc_core::sc_signal_inout_if<Bits>>*>(child);
      if (in == nullptr && out == nullptr) continue;
      auto& wire = wires_[name] = std::make_unique<Wire>(name.c_str(), Bits(64));
      if (in != nullptr) (*in)(*wire);
      if (out != nullptr) (*out)(*wire);
    }
  }

  /// From the next edge on.
  void set(const std::string& port, std::uint64_t value) { wires_.at(port)->write(Bits(64, value)); }
  std::uint64_t get(const std::string& port) const {
    const Bits& bits = wires_.at(port)->read();
    return bits.field(0, bits.width());
  }
  sc_core::sc_signal<Bits>& wire(const std::string& port) { return *wires_.at(port); }

  /// Cycles count from 0: after run_through(n) the edges of cycles 0 to n have been, and what they did is on the ports.
  void run_through(std::uint64_t cycle) {
    for (; edges_ <= cycle; ++edges_) {
      clock_.write(true);
      sc_core::sc_start(500, sc_core::SC_PS);
      clock_.write(false);
      sc_core::sc_start(500, sc_core::SC_PS);
    }
  }

 private:
  using Wire = sc_core::sc_signal<Bits>;
  sc_core::sc_signal<bool> clock_{"clock"};
  std::map<std::string, std::unique_ptr<Wire>> wires_;
  std::uint64_t edges_ = 0;
};

}  // namespace braid::test
