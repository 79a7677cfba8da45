// SPDX-License-Identifier: Apache-2.0
// Round robin: the first requester after the last whose grant was used, or else the first of all. The register holds the
// places after that one as a mask: what a pointer would be decoded to.
`include "assert.svh"

module round_robin_arbiter #(
    parameter int unsigned Requesters = 4
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic [Requesters-1:0] request_i,
    input  logic                  use_i,      // the grant is used
    output logic [Requesters-1:0] grant_o,
    output logic [Requesters-1:0] order_o     // the register, for a round_robin_pick that is asked in the same cycle
);
  logic [Requesters-1:0] after_q, above;

  round_robin_pick #(
      .Requesters(Requesters)
  ) u_pick (
      .request_i,
      .after_i(after_q),
      .grant_o,
      .above_o(above)
  );
  assign order_o = after_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) after_q <= '1;
    else if (use_i) after_q <= above;
  end

  `BRAID_REQUIRE(UseNeedsRequest, !use_i || |request_i)
  `BRAID_ASSERT(GrantOneHot, $onehot0(grant_o))
  `BRAID_ASSERT(GrantToRequester, (grant_o & ~request_i) == '0)
  `BRAID_ASSERT(GrantIfRequest, |request_i == |grant_o)
  // The mask is a row of ones down from the last place.
  `BRAID_ASSERT(MaskIsRow, (~after_q & (~after_q + 1'b1)) == '0)
endmodule
