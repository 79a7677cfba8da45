// What a packet's head asks RC: the same in every family of routers.
#pragma once

#include "models/fabric/flit.h"
#include "routing/algorithm/routing_algorithm.h"

namespace braid::models {

inline routing::RouteQuery query_of(const Packet& packet, RouterId router, PortId in_port, VcId in_vc) {
  return {router, in_port, in_vc, packet.source, packet.destination, packet.route, packet.draw, packet.traffic_class};
}

}  // namespace braid::models
