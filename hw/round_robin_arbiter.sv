// Round robin: the first requester at or after the pointer. The pointer moves past the winner when its grant is used.
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
  localparam int unsigned PointerWidth = router_pkg::index_width(Requesters);

  logic [PointerWidth-1:0] pointer_q, pointer_d;
  logic [Requesters-1:0] later;  // requesters at or after the pointer
  logic [Requesters-1:0] chosen_from;

  for (genvar r = 0; r < int'(Requesters); r++) begin : gen_later
    assign later[r] = request_i[r] && int'(pointer_q) <= r;
  end

  assign chosen_from = |later ? later : request_i;
  assign grant_o = chosen_from & (~chosen_from + 1'b1);  // the lowest set bit

  always_comb begin
    pointer_d = pointer_q;
    for (int unsigned r = 0; r < Requesters; r++) begin
      if (use_i && grant_o[r]) pointer_d = r + 1 == Requesters ? '0 : PointerWidth'(r + 1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pointer_q <= '0;
    else pointer_q <= pointer_d;
  end

  `BRAID_REQUIRE(UseNeedsRequest, !use_i || |request_i)
  `BRAID_ASSERT(GrantOneHot, $onehot0(grant_o))
  `BRAID_ASSERT(GrantToRequester, (grant_o & ~request_i) == '0)
  `BRAID_ASSERT(GrantIfRequest, |request_i == |grant_o)
  `BRAID_ASSERT(PointerInRange, int'(pointer_q) < Requesters)
endmodule
