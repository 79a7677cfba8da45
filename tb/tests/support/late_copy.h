// A clock that a module gets a signal assignment later than the modules around it.
#pragma once

#include <functional>
#include <systemc>

#include "tb/tests/support/pin_report.h"

namespace braid::test {

/// Changes an input at an edge of the clock, the fifth, whose copy is the module's.
struct LateCopy : sc_core::sc_module {
  SC_HAS_PROCESS(LateCopy);
  explicit LateCopy(const sc_core::sc_module_name& name, int edge_of_change = 5)
      : sc_module(name), at_(edge_of_change) {
    SC_METHOD(follow);
    sensitive << clock;
    SC_METHOD(follow_copy);
    sensitive << copy;
    SC_METHOD(edge);
    sensitive << clock.posedge_event();
    dont_initialize();
  }
  sc_core::sc_clock clock{"clock", 2, sc_core::SC_NS};
  sc_core::sc_signal<bool> copy{"copy"}, copy_of_copy{"copy_of_copy"};
  std::function<void()> change;

 private:
  void follow() { copy.write(clock.read()); }
  void follow_copy() { copy_of_copy.write(copy.read()); }
  void edge() {
    if (++edges_ == at_) change();
  }
  const int at_;
  int edges_ = 0;
};

}  // namespace braid::test
