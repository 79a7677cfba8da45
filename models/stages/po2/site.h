// Which router a module belongs to, and how wide its ports are.
#pragma once

#include "models/fabric/bits.h"
#include "models/families/po2/options.h"
#include "models/families/po2/pool_policy.h"
#include "routing/algorithm/routing_algorithm.h"

namespace braid::models::stages::po2 {

/// All of it outlives the module.
struct Site {
  const Configuration& configuration;
  const routing::Topology& topology;
  const routing::RoutingAlgorithm& routing;
  RouterId router;
};

/// Widths of numbers on the ports, in bits.
constexpr unsigned kCycleBits = 64, kMessageBits = 32, kClassBits = 2, kVcBits = 4, kFlitsBits = 16, kNodeBits = 16;

struct RouterShape {
  unsigned ports = 7;
  unsigned buffers = 20;
  unsigned ways = 8;  ///< of a packet: the routing algorithm's, and the pool policy's escape

  explicit RouterShape(const Site& site)
      : ports(static_cast<unsigned>(site.topology.port_count(site.router))),
        buffers(models::po2::options().read(site.configuration).buffers),
        ways(static_cast<unsigned>(site.routing.max_candidates()) + 1) {}

  /// Bits that number a buffer; a way, its port's number + 1, 0 for none; buffers taken.
  unsigned buffer_bits() const { return buffers > 1 ? bits_for(buffers) : 1; }
  unsigned way_bits() const { return bits_for(std::size_t{ports} + 1); }
  unsigned held_bits() const { return bits_for(std::size_t{buffers} + 1); }
};

}  // namespace braid::models::stages::po2
