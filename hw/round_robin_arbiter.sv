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
    output logic [Requesters-1:0] grant_o
);
  logic [Requesters-1:0] after_q;
  logic [Requesters-1:0] later, chosen_from, above;  // above: places after the lowest set bit of chosen_from

  assign later = request_i & after_q;
  always_comb begin
    chosen_from = later != '0 ? later : request_i;
    grant_o = '0;
    above = '0;
    if (request_i != '0) begin
      above = Requesters'({chosen_from, 1'b0});
      for (int unsigned s = 1; s < Requesters; s *= 2) above |= above << s;  // a prefix of ORs: no carry runs through
      grant_o = chosen_from & ~above;
    end
  end

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
