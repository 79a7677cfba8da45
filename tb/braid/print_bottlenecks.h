// The busiest links of a run and who shares them, for people.
#pragma once

#include "models/experiment/results.h"
#include "models/experiment/simulation.h"

namespace braid::tb {

/// At most five links; nothing if none carried a flit.
void print_bottlenecks(const models::Simulation& simulation, const models::Results& results);

}  // namespace braid::tb
