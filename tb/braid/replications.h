// `braid run --seeds N`: the same experiment under N seeds, a process each on all cores, and what the seeds say
// together.
#pragma once

#include "tb/braid/commands.h"

namespace braid::tb {

/// Runs them, prints the table, writes the JSON. The exit status: the worst of the runs'.
int run_replications(const Options& options);

}  // namespace braid::tb
