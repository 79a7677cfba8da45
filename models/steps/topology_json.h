// A topology as JSON, for whoever draws it or computes with it.
#pragma once

#include <boost/json.hpp>

#include "routing/topology/topology.h"

namespace braid::models {

/// name; grid (width, height, wrap) where it is one; routers: their names; nodes: their local ports as [router, port];
/// links, each direction once: from, port, to, to_port, latency_cycles, flits_per_cycle.
boost::json::object topology_json(const routing::Topology& topology);

}  // namespace braid::models
