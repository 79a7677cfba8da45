// The routing tables of source-routed hosts: what the paths of a network are to those who send and forward packets.
// A path with in-transit buffers is several legs, each a packet's way from one node's interface to the next one's.
// Paths that replace others in mid-run are an epoch of their own: legs of both have numbers of their own, side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/paths/path_set.h"
#include "routing/topology/topology.h"

namespace braid::routing {

/// A leg of a path, as a packet carries it.
using RouteId = std::uint32_t;
constexpr RouteId kNoRoute = UINT32_MAX;

class RouteTable {
 public:
  /// `topology` outlives the table.
  RouteTable(const Topology& topology, PathSet paths);

  /// Other paths of the same routers, for packets that leave later.
  void add_epoch(PathSet paths);
  std::size_t epochs() const { return epochs_.size(); }
  const PathSet& paths(std::size_t epoch = 0) const { return epochs_[epoch].paths; }

  /// Legs of all paths.
  std::size_t size() const { return legs_.size(); }
  /// Is it a leg of a path of the one node to the other?
  bool leads(RouteId route, NodeId source, NodeId destination) const;

  /// The leg with which a packet of two nodes begins.
  RouteId first(NodeId source, NodeId destination, std::size_t epoch = 0) const;
  /// ... with which the path of a leg does.
  RouteId first_of(RouteId route) const { return route - legs_[route].number; }
  bool is_last(RouteId route) const { return legs_[route].last; }
  /// The leg that follows one that is not the last.
  RouteId next(RouteId route) const { return route + 1; }
  /// Links between routers on the leg.
  std::size_t links(RouteId route) const { return std::size_t{legs_[route].end} - legs_[route].begin; }
  /// Routers on this leg and all that follow: bytes of the route in a Myrinet header.
  std::size_t routers_ahead(RouteId route) const { return legs_[route].routers_ahead; }
  /// In-transit buffers still to come.
  std::size_t in_transit_ahead(RouteId route) const { return legs_[route].in_transit_ahead; }
  /// Where the leg of a packet from `source` to `destination` ends: there, or at the node in whose in-transit buffer
  /// the packet rests. The nodes of a router take turns among the pairs, so that none of them carries all.
  NodeId end(RouteId route, NodeId source, NodeId destination) const;
  /// The output port at the leg's router number `hop`, which is less than links().
  PortId port(RouteId route, std::size_t hop) const;
  /// The output port at a router that the leg comes to and does not end at.
  PortId port_at(RouteId route, RouterId router) const;
  /// The router at which the leg begins, ends.
  RouterId first_router(RouteId route) const { return legs_[route].from; }
  RouterId last_router(RouteId route) const { return legs_[route].to; }

 private:
  struct Leg {
    std::uint32_t path;        // its place among the epoch's
    std::uint16_t begin, end;  // of the path's ports
    RouterId from, to;
    std::uint16_t routers_ahead = 0, in_transit_ahead = 0;
    std::uint16_t number = 0;  // among the path's
    std::uint8_t epoch = 0;
    bool last = false;
  };
  struct Epoch {
    PathSet paths;
    std::vector<RouteId> first;  // [place of a path]
  };
  void add_legs(RouterId from, RouterId to, std::size_t number);
  const Path& path(const Leg& leg) const { return paths(leg.epoch).at_place(leg.path); }
  std::size_t place_of(const PathSet& paths, NodeId source, NodeId destination) const;

  const Topology& topology_;
  std::vector<Epoch> epochs_;
  std::vector<std::vector<NodeId>> nodes_;  // [router]
  std::vector<std::uint32_t> number_;       // [node] among its router's
  std::vector<Leg> legs_;
};

}  // namespace braid::routing
