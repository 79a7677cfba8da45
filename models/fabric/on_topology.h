// A result together with the topology that names its routers and ports.
#pragma once

#include <vector>

#include "routing/topology/topology.h"

namespace braid::models {

template <class T>
struct OnTopology {
  const T* item;
  const routing::Topology* topology;
};

template <class T>
std::vector<OnTopology<T>> on_topology(const std::vector<T>& items, const routing::Topology& topology) {
  std::vector<OnTopology<T>> all;
  for (const T& item : items) all.push_back({&item, &topology});
  return all;
}

}  // namespace braid::models
