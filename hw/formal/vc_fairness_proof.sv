// SPDX-License-Identifier: Apache-2.0
// A head that waits for a VC of one port is not passed over for ever: while it waits, some VC of that port goes to others
// at most once each. So where every VC is given back in the end, it is served. It is the VC that the head's own arbiter
// puts first: whenever that one is free, the head asks for it, and the VC's arbiter serves all who ask in turn.
`include "proof.svh"

module vc_fairness_proof #(
    parameter int unsigned Ports = 2,
    parameter int unsigned Vcs = 2,
    parameter bit Arbiter = 1'b0,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned InputVcs = Ports * Vcs,
    localparam int unsigned InputWidth = router_pkg::index_width(InputVcs),
    localparam int unsigned LostWidth = $clog2(InputVcs + 1)
) (
    input logic                                  clk_i,
    input logic [InputVcs-1:0]                   waiting_i,
    input logic [InputVcs-1:0][Ports-1:0]        candidates_i,
    input logic [InputVcs-1:0][PortWidth-1:0]    last_port_i,
    input logic [Ports-1:0][Vcs-1:0]             free_i,
    input logic [Ports-1:0][Vcs-1:0]             credit_i,     // a place of each VC
    input logic [InputWidth-1:0]                 watched_i,    // any head
    input logic [PortWidth-1:0]                  port_i        // that it waits for
);
  `PROOF_RESET

  logic [InputVcs-1:0] grant;
  logic [InputVcs-1:0][Ports-1:0] port;
  logic [InputVcs-1:0][Vcs-1:0] vc;
  logic [Ports-1:0][Vcs-1:0] granted;

  vc_allocator #(
      .Ports(Ports),
      .Vcs(Vcs),
      .Depth(1),
      .Arbiter(router_pkg::arbiter_e'(Arbiter))
  ) u_dut (
      .clk_i,
      .rst_ni,
      .waiting_i,
      .candidates_i,
      .last_port_i,
      .escape_ports_i('0),
      .free_i,
      .credits_i(credit_i),
      .grant_o(grant),
      .port_o(port),
      .vc_o(vc),
      .granted_o(granted)
  );

  logic [InputWidth-1:0] watched_q;
  logic [PortWidth-1:0] port_q;
  logic [Vcs-1:0][LostWidth-1:0] lost_q;  // of the port: went to others since the watched head waits
  logic [Vcs-1:0] once_each;
  logic waits;

  assign waits = waiting_i[watched_q] && !grant[watched_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      watched_q <= watched_i;
      port_q <= port_i;
      lost_q <= '0;
    end else begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (!waits) lost_q[v] <= '0;
        else if (granted[port_q][v] && lost_q[v] != LostWidth'(InputVcs)) lost_q[v] <= lost_q[v] + 1'b1;
      end
    end
  end
  for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
    assign once_each[v] = lost_q[v] < LostWidth'(InputVcs);
  end

  `ASSUME(HeadExists, int'(watched_q) < InputVcs && int'(port_q) < Ports)
  `ASSUME(OnePort, !waiting_i[watched_q] || candidates_i[watched_q] == Ports'(1) << port_q)
  `PROVE(SomeVcOnceEach, |once_each)
endmodule
