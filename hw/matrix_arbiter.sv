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
    output logic [Requesters-1:0] grant_o
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

  for (genvar a = 0; a < int'(Requesters); a++) begin : gen_row
    logic [Requesters-1:0] ahead;  // who goes before a
    for (genvar b = 0; b < int'(Requesters); b++) begin : gen_column
      assign ahead[b] = b < a ? order_q[b][a] : b > a && !order_q[a][b];
    end
    assign grant_o[a] = request_i[a] && (request_i & ahead) == '0;
  end

  `BRAID_REQUIRE(UseNeedsRequest, !use_i || |request_i)
  `BRAID_ASSERT(GrantOneHot, $onehot0(grant_o))
  `BRAID_ASSERT(GrantToRequester, (grant_o & ~request_i) == '0)
  `BRAID_ASSERT(GrantIfRequest, |request_i == |grant_o)
endmodule
