// SPDX-License-Identifier: Apache-2.0
// Directions on a torus, X first, and the classes of VCs that keep its rings free of deadlock. The corner is (0, 0), last_x_i
// and last_y_i are the largest coordinates. A packet goes the shorter way round; where both are as long, coordinates decide.
//
// Each ring has two datelines: the link that closes it, and the one half-way round. Who crosses the first takes the upper
// half of the VCs in this ring, who crosses the other the lower half, others any; then a packet stays with its half.
module route_torus #(
    parameter int unsigned Ports = 5,
    parameter int unsigned CameBy = Ports - 1,  // port that the head came in at
    localparam int unsigned CoordWidth = router_pkg::CoordWidth
) (
    input  logic [                  CoordWidth-1:0] x_i,
    input  logic [                  CoordWidth-1:0] y_i,
    input  logic [                  CoordWidth-1:0] last_x_i,
    input  logic [                  CoordWidth-1:0] last_y_i,
    input  logic [                       Ports-1:0] local_ports_i,
    input  logic [router_pkg::DestinationWidth-1:0] destination_i,
    input  logic                                    in_lower_i,     // it came on a VC of the lower half
    output logic [                       Ports-1:0] closer_o,       // all that lead closer
    output logic [                       Ports-1:0] ports_o,        // the one that it takes
    output logic                                    lower_o,        // ... on the lower half of the VCs
    output logic                                    upper_o         // ... on the upper half
);
  logic [CoordWidth-1:0] x, y;
  logic [3:0] closer, way;  // south, north, west, east
  logic [1:0] wraps, crosses;  // y, x: on the way that is left in this dimension
  logic goes_in_x, in_ring;

  assign {y, x} = destination_i;

  ring_way u_x (
      .here_i   (x_i),
      .there_i  (x),
      .last_i   (last_x_i),
      .back_i   (x_i[0] ^ y_i[0] ^ y[0]),
      .closer_o (closer[1:0]),
      .way_o    (way[1:0]),
      .wraps_o  (wraps[0]),
      .crosses_o(crosses[0])
  );
  ring_way u_y (
      .here_i   (y_i),
      .there_i  (y),
      .last_i   (last_y_i),
      .back_i   (x_i[0] ^ y_i[0] ^ x[0]),
      .closer_o (closer[3:2]),
      .way_o    (way[3:2]),
      .wraps_o  (wraps[1]),
      .crosses_o(crosses[1])
  );

  assign goes_in_x = way[1:0] != '0;
  assign in_ring = goes_in_x ? CameBy < 2 : CameBy == 2 || CameBy == 3;

  always_comb begin
    closer_o = closer == '0 ? local_ports_i : Ports'(closer);
    ports_o = goes_in_x ? Ports'(way[1:0]) : way == '0 ? local_ports_i : Ports'(way);
    lower_o = 1'b1;
    upper_o = 1'b1;
    if (way != '0) begin
      if (in_ring) begin
        lower_o = in_lower_i;
        upper_o = !in_lower_i;
      end else if (goes_in_x ? wraps[0] : wraps[1]) begin
        lower_o = 1'b0;
      end else if (goes_in_x ? crosses[0] : crosses[1]) begin
        upper_o = 1'b0;
      end
    end
  end
endmodule
