// Which end of a link is up in up*/down* routing: the one nearer to the root of a breadth-first spanning tree, of two
// at the same level the one of lower number (paper: in-transit-buffers, section 1; Autonet).
#pragma once

#include <string>

#include "routing/base/options.h"
#include "routing/paths/legal_paths.h"
#include "routing/topology/topology.h"

namespace braid::routing {

struct UpDownOptions {
  std::string root = "first";
};
/// The root's key in section [routing]: computation and placement have one each, as both may be chosen at once.
OptionTable<UpDownOptions> up_down_options(const char* key);

/// Over the tree from a root.
Ranks up_down_ranks(const Topology& topology, RouterId root);
/// Throws InputError if no router has the root's name. `key` is that of the root.
Ranks up_down_ranks(const Topology& topology, const UpDownOptions& options, const char* key);

}  // namespace braid::routing
