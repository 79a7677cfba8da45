// SPDX-License-Identifier: Apache-2.0
// ST: registers of the flits that SA granted, the crossbar, and the registers that drive links and credit wires. A
// packet's last flit frees nothing here: SA's grant already did.
`include "assert.svh"

module switch_traversal #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Lanes = 5,
    parameter int unsigned Width = 66,  // head, tail, data
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned LaneWidth = router_pkg::index_width(Lanes)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [Ports-1:0]                grant_i,     // [input port] a flit crosses in the next cycle
    input  logic [Width-1:0]                flit_i [Ports],
    input  logic [Ports-1:0][LaneWidth-1:0] in_lane_i,   // where it was buffered
    input  logic [Ports-1:0][PortWidth-1:0] out_port_i,
    input  logic [Ports-1:0][LaneWidth-1:0] out_lane_i,
    output logic [Ports-1:0]                link_valid_o,
    output logic [Ports-1:0][LaneWidth-1:0] link_lane_o,
    output logic [Width-1:0]                link_flit_o [Ports],
    output logic [Ports-1:0][Lanes-1:0]     credit_o     // [input port] to whoever feeds it
);
  logic [Ports-1:0] valid_q;
  logic [Width-1:0] flit_q [Ports];
  logic [Ports-1:0][LaneWidth-1:0] in_lane_q, out_lane_q;
  logic [Ports-1:0][PortWidth-1:0] out_port_q;

  logic [LaneWidth+Width-1:0] crossbar_in [Ports], crossbar_out [Ports];
  logic [Ports-1:0] crossbar_valid;

  logic [Ports-1:0] link_valid_q;
  logic [Ports-1:0][LaneWidth-1:0] link_lane_q;
  logic [Width-1:0] link_flit_q [Ports];
  logic [Ports-1:0][Lanes-1:0] credit_q, credit_d;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    assign crossbar_in[p] = {out_lane_q[p], flit_q[p]};
    for (genvar l = 0; l < int'(Lanes); l++) begin : gen_credit
      assign credit_d[p][l] = valid_q[p] && in_lane_q[p] == LaneWidth'(l);
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        flit_q[p]      <= '0;
        in_lane_q[p]   <= '0;
        out_lane_q[p]  <= '0;
        out_port_q[p]  <= '0;
        link_lane_q[p] <= '0;
        link_flit_q[p] <= '0;
      end else begin
        if (grant_i[p]) begin
          flit_q[p]     <= flit_i[p];
          in_lane_q[p]  <= in_lane_i[p];
          out_lane_q[p] <= out_lane_i[p];
          out_port_q[p] <= out_port_i[p];
        end
        if (crossbar_valid[p]) {link_lane_q[p], link_flit_q[p]} <= crossbar_out[p];
      end
    end
  end

  crossbar #(
      .Ports(Ports),
      .Width(LaneWidth + Width)
  ) u_crossbar (
      .clk_i,
      .rst_ni,
      .valid_i   (valid_q),
      .out_port_i(out_port_q),
      .flit_i    (crossbar_in),
      .valid_o   (crossbar_valid),
      .flit_o    (crossbar_out)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q      <= '0;
      link_valid_q <= '0;
      credit_q     <= '0;
    end else begin
      valid_q      <= grant_i;
      link_valid_q <= crossbar_valid;
      credit_q     <= credit_d;
    end
  end

  assign link_valid_o = link_valid_q;
  assign link_lane_o = link_lane_q;
  assign link_flit_o = link_flit_q;
  assign credit_o = credit_q;
endmodule
