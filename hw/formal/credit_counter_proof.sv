// SPDX-License-Identifier: Apache-2.0
// Credits and flits downstream always add up to the places of the buffer.
`include "proof.svh"

module credit_counter_proof #(
    parameter int unsigned Credits = 5,
    parameter bit GiveFirst = 1'b0,
    localparam int unsigned Width = $clog2(Credits + 1)
) (
    input logic clk_i,
    input logic give_i,
    input logic take_i
);
  `PROOF_RESET

  logic [Width-1:0] credits;
  logic [7:0] downstream_q;

  credit_counter #(
      .Credits(Credits),
      .GiveFirst(GiveFirst)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .give_i,
      .take_i,
      .credits_o(credits)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) downstream_q <= '0;
    else downstream_q <= downstream_q + 8'(take_i) - 8'(give_i);
  end

  `ASSUME(OnlyWhatWasSent, !give_i || downstream_q != '0)
  `ASSUME(SendsOnCredit, !take_i || credits != '0)
  logic given;
  assign given = GiveFirst && give_i;
  `PROVE(Conserved, int'(credits) + int'(downstream_q) == Credits + int'(given))
endmodule
