// Does a class of traffic starve at some nodes: are their packets hardly sent at all, whatever becomes of the others'?
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/figures.h"

namespace braid::models {

struct StarvationVerdict {
  std::uint64_t nodes = 0;         ///< that sent less than a tenth of the packets that they made
  double least_share = kNoSample;  ///< sent over made, of the node where it is least
  std::uint64_t worst_node = 0;
  double oldest_age_cycles = kNoSample;  ///< of what waits and travels when the window ends
  std::uint64_t oldest_source = 0;
  bool starved() const { return nodes > 0; }
};
/// What they mean.
const FigureTable<StarvationVerdict>& starvation_figures();

/// Of packets made and sent while measuring, [node]; an empty list is one of zeros.
StarvationVerdict starvation(const std::vector<std::uint64_t>& made, const std::vector<std::uint64_t>& sent);

}  // namespace braid::models
