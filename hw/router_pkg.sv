// SPDX-License-Identifier: Apache-2.0
// Constants and enums that the router shares with its model.
// Generated from hw/words.toml by scripts/braid_tools/rtl/words.py; do not edit.

package router_pkg;

  // bits of a coordinate on a grid
  parameter int unsigned CoordWidth = 8;
  // bits of a destination in a head flit: {y, x} on a grid, the node's number under table routing
  parameter int unsigned DestinationWidth = 16;
  // bits of the number of a set-up search
  parameter int unsigned SearchWidth = 16;

  // state of an input VC
  typedef enum logic [1:0] {
    VcStateIdle = 2'd0,  // empty
    VcStateNeedsRoute = 2'd1,  // a head waits behind a tail that just left: RC next cycle
    VcStateWaitsForVc = 2'd2,  // routed: VA
    VcStateActive = 2'd3   // owns an output VC: SA
  } vc_state_e;

  // message of the control channel between set-up units
  typedef enum logic [1:0] {
    ControlKindProbe = 2'd0,  // looks for a path
    ControlKindBacktrack = 2'd1,  // found none this way
    ControlKindAcknowledge = 2'd2,  // the path is reserved
    ControlKindTearDown = 2'd3   // releases the path
  } control_kind_e;

  // what the holder of the set-up token does
  typedef enum logic [1:0] {
    SetupPhaseDone = 2'd0,  // no search, no tear-down is under way, and none will be
    SetupPhasePassesToken = 2'd1,  // the token is on its way to the next circuit's source
    SetupPhaseSearches = 2'd2,  // waits for the end of a search
    SetupPhaseTearsDown = 2'd3   // waits for the end of a tear-down
  } setup_phase_e;

  // route computation
  typedef enum logic [2:0] {
    RoutingXFirst = 3'd0,  // on a mesh: all links in x, then in y
    RoutingYFirst = 3'd1,  // on a mesh: all links in y, then in x
    RoutingTable = 3'd2,  // any topology: port sets by destination, loaded after reset
    RoutingWestFirst = 3'd3,  // on a mesh: all links to the west first, then adaptive
    RoutingMinimalAdaptive = 3'd4,  // on a mesh: every minimal direction, VC 0 going X first as the escape
    RoutingOddEven = 3'd5,  // on a mesh: turn model by column, minimal and adaptive; the corner has an even x
    RoutingTorusXFirst = 3'd6   // on a torus: the shorter way round, all links in x, then in y; halves of the VCs by datelines
  } routing_e;

  // what the allocators are made of
  typedef enum logic [0:0] {
    ArbiterRoundRobin = 1'd0,  // the first requester at or after a pointer
    ArbiterMatrix = 1'd1   // the requester whose last grant is longest ago
  } arbiter_e;

  // who allocates VCs (VA), and the switch (SA)
  typedef enum logic [0:0] {
    AllocatorSeparableInputFirst = 1'd0,  // each input offers one, each output takes one of the offers
    AllocatorIslip = 1'd1   // outputs grant, inputs accept, in one iteration or several
  } allocator_e;

  // Bits of an index into `count` places; at least 1.
  function automatic int unsigned index_width(int unsigned count);
    return count > 1 ? $clog2(count) : 1;
  endfunction

  // Bits of a route: a set of ports; under adaptive routing, above it, the port of the escape path; on a torus, above it,
  // the lower and the upper half of the VCs.
  function automatic int unsigned route_width(routing_e routing, int unsigned ports);
    return routing == RoutingMinimalAdaptive ? 2 * ports : routing == RoutingTorusXFirst ? ports + 2 : ports;
  endfunction

  // Circuit lanes of a port. On grids local ports come after the four directions; links of routers have one.
  function automatic int unsigned lanes_at(routing_e routing, int unsigned port, int unsigned circuit_lanes);
    return routing == RoutingTable || port >= 4 ? circuit_lanes : 1;
  endfunction

endpackage
