// SPDX-License-Identifier: Apache-2.0
// The way round one ring of routers 0 to last_i: the shorter one; where both are as long, back_i says.
module ring_way (
    input  logic [router_pkg::CoordWidth-1:0] here_i,
    input  logic [router_pkg::CoordWidth-1:0] there_i,
    input  logic [router_pkg::CoordWidth-1:0] last_i,
    input  logic                              back_i,
    output logic [                       1:0] closer_o,  // back, on: all that lead closer; none at the destination
    output logic [                       1:0] way_o,     // the one that is taken
    output logic                              wraps_o,   // over the link that closes the ring
    output logic                              crosses_o  // over the one half-way round, and not that one
);
  localparam int unsigned Width = router_pkg::CoordWidth + 2;

  logic [Width-1:0] size, on, twice;  // routers of the ring; links to go by growing coordinates, and twice as many
  logic lower, half;

  always_comb begin
    lower = there_i < here_i;
    size = Width'(last_i) + Width'(1);
    on = Width'(there_i) - Width'(here_i) + (lower ? size : '0);
    twice = on + on;
    half = twice == size;
    closer_o = {twice >= size, twice <= size};
    way_o = half ? {back_i, !back_i} : closer_o;
    if (on == '0) begin
      closer_o = '0;
      way_o = '0;
    end
    wraps_o = way_o[0] ? lower : way_o[1] && !lower;
    crosses_o = !wraps_o && (here_i > last_i >> 1) != (there_i > last_i >> 1);
  end
endmodule
