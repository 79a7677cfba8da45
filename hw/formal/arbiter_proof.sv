// SPDX-License-Identifier: Apache-2.0
// Bounded fairness: whoever keeps asking is served within as many used grants as there are requesters.
`include "proof.svh"

module arbiter_proof #(
    parameter int unsigned Requesters = 4,
    parameter bit Kind = 1'b0
) (
    input logic                  clk_i,
    input logic [Requesters-1:0] request_i,
    input logic                  use_i
);
  `PROOF_RESET

  logic [Requesters-1:0] grant;

  arbiter #(
      .Requesters(Requesters),
      .Kind(router_pkg::arbiter_e'(Kind))
  ) u_dut (
      .clk_i,
      .rst_ni,
      .request_i,
      .use_i,
      .grant_o(grant),
      .order_o()
  );
  `ASSUME(UseNeedsRequest, !use_i || |request_i)

  for (genvar r = 0; r < int'(Requesters); r++) begin : gen_requester
    logic [7:0] passed_over_q;  // used grants of others since it began to ask
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) passed_over_q <= '0;
      else if (!request_i[r] || (use_i && grant[r])) passed_over_q <= '0;
      else if (use_i) passed_over_q <= passed_over_q + 1'b1;
    end
    `PROVE(Fair, int'(passed_over_q) < Requesters)
  end
  `PROVE(OneHot, $onehot0(grant))
  `PROVE(OnlyRequests, (grant & ~request_i) == '0)
  `PROVE(SomeoneServed, |request_i == |grant)
endmodule
