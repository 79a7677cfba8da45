// SPDX-License-Identifier: Apache-2.0
// Four units as the smallest diamond ring: the root tells 1 and 2 at once, each of which tells 3 when it is done, and 3
// tells the root. No event ends at the root before every node has handled it, none is lost or begins twice, and no more
// than Most are under way. Where nodes handle events at once, a unit that has been asked is never longer without an end
// than one round takes.
`include "proof.svh"

module event_line_proof #(
    parameter int unsigned Most = 1,
    parameter int unsigned Bound = 15,  // cycles of an event that no node holds up
    localparam int unsigned Units = 4,
    localparam int unsigned Width = $clog2(Most + 2)
) (
    input logic             clk_i,
    input logic             request_i,
    input logic [Units-1:0] handled_i
);
  `PROOF_RESET

  logic [Units-1:0] begins;
  logic [Units-1:0][Width-1:0] ends;
  logic [Units-1:0][1:0] state;
  logic [1:0] from_root;
  logic from_1, from_2, from_3;

  event_line #(.Root(1'b1), .In(1), .AtOnce(2), .WhenDone(0), .Most(Most)) u_root (
      .clk_i, .rst_ni, .request_i, .begins_o(begins[0]), .handled_i(handled_i[0]), .arrive_i(from_3),
      .drive_o(from_root), .ends_o(ends[0]), .state_o(state[0]));
  event_line #(.In(1), .AtOnce(0), .WhenDone(1), .Most(Most)) u_1 (
      .clk_i, .rst_ni, .request_i(1'b0), .begins_o(begins[1]), .handled_i(handled_i[1]), .arrive_i(from_root[0]),
      .drive_o(from_1), .ends_o(ends[1]), .state_o(state[1]));
  event_line #(.In(1), .AtOnce(0), .WhenDone(1), .Most(Most)) u_2 (
      .clk_i, .rst_ni, .request_i(1'b0), .begins_o(begins[2]), .handled_i(handled_i[2]), .arrive_i(from_root[1]),
      .drive_o(from_2), .ends_o(ends[2]), .state_o(state[2]));
  event_line #(.In(2), .AtOnce(0), .WhenDone(1), .Most(Most)) u_3 (
      .clk_i, .rst_ni, .request_i(1'b0), .begins_o(begins[3]), .handled_i(handled_i[3]), .arrive_i({from_2, from_1}),
      .drive_o(from_3), .ends_o(ends[3]), .state_o(state[3]));

  // Events that have begun at a node and that it has handled, and that have ended here, counted from those that have ended
  // at the root on.
  logic [Units-1:0][3:0] begun_q, begun_d, handled_q, handled_d;
  logic [5:0] cycles_q;  // since an event has been under way and none ended, no node holding it up
  always_comb begin
    for (int unsigned u = 0; u < Units; u++) begin
      begun_d[u] = begun_q[u] + 4'(begins[u]);
      handled_d[u] = handled_i[u] ? begun_d[u] : handled_q[u];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= '0;
      handled_q <= '0;
      cycles_q <= '0;
    end else begin
      for (int unsigned u = 0; u < Units; u++) begin
        begun_q[u] <= begun_d[u] - 4'(ends[0]);
        handled_q[u] <= handled_d[u] - 4'(ends[0]);
      end
      if (handled_i != '1 || begun_d[0] == '0 || ends[0] != '0) cycles_q <= '0;
      else if (cycles_q != '1) cycles_q <= cycles_q + 1'b1;
    end
  end
  for (genvar u = 0; u < int'(Units); u++) begin : gen_unit
    `PROVE(NoEndBeforeAllHandled, handled_d[u] >= 4'(ends[0]))
    `PROVE(BeginsAfterTheRoot, begun_d[u] <= begun_d[0])
  end
  `PROVE(NoMoreThanMost, int'(begun_q[0]) <= Most)
  `PROVE(Ends, int'(cycles_q) < Bound)
endmodule
