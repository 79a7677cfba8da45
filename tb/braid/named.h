// Things that users call by their names: commands, networks of programs, kinds of experiments, shells.
#pragma once

#include <string>
#include <vector>

#include "routing/base/input_error.h"

namespace braid::tb {

/// The one of that name. Throws InputError with the names that there are, the nearest first; `kind` says what they are,
/// `before` who asks ("--network: ").
template <class Things>
const auto& named(const Things& all, const std::string& name, const std::string& kind, const std::string& before = "") {
  std::vector<std::string> known;
  for (const auto& thing : all) {
    if (thing.name == name) return thing;
    known.emplace_back(thing.name);
  }
  throw InputError(before + unknown_name(kind, name, known));
}

}  // namespace braid::tb
