// Files of a stream program as it runs: its graph with each actor on its tile, and the layout as a picture.
#pragma once

#include "models/experiment/simulation.h"
#include "models/workload/streams/stream_workload.h"
#include "tb/braid/commands.h"

namespace braid::tb {

/// Throws InputError where --toml or --dot cannot be: no stream program.
void check_program_files(const models::Simulation& simulation, const Options& options);
/// Is --draw the layout of a stream program? Else it is the loads of links (tb/braid/draw_loads.h).
bool draws_layout(const models::Simulation& simulation);
/// Those that were asked for; `setup` has the circuits.
void write_program_files(const models::Simulation& simulation, const models::SetupResults& setup,
                         const Options& options);

}  // namespace braid::tb
