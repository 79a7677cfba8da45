// SPDX-License-Identifier: Apache-2.0
// An arbiter's choice among other requests of the same cycle, by the order that it holds in its register.
module arbiter_pick #(
    parameter int unsigned Requesters = 4,
    parameter router_pkg::arbiter_e Kind = router_pkg::ArbiterRoundRobin,
    localparam int unsigned OrderWidth = Requesters * (Kind == router_pkg::ArbiterMatrix ? Requesters : 1)
) (
    input  logic [Requesters-1:0] request_i,
    input  logic [OrderWidth-1:0] order_i,
    output logic [Requesters-1:0] grant_o
);
  if (Kind == router_pkg::ArbiterMatrix) begin : gen_matrix
    matrix_pick #(
        .Requesters(Requesters)
    ) u_pick (
        .request_i,
        .order_i,
        .grant_o
    );
  end else begin : gen_round_robin
    logic [Requesters-1:0] unused;
    round_robin_pick #(
        .Requesters(Requesters)
    ) u_pick (
        .request_i,
        .after_i(order_i),
        .grant_o,
        .above_o(unused)
    );
  end
endmodule
