// A module of the hardware view alone: a clock, and a signal on each of its ports.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <systemc>

#include "models/stages/base/stage.h"

namespace braid::test {

class StageOnSignals {
 public:
  using Bits = models::stages::Bits;
  using Wire = sc_core::sc_signal<Bits>;

  /// Inputs are 0 and as wide as anything may ask for.
  explicit StageOnSignals(models::stages::Stage& stage) {
    stage.clk_i(clock_);
    for (sc_core::sc_object* child : stage.get_child_objects()) {
      auto* port = dynamic_cast<sc_core::sc_port_base*>(child);
      if (port == nullptr || port == &stage.clk_i) continue;
      const std::string name = child->basename();
      auto& wire = wires_[name] = std::make_unique<Wire>(name.c_str(), Bits(kWide));
      if (auto* in = dynamic_cast<sc_core::sc_port_b<sc_core::sc_signal_in_if<Bits>>*>(port)) (*in)(*wire);
      if (auto* out = dynamic_cast<sc_core::sc_port_b<sc_core::sc_signal_inout_if<Bits>>*>(port)) (*out)(*wire);
    }
  }

  /// Entry `i` of an input whose entries have `width` bits, from the next edge on.
  void set(const std::string& port, unsigned i, std::uint64_t value = 1, unsigned width = 1) {
    Bits bits = values_.count(port) == 0 ? Bits(kWide) : values_[port];
    bits.set(i * width, width, value);
    values_[port] = bits;
    wires_.at(port)->write(bits);
  }
  std::uint64_t get(const std::string& port, unsigned i, unsigned width = 1) const {
    return wires_.at(port)->read().field(i * width, width);
  }
  const Wire& wire(const std::string& port) const { return *wires_.at(port); }
  /// Edges of the clock, a nanosecond each. Cycles count from 0: after n of them the edges of cycles 0 to n - 1 were.
  void run(unsigned cycles = 1) {
    for (unsigned i = 0; i < cycles; ++i) {
      clock_.write(true);
      sc_core::sc_start(500, sc_core::SC_PS);
      clock_.write(false);
      sc_core::sc_start(500, sc_core::SC_PS);
    }
  }
  void run_to(std::uint64_t cycle) {
    for (; now() < cycle;) run();
  }
  static std::uint64_t now() { return sc_core::sc_time_stamp().value() / 1000; }

 private:
  static constexpr unsigned kWide = 8192;
  sc_core::sc_signal<bool> clock_{"clock"};
  std::map<std::string, std::unique_ptr<Wire>> wires_;
  std::map<std::string, Bits> values_;
};

}  // namespace braid::test
