// What the watchdog says of hybrid routers: who waits for whom.
#pragma once

#include <string>

#include "models/fabric/packet_store.h"
#include "models/families/hybrid/circuit_forks.h"
#include "models/families/hybrid/packet_forks.h"
#include "routing/topology/topology.h"

namespace braid::models::hybrid {

/// A cycle of waiting channels and the packets in them, one channel a line; if flits wait without a cycle among
/// channels (a consumer that never takes its stream, a reserved link that is closed to packets) the oldest waiters.
std::string describe_waiting(const RouterBank& bank, const PacketStore& store, const routing::Topology& topology,
                             const CircuitForks* forks = nullptr, const PacketForks* packet_forks = nullptr);

}  // namespace braid::models::hybrid
