// Experiments that a StreamIt program on the command line makes: `braid run fm_radio.str --mesh 4x4 --network
// tentacle`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/experiment/experiment.h"
#include "routing/base/configuration.h"
#include "tb/braid/commands.h"

namespace braid::tb {

/// A network of the tentacle paper's comparison, as keys over those of every program's experiment.
struct StreamNetwork {
  std::string name, summary;
  std::vector<std::pair<std::string, OptionValue>> keys;
};
const std::vector<StreamNetwork>& stream_networks();

/// The experiment that the options name: of a file, or of a program with --mesh and --network. Checked.
models::Experiment experiment_of(const Options& options);
/// What every program's experiment has that is not a key's own default: "key = value", one each.
std::vector<std::string> program_defaults();

}  // namespace braid::tb
