// Copies of a stateless filter that take turns: copy i does firings i, i + copies, …
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/streams/flat_graph.h"

namespace braid::traffic {

/// Does anything go over it? Not over branches of weight 0.
inline bool carries(const FlatEdge& edge) { return edge.push > 0 && edge.pop > 0; }

/// No state, no first firing of its own, and between two others: what reads or writes files keeps its order.
bool can_be_copied(const FlatNode& filter);

/// Items that each copy gets for one firing. All that the filter pops while each copy fires once (a duplicating
/// splitter, the copy drops what it does not need) or, if that is less, the firing's own window, whose peeked items
/// overlap with the next copy's and are sent again.
std::uint64_t copy_items(const WorkFunction& function, std::uint32_t copies);
/// Work of a copy's firing: kItemWork for each item beyond those that the filter itself would pop.
std::uint64_t copy_work(const WorkFunction& function, std::uint32_t copies);

/// `flat` with copies (1: none) in place of its filters, a splitter before and a joiner behind them; its repetitions
/// become those of a steady state of the new graph. `made_joiners`: [node].
struct Fissed {
  FlatGraph flat;
  std::vector<std::uint64_t> repetitions;
  std::vector<char> made_joiner;      ///< [node]
  std::vector<std::size_t> original;  ///< [node] of copies: the filter's node; else itself
  std::uint64_t steady_states = 1;    ///< of the old graph in one of the new
};
Fissed fissed(const FlatGraph& flat, const std::vector<std::uint64_t>& repetitions,
              const std::vector<std::uint32_t>& copies);

}  // namespace braid::traffic
