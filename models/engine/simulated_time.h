// Cycles as SystemC counts time.
#pragma once

#include <cstdint>
#include <systemc>

namespace braid::models {

/// Simulated time of so many cycles.
inline sc_core::sc_time clock_cycles(std::uint64_t cycles, std::uint64_t period_ps) {
  return {static_cast<double>(cycles) * static_cast<double>(period_ps), sc_core::SC_PS};
}

/// The period as SystemC counts time. Throws InputError where its resolution is too coarse for it.
sc_core::sc_time::value_type whole_period(std::uint64_t period_ps);
/// A period that a user has chosen, in ps. Throws InputError unless it is a whole number of them.
std::uint64_t period_in_ps(const sc_core::sc_time& period);

}  // namespace braid::models
