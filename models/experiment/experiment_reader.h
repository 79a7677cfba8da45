// Experiment files: TOML in, models::Experiment out, or one clear line.
#pragma once

#include <string>
#include <vector>

#include "models/experiment/experiment.h"

namespace braid::models {

/// Reads `file`, then applies `settings` ("section.key=value", as after --set). Throws InputError.
models::Experiment read_experiment(const std::string& file, const std::vector<std::string>& settings = {},
                                   Senders senders = Senders::kWorkloads);

/// The same from text; `file` names it in messages and is where relative file names start.
models::Experiment parse_experiment(const std::string& text, const std::string& file,
                                    const std::vector<std::string>& settings = {},
                                    Senders senders = Senders::kWorkloads);

/// An experiment, made of `file` by whatever means, with settings over it; checked.
models::Experiment with_settings(Experiment experiment, const std::string& file,
                                 const std::vector<std::string>& settings, Senders senders = Senders::kWorkloads);

}  // namespace braid::models
