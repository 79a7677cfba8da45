// A module alone whose ports are numbers (on_signals.h).
#pragma once

#include <string>

#include "tb/tests/support/on_signals.h"

namespace braid::test {

class LoneModule : public OnSignals {
 public:
  explicit LoneModule(models::stages::Stage& module) : OnSignals(module, 64) {}

  /// From the next edge on.
  void set(const std::string& port, std::uint64_t value) { wires.set(port, 0, 64, value); }
  std::uint64_t get(const std::string& port) const { return whole(port); }
  sc_core::sc_signal<Bits>& wire(const std::string& port) { return wires[port]; }
};

}  // namespace braid::test
