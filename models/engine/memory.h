// Whether a network fits the computer's memory, before it is asked for.
#pragma once

#include <cstdint>

#include "routing/base/configuration.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// Throws InputError if the routers' `bytes` are more than `available` ones.
void check_memory(const routing::Topology& topology, std::uint64_t bytes, std::uint64_t available);

}  // namespace braid::models
