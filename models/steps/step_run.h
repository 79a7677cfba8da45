// Whole runs without SystemC, for whoever links libbraid_steps.so: the static schedule, any number one after the other
// in a process, with the figures and the packet hash of `braid run`.
#pragma once

#include <string>
#include <vector>

#include "models/experiment/measurement.h"

namespace braid::models {

class StepRun {
 public:
  struct Outcome {
    std::string results;   ///< the text of a results file (docs/results.schema.json)
    std::string deadlock;  ///< what the watchdog said; empty: the run came to its end
  };
  /// `text`: an experiment file's; `name`: its name in messages, and where relative names of files start. Throws
  /// InputError for what braid run would refuse, and for what needs the program: simulation.schedule =
  /// "process_per_stage", watch.file = "-" and what StepNetwork refuses. Throws Interrupted when `progress` says false.
  static Outcome run(const std::string& text, const std::string& name, const std::vector<std::string>& settings,
                     const OnProgress& progress = {});
  /// The resolved configuration as JSON. Throws InputError where a key does not exist or a value is out of its range.
  static std::string configuration(const std::string& text, const std::string& name,
                                   const std::vector<std::string>& settings);
  /// What experiments may say and results have, as JSON: {"options": [{section, name, expected, default, meaning,
  /// exists_with}], "schema": docs/results.schema.json}.
  static std::string declared();
};

}  // namespace braid::models
