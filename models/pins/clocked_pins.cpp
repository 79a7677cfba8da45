#include "models/pins/clocked_pins.h"

#include <fmt/format.h>

namespace braid::models::pins {

ClockedPins::ClockedPins(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(edge);
  sensitive << clk_i.pos() << rst_ni.neg();
}

ClockedPins::~ClockedPins() = default;

void ClockedPins::report(const std::string& what) const {
  SC_REPORT_ERROR(kReportType, fmt::format("{}: {}", name(), what).c_str());
}

void ClockedPins::report_once(const std::string& what) {
  if (failed_) return;
  failed_ = true;
  report(what);
}

bool ClockedPins::missing(sc_core::sc_port_base& pin, bool needed, const std::string& why) const {
  if (pin.bind_count() != 0) return false;
  if (needed) report(fmt::format("{} is not bound: {}", pin.basename(), why));
  return true;
}

void ClockedPins::before_end_of_elaboration() {
  expect(clk_i, true, "bind the clock, whose rising edges are the cycles");
  expect(rst_ni, true, "bind the reset, active low; a signal that is true keeps the module out of reset");
  check_pins();
}

void ClockedPins::end_of_elaboration() {
  SC_METHOD(changed);
  dont_initialize();
  for (const sc_core::sc_port_base* pin : watched_) sensitive << *pin;
}

void ClockedPins::end_of_simulation() {
  if (edges_ != 0 || sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME) return;
  report("clk_i has never risen: bind it to an sc_clock, or write the signal that it is bound to");
}

void ClockedPins::edge() {
  const bool rose = clk_i.posedge();
  if (rose) ++edges_;
  if (!rst_ni.read()) {
    if (!in_reset_) enter_reset();
    in_reset_ = true;
    cycles_ = 0;
    return;
  }
  if (!rose || failed_) return;
  rose_at_ = sc_core::sc_time_stamp().value();
  rose_in_delta_ = sc_core::sc_delta_count();
  if (changed_at_ == rose_at_ && cycles_ > 0) return report_missed_delta();
  in_reset_ = false;
  try {
    clock_edge();
  } catch (const std::exception& e) {
    failed_ = true;
    report(fmt::format("cycle {}: {}", cycles_, e.what()));
  }
  ++cycles_;
}

void ClockedPins::changed() {
  changed_at_ = sc_core::sc_time_stamp().value();
  if (rose_at_ == changed_at_ && rose_in_delta_ == sc_core::sc_delta_count() && cycles_ > 1) report_missed_delta();
}

/// Registers that share the clock change a delta cycle after its edge. One that has changed by the time the edge comes
/// here was clocked earlier: what would be read is its next value.
void ClockedPins::report_missed_delta() {
  report_once(
      fmt::format("cycle {}: a delta cycle is missed: an input changed in the time step of a rising edge before clk_i "
                  "rose here. Bind clk_i to the clock of the modules around it, not to a copy that is a signal "
                  "assignment later; drive inputs by that clock's edge or at another time",
                  cycles_));
}

}  // namespace braid::models::pins
