// A source actor that must put out items at a rate (stream.rates): items come to it from outside by a clock, an
// accumulator that grows by the rate in each cycle, and the source puts out what has come. What it cannot put out in
// time, as its queues have no room, it owes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/base/checkpoint.h"
#include "routing/base/figures.h"
#include "traffic/streams/stream_graph.h"

namespace braid::models {

/// What stream.rates says of one actor.
struct RatedSource {
  std::uint32_t actor = 0;
  std::uint64_t items = 0;      ///< of a firing; copies count once
  std::uint64_t millirate = 0;  ///< items in a million cycles
};

/// `text`: NAME=RATE with blanks between, "all" for all actors without inputs; empty: none. Throws InputError.
std::vector<RatedSource> read_rates(const std::string& text, const traffic::StreamGraph& graph);

struct StreamRateResult {
  std::string actor;
  double asked = 0, put_out = 0;  ///< items a kilocycle
  bool held = false;
  std::uint64_t late_firings = 0, asked_gap_cycles = 0, worst_gap_cycles = 0, deepest_queue_items = 0;
};
const FigureTable<StreamRateResult>& stream_rate_figures();

/// Of an actor with a rate, cycle by cycle.
class SourceRate {
 public:
  explicit SourceRate(const RatedSource& of) : of_(of), needed_(of.items * 1'000'000) {}

  std::uint32_t actor() const { return of_.actor; }
  /// The cycle begins. The clock starts when the source is `ready` for the first time: then a firing is due.
  void begin_cycle(bool ready);
  bool due() const { return owed_ > 0; }
  /// Nothing is due, but something will be.
  bool waits_for_clock() const { return started_ && owed_ == 0; }
  void put_out(std::uint64_t cycle);
  /// The cycle ends with so many items in the fullest of the source's queues.
  void end_cycle(std::uint64_t cycle, std::uint64_t queued);

  void begin_window() { seen_ = {}; }
  /// What stands in results, until this is called again.
  void end_batch() { reported_ = seen_with_open_gap(); }
  StreamRateResult result(const traffic::StreamGraph& graph, std::uint64_t measured_cycles) const;

  void checkpoint(Checkpoint& c) { c(started_, phase_, owed_, last_put_out_, now_, seen_, reported_); }

 private:
  struct Seen {
    std::uint64_t firings = 0, late = 0, worst_gap = 0, deepest = 0;
    void checkpoint(Checkpoint& c) { c(firings, late, worst_gap, deepest); }
  };
  Seen seen_with_open_gap() const;

  RatedSource of_;
  std::uint64_t needed_;  // of the accumulator, for a firing
  bool started_ = false;
  std::uint64_t phase_ = 0;  // the accumulator, below needed_
  std::uint64_t owed_ = 0;   // firings that are due and not put out
  std::uint64_t last_put_out_ = 0, now_ = 0;
  Seen seen_, reported_;
};

}  // namespace braid::models
