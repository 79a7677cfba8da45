#include "models/icnt/node_map.h"

#include <string>

#include "models/icnt/icnt.h"

namespace braid::models::icnt {

namespace {

struct Placement {
  unsigned shaders, memories;
  std::vector<unsigned> nodes;
};

/// Where intersim2 puts memories when a file does not say.
const std::vector<Placement>& known_placements() {
  static const std::vector<Placement> all{{8, 8, {1, 3, 4, 6, 9, 11, 12, 14}},
                                          {28, 8, {3, 7, 10, 12, 23, 25, 28, 32}},
                                          {56, 8, {3, 15, 17, 29, 36, 47, 49, 61}},
                                          {110, 11, {12, 20, 25, 28, 57, 60, 63, 92, 95, 100, 108}}};
  return all;
}

std::string devices(unsigned shaders, unsigned memories) {
  return std::to_string(shaders) + " shaders and " + std::to_string(memories) + " memories";
}

std::vector<unsigned> memory_nodes(const Configuration& configuration, unsigned shaders, unsigned memories) {
  if (!configuration.memory_node_map.empty()) {
    if (configuration.memory_node_map.size() != memories)
      throw Error(configuration.memory_node_map_at + ": memory_node_map has " +
                  std::to_string(configuration.memory_node_map.size()) + " nodes, expected one for each of " +
                  std::to_string(memories) + " memories");
    return configuration.memory_node_map;
  }
  for (const Placement& known : known_placements())
    if (known.shaders == shaders && known.memories == memories) return known.nodes;
  throw Error(configuration.name + ": use_map = 1 needs memory_node_map = {NODE,...}; for " +
              devices(shaders, memories) + " there is no placement of intersim2's");
}

}  // namespace

std::vector<unsigned> place_devices(const Configuration& configuration, unsigned shaders, unsigned memories) {
  const unsigned nodes = configuration.nodes();
  if (shaders == 0 || memories == 0) throw Error(configuration.name + ": expected a shader and a memory at least");
  if (shaders > nodes || memories > nodes - shaders)
    throw Error(configuration.name + ": " + devices(shaders, memories) + " need " + std::to_string(shaders + memories) +
                " nodes, and " + configuration.network + " has " + std::to_string(nodes));
  std::vector<unsigned> place;
  if (!configuration.use_map) {
    for (unsigned device = 0; device < shaders + memories; ++device) place.push_back(device);
    return place;
  }
  const std::vector<unsigned> memory = memory_nodes(configuration, shaders, memories);
  std::vector<bool> taken(nodes);
  for (const unsigned node : memory) {
    const std::string& at =
        configuration.memory_node_map.empty() ? configuration.name : configuration.memory_node_map_at;
    if (node >= nodes)
      throw Error(at + ": memory_node_map has node " + std::to_string(node) + ", expected nodes 0 to " +
                  std::to_string(nodes - 1));
    if (taken[node]) throw Error(at + ": memory_node_map has node " + std::to_string(node) + " twice");
    taken[node] = true;
  }
  for (unsigned node = 0; place.size() < shaders; ++node)
    if (!taken[node]) place.push_back(node);
  place.insert(place.end(), memory.begin(), memory.end());
  return place;
}

}  // namespace braid::models::icnt
