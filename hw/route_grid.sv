// SPDX-License-Identifier: Apache-2.0
// Directions on a mesh of routers, from coordinates. The first ports are east (x + 1), west, north (y + 1), south; at
// the destination's router the way leads to the local ports.
module route_grid #(
    parameter int unsigned Ports = 5,
    parameter router_pkg::routing_e Routing = router_pkg::RoutingXFirst,
    parameter bit FromWest = 1'b0  // odd-even: the head came in at the west port
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

  // Odd-even (Chiu 2000): no turn from east to north or south in an even column, none from north or south to west in an odd
  // one. A head that still goes east and did not come from the west is in the column of its source: it turns nowhere.
  // One that goes east into the last column has to be able to turn there.
  function automatic logic [3:0] odd_even(logic [3:0] ways);
    logic no_x, no_y;
    no_y = ways[1] ? x_i[0] : ways[0] && FromWest && !x_i[0];
    no_x = ways[0] && ways[3:2] != '0 && !x[0] && x == x_i + CoordWidth'(1);
    return ways & {{2{!no_y}}, 1'b1, !no_x};
  endfunction

  function automatic logic [3:0] dimension_order(logic [3:0] ways, logic [3:0] first);
    return (ways & first) != '0 ? ways & first : ways;
  endfunction

  always_comb begin
    case (Routing)
      RoutingXFirst: way = dimension_order(closer, 4'b0011);
      RoutingYFirst: way = dimension_order(closer, 4'b1100);
      RoutingOddEven: way = odd_even(closer);
      RoutingWestFirst: way = dimension_order(closer, 4'b0010);
      default: way = closer;
    endcase
    closer_o = closer == '0 ? local_ports_i : Ports'(closer);
    ports_o = way == '0 ? local_ports_i : Ports'(way);
    x_first_o = Ports'(dimension_order(closer, 4'b0011));
  end
endmodule
