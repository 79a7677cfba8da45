#include "models/workload/streams/item_latency.h"

#include <algorithm>

namespace braid::models {
namespace {

/// The producer's firing, from 1, that puts an edge's item there; 0: it is there from the start. Items count from 1.
std::uint64_t firing_of(const traffic::StreamEdge& edge, std::uint64_t item) {
  return item <= edge.initial ? 0 : (item - edge.initial + edge.push - 1) / edge.push;
}

/// The last item that the consumer's firing, from 1, sees.
std::uint64_t last_seen(const traffic::StreamEdge& edge, std::uint64_t firing) {
  return (firing - 1) * edge.pop + std::max(edge.peek, edge.pop);
}

}  // namespace

ItemLatency::ItemLatency(const traffic::StreamGraph& graph) : edges_(graph.edges), actors_(graph.actors.size()) {
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    actors_[edges_[e].from].outputs.push_back(e);
    actors_[edges_[e].to].inputs.push_back(e);
  }
  for (Actor& actor : actors_) actor.leads_to_sink = actor.outputs.empty();
  for (bool more = true; more;) {
    more = false;
    for (const traffic::StreamEdge& edge : edges_) {
      if (!actors_[edge.to].leads_to_sink || actors_[edge.from].leads_to_sink) continue;
      actors_[edge.from].leads_to_sink = more = true;
    }
  }
}

void ItemLatency::put_out(std::size_t source, std::uint64_t cycle) {
  if (actors_[source].leads_to_sink) actors_[source].stamps.push_back(cycle + 1);
}

void ItemLatency::begin_window() {
  count_taken();
  cycles_ = {};
}

void ItemLatency::count_taken() {
  for (Actor& actor : actors_) {
    for (const std::uint64_t cycle : actor.taken) count_firing(actor, cycle);
    actor.taken.clear();
  }
  forget();
}

void ItemLatency::count_firing(Actor& sink, std::uint64_t cycle) {
  for (const std::uint32_t e : sink.inputs) {
    const traffic::StreamEdge& edge = edges_[e];
    for (std::uint64_t i = 1; i <= edge.pop; ++i) {
      const std::uint64_t firing = firing_of(edge, sink.counted * edge.pop + i);
      const Stamp stamp = firing == 0 ? 0 : stamp_of(edge.from, firing);
      if (stamp != 0) cycles_.add(cycle + 1 - stamp);
    }
  }
  ++sink.counted;
}

/// Its firing has ended: what it hangs on is known.
ItemLatency::Stamp ItemLatency::stamp_of(std::uint32_t actor, std::uint64_t firing) {
  Actor& a = actors_[actor];
  while (a.forgotten + a.stamps.size() < firing) stamp_next(actor);
  return a.stamps[firing - 1 - a.forgotten];
}

void ItemLatency::stamp_next(std::uint32_t actor) {
  Actor& a = actors_[actor];
  const std::uint64_t firing = a.forgotten + a.stamps.size() + 1;
  Stamp last = 0;
  for (const std::uint32_t e : a.inputs) {
    const std::uint64_t producers = firing_of(edges_[e], last_seen(edges_[e], firing));
    if (producers != 0) last = std::max(last, stamp_of(edges_[e].from, producers));
  }
  a.stamps.push_back(last);
}

/// Of the firings whose stamps are known the first that a consumer will ask for, or the next one.
std::uint64_t ItemLatency::first_asked(const Actor& actor) const {
  std::uint64_t first = actor.forgotten + actor.stamps.size() + 1;
  for (const std::uint32_t e : actor.outputs) {
    const Actor& to = actors_[edges_[e].to];
    if (!to.leads_to_sink) continue;
    const std::uint64_t next =
        to.outputs.empty() ? to.counted * edges_[e].pop + 1 : last_seen(edges_[e], to.forgotten + to.stamps.size() + 1);
    first = std::min(first, std::max<std::uint64_t>(1, firing_of(edges_[e], next)));
  }
  return first;
}

/// Stamps that nobody will ask for again.
void ItemLatency::forget() {
  for (Actor& a : actors_) {
    for (std::uint64_t more = first_asked(a) - a.forgotten - 1; more != 0; --more) {
      a.stamps.pop_front();
      ++a.forgotten;
    }
  }
}

void ItemLatency::checkpoint(Checkpoint& c) {
  c.each(actors_);
  c(cycles_);
  if (!c.restoring()) return;
  for (const Actor& a : actors_) {
    c.expect(a.taken.empty() || a.outputs.empty(), "items taken by an actor that is no sink");
    c.expect(first_asked(a) > a.forgotten, "a firing that is forgotten too soon");
  }
}

}  // namespace braid::models
