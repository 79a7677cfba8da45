// What a run has to say against its own figures. Warnings are results: in the JSON, before the table, on standard
// error.
#pragma once

#include <string>
#include <vector>

#include "models/experiment/experiment.h"
#include "models/experiment/results.h"

namespace braid::models {

/// Streams whose circuits were not found, and what was found to help.
Warning fallen_back(const SetupResults& setup);
/// Of a run whose figures are complete.
std::vector<Warning> warnings_of(const Experiment& experiment, const Results& results);
/// Is it one of those that `braid run --strict` fails for? ("wide" and "queued" may be what was asked for.)
bool is_grave(const Warning& warning);

}  // namespace braid::models
