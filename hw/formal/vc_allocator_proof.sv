// SPDX-License-Identifier: Apache-2.0
// A free output VC gets at most one owner, among heads that wait and have its port on their way; nobody else gets one.
// With Escape, VC 0 of an escape port goes only to a head whose escape port it is and for which nothing else is free.
`include "proof.svh"

module vc_allocator_proof #(
    parameter int unsigned Ports = 2,
    parameter int unsigned Vcs = 2,
    parameter int unsigned Depth = 2,
    parameter bit Arbiter = 1'b0,
    parameter bit Escape = 1'b0,
    localparam int unsigned RouteWidth = Escape ? 2 * Ports : Ports,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned CreditWidth = $clog2(Depth + 1),
    localparam int unsigned InputVcs = Ports * Vcs
) (
    input logic                                       clk_i,
    input logic [InputVcs-1:0]                        waiting_i,
    input logic [InputVcs-1:0][RouteWidth-1:0]        candidates_i,
    input logic [InputVcs-1:0][PortWidth-1:0]         last_port_i,
    input logic [Ports-1:0]                           escape_ports_i,
    input logic [Ports-1:0][Vcs-1:0]                  free_i,
    input logic [Ports-1:0][Vcs-1:0][CreditWidth-1:0] credits_i
);
  `PROOF_RESET

  logic [InputVcs-1:0] grant;
  logic [InputVcs-1:0][Ports-1:0] port;
  logic [InputVcs-1:0][Vcs-1:0] vc;
  logic [Ports-1:0][Vcs-1:0] granted;

  vc_allocator #(
      .Ports(Ports),
      .Vcs(Vcs),
      .Depth(Depth),
      .Arbiter(router_pkg::arbiter_e'(Arbiter)),
      .Escape(Escape)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .waiting_i,
      .candidates_i,
      .last_port_i,
      .escape_ports_i,
      .free_i,
      .credits_i,
      .grant_o(grant),
      .port_o(port),
      .vc_o(vc),
      .granted_o(granted)
  );

  logic [Ports-1:0][Vcs-1:0] open;  // free VCs that are not kept for escape
  logic [InputVcs-1:0][Ports-1:0] preferred, escape;
  logic [InputVcs-1:0] can_prefer, can_escape;  // a head waits for a port with such a VC, for a free escape VC
  logic someone_can;
  always_comb begin
    open = free_i;
    for (int unsigned p = 0; p < Ports; p++) if (Escape && escape_ports_i[p]) open[p][0] = 1'b0;
    can_prefer = '0;
    can_escape = '0;
    for (int unsigned i = 0; i < InputVcs; i++) begin
      preferred[i] = candidates_i[i][Ports-1:0];
      escape[i] = Escape ? candidates_i[i][RouteWidth-1-:Ports] : '0;
      for (int unsigned p = 0; p < Ports; p++) begin
        can_prefer[i] |= waiting_i[i] && preferred[i][p] && |open[p];
        can_escape[i] |= waiting_i[i] && escape[i][p] && free_i[p][0];
      end
    end
    someone_can = |can_prefer || |can_escape;
  end
  `PROVE(WorkConserving, someone_can == |grant)

  for (genvar i = 0; i < int'(InputVcs); i++) begin : gen_input
    `PROVE(OnlyWaiting, !grant[i] || waiting_i[i])
    `PROVE(OneVc, !grant[i] || ($onehot(port[i]) && $onehot(vc[i])))
    `PROVE(OnTheWay, !(grant[i] && can_prefer[i]) || (port[i] & ~preferred[i]) == '0)
    `PROVE(EscapeElse, !(grant[i] && !can_prefer[i]) || ((port[i] & ~escape[i]) == '0 && vc[i] == Vcs'(1)))
    for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
      `PROVE(EscapeKept, !(grant[i] && can_prefer[i] && port[i][p]) || (vc[i] & ~open[p]) == '0)
      `PROVE(FreeVc, !(grant[i] && port[i][p]) || (vc[i] & ~free_i[p]) == '0)
      `PROVE(OwnerRecorded, !(grant[i] && port[i][p]) || (vc[i] & ~granted[p]) == '0)
    end
    for (genvar j = i + 1; j < int'(InputVcs); j++) begin : gen_other
      `PROVE(OneOwner, !(grant[i] && grant[j] && port[i] == port[j]) || (vc[i] & vc[j]) == '0)
    end
  end
  `PROVE(AsManyOwnersAsGrants, $countones(granted) == $countones(grant))
endmodule
