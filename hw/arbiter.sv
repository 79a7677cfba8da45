// SPDX-License-Identifier: Apache-2.0
// The arbiter that the allocators are made of, by parameter.
module arbiter #(
    parameter int unsigned Requesters = 4,
    parameter router_pkg::arbiter_e Kind = router_pkg::ArbiterRoundRobin,
    localparam int unsigned OrderWidth = Requesters * (Kind == router_pkg::ArbiterMatrix ? Requesters : 1)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic [Requesters-1:0] request_i,
    input  logic                  use_i,      // the grant is used: the order changes
    output logic [Requesters-1:0] grant_o,
    output logic [OrderWidth-1:0] order_o     // its register, for an arbiter_pick that is asked in the same cycle
);
  if (Kind == router_pkg::ArbiterMatrix) begin : gen_matrix
    matrix_arbiter #(
        .Requesters(Requesters)
    ) u_arbiter (
        .clk_i,
        .rst_ni,
        .request_i,
        .use_i,
        .grant_o,
        .order_o
    );
  end else begin : gen_round_robin
    round_robin_arbiter #(
        .Requesters(Requesters)
    ) u_arbiter (
        .clk_i,
        .rst_ni,
        .request_i,
        .use_i,
        .grant_o,
        .order_o
    );
  end
endmodule
