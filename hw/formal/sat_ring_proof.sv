// SPDX-License-Identifier: Apache-2.0
// The SAT ring: one signal; between two departures of it a node sends at most k packets; a station keeps it only while its
// node has sent fewer than l and more wait; and where no node is starved it goes round in as many cycles as the wires and
// the stations have. So a node that keeps being served gets l packets a round or has none.
`include "proof.svh"

module sat_ring_proof #(
    parameter int unsigned Nodes = 3,
    parameter logic [Nodes-1:0][7:0] WireCycles = {8'd2, 8'd1, 8'd0},
    localparam int unsigned Width = 3
) (
    input logic                        clk_i,
    input logic [Width-1:0]            l_i,
    input logic [Width-1:0]            k_i,
    input logic [Nodes-1:0]            passed_i,
    input logic [Nodes-1:0]            waiting_i
);
  `PROOF_RESET

  function automatic int unsigned round();
    round = Nodes;
    for (int unsigned n = 0; n < Nodes; n++) round += 32'(WireCycles[n]);
  endfunction

  logic [Nodes-1:0] open, holds, starved, limited, on_wire, held_q, kept_q;
  logic [Nodes-1:0][Width-1:0] sent;
  logic [Width-1:0] l_q, k_q;

  sat_ring #(
      .Nodes     (Nodes),
      .WireCycles(WireCycles),
      .CountWidth(Width)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .l_i      (l_q),
      .k_i      (k_q),
      .passed_i,
      .waiting_i,
      .open_o   (open),
      .holds_o  (holds),
      .starved_o(starved),
      .limited_o(limited),
      .sent_o   (sent),
      .on_wire_o(on_wire)
  );

  // Thresholds of the whole run, chosen once.
  logic [7:0] unheld_q;  // cycles since node 0 had the signal, none of them held it
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      l_q <= l_i;
      k_q <= k_i;
      held_q <= '0;
      kept_q <= '0;
      unheld_q <= '0;
    end else begin
      held_q <= holds;
      kept_q <= holds & starved;
      unheld_q <= holds[0] || |(holds & starved) ? '0 : unheld_q + 1'b1;
    end
  end
  `ASSUME(Thresholds, l_q <= k_q && k_q != '0 && int'(k_q) < 2 ** Width - 1)
  `PROVE(ComesRound, int'(unheld_q) < round())
  `PROVE(OneSignal, $onehot({holds, on_wire}))

  for (genvar n = 0; n < int'(Nodes); n++) begin : gen_node
    logic [Width-1:0] count_q;  // packets since the signal left
    logic left;
    assign left = holds[n] && !(int'(count_q) + int'(passed_i[n]) < int'(l_q) && waiting_i[n]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || left) count_q <= '0;
      else count_q <= count_q + Width'(passed_i[n]);
    end
    `ASSUME(SendsWhenOpen, !passed_i[n] || open[n])
    `PROVE(NoMoreThanK, count_q <= k_q)
    `PROVE(OpenBelowK, open[n] == (count_q < k_q))
    `PROVE(LeavesUnlessStarved, !(held_q[n] && !kept_q[n]) || !holds[n])
    `PROVE(StaysWhileStarved, !kept_q[n] || holds[n])
    `PROVE(Counted, sent[n] == count_q)
  end
endmodule
