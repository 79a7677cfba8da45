// Checkpoints as files: a network that is warmed up, to measure from as often as one likes (docs/checkpoints.md). A
// line that says what it is, a line of JSON (program, cycle, configuration with the checksums of files that it names),
// a checksum of that line and what follows, and the registers.
#pragma once

#include <cstdint>
#include <string>

#include "models/experiment/experiment.h"

namespace braid::models {

struct CheckpointOptions {
  std::string file;  ///< written when the warm-up has ended; empty: none
  std::string from;  ///< where the run begins; empty: at cycle 0
};
/// In section [checkpoint].
const OptionTable<CheckpointOptions>& checkpoint_options();

/// Whole or not at all. `registers`: what Checkpoint::bytes() gives. Throws InputError, std::runtime_error.
void write_checkpoint(const std::string& file, const Experiment& experiment, std::uint64_t cycle,
                      const std::string& registers);

/// The registers in a file. Throws InputError where it is no checkpoint, is damaged, or was made by another version of
/// Braid (of the same headers) or under another configuration: then it says what differs. What does nothing before the
/// measurement may differ (OptionTable::after_warm_up).
std::string read_checkpoint(const std::string& file, const Experiment& experiment);

}  // namespace braid::models
