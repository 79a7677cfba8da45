// SPDX-License-Identifier: Apache-2.0
// From reset on: a flit that SA granted is on the link of its output two cycles later, whole and with its lane, and the
// credit for the lane that it left goes back over its input in the same cycle. No link and no credit wire says anything
// else, in particular nothing in the two cycles after reset.
`include "proof.svh"

module switch_traversal_proof #(
    parameter int unsigned Ports = 3,
    parameter int unsigned Lanes = 2,
    localparam int unsigned Width = 4,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned LaneWidth = router_pkg::index_width(Lanes)
) (
    input logic                            clk_i,
    input logic [Ports-1:0]                grant_i,
    input logic [Ports-1:0][Width-1:0]     flit_i,
    input logic [Ports-1:0][LaneWidth-1:0] in_lane_i,
    input logic [Ports-1:0][PortWidth-1:0] out_port_i,
    input logic [Ports-1:0][LaneWidth-1:0] out_lane_i
);
  `PROOF_RESET

  logic [Ports-1:0] link_valid;
  logic [Ports-1:0][LaneWidth-1:0] link_lane;
  logic [Width-1:0] flit[Ports], link_flit[Ports];
  logic [Ports-1:0][Lanes-1:0] credit;

  switch_traversal #(
      .Ports(Ports),
      .Lanes(Lanes),
      .Width(Width)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .grant_i,
      .flit_i(flit),
      .in_lane_i,
      .out_port_i,
      .out_lane_i,
      .link_valid_o(link_valid),
      .link_lane_o(link_lane),
      .link_flit_o(link_flit),
      .credit_o(credit)
  );

  // What was granted, one and two cycles ago, by output and by input.
  logic [1:0][Ports-1:0] valid_q;
  logic [1:0][Ports-1:0][LaneWidth-1:0] lane_q;
  logic [1:0][Ports-1:0][Width-1:0] flit_q;
  logic [1:0][Ports-1:0][Lanes-1:0] left_q;
  logic [Ports-1:0] valid_d;
  logic [Ports-1:0][LaneWidth-1:0] lane_d;
  logic [Ports-1:0][Width-1:0] flit_d;
  logic [Ports-1:0][Lanes-1:0] left_d;
  logic [Ports-1:0][Ports-1:0] to;

  always_comb begin
    valid_d = '0;
    lane_d = '0;
    flit_d = '0;
    left_d = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      to[p] = grant_i[p] ? Ports'(1) << out_port_i[p] : '0;
      if (grant_i[p]) begin
        valid_d[out_port_i[p]] = 1'b1;
        lane_d[out_port_i[p]] = out_lane_i[p];
        flit_d[out_port_i[p]] = flit_i[p];
        left_d[p][in_lane_i[p]] = 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      left_q <= '0;
      lane_q <= '0;
      flit_q <= '0;
    end else begin
      valid_q <= {valid_q[0], valid_d};
      left_q <= {left_q[0], left_d};
      lane_q <= {lane_q[0], lane_d};
      flit_q <= {flit_q[0], flit_d};
    end
  end

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    assign flit[p] = flit_i[p];
    `ASSUME(PortExists, !grant_i[p] || int'(out_port_i[p]) < Ports)
    `ASSUME(LaneExists, !grant_i[p] || int'(in_lane_i[p]) < Lanes)
    for (genvar o = p + 1; o < int'(Ports); o++) begin : gen_other
      `ASSUME(Matching, (to[p] & to[o]) == '0)
    end
    `PROVE(FlitTwoCyclesLater, link_valid[p] == valid_q[1][p])
    `PROVE(FlitIsWhole, !link_valid[p] || (link_lane[p] == lane_q[1][p] && link_flit[p] == flit_q[1][p]))
    `PROVE(CreditWithIt, credit[p] == left_q[1][p])
  end
endmodule
