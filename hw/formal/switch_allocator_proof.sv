// SPDX-License-Identifier: Apache-2.0
// Grants are a matching of requests, and a VC that keeps its request is served within a bound while no circuit takes
// ports. An input's offer wins its output within Ports cycles; but until it has won, a VC that begins to ask and stands
// earlier in the input's order can take its place, once each: Ports * (2 * Vcs - 1) in all.
`include "proof.svh"

module switch_allocator_proof #(
    parameter int unsigned Ports = 3,
    parameter int unsigned Vcs = 2,
    parameter bit Arbiter = 1'b0,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports)
) (
    input logic                                      clk_i,
    input logic [Ports-1:0][Vcs-1:0]                 request_i,
    input logic [Ports-1:0][Vcs-1:0][PortWidth-1:0]  out_port_i,
    input logic [Ports-1:0]                          taken_inputs_i,
    input logic [Ports-1:0]                          taken_outputs_i
);
  `PROOF_RESET

  logic [Ports-1:0][Vcs-1:0] grant;

  switch_allocator #(
      .Ports(Ports),
      .Vcs(Vcs),
      .Arbiter(router_pkg::arbiter_e'(Arbiter))
  ) u_dut (
      .clk_i,
      .rst_ni,
      .request_i,
      .out_port_i,
      .taken_inputs_i,
      .taken_outputs_i,
      .grant_o(grant)
  );

  // A request keeps its output port until it is granted: the VC owns an output VC.
  logic [Ports-1:0][Vcs-1:0] waited_q;
  logic [Ports-1:0][Vcs-1:0][PortWidth-1:0] out_port_q;
  logic any_taken;
  logic [Ports-1:0] to_output[Vcs*Ports];

  assign any_taken = |taken_inputs_i || |taken_outputs_i;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
      logic [7:0] wait_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          wait_q <= '0;
          waited_q[p][v] <= 1'b0;
          out_port_q[p][v] <= '0;
        end else begin
          waited_q[p][v] <= request_i[p][v] && !grant[p][v];
          out_port_q[p][v] <= out_port_i[p][v];
          wait_q <= (request_i[p][v] && !grant[p][v] && !any_taken) ? wait_q + 1'b1 : '0;
        end
      end
      `ASSUME(PortExists, !request_i[p][v] || int'(out_port_i[p][v]) < Ports)
      `ASSUME(RequestStays, !waited_q[p][v] || (request_i[p][v] && out_port_i[p][v] == out_port_q[p][v]))
      `PROVE(Fair, int'(wait_q) < Ports * (2 * Vcs - 1))
      `PROVE(OnlyRequests, !grant[p][v] || request_i[p][v])
      `PROVE(NotThroughTaken,
             !grant[p][v] || !(taken_inputs_i[p] || taken_outputs_i[out_port_i[p][v]]))
      assign to_output[p*Vcs+v] = grant[p][v] ? Ports'(1) << out_port_i[p][v] : '0;
    end
    `PROVE(OneVcOfAnInput, $onehot0(grant[p]))
  end
  for (genvar a = 0; a < int'(Ports * Vcs); a++) begin : gen_grant
    for (genvar b = a + 1; b < int'(Ports * Vcs); b++) begin : gen_other
      `PROVE(OneInputOfAnOutput, (to_output[a] & to_output[b]) == '0)
    end
  end
endmodule
