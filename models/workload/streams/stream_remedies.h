// Circuits for a program whose streams have none as it is (paper: tentacle-routing, section 2.2, which retries orders
// and layouts): other graphs of the same program, and other layouts, until the set-up would find a circuit for each
// stream.
#pragma once

#include "models/workload/streams/stream_plan.h"

namespace braid::models {

/// The fastest graph (traffic::variants) with a layout on which circuits stand, as the fabric says; the program as it
/// is where they stand by themselves, and where nothing helps. Same seed, same plan. Throws InputError.
StreamPlan plan_circuits(const WorkloadContext& context, const StreamOptions& options, const StreamSource& source);

}  // namespace braid::models
