// The JSON Schema of experiments, made of what is declared: for editors that complete and check TOML.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "routing/base/options.h"

namespace braid::models {

/// What `braid schema` prints. Which keys exist beside which values is part of it. Two things of what a run checks are
/// not: what depends on files, and what several keys must agree on (as many levels as nodes are enough for).
boost::json::object experiment_schema();

/// The names that an option takes; empty: its values are no names.
std::vector<std::string> names_of(const Option& option);

/// The values that an option takes. Throws std::logic_error where the option's `expected` is in no known words.
boost::json::object value_schema(const Option& option);

/// Experiments in which a branch's condition holds; nothing where the condition is in no known words.
std::optional<boost::json::object> condition_schema(const std::string& condition);

}  // namespace braid::models
