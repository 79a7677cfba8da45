// Every key of an experiment file, described once: for reading, for --set, for the reference in docs/ and for the echo
// in the results.
#pragma once

#include <toml++/toml.h>

#include <boost/json.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/experiment/experiment.h"

namespace braid::models {

/// What is wrong with a value; the reader knows where it stands.
class ValueError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Key {
  std::string section;
  std::string name;
  std::string expected;  ///< "integer, 1 to 16", "one of mesh, torus", …
  std::string doc;       ///< one line, with the unit
  bool is_file = false;  ///< relative to the experiment file
  /// Throws ValueError.
  std::function<void(models::Experiment&, const toml::node&)> set;
  std::function<boost::json::value(const models::Experiment&)> get;
};

/// In the order of the reference.
const std::vector<Key>& experiment_keys();
std::vector<std::string> section_names();

/// Makes an optional section exist ("traffic", "stream").
void open_section(models::Experiment& experiment, const std::string& section);
bool has_section(const models::Experiment& experiment, const std::string& section);

/// docs/configuration.md.
std::string configuration_reference();

}  // namespace braid::models
