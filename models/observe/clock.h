// The clock: what a cycle is in simulated time. The one place that knows.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>

namespace braid::models {

/// The period of a network whose family says nothing of time: 1 ns.
constexpr std::uint64_t kDefaultPeriodPs = 1000;

/// Simulated time of so many cycles.
inline sc_core::sc_time clock_cycles(std::uint64_t cycles, std::uint64_t period_ps) {
  return {static_cast<double>(cycles) * static_cast<double>(period_ps), sc_core::SC_PS};
}

/// The period as SystemC counts time. Throws InputError where its resolution is too coarse for it.
sc_core::sc_time::value_type whole_period(std::uint64_t period_ps);
/// A period that a user has chosen, in ps. Throws InputError unless it is a whole number of them.
std::uint64_t period_in_ps(const sc_core::sc_time& period);

/// A time that an option gives in ns, in ps. Throws InputError with the option's `key` unless it is a whole number.
std::uint64_t picoseconds(const std::string& key, double ns);
/// The same in cycles. Throws InputError unless that is a whole number of at least 1.
std::uint64_t whole_cycles(const std::string& key, double ns, std::uint64_t period_ps,
                           const std::string& period_key = "");

}  // namespace braid::models
