#include "models/workload/broadcast/broadcast_tally.h"

#include <algorithm>

namespace braid::models {

void BroadcastTally::complete(std::uint64_t begin, std::uint64_t end) {
  if (window_.open) {
    ++completed_;
    ++completed_in_batch_;
  }
  if (measured(begin)) latencies_.add(end - begin);
}

void BroadcastTally::end_burst(std::uint64_t begin, std::uint64_t end) {
  if (measured(begin)) bursts_.add(end - begin);
}

void BroadcastTally::begin_window() {
  latencies_ = {};
  bursts_ = {};
  completed_ = completed_in_batch_ = 0;
  per_kilocycle_.clear();
}

void BroadcastTally::end_batch() {
  per_kilocycle_.push_back(1000.0 * static_cast<double>(completed_in_batch_) /
                           static_cast<double>(window_.batch_cycles));
  completed_in_batch_ = 0;
}

void BroadcastTally::merge(const BroadcastTally& other) {
  latencies_.merge(other.latencies_);
  bursts_.merge(other.bursts_);
  completed_ += other.completed_;
  per_kilocycle_.resize(std::max(per_kilocycle_.size(), other.per_kilocycle_.size()));
  for (std::size_t batch = 0; batch < other.per_kilocycle_.size(); ++batch) {
    per_kilocycle_[batch] += other.per_kilocycle_[batch];
  }
}

BroadcastResults BroadcastTally::results(std::uint32_t burst) const {
  BroadcastResults r;
  r.completed = completed_;
  r.broadcasts_per_kilocycle = estimate(per_kilocycle_);
  r.latency_cycles = latencies_.distribution();
  r.burst_cycles = bursts_.distribution();
  if (r.burst_cycles.count > 0) r.burst_rate = 1000.0 * burst / r.burst_cycles.p50;
  return r;
}

void BroadcastResults::describe(const std::vector<traffic::BroadcastPart>& parts) {
  positions = parts.size();
  messages = traffic::message_count(parts);
  longest_path = traffic::longest_path(parts);
}

const FigureTable<BroadcastResults>& broadcast_figures() {
  using R = BroadcastResults;
  static const FigureTable<R> table =
      FigureTable<R>()
          .add("scheme", "", "broadcast.scheme", &R::scheme)
          .add("positions", "", "nodes that take part", &R::positions)
          .add("messages", "", "of one broadcast", &R::messages)
          .add("longest_path", "messages", "from the root through a node and back", &R::longest_path)
          .add("completed", "", "broadcasts acknowledged while measuring", &R::completed)
          .add("broadcasts_per_kilocycle", "", "acknowledged; batches by completion", &R::broadcasts_per_kilocycle)
          .part("latency_cycles", "cycles", "from the root's first cycle on a broadcast to its completion",
                &R::latency_cycles, distribution_figures())
          .part("burst_cycles", "cycles", "from the begin of a burst to its last completion", &R::burst_cycles,
                distribution_figures())
          .add("burst_broadcasts_per_kilocycle", "", "of a burst over the median of burst_cycles, the fill included",
               &R::burst_rate)
          .add("unacknowledged", "", "broadcasts given up, with who did not acknowledge", &R::unacknowledged)
          .add("refused", "", "messages that no broadcast can bring: twice, or late", &R::refused)
          .add("completed_by_root", "", "broadcasts acknowledged while measuring, of each of broadcast.roots",
               &R::completed_by_root);
  return table;
}

const FigureTable<BroadcastResults>& broadcast_report() {
  static const FigureTable<BroadcastResults> table = FigureTable<BroadcastResults>().part(
      "broadcast", "", "acknowledged broadcasts", [](const BroadcastResults& r) { return r; }, broadcast_figures());
  return table;
}

}  // namespace braid::models
