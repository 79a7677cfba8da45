// How long an item of a stream program is on its way from source to sink (paper: tentacle-routing, section 4, has
// throughput alone). A source is an actor without inputs, a sink one without outputs. An item at a sink is there
// because of items that sources have put out; it is measured from the cycle in which the last of them was put out,
// which its firings' rates say, to the cycle in which the sink takes it.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/workload/latency_histogram.h"
#include "routing/base/checkpoint.h"
#include "traffic/streams/stream_graph.h"

namespace braid::models {

class ItemLatency {
 public:
  explicit ItemLatency(const traffic::StreamGraph& graph);

  // By the actor's own slice, slices at once:
  /// A source has put out its next firing's items in this cycle.
  void put_out(std::size_t source, std::uint64_t cycle);
  /// A sink has taken its next firing's items in this cycle.
  void taken(std::size_t sink, std::uint64_t cycle) { actors_[sink].taken.push_back(cycle); }

  // Between cycles:
  /// What has been taken up to now counts no more.
  void begin_window();
  /// What has been taken since then. Items that no source has a part in (initial ones) are not counted.
  void end_batch() { count_taken(); }
  const LatencyHistogram& cycles() const { return cycles_; }

  void checkpoint(Checkpoint& c);

 private:
  /// A cycle and one; 0: none.
  using Stamp = std::uint64_t;
  struct Actor {
    std::vector<std::uint32_t> inputs, outputs;  // edges
    bool leads_to_sink = false;
    std::deque<Stamp> stamps;     // of its firings: of the last firing of a source that it hangs on
    std::uint64_t forgotten = 0;  // firings before those
    // Of a sink:
    std::vector<std::uint64_t> taken;  // cycles, of firings not counted yet
    std::uint64_t counted = 0;         // firings
    void checkpoint(Checkpoint& c) { c(stamps, forgotten, taken, counted); }
  };
  void count_taken();
  void count_firing(Actor& sink, std::uint64_t cycle);
  Stamp stamp_of(std::uint32_t actor, std::uint64_t firing);
  void stamp_next(std::uint32_t actor);
  std::uint64_t first_asked(const Actor& actor) const;
  void forget();

  std::vector<traffic::StreamEdge> edges_;
  std::vector<Actor> actors_;
  LatencyHistogram cycles_;
};

}  // namespace braid::models
