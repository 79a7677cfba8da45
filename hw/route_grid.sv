// Directions on a mesh of routers, from coordinates. The first ports are east (x + 1), west, north (y + 1), south; at
// the destination's router the way leads to the local ports.
module route_grid #(
    parameter int unsigned Ports = 5,
    parameter router_pkg::routing_e Routing = router_pkg::RoutingXFirst,
    parameter bit Minimal = 1'b0  // all directions that lead closer, instead of the one that Routing takes
) (
    input  logic [      router_pkg::CoordWidth-1:0] x_i,
    input  logic [      router_pkg::CoordWidth-1:0] y_i,
    input  logic [                       Ports-1:0] local_ports_i,
    input  logic [router_pkg::DestinationWidth-1:0] destination_i,
    output logic [                       Ports-1:0] ports_o
);
  localparam int unsigned CoordWidth = router_pkg::CoordWidth;
  localparam bit XFirst = Routing == router_pkg::RoutingXFirst;

  logic [CoordWidth-1:0] x, y;
  logic [3:0] way;  // south, north, west, east
  logic in_x, in_y;

  assign {y, x} = destination_i;
  assign in_x = x != x_i;
  assign in_y = y != y_i;

  always_comb begin
    way = {y < y_i, y > y_i, x < x_i, x > x_i};
    if (!Minimal && in_x && in_y) way = way & (XFirst ? 4'b0011 : 4'b1100);
    ports_o = (in_x || in_y) ? Ports'(way) : local_ports_i;
  end
endmodule
