// What the registries offer, for `braid list` and `braid --help`.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace braid::tb {

using Names = std::vector<std::pair<std::string, std::string>>;  // name, summary

struct Axis {
  std::string key;  ///< that chooses: "topology.kind"
  Names policies;
};

/// Every axis once, in the order of declaration.
std::vector<Axis> axes();

/// What else `braid list` prints.
const Names& list_words();

}  // namespace braid::tb
