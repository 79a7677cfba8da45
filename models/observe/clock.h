// The clock: what a cycle is in simulated time. The one place that knows.
#pragma once

#include <cstdint>
#include <systemc>

namespace braid::models {

constexpr sc_core::sc_time_unit kClockUnit = sc_core::SC_NS;  ///< a cycle is one of it
constexpr int kClockExponent = -9;                            ///< ... in seconds, as a power of ten

inline sc_core::sc_time clock_cycles(std::uint64_t cycles) { return {static_cast<double>(cycles), kClockUnit}; }

}  // namespace braid::models
