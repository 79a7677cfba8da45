// Links as shifts of planes. On a regular network all links from one port number to another lead to the router whose
// number is so much higher or lower; a torus has a second shift for those around its edge.
#pragma once

#include <vector>

#include "models/families/hybrid/planes/words.h"
#include "models/families/hybrid/router_bank.h"

namespace braid::models::hybrid::planes {

/// Links that lead from output port `from_port` of routers r to input port `to_port` of routers r + shift.
struct Shift {
  unsigned from_port = 0, to_port = 0;
  int shift = 0;
  unsigned latency_cycles = 1;
  std::size_t links = 0;
  std::vector<Word> from, to;  ///< planes: routers at either end; empty where no other link has that port there
};

/// Ports that a router has at most: the highest number in use, and one.
unsigned used_ports(const RouterBank& bank);

/// So many that flits one by one cost less?
inline bool are_too_many(std::size_t shifts, unsigned ports) { return shifts > std::size_t{4} * ports; }

/// Before there is a bank: are the links of such a network shifts, and not too many?
bool links_are_shifts(const routing::Topology& topology);

/// All links between routers. `words`: of a plane; `local_ports`: a bit each, ports that are a node's at some router.
std::vector<Shift> shifts_of(const RouterBank& bank, std::size_t words, std::uint64_t local_ports);

}  // namespace braid::models::hybrid::planes
