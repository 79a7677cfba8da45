// Is a class of traffic saturated: does its network take less than it is asked to? A test over the measured window, by
// name "paired batches and backlog" (docs/statistics.md). Whoever has another verdict in mind changes this file alone.
#pragma once

#include <cstdint>
#include <string>

#include "models/workload/batch_series.h"
#include "routing/base/figures.h"

namespace braid::models {

/// What the test is told of one class of traffic.
struct SaturationEvidence {
  BatchSeries batches;
  std::vector<std::uint64_t> stalled_source_cycles;  ///< [batch] in which a source had no room for what it had made
  std::uint64_t batch_cycles = 0;
  std::size_t nodes = 0;
  std::uint64_t undrained_packets = 0;  ///< born while measuring, still on their way at the drain limit
};

struct SaturationVerdict {
  bool saturated = false;
  std::string reason = "none";  ///< or the first that holds, as the figures say it
  double demanded = kNoSample;  ///< flits/node/cycle: made, and what sources would have made had there been room
  /// Demanded less accepted, flits/node/cycle, and the least that it may be, with 90 %.
  double shortfall = kNoSample, shortfall_at_least = kNoSample;
  /// Slope of what waits and travels, likewise.
  double backlog_growth = kNoSample, backlog_growth_at_least = kNoSample;
  std::uint64_t undrained_packets = 0;
};
/// What they mean.
const FigureTable<SaturationVerdict>& saturation_figures();

SaturationVerdict saturation(const SaturationEvidence& evidence);

}  // namespace braid::models
