// A cycle among things that wait for each other, for the watchdog's report.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace braid::models {

/// Things are numbered 0 .. count - 1; `waits_for(i)` names those that i waits for. Gives the things of one cycle in
/// order, each waiting for the next and the last for the first; empty if there is none.
std::vector<std::uint32_t> find_wait_cycle(std::size_t count,
                                           const std::function<std::vector<std::uint32_t>(std::uint32_t)>& waits_for);

}  // namespace braid::models
