// A light set of arcs whose removal leaves a directed graph without cycles (weighted feedback arc set; its minimum is
// NP-hard to find). Eades, Lin and Smyth's order, made better by simulated annealing and then by moving one vertex at a
// time; then arcs come back, heavy ones first, that close no cycle without the others.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/base/progress.h"

namespace braid::routing {

struct Arc {
  std::uint32_t from = 0, to = 0;
  std::uint64_t weight = 0;  ///< below 2^31
  bool fixed = false;        ///< cannot be removed
};

struct FeedbackArcs {
  std::vector<bool> removed;         ///< [arc]
  std::vector<std::uint32_t> stuck;  ///< vertices of a cycle of fixed arcs, in order; then nothing is removed
};

/// None of the arcs that it removes could come back alone. No two arcs join the same vertices in the same direction.
FeedbackArcs feedback_arcs(std::size_t vertices, const std::vector<Arc>& arcs, const OnProgress& progress = {});

}  // namespace braid::routing
