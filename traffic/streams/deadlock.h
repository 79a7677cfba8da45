// Can a graph of streams go on for ever?
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/streams/flat_graph.h"

namespace braid::traffic {

/// Throws InputError that names the loop: one of the graph's feedback loops cannot give each of its nodes its firings
/// of a steady state from what is enqueued.
void check_deadlock(const FlatGraph& graph, const std::vector<std::uint64_t>& firings);

}  // namespace braid::traffic
