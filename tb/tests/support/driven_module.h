// A module alone, a signal on each of its ports, beside its twin in a network of modules. In every cycle its signals
// are driven with what the twin's inputs carry before the twin's step. So whatever drives the network, synthetic
// traffic or a stream graph, drives the module. What it writes must be what the twin shows when its step is over.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tb/tests/support/module_bench.h"
#include "tb/tests/support/on_signals.h"

namespace braid::test {

class DrivenModule {
 public:
  using Bits = models::stages::Bits;
  /// Before which steps of a cycle the twin's ports are looked at; the number of steps: when the last one is over.
  struct Looks {
    std::size_t inputs, outputs;
  };
  /// Of a module whose edge is the twin's.
  static Looks around(std::size_t step) { return {step, step + 1}; }

  /// `twin`: its name in the hierarchy. It is there already.
  DrivenModule(models::stages::Stage& module, const std::string& twin, Looks looks)
      : alone_(module), twin_(twin), looks_(looks) {
    for (sc_core::sc_object* child : module.get_child_objects()) {
      const std::string name = child->basename();
      if (dynamic_cast<In*>(child) != nullptr) inputs_.push_back({port_of<In>(name), alone_.wires[name]});
      if (dynamic_cast<Out*>(child) != nullptr) outputs_.push_back({name, port_of<Out>(name), alone_.wires[name]});
    }
  }

  /// Before each step of the network, and after the last.
  void look(std::size_t step) {
    if (step == looks_.inputs) {
      for (const Input& port : inputs_) {
        if (port.twin.size() > 0) port.wire.write(port.twin[0]->read());
      }
    }
    if (step == looks_.outputs) {
      for (Output& port : outputs_) port.shown = port.twin[0]->read();
    }
  }
  /// An input that the twin has not.
  void drive(const std::string& port, const Bits& bits) { alone_.wires[port].write(bits); }
  /// The edge of the cycle.
  void end(std::uint64_t cycle) {
    alone_.run_through(cycle);
    for (Output& port : outputs_) {
      const Bits& written = port.wire.read();
      ASSERT_EQ(written, port.shown) << twin_ << "." << port.name << ", cycle " << cycle;
      if (cycle > 0 && written != port.last) ++port.changes;
      port.last = written;
    }
  }
  /// What a port of the module carries.
  const Bits& at(const std::string& port) const { return alone_.wires.read(port); }
  bool bit(const std::string& port, std::size_t i) const { return at(port)[static_cast<unsigned>(i)]; }
  /// Entry `i` of a port whose entries have `width` bits.
  std::uint64_t entry(const std::string& port, std::size_t i, unsigned width) const {
    return at(port).field(static_cast<unsigned>(i) * width, width);
  }
  /// That these outputs have changed so often.
  void expect_moved(std::uint64_t times, const std::vector<std::string>& ports) const {
    for (const std::string& name : ports) {
      const auto port = std::find_if(outputs_.begin(), outputs_.end(), [&](const Output& o) { return o.name == name; });
      ASSERT_NE(port, outputs_.end()) << name;
      EXPECT_GE(port->changes, times) << twin_ << "." << name;
    }
  }

 private:
  using In = sc_core::sc_port_b<sc_core::sc_signal_in_if<Bits>>;
  using Out = sc_core::sc_port_b<sc_core::sc_signal_inout_if<Bits>>;
  using Signal = models::stages::PortSignals::Signal;
  struct Input {
    const In& twin;
    Signal& wire;
  };
  struct Output {
    std::string name;
    const Out& twin;
    Signal& wire;
    Bits shown{}, last{};  // by the twin after its step of this cycle; by the module in the cycle before
    std::uint64_t changes = 0;
  };
  template <class Port>
  const Port& port_of(const std::string& name) const {
    const auto* port = dynamic_cast<const Port*>(sc_core::sc_find_object((twin_ + "." + name).c_str()));
    if (port == nullptr) throw std::out_of_range("no port " + twin_ + "." + name);
    return *port;
  }

  OnSignals alone_;
  const std::string twin_;
  const Looks looks_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
};

/// That the module follows its twin for so many cycles, and the twin's network the fast engine. `drive(cycle)`: before
/// the module's edge; `check(cycle)`: after it.
inline void expect_follows(ModuleBench& network, Bench& fast, DrivenModule& driven, std::uint64_t cycles,
                           const std::function<void(std::uint64_t cycle)>& drive,
                           const std::function<void(std::uint64_t cycle)>& check) {
  elaborate();
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    network.cycle(ModuleBench::Order::kSleeping, [&](std::size_t step) { driven.look(step); });
    if (drive) drive(cycle);
    driven.end(cycle);
    if (check) check(cycle);
    if (testing::Test::HasFailure()) return;
  }
  fast.run(cycles);
  expect_same(network, fast, "with the fast engine");
}

}  // namespace braid::test
