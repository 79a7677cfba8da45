// A module alone, a signal on each of its ports, beside its twin in a network of modules. In every cycle its signals
// are driven with what the twin's inputs carry before the twin's step. So whatever drives the network, synthetic
// traffic or a stream graph, drives the module. What it writes must be what the twin shows when its step is over.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/on_signals.h"

namespace braid::test {

class DrivenModule {
 public:
  using Bits = models::stages::Bits;

  /// `twin`: its name. `step`: that of its clock.
  DrivenModule(models::stages::Stage& module, std::string twin, std::size_t step)
      : alone_(module), twin_(std::move(twin)), step_(step) {
    for (sc_core::sc_object* child : module.get_child_objects()) {
      if (dynamic_cast<In*>(child) != nullptr) inputs_.emplace_back(child->basename());
      if (dynamic_cast<Out*>(child) != nullptr) outputs_.emplace_back(child->basename());
    }
  }

  /// Before each step of the network, and after the last.
  void look(std::size_t step) {
    if (step == step_) {
      for (const std::string& port : inputs_) {
        In& twin = port_of<In>(port);
        if (twin.bind_count() > 0) drive(port, twin[0]->read());
      }
    }
    if (step == step_ + 1) {
      for (const std::string& port : outputs_) shown_[port] = port_of<Out>(port)->read();
    }
  }
  /// An input that the twin has not.
  void drive(const std::string& port, const Bits& bits) { alone_.wires[port].write(bits); }
  /// The edge of the cycle.
  void end(std::uint64_t cycle) {
    alone_.run_through(cycle);
    for (const std::string& port : outputs_) {
      const Bits& written = alone_.wires.read(port);
      ASSERT_EQ(written, shown_.at(port)) << twin_ << "." << port << ", cycle " << cycle;
      auto [last, first] = last_.emplace(port, written);
      if (!first && last->second != written) ++changes_[port];
      last->second = written;
    }
  }
  /// That these outputs have changed so often.
  void expect_moved(std::uint64_t times, const std::vector<std::string>& ports) {
    for (const std::string& port : ports) EXPECT_GE(changes_[port], times) << twin_ << "." << port;
  }

 private:
  using In = sc_core::sc_port_b<sc_core::sc_signal_in_if<Bits>>;
  using Out = sc_core::sc_port_b<sc_core::sc_signal_inout_if<Bits>>;
  template <class Port>
  Port& port_of(const std::string& name) const {
    auto* port = dynamic_cast<Port*>(sc_core::sc_find_object((twin_ + "." + name).c_str()));
    if (port == nullptr) throw std::out_of_range("no port " + twin_ + "." + name);
    return *port;
  }

  OnSignals alone_;
  const std::string twin_;
  const std::size_t step_;
  std::vector<std::string> inputs_, outputs_;
  std::map<std::string, Bits> shown_, last_;
  std::map<std::string, std::uint64_t> changes_;
};

}  // namespace braid::test
