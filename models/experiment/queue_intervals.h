// Intervals of latencies, as far as the queues allow one: docs/statistics.md.
#pragma once

#include <cstdint>
#include <vector>

#include "models/experiment/results.h"

namespace braid::models {

/// Of a class whose sources do not wait for the network: its intervals become as wide as what its queues leave unknown
/// of the latency, or not reliable, where batches say otherwise.
void allow_for_queues(TrafficClassResults& of, const std::vector<NodeLinkResult>& links, std::uint64_t cycles);

}  // namespace braid::models
