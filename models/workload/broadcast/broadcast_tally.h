// What a run's broadcasts come to, whoever carries them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/workload/statistics.h"
#include "routing/base/figures.h"
#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::models {

struct BroadcastResults {
  std::string scheme;
  std::uint64_t positions = 0, messages = 0, longest_path = 0;  ///< of one broadcast
  std::uint64_t completed = 0;                                  ///< while measuring
  Estimate broadcasts_per_kilocycle;
  Distribution latency_cycles;              ///< a broadcast, from the root's first cycle on it
  Distribution burst_cycles;                ///< from a burst's begin to its last completion
  double burst_rate = kNoSample;            ///< broadcasts of a burst per kilocycle, over the median burst
  std::vector<std::string> unacknowledged;  ///< a line each
  std::vector<std::string> refused;         ///< a line each, the first few
  /// Of each root, its broadcasts acknowledged while measuring; where there may be several.
  std::optional<std::vector<std::uint64_t>> completed_by_root;

  /// Of one broadcast.
  void describe(const std::vector<traffic::BroadcastPart>& parts);
};
const FigureTable<BroadcastResults>& broadcast_figures();
/// The part "broadcast" of them.
const FigureTable<BroadcastResults>& broadcast_report();

/// Counts while the clock runs.
class BroadcastTally {
 public:
  explicit BroadcastTally(const MeasurementWindow& window) : window_(window) {}

  /// A broadcast that began in `begin` is acknowledged.
  void complete(std::uint64_t begin, std::uint64_t end);
  /// ... all of a burst.
  void end_burst(std::uint64_t begin, std::uint64_t end);
  void begin_window();
  void end_batch();
  /// What another one has counted over the same batches.
  void merge(const BroadcastTally& other);
  std::uint64_t completed() const { return completed_; }
  /// `burst`: broadcasts in a burst. What concerns the scheme is left open.
  BroadcastResults results(std::uint32_t burst) const;
  void checkpoint(Checkpoint& c) { c(latencies_, bursts_, completed_, completed_in_batch_, per_kilocycle_); }

 private:
  bool measured(std::uint64_t begin) const { return window_.open && begin >= window_.first_cycle; }

  const MeasurementWindow& window_;
  LatencyHistogram latencies_, bursts_;
  std::uint64_t completed_ = 0, completed_in_batch_ = 0;  // while measuring
  std::vector<double> per_kilocycle_;                     // [batch]
};

}  // namespace braid::models
