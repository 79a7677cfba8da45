// Fewer streams at an actor: a tile has four links, so at most four disjoint circuits leave it and four come in (paper:
// tentacle-routing, section 2.2), while a split joins its source to eight branches or to twenty-six.
#pragma once

#include <cstddef>
#include <cstdint>

#include "traffic/streams/stream_graph.h"

namespace braid::traffic {

/// The same program with at most `degree` (>= 2) streams into and out of every actor, or as many as its tile has links
/// if it has a tile with fewer. Step by step, always at the actor with the most streams too many:
/// - While the topology has a free node, some of its streams become one that goes to a splitter (comes from a joiner):
///   an actor more that works kPassCycles for each item it takes, on a free tile if all others have tiles. Copies of
///   the same items (StreamEdge::group) travel once, shares of a round-robin become one stream with their sum.
/// - Else, with `relays`, an actor at another end passes a stream on to the next (takes one in addition), kPassCycles
///   an item: the one on the shortest way if they have tiles, then the one with the fewest streams.
/// Firings of the actors that were there, items that each of them takes from every stream in a steady state, and what
/// it peeks beyond are kept (rounded up to whole rounds where streams were joined). Throws InputError where neither
/// helps.
StreamGraph bound_degree(const StreamGraph& graph, std::uint32_t degree, bool relays,
                         const routing::Topology& topology);

constexpr std::uint64_t kPassCycles = 3;  ///< of splitters and joiners, an item: what MIT's compiler counts for joiners

}  // namespace braid::traffic
