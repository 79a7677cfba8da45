// Firings that balance the edges of a graph of rates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace braid::traffic {

struct RateEdge {
  std::size_t from = 0, to = 0;     ///< nodes
  std::uint64_t push = 0, pop = 0;  ///< below 2^32, for each firing; both 0: the edge says nothing
};

constexpr std::uint64_t kMostFirings = 1'000'000'000'000;

/// The smallest positive integers with push * firings[from] = pop * firings[to] for every edge; parts of the graph that
/// no edge joins have each their own. `bad_edge` (which must throw) is called with an edge that cannot balance,
/// `too_many` with a node that would fire more than 10^12 times.
std::vector<std::uint64_t> balanced_firings(std::size_t nodes, const std::vector<RateEdge>& edges,
                                            const std::function<void(std::size_t)>& bad_edge,
                                            const std::function<void(std::size_t)>& too_many);

}  // namespace braid::traffic
