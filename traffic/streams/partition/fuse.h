// Fusion: the stream graph whose actors are given sets of filters.
#pragma once

#include <cstddef>
#include <vector>

#include "traffic/streams/partition/fission.h"
#include "traffic/streams/partition/partition.h"

namespace braid::traffic {

constexpr std::size_t kNoPart = static_cast<std::size_t>(-1);

/// Which actor each node of a flat graph belongs to.
struct NodeParts {
  std::vector<std::size_t> part;   ///< [node] number of an actor; kNoPart: nothing passes there
  std::vector<char> joiner_alone;  ///< [part] joiners without a filter
};

/// Places splitters and joiners, given the parts of filters ([node], below `parts`). A splitter goes with what feeds
/// it. A joiner goes with the structure it closes if that is in one actor, with the joiner or (Joiners::kFolded) filter
/// behind it, or becomes an actor.
NodeParts place_nodes(const Fissed& program, const std::vector<std::size_t>& filter_part, std::size_t parts,
                      Joiners joiners);

/// An actor's firing is the smallest number of firings of its members that are in balance; its rates and its work are
/// theirs together. What passes from one actor to another is one stream; copies that go to one actor go once. An actor
/// must see what it takes and what its members peek beyond, also that of members behind others in the actor. A joiner
/// that is an actor works kItemWork an item.
struct Fused {
  StreamGraph graph;
  std::vector<std::uint64_t> firings;  ///< [actor] in `program.steady_states` steady states of the program
};
/// Edges of the graph count flits: `flit_bits` says how many an item has; 0: one, whatever its type.
Fused fuse(const Fissed& program, const NodeParts& parts, std::uint32_t flit_bits = 0);

}  // namespace braid::traffic
