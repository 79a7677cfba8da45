// How much room the queues of a stream graph need so that the program goes on for ever: peeks and branches that meet
// again, of unequal length, ask for more than one firing's items; a feedback loop for initial items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "traffic/streams/stream_graph.h"

namespace braid::traffic {

/// What holds an edge's items, as the network interface has it. Items leave the source's queue in any number, or only
/// in whole blocks (pulled streams); the destination's queue admits them as it has room for a whole packet.
struct QueueRoom {
  std::uint64_t source = 0;       ///< items; 0: unbounded
  std::uint64_t destination = 0;  ///< items; 0: unbounded
  std::uint64_t packet = 1;       ///< most items of one packet
  std::uint64_t block = 1;        ///< items that leave together
  std::uint64_t beyond = 0;       ///< destination: so many beside seen_items(); 0: as `destination` says
  bool copies_together = false;   ///< copies of an item leave the source when all their destinations have room
};

/// Edges with the same items as this one, itself among them, in the graph's order.
std::vector<std::size_t> copies_of(const StreamGraph& graph, std::size_t edge);

/// What a destination must hold so that its actor fires: what a firing sees, or what is there at first.
std::uint64_t seen_items(const StreamEdge& edge);

/// An actor that waits for ever, and the edge that it waits at: for items, or for room.
struct Stuck {
  std::size_t actor, edge;
  bool for_room;
};

/// Fires the actors with bounded queues until the state recurs (nothing) or nobody can fire. That does not hang on the
/// order of firings, nor on how long anything takes: more room or earlier items never hinder a firing. A program that
/// has not come back to a state after 2 * 10^6 firings counts as alive.
std::optional<Stuck> deadlock(const StreamGraph& graph, const QueueRoom& room);

/// The least `destination` with which the program goes on for ever, all else as in `room`. Nothing: no room suffices.
std::optional<std::uint64_t> least_destination_room(const StreamGraph& graph, const QueueRoom& room);
/// The least `beyond`, likewise.
std::optional<std::uint64_t> least_room_beyond(const StreamGraph& graph, const QueueRoom& room);
/// The least `source` beside an unbounded destination: a firing's items, and what is left over of whole blocks.
std::uint64_t least_source_room(const StreamGraph& graph, std::uint64_t block = 1);

}  // namespace braid::traffic
