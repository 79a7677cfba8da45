// topology = anynet: the file that lists routers, nodes and links, and BookSim 2's shortest ways over them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace braid::models::icnt {

struct Listing {
  std::vector<unsigned> router_of;                  ///< [node]
  std::vector<std::map<unsigned, unsigned>> links;  ///< [router]: cycles to each neighbour

  unsigned routers() const { return static_cast<unsigned>(links.size()); }
  /// [router]: the neighbour of `start` on the way there; itself at `start`. Of equally short ways that of the router
  /// which is nearest, of those the lowest (AnyNet::route). Every router can be reached.
  std::vector<unsigned> first_steps(unsigned start) const;
};

/// A line is "router N" or "node N" and what is joined to it, "router M" or "node M", each with its cycles behind it or
/// 1; nobody having said it of the way back, that has 1. Numbers of both begin with 0. Nodes are 1 cycle away: of
/// others BookSim 2 takes the number for a router's. Throws Error with FILE:LINE:COLUMN.
Listing read_listing(const std::string& text, const std::string& file);

}  // namespace braid::models::icnt
