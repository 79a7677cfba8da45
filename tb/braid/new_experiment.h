// `braid new KIND`: an experiment to begin with, its comments made of what the options declare.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/experiment/experiment.h"

namespace braid::tb {

/// An experiment to begin with.
struct NewExperiment {
  std::string name, summary;
  std::vector<std::string> settings;  ///< "section.key=value": what it is, beside the defaults
  /// Files that the experiment names, written beside it.
  std::vector<std::pair<std::string, std::string>> companions = {};
};
const std::vector<NewExperiment>& new_experiments();

/// As TOML: of the sections of what was given, every key that exists, with what it means. One that has its default is
/// put aside by a #.
std::string commented_experiment(const models::Experiment& experiment, const std::vector<std::string>& head);

}  // namespace braid::tb
