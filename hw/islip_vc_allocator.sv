// SPDX-License-Identifier: Apache-2.0
// VA by iSLIP over single VCs: every routed head asks for all free VCs of all its candidate ports, the escape VC among
// them, whatever credits there are. The pins are those of vc_allocator.
`include "assert.svh"

module islip_vc_allocator #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter router_pkg::arbiter_e Arbiter = router_pkg::ArbiterRoundRobin,
    parameter int unsigned Iterations = 1,
    parameter bit Escape = 1'b0,
    parameter bit Halves = 1'b0,
    localparam int unsigned RouteWidth = Escape ? 2 * Ports : Halves ? Ports + 2 : Ports,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned CreditWidth = $clog2(Depth + 1),
    localparam int unsigned InputVcs = Ports * Vcs
) (
    input  logic                                       clk_i,
    input  logic                                       rst_ni,
    input  logic [InputVcs-1:0]                        waiting_i,     // [input VC] a head waits for an output VC
    input  logic [InputVcs-1:0][RouteWidth-1:0]        candidates_i,  // [input VC] ports on its way, escape port
    input  logic [InputVcs-1:0][PortWidth-1:0]         last_port_i,   // not looked at
    input  logic [Ports-1:0]                           escape_ports_i,
    input  logic [Ports-1:0][Vcs-1:0]                  free_i,        // [output VC] has no owner
    input  logic [Ports-1:0][Vcs-1:0][CreditWidth-1:0] credits_i,     // not looked at
    output logic [InputVcs-1:0]                        grant_o,       // [input VC] gets
    output logic [InputVcs-1:0][Ports-1:0]             port_o,        // one hot
    output logic [InputVcs-1:0][Vcs-1:0]               vc_o,          // one hot
    output logic [Ports-1:0][Vcs-1:0]                  granted_o      // [output VC] gets an owner
);
  localparam int unsigned OutputVcs = Ports * Vcs;
  localparam logic [Vcs-1:0] Lower = (Vcs'(1) << Vcs / 2) - Vcs'(1);
  localparam int unsigned EscapeAt = Escape ? Ports : 0;

  logic [InputVcs-1:0][OutputVcs-1:0] want, pair;
  logic [Ports-1:0][Vcs-1:0] open;  // free VCs for other than escape

  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      open[p] = free_i[p];
      if (Escape && escape_ports_i[p]) open[p][0] = 1'b0;
    end
  end

  for (genvar i = 0; i < int'(InputVcs); i++) begin : gen_input
    logic [Vcs-1:0] allowed;
    if (Halves) begin : gen_halves
      assign allowed = (candidates_i[i][RouteWidth-2] ? Lower : '0) | (candidates_i[i][RouteWidth-1] ? ~Lower : '0);
    end else begin : gen_all
      assign allowed = '1;
    end
    always_comb begin
      want[i] = '0;
      for (int unsigned p = 0; p < Ports; p++) begin
        if (waiting_i[i] && candidates_i[i][p]) want[i][p*Vcs+:Vcs] = open[p] & allowed;
        if (Escape && waiting_i[i] && candidates_i[i][EscapeAt+p] && free_i[p][0]) want[i][p*Vcs] = 1'b1;
      end
    end
    always_comb begin
      port_o[i] = '0;
      vc_o[i] = '0;
      for (int unsigned p = 0; p < Ports; p++) begin
        port_o[i][p] = |pair[i][p*Vcs+:Vcs];
        vc_o[i] |= pair[i][p*Vcs+:Vcs];
      end
      grant_o[i] = |pair[i];
    end

    `BRAID_ASSERT(GrantToWaiting, !grant_o[i] || waiting_i[i])
    `BRAID_ASSERT(GrantOnTheWay, (port_o[i] & ~(candidates_i[i][Ports-1:0] | candidates_i[i][EscapeAt+:Ports])) == '0)
    `BRAID_ASSERT(GrantInItsHalf, !Halves || (vc_o[i] & ~allowed) == '0)
  end

  islip_matching #(
      .Inputs    (InputVcs),
      .Outputs   (OutputVcs),
      .Arbiter   (Arbiter),
      .Iterations(Iterations)
  ) u_matching (
      .clk_i,
      .rst_ni,
      .want_i(want),
      .pair_o(pair)
  );

  always_comb begin
    granted_o = '0;
    for (int unsigned i = 0; i < InputVcs; i++) granted_o |= pair[i];
  end
  `BRAID_ASSERT(OnlyFreeGranted, (granted_o & ~free_i) == '0)

  logic unused;
  assign unused = ^{last_port_i, credits_i};
endmodule
