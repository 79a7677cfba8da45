#include "models/workload/broadcast/broadcast_by_line.h"

#include <algorithm>

#include "models/event_lines/node_wires.h"

namespace braid::models {
namespace {

traffic::PlacedBroadcast placed_on(const routing::Topology& topology, const BroadcastOptions& o,
                                   const Configuration& configuration) {
  traffic::PlacedBroadcast placed =
      traffic::place_broadcast(o.scheme, o.placement, topology, NodeId{o.root}, o.hop_cycles, configuration);
  traffic::refuse_copies(placed.scheme->parts(), "broadcast.medium = \"line\"");
  return placed;
}

}  // namespace

BroadcastByLine::BroadcastByLine(const WorkloadContext& context)
    : options_(broadcast_options().read(context.configuration)),
      placed_(placed_on(context.topology, options_, context.configuration)),
      line_({placed_.scheme->parts(), placed_.nodes,
             wires_between(context.topology, placed_.nodes, options_.hop_cycles), options_.turn_round,
             options_.most_under_way}),
      tally_(context.window) {
  line_.on_root([this](std::uint64_t cycle) { count(cycle); });
}

void BroadcastByLine::open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet&) {
  if (std::find(nodes.begin(), nodes.end(), placed_.nodes[0]) != nodes.end()) slice_of_root_ = slice;
}

void BroadcastByLine::generate(std::size_t slice, std::uint64_t cycle) {
  if (slice != slice_of_root_) return;
  if (unfinished_ == 0 && cycle == burst_begin_ && !stopped_) {
    unfinished_ = options_.burst;
    line_.request(options_.burst);
  }
  line_.step(cycle, nullptr);
}

/// What the root's unit has begun and finished in the cycle.
void BroadcastByLine::count(std::uint64_t cycle) {
  if (line_.begun() > completed_ + begun_.size()) begun_.push_back(cycle);
  // A unit that takes turns spends the cycle on the last message.
  const std::uint64_t end = cycle + (options_.turn_round ? 1 : 0);
  while (completed_ < line_.completed()) end_broadcast(end, cycle);
}

void BroadcastByLine::end_broadcast(std::uint64_t end, std::uint64_t cycle) {
  ++completed_;
  tally_.complete(begun_.front(), end);
  begun_.pop_front();
  if (--unfinished_ > 0) return;
  tally_.end_burst(burst_begin_, end);
  burst_begin_ = std::max(end + options_.gap_cycles, cycle + 1);
}

bool BroadcastByLine::advanced() {
  const bool more = completed_ > completed_at_last_look_;
  completed_at_last_look_ = completed_;
  return more;
}

Report BroadcastByLine::report(std::uint64_t) const {
  BroadcastResults results = tally_.results(options_.burst);
  results.scheme = options_.scheme;
  results.describe(placed_.scheme->parts());
  return broadcast_report().of(results);
}

void BroadcastByLine::checkpoint(Checkpoint& c) {
  c.part("broadcasts by line");
  c(line_, tally_, begun_, completed_, completed_at_last_look_, unfinished_, burst_begin_, stopped_);
  c.expect(completed_ <= line_.completed() && line_.begun() - completed_ == begun_.size(),
           "a broadcast that ends before it begins");
}

std::unique_ptr<SignalSource> BroadcastByLine::signals(SignalTable& table) const {
  return line_.signals(table, "broadcast");
}

}  // namespace braid::models
