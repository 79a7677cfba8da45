// A class of traffic, batch by batch of the measured window: what its verdicts and intervals are made from, and what a
// plot over time shows. Sums of integers only, as in Statistics.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/figures.h"

namespace braid::models {

/// What happened in one batch (`simulation.batch_cycles`), or to the packets made in it.
struct Batch {
  std::uint64_t created_packets = 0, created_flits = 0;  ///< in it
  std::uint64_t delivered_flits = 0;                     ///< in it, whenever made
  /// Of packets made in it that have arrived since:
  std::uint64_t packets = 0, latency_sum = 0, network_latency_sum = 0;
  Batch& operator+=(const Batch& other);
};

/// Of the batches that a window holds whole.
using BatchSeries = std::vector<Batch>;
/// What each list holds, [batch].
const FigureTable<BatchSeries>& batch_figures();

}  // namespace braid::models
