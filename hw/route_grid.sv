// SPDX-License-Identifier: Apache-2.0
// Directions on a mesh of routers, from coordinates. The first ports are east (x + 1), west, north (y + 1), south; at
// the destination's router the way leads to the local ports.
module route_grid #(
    parameter int unsigned Ports = 5,
    parameter router_pkg::routing_e Routing = router_pkg::RoutingXFirst
) (
    input  logic [      router_pkg::CoordWidth-1:0] x_i,
    input  logic [      router_pkg::CoordWidth-1:0] y_i,
    input  logic [                       Ports-1:0] local_ports_i,
    input  logic [router_pkg::DestinationWidth-1:0] destination_i,
    output logic [                       Ports-1:0] closer_o,   // all that lead closer
    output logic [                       Ports-1:0] ports_o,    // those that Routing takes
    output logic [                       Ports-1:0] x_first_o   // the one that X first takes; none at the destination
);
  import router_pkg::*;

  logic [CoordWidth-1:0] x, y;
  logic [3:0] closer, way;  // south, north, west, east

  assign {y, x} = destination_i;
  assign closer = {y < y_i, y > y_i, x < x_i, x > x_i};

  function automatic logic [3:0] dimension_order(logic [3:0] ways, logic [3:0] first);
    return (ways & first) != '0 ? ways & first : ways;
  endfunction

  always_comb begin
    case (Routing)
      RoutingXFirst: way = dimension_order(closer, 4'b0011);
      RoutingYFirst: way = dimension_order(closer, 4'b1100);
      RoutingWestFirst: way = dimension_order(closer, 4'b0010);
      default: way = closer;
    endcase
    closer_o = closer == '0 ? local_ports_i : Ports'(closer);
    ports_o = way == '0 ? local_ports_i : Ports'(way);
    x_first_o = Ports'(dimension_order(closer, 4'b0011));
  end
endmodule
