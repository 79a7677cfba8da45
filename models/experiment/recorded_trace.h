// What a run has sent as a trace (docs/traces.md), made of the records of its packets.
#pragma once

#include "models/engine/network.h"
#include "models/experiment/experiment.h"

namespace braid::models {

/// Claims the file of record.trace, if it is asked for. Throws InputError if it cannot be written, or for packets that
/// a trace has no words for.
void claim_trace(const Experiment& experiment);
/// Whole or not at all. Throws std::runtime_error if it cannot.
void write_trace(const std::string& file, const Network& network);

}  // namespace braid::models
