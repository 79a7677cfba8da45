// Which node a device sits on.
#pragma once

#include <vector>

#include "models/icnt/configuration.h"

namespace braid::models::icnt {

/// [device]: node. Without use_map a device has the node of its own number; with it memory i has entry i of
/// memory_node_map (or of intersim2's placement for so many shaders and memories), and shaders have the other nodes, in
/// ascending order. Throws Error.
std::vector<unsigned> place_devices(const Configuration& configuration, unsigned shaders, unsigned memories);

}  // namespace braid::models::icnt
