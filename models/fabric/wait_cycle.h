// Who waits for whom, for the watchdog's report: a cycle among things that wait for each other, or all that wait.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace braid::models {

/// What a family calls its things that may wait for each other (channels, queues, routers), numbered 0 .. count() - 1.
class Waiters {
 public:
  virtual ~Waiters() = default;
  virtual std::size_t count() const = 0;
  virtual bool waits(std::uint32_t i) const = 0;
  /// The things that i waits for; empty if it does not wait.
  virtual std::vector<std::uint32_t> waits_for(std::uint32_t i) const = 0;
  /// Of a thing that waits: one line.
  virtual std::string describe(std::uint32_t i) const = 0;
};

/// The things of one cycle in order, each waiting for the next and the last for the first; empty if there is none.
std::vector<std::uint32_t> find_wait_cycle(const Waiters& waiters);

/// The things of a cycle, or without one whatever waits, one a line. `things` names them, `each` says what each of a
/// cycle needs. Every line is begun by '\n'.
std::string report_waiting(const Waiters& waiters, const std::string& things, const std::string& each);

}  // namespace braid::models
