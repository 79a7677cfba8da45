// SPDX-License-Identifier: Apache-2.0
// Matrix: the requester whose last used grant is longest ago; after reset the lowest number. One bit for each pair.
`include "assert.svh"

module matrix_arbiter #(
    parameter int unsigned Requesters = 4
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic [Requesters-1:0] request_i,
    input  logic                  use_i,      // the grant is used
    output logic [Requesters-1:0] grant_o,
    output logic [Requesters*Requesters-1:0] order_o  // the register, for a matrix_pick that is asked in the same cycle
);
  // order_q[a][b], a < b: does a go before b? The other half stays 0 and is no hardware. Rows change as a whole: pair by
  // pair, the Verilated arbiter of 24 requesters is twice as much C++.
  logic [Requesters-1:0][Requesters-1:0] order_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned a = 0; a < Requesters; a++) order_q[a] <= {Requesters{1'b1}} << (a + 1);
    end else if (use_i) begin
      for (int unsigned a = 0; a < Requesters; a++) begin
        order_q[a] <= grant_o[a] ? '0 : order_q[a] | (grant_o & ({Requesters{1'b1}} << (a + 1)));
      end
    end
  end

  matrix_pick #(
      .Requesters(Requesters)
  ) u_pick (
      .request_i,
      .order_i(order_q),
      .grant_o
  );
  assign order_o = order_q;

  `BRAID_REQUIRE(UseNeedsRequest, !use_i || |request_i)
  `BRAID_ASSERT(GrantOneHot, $onehot0(grant_o))
  `BRAID_ASSERT(GrantToRequester, (grant_o & ~request_i) == '0)
  `BRAID_ASSERT(GrantIfRequest, |request_i == |grant_o)
endmodule
