// Whether a network fits the computer's memory, before it is asked for.
#pragma once

#include <cstdint>

#include "routing/base/configuration.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// Throws InputError if the routers' ports take more than `available` bytes.
void check_memory(const routing::Topology& topology, std::uint64_t port_bytes, std::uint64_t available);

}  // namespace braid::models
