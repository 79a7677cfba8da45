#include "traffic/replay/ordered_trace.h"

#include <algorithm>

namespace braid::traffic {

namespace {
std::string count_of(std::uint64_t n) { return std::to_string(n); }
}  // namespace

OrderedTrace::OrderedTrace(const TraceUse& use) : use_(use), reader_(open_trace(use.file)), seen_(use.window) {
  if (header().nodes > use.nodes) {
    refuse("the trace is of " + count_of(header().nodes) + " nodes: expected at most the network's " +
           count_of(use.nodes));
  }
}

bool OrderedTrace::next(Next& next) {
  if (!reader_->next(next.record)) return false;
  const TraceRecord& r = next.record;
  check_order(r);
  next.position = packets_;
  next.after.clear();
  next.local = true;
  for (const std::uint64_t id : r.after) {
    const std::uint64_t position = position_of(id, r);
    next.after.push_back(position);
    next.local = next.local && seen(position).destination == r.source;
  }
  if (!next.local && r.delay == 0) {
    refuse("packet " + count_of(r.id) + " is sent by node " + count_of(r.source) +
           " after packets that arrive at others, which it knows a cycle later at the soonest: expected delay 1 or "
           "more");
  }
  seen_[packets_ % seen_.size()] = {r.id, r.destination};
  ++packets_;
  return true;
}

void OrderedTrace::check_order(const TraceRecord& r) {
  if (packets_ > 0 && r.id <= seen(packets_ - 1).id) {
    const std::uint64_t last = seen(packets_ - 1).id;
    refuse(r.id == last ? "id " + count_of(r.id) + " stands twice"
                        : "id " + count_of(r.id) + " after id " + count_of(last) + ": expected ids that grow");
  }
  if (!r.cycle && (use_.by_time || r.after.empty())) {
    refuse("packet " + count_of(r.id) +
           (r.after.empty() ? " has neither a cycle nor packets that it comes after"
                            : " has no cycle: expected one, or replay.by = \"dependency\""));
  }
  if (!r.cycle) return;
  if (*r.cycle < last_cycle_) {
    refuse("cycle " + count_of(*r.cycle) + " after cycle " + count_of(last_cycle_) +
           ": expected cycles that never fall");
  }
  last_cycle_ = *r.cycle;
}

/// Among the last `window`, which are sorted by id.
std::uint64_t OrderedTrace::position_of(std::uint64_t id, const TraceRecord& r) const {
  if (id == r.id) refuse("packet " + count_of(id) + " comes after itself");
  if (id > r.id) {
    refuse("packet " + count_of(r.id) + " comes after packet " + count_of(id) +
           ", which does not stand before it: expected a smaller id, so that none wait for one another in a circle");
  }
  std::uint64_t low = packets_ - std::min<std::uint64_t>(packets_, seen_.size()), high = packets_;
  const std::uint64_t first = low;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (seen(middle).id < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < packets_ && seen(low).id == id) return low;
  if (first > 0 && id < seen(first).id) {
    refuse("packet " + count_of(r.id) + " comes after packet " + count_of(id) + ", which is not among the " +
           count_of(seen_.size()) + " before it: expected a larger replay.window, or a packet of the file");
  }
  refuse("packet " + count_of(r.id) + " comes after packet " + count_of(id) + ", which is not in the file");
}

}  // namespace braid::traffic
