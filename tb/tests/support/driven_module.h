// A module alone, a signal on each of its ports, beside its twin in a network of modules. In every cycle its signals
// are driven with what the twin's inputs carry before the twin's step. So whatever drives the network, synthetic
// traffic or a stream graph, drives the module. What it writes must be what the twin shows when its step is over.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
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

  /// `twin`: its name in the hierarchy.
  DrivenModule(models::stages::Stage& module, std::string twin, Looks looks)
      : alone_(module), twin_(std::move(twin)), looks_(looks) {
    for (sc_core::sc_object* child : module.get_child_objects()) {
      if (dynamic_cast<In*>(child) != nullptr) inputs_.emplace_back(child->basename());
      if (dynamic_cast<Out*>(child) != nullptr) outputs_.emplace_back(child->basename());
    }
  }

  /// Before each step of the network, and after the last.
  void look(std::size_t step) {
    for (const std::string& port : inputs_) {
      if (step != looks_.inputs) break;
      const In& twin = port_of<In>(port);
      if (twin.size() > 0) drive(port, twin[0]->read());
    }
    for (const std::string& port : outputs_) {
      if (step == looks_.outputs) shown_[port] = port_of<Out>(port)[0]->read();
    }
  }
  /// An input that the twin has not.
  void drive(const std::string& port, const Bits& bits) { alone_.wires[port].write(bits); }
  /// The edge of the cycle.
  void end(std::uint64_t cycle) {
    alone_.run_through(cycle);
    for (const std::string& port : outputs_) {
      const Bits& written = at(port);
      ASSERT_EQ(written, shown_.at(port)) << twin_ << "." << port << ", cycle " << cycle;
      const auto [last, first] = last_.emplace(port, written);
      if (!first && last->second != written) ++changes_[port];
      last->second = written;
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
  void expect_moved(std::uint64_t times, const std::vector<std::string>& ports) {
    for (const std::string& port : ports) EXPECT_GE(changes_[port], times) << twin_ << "." << port;
  }

 private:
  using In = sc_core::sc_port_b<sc_core::sc_signal_in_if<Bits>>;
  using Out = sc_core::sc_port_b<sc_core::sc_signal_inout_if<Bits>>;
  template <class Port>
  const Port& port_of(const std::string& name) const {
    const auto* port = dynamic_cast<const Port*>(sc_core::sc_find_object((twin_ + "." + name).c_str()));
    if (port == nullptr) throw std::out_of_range("no port " + twin_ + "." + name);
    return *port;
  }

  OnSignals alone_;
  const std::string twin_;
  const Looks looks_;
  std::vector<std::string> inputs_, outputs_;
  std::map<std::string, Bits> shown_, last_;
  std::map<std::string, std::uint64_t> changes_;
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
