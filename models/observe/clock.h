// The clock: what a cycle is in simulated time. What SystemC is told of it: models/engine/simulated_time.h.
#pragma once

#include <cstdint>
#include <string>

namespace braid::models {

/// The period of a network whose family says nothing of time: 1 ns.
constexpr std::uint64_t kDefaultPeriodPs = 1000;

/// A time that an option gives in ns, in ps. Throws InputError with the option's `key` unless it is a whole number.
std::uint64_t picoseconds(const std::string& key, double ns);
/// The same in cycles. Throws InputError unless that is a whole number of at least 1.
std::uint64_t whole_cycles(const std::string& key, double ns, std::uint64_t period_ps,
                           const std::string& period_key = "");

}  // namespace braid::models
