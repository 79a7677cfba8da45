// A free output VC gets at most one owner, among heads that wait and have its port on their way; nobody else gets one.
`include "proof.svh"

module vc_allocator_proof #(
    parameter int unsigned Ports = 2,
    parameter int unsigned Vcs = 2,
    parameter int unsigned Depth = 2,
    parameter bit Arbiter = 1'b0,
    localparam int unsigned CreditWidth = $clog2(Depth + 1),
    localparam int unsigned InputVcs = Ports * Vcs
) (
    input logic                                       clk_i,
    input logic [InputVcs-1:0]                        waiting_i,
    input logic [InputVcs-1:0][Ports-1:0]             candidates_i,
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
      .Arbiter(router_pkg::arbiter_e'(Arbiter))
  ) u_dut (
      .clk_i,
      .rst_ni,
      .waiting_i,
      .candidates_i,
      .free_i,
      .credits_i,
      .grant_o(grant),
      .port_o(port),
      .vc_o(vc),
      .granted_o(granted)
  );

  logic someone_can;  // a head waits for a port with a free VC
  always_comb begin
    someone_can = 1'b0;
    for (int unsigned i = 0; i < InputVcs; i++) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        someone_can |= waiting_i[i] && candidates_i[i][p] && |free_i[p];
      end
    end
  end
  `PROVE(WorkConserving, someone_can == |grant)

  for (genvar i = 0; i < int'(InputVcs); i++) begin : gen_input
    `PROVE(OnlyWaiting, !grant[i] || waiting_i[i])
    `PROVE(OneVc, !grant[i] || ($onehot(port[i]) && $onehot(vc[i])))
    `PROVE(OnTheWay, !grant[i] || (port[i] & ~candidates_i[i]) == '0)
    for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
      `PROVE(FreeVc, !(grant[i] && port[i][p]) || (vc[i] & ~free_i[p]) == '0)
      `PROVE(OwnerRecorded, !(grant[i] && port[i][p]) || (vc[i] & ~granted[p]) == '0)
    end
    for (genvar j = i + 1; j < int'(InputVcs); j++) begin : gen_other
      `PROVE(OneOwner, !(grant[i] && grant[j] && port[i] == port[j]) || (vc[i] & vc[j]) == '0)
    end
  end
  `PROVE(AsManyOwnersAsGrants, $countones(granted) == $countones(grant))
endmodule
