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
  // order_q[a][b], a < b: does a go before b? The other half stays 0 and is no hardware.
  logic [Requesters-1:0][Requesters-1:0] order_q;
  logic [Requesters-1:0][Requesters-1:0] wins;  // wins[a][b]: a goes before b

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned a = 0; a < Requesters; a++) begin
        for (int unsigned b = 0; b < Requesters; b++) order_q[a][b] <= b > a;
      end
    end else if (use_i) begin
      for (int unsigned a = 0; a < Requesters; a++) begin
        for (int unsigned b = a + 1; b < Requesters; b++) begin
          if (grant_o[a]) order_q[a][b] <= 1'b0;
          else if (grant_o[b]) order_q[a][b] <= 1'b1;
        end
      end
    end
  end

  for (genvar a = 0; a < int'(Requesters); a++) begin : gen_row
    logic [Requesters-1:0] beaten_by;
    for (genvar b = 0; b < int'(Requesters); b++) begin : gen_column
      assign wins[a][b] = b > a ? order_q[a][b] : b < a && !order_q[b][a];
      assign beaten_by[b] = request_i[b] && wins[b][a];
    end
    assign grant_o[a] = request_i[a] && beaten_by == '0;
  end

  `BRAID_REQUIRE(UseNeedsRequest, !use_i || |request_i)
  `BRAID_ASSERT(GrantOneHot, $onehot0(grant_o))
  `BRAID_ASSERT(GrantToRequester, (grant_o & ~request_i) == '0)
  `BRAID_ASSERT(GrantIfRequest, |request_i == |grant_o)
endmodule
