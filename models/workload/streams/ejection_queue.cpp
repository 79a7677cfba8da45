// Queues of finite depth for streams that are pushed in packets (interface.ejection_queue_items, N). The consumer holds
// what its next firing sees, and N items more wait behind the interface. A packet that has no room stays at the
// ejection port and holds up its VC: pushed streams that share VCs can then wait for each other for ever.
#include <fmt/format.h>

#include "models/workload/streams/stream_program.h"
#include "traffic/streams/queue_room.h"

namespace braid::models {

bool ReceiveQueue::admit(std::uint32_t edge_sequence, std::uint32_t items, std::uint32_t longest, std::uint64_t room) {
  std::uint64_t taken = items_, missing = edge_sequence - expected_;
  for (const auto* packets : {&early_, &coming_}) {
    for (const auto& [sequence, of_packet] : *packets) {
      taken += of_packet;
      missing -= sequence < edge_sequence ? 1 : 0;
    }
  }
  if (taken + missing * longest + items > room) return false;
  coming_[edge_sequence] = items;
  return true;
}

bool StreamProgram::admit_pushed(Edge& edge, std::uint32_t sequence, std::uint32_t items) {
  const std::uint64_t room = traffic::seen_items(edge.rates) + options_.ejection_queue_items;
  const bool here = edge.received.admit(sequence, items, options_.packet_items, room);
  edge.refused = edge.refused || !here;
  return here;
}

/// A packet must fit beside the items that do not suffice for a firing; then what meets again must have room to wait.
void StreamProgram::check_ejection_queues() const {
  const std::uint32_t items = options_.ejection_queue_items;
  if (items + 1 < options_.packet_items) {
    throw InputError(
        fmt::format("interface.ejection_queue_items = {}: a packet of interface.packet_items = {} would find no room "
                    "beside items too few for a firing; expected at least {}, or 0 (unbounded)",
                    items, options_.packet_items, options_.packet_items - 1));
  }
  traffic::QueueRoom room;
  room.source = options_.stream_queue_items;
  room.packet = options_.packet_items;
  room.beyond = items;
  const auto stuck = traffic::deadlock(graph_, room);
  if (!stuck) return;
  const auto needed = traffic::least_room_beyond(graph_, room);
  throw InputError(
      fmt::format("interface.ejection_queue_items = {}: actor {} would wait for ever for {} on edge {}; expected {} "
                  "beside interface.stream_queue_items = {}",
                  items, graph_.actors[stuck->actor].name, stuck->for_room ? "room" : "items", edge_name(stuck->edge),
                  needed ? fmt::format("at least {}", *needed) : "more initial items", options_.stream_queue_items));
}

/// Of a stream whose packet has no room, and what its consumer waits for: items of another stream first, for there the
/// queue that is full holds up what would empty it. Streams that only stand behind others come last.
std::string StreamProgram::blocked() const {
  enum { kOthersItems, kOwnItems, kRoom, kNothing } found = kNothing;
  std::string why;
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    if (!edges_[e].refused) continue;
    const Actor& consumer = actors_[edges_[e].rates.to];
    const bool waits = consumer.state == Actor::State::kWaiting;
    for (const std::uint32_t other : waits ? consumer.inputs : consumer.outputs) {
      if (waits ? has_items(other) : has_room(other)) continue;
      const auto kind = !waits ? kRoom : other == e ? kOwnItems : kOthersItems;
      if (kind >= found) continue;
      found = kind;
      const std::string wanted = kind == kRoom       ? "room on " + edge_name(other)
                                 : kind == kOwnItems ? "earlier packets of it, which cannot pass"
                                                     : "items of " + edge_name(other) + ", which cannot pass";
      why = fmt::format(
          "pushed streams block each other: the queue of {} at node {} is full, and {} waits for {} "
          "(interface.ejection_queue_items = {}); expected more items, 0 (unbounded), more VCs or interface.transfer = "
          "\"pull\"",
          edge_name(e), edges_[e].destination.value, graph_.actors[edges_[e].rates.to].name, wanted,
          options_.ejection_queue_items);
    }
  }
  return why;
}

}  // namespace braid::models
