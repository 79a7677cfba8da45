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
  // Of each pair a < b: does a go before b? The rest of the matrix follows.
  logic [Requesters-1:0][Requesters-1:0] order_q;
  logic [Requesters-1:0][Requesters-1:0] wins;  // wins[a][b]: a goes before b

  for (genvar a = 0; a < int'(Requesters); a++) begin : gen_row
    logic [Requesters-1:0] beaten_by;
    for (genvar b = 0; b < int'(Requesters); b++) begin : gen_column
      if (b > a) begin : gen_register
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) order_q[a][b] <= 1'b1;
          else if (use_i && grant_o[a]) order_q[a][b] <= 1'b0;
          else if (use_i && grant_o[b]) order_q[a][b] <= 1'b1;
        end
        assign wins[a][b] = order_q[a][b];
      end else begin : gen_mirror
        assign order_q[a][b] = 1'b0;
        assign wins[a][b] = b < a && !order_q[b][a];
      end
      assign beaten_by[b] = request_i[b] && wins[b][a];
    end
    assign grant_o[a] = request_i[a] && beaten_by == '0;
  end

  `BRAID_REQUIRE(UseNeedsRequest, !use_i || |request_i)
  `BRAID_ASSERT(GrantOneHot, $onehot0(grant_o))
  `BRAID_ASSERT(GrantToRequester, (grant_o & ~request_i) == '0)
  `BRAID_ASSERT(GrantIfRequest, |request_i == |grant_o)
endmodule
