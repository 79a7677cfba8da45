// Whose packets each link carried while measuring, counted packet by packet from their records (results.link_flows).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/experiment/results.h"
#include "models/fabric/packet_log.h"
#include "routing/topology/topology.h"

namespace braid::models {

class LinkFlows {
 public:
  explicit LinkFlows(const routing::Topology& topology, std::size_t subnets = 1)
      : topology_(topology), subnets_(subnets) {}

  /// What counts: heads that come to a router from `first_cycle` on ...
  void open(std::uint64_t first_cycle) {
    first_ = first_cycle;
    end_ = ~std::uint64_t{0};
    flits_.clear();
  }
  /// ... for so many cycles.
  void close(std::uint64_t cycles) { end_ = first_ + cycles; }
  /// A packet's record that will not grow, or is not asked again.
  void add(const PacketRecord& record);
  /// Gives each link its flows; `classes` by their numbers.
  void put(std::vector<LinkResult>& links, const std::vector<std::string>& classes) const;

 private:
  using Link = std::tuple<std::size_t, RouterId, PortId>;  // subnet first
  using Whose = std::tuple<std::uint8_t, NodeId, NodeId>;  // class, source, destination

  const routing::Topology& topology_;
  std::size_t subnets_;
  std::uint64_t first_ = 0, end_ = 0;
  std::map<Link, std::map<Whose, std::uint64_t>> flits_;
};

}  // namespace braid::models
