// SPDX-License-Identifier: Apache-2.0
// One packet VC of an input port: flit buffer (BW), state, the route of the packet at the front (RC) and the output VC
// that it owns. With BufferBypass a flit that is written into the empty buffer while its packet owns an output VC may be
// granted in the same cycle: it then never waits in the buffer.
`include "assert.svh"

module input_vc #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter bit BufferBypass = 1'b0,
    parameter int unsigned Width = 66,  // head, tail, data
    parameter int unsigned RouteWidth = Ports,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned VcWidth = router_pkg::index_width(Vcs)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  push_i,           // BW
    input  logic [     Width-1:0] flit_i,
    input  logic [RouteWidth-1:0] arriving_route_i, // RC of flit_i
    input  logic [RouteWidth-1:0] front_route_i,    // RC of front_o
    input  logic                  vc_grant_i,       // VA
    input  logic [ PortWidth-1:0] vc_grant_port_i,
    input  logic [   VcWidth-1:0] vc_grant_vc_i,
    input  logic                  pop_i,            // SA
    output logic [     Width-1:0] front_o,
    output logic                  nonempty_o,
    output router_pkg::vc_state_e state_o,
    output logic [RouteWidth-1:0] candidates_o,     // the route of the packet that waits for VA
    output logic [ PortWidth-1:0] out_port_o,       // while active, and from then on that of the last packet
    output logic [   VcWidth-1:0] out_vc_o
);
  import router_pkg::*;
  localparam int unsigned CountWidth = $clog2(Depth + 1);

  vc_state_e state_q, state_d;
  logic [RouteWidth-1:0] candidates_q, candidates_d;
  logic [PortWidth-1:0] out_port_q, out_port_d;
  logic [VcWidth-1:0] out_vc_q, out_vc_d;
  logic [CountWidth-1:0] count, count_d;

  fifo #(
      .Width(Width),
      .Depth(Depth),
      .FallThrough(BufferBypass)
  ) u_buffer (
      .clk_i,
      .rst_ni,
      .push_i,
      .data_i   (flit_i),
      .pop_i,
      .data_o   (front_o),
      .valid_o  (nonempty_o),
      .count_o  (count),
      .count_d_o(count_d)
  );

  always_comb begin
    state_d = state_q;
    candidates_d = candidates_q;
    out_port_d = out_port_q;
    out_vc_d = out_vc_q;
    unique case (state_q)
      VcStateIdle: begin
        if (push_i) begin
          state_d = VcStateWaitsForVc;
          candidates_d = arriving_route_i;
        end
      end
      VcStateNeedsRoute: begin
        state_d = VcStateWaitsForVc;
        candidates_d = front_route_i;
      end
      VcStateWaitsForVc: begin
        if (vc_grant_i) begin
          state_d = VcStateActive;
          out_port_d = vc_grant_port_i;
          out_vc_d = vc_grant_vc_i;
        end
      end
      VcStateActive: begin
        if (pop_i && front_o[Width-2]) state_d = count_d == '0 ? VcStateIdle : VcStateNeedsRoute;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= VcStateIdle;
      candidates_q <= '0;
      out_port_q   <= '0;
      out_vc_q     <= '0;
    end else begin
      state_q      <= state_d;
      candidates_q <= candidates_d;
      out_port_q   <= out_port_d;
      out_vc_q     <= out_vc_d;
    end
  end

  assign state_o = state_q;
  assign candidates_o = candidates_q;
  assign out_port_o = out_port_q;
  assign out_vc_o = out_vc_q;

  `BRAID_REQUIRE(PopOnlyActive, !pop_i || state_q == VcStateActive)
  `BRAID_REQUIRE(GrantOnlyWaiting, !vc_grant_i || state_q == VcStateWaitsForVc)
  `BRAID_REQUIRE(IdleTakesHead, !(push_i && state_q == VcStateIdle) || flit_i[Width-1])
  `BRAID_ASSERT(BypassOfBody, !(pop_i && count == '0) || (BufferBypass && push_i && !flit_i[Width-1]))
  `BRAID_ASSERT(IdleIsEmpty, state_q != VcStateIdle || count == '0)
  `BRAID_ASSERT(HeadIsBuffered, state_q == VcStateIdle || state_q == VcStateActive || count != '0)
endmodule
