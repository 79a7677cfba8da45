// SPDX-License-Identifier: Apache-2.0
// A word marked at any time comes out unchanged, after exactly the words that were ahead of it.
`include "proof.svh"

module fifo_proof #(
    parameter int unsigned Width = 2,
    parameter int unsigned Depth = 3,
    parameter bit FallThrough = 1'b0,
    localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
    input logic             clk_i,
    input logic             push_i,
    input logic [Width-1:0] data_i,
    input logic             pop_i,
    input logic             mark_i  // the word pushed now is the one to watch
);
  `PROOF_RESET

  logic [Width-1:0] data, word_q;
  logic valid, tracking_q, start, passes_through;
  logic [CountWidth-1:0] count, count_d, ahead_q;

  fifo #(
      .Width(Width),
      .Depth(Depth),
      .FallThrough(FallThrough)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .push_i,
      .data_i,
      .pop_i,
      .data_o(data),
      .valid_o(valid),
      .count_o(count),
      .count_d_o(count_d)
  );

  assign passes_through = pop_i && count == '0;
  assign start = mark_i && push_i && !tracking_q && !passes_through;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tracking_q <= 1'b0;
      ahead_q <= '0;
      word_q <= '0;
    end else if (start) begin
      tracking_q <= 1'b1;
      ahead_q <= count - CountWidth'(pop_i);
      word_q <= data_i;
    end else if (tracking_q && pop_i) begin
      tracking_q <= ahead_q != '0;
      ahead_q <= ahead_q - 1'b1;
    end
  end

  `PROVE(Conserved, count_d == count + CountWidth'(push_i) - CountWidth'(pop_i))
  `PROVE(ValidIfHeld, count == '0 || valid)
  `PROVE(WatchedIsHeld, !tracking_q || ahead_q < count)
  `PROVE(InOrder, !(tracking_q && pop_i && ahead_q == '0) || data == word_q)
  `PROVE(FallsThrough, !(FallThrough && push_i && count == '0) || (valid && data == data_i))
endmodule
