// SPDX-License-Identifier: Apache-2.0
// Credits of one downstream buffer: as many as it has places after reset, one less for each flit on its way, one more
// for each place that the downstream router reports free. With GiveFirst a credit may be taken in the cycle in which it
// comes.
`include "assert.svh"

module credit_counter #(
    parameter int unsigned Credits = 4,
    parameter bit GiveFirst = 1'b0,
    localparam int unsigned Width = $clog2(Credits + 1)
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             give_i,    // a place has become free
    input  logic             take_i,    // a flit is sent
    output logic [Width-1:0] credits_o  // that may be taken
);
  logic [Width-1:0] credits_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) credits_q <= Width'(Credits);
    else credits_q <= credits_q + Width'(give_i) - Width'(take_i);
  end

  assign credits_o = GiveFirst ? credits_q + Width'(give_i) : credits_q;

  `BRAID_REQUIRE(NoTakeFromNone, !take_i || credits_o != '0)
  `BRAID_REQUIRE(NoGiveOverFull, !give_i || credits_q < Width'(Credits))
  `BRAID_ASSERT(InRange, int'(credits_q) <= Credits)
endmodule
