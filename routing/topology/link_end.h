// A link between two routers, as a user names it: by a router and the port there.
#pragma once

#include <string>

#include "routing/topology/topology.h"

namespace braid::routing {

/// Throws InputError, beginning with the key that named the router (the port), unless the port leads to another router.
Attachment link_end(const Topology& topology, const std::string& router, const std::string& port,
                    const std::string& router_key, const std::string& port_key);

}  // namespace braid::routing
