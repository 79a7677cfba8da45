// SPDX-License-Identifier: Apache-2.0
// One input port: the latch at the end of the link, the packet VCs behind it (BW and RC), and the flit that SA granted.
`include "assert.svh"

module input_unit #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter bit BufferBypass = 1'b0,
    parameter int unsigned Width = 66,  // head, tail, data
    parameter int unsigned RouteWidth = Ports,
    parameter int unsigned FirstVcs = 1,  // that RC tells from the others
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned VcWidth = router_pkg::index_width(Vcs),
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth
) (
    input  logic                                 clk_i,
    input  logic                                 rst_ni,
    // The link: a packet's flit.
    input  logic                                 valid_i,
    input  logic [VcWidth-1:0]                   vc_i,
    input  logic [Width-1:0]                     flit_i,
    // RC: of the head that arrives, of the head at the front behind a tail.
    output logic [1:0][DestinationWidth-1:0]     destination_o,
    output logic [1:0]                           on_first_o,       // it came on one of the first VCs
    input  logic [1:0][RouteWidth-1:0]           route_i,
    // VA
    output logic [Vcs-1:0]                       waiting_o,
    output logic [Vcs-1:0][RouteWidth-1:0]       candidates_o,
    input  logic [Vcs-1:0]                       vc_grant_i,
    input  logic [Vcs-1:0][Ports-1:0]            vc_grant_port_i,  // one hot
    input  logic [Vcs-1:0][Vcs-1:0]              vc_grant_vc_i,    // one hot
    // SA
    output logic [Vcs-1:0]                       ready_o,          // has an output VC and a flit for it
    output logic [Vcs-1:0][PortWidth-1:0]        out_port_o,
    output logic [Vcs-1:0][VcWidth-1:0]          out_vc_o,
    input  logic [Vcs-1:0]                       grant_i,          // one hot
    output logic [Width-1:0]                     granted_flit_o
);
  import router_pkg::*;

  logic latch_valid_q;
  logic [VcWidth-1:0] latch_vc_q;
  logic [Width-1:0] latch_flit_q;
  logic [Width-1:0] front [Vcs];
  logic [Vcs-1:0] nonempty, late;
  vc_state_e [Vcs-1:0] state;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      latch_valid_q <= 1'b0;
      latch_vc_q    <= '0;
      latch_flit_q  <= '0;
    end else begin
      latch_valid_q <= valid_i;
      if (valid_i) begin
        latch_vc_q   <= vc_i;
        latch_flit_q <= flit_i;
      end
    end
  end

  for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
    logic [PortWidth-1:0] grant_port;
    logic [VcWidth-1:0] grant_vc;
    always_comb begin
      grant_port = '0;
      grant_vc = '0;
      if (vc_grant_i[v]) begin
        for (int unsigned p = 0; p < Ports; p++) grant_port |= vc_grant_port_i[v][p] ? PortWidth'(p) : '0;
        for (int unsigned o = 0; o < Vcs; o++) grant_vc |= vc_grant_vc_i[v][o] ? VcWidth'(o) : '0;
      end
    end

    input_vc #(
        .Ports       (Ports),
        .Vcs         (Vcs),
        .Depth       (Depth),
        .BufferBypass(BufferBypass),
        .Width       (Width),
        .RouteWidth  (RouteWidth)
    ) u_vc (
        .clk_i,
        .rst_ni,
        .push_i          (latch_valid_q && latch_vc_q == VcWidth'(v)),
        .flit_i          (latch_flit_q),
        .arriving_route_i(route_i[0]),
        .front_route_i   (route_i[1]),
        .vc_grant_i      (vc_grant_i[v]),
        .vc_grant_port_i (grant_port),
        .vc_grant_vc_i   (grant_vc),
        .pop_i           (grant_i[v]),
        .front_o         (front[v]),
        .nonempty_o      (nonempty[v]),
        .state_o         (state[v]),
        .candidates_o    (candidates_o[v]),
        .out_port_o      (out_port_o[v]),
        .out_vc_o        (out_vc_o[v])
    );
    assign waiting_o[v] = state[v] == VcStateWaitsForVc;
    assign ready_o[v] = state[v] == VcStateActive && nonempty[v];
    assign late[v] = state[v] == VcStateNeedsRoute;
  end

  assign on_first_o = {|late[FirstVcs-1:0], FirstVcs == 1 ? latch_vc_q == '0 : latch_vc_q < VcWidth'(FirstVcs)};
  assign destination_o[0] = latch_flit_q[DestinationWidth-1:0];
  always_comb begin
    destination_o[1] = '0;
    granted_flit_o = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (late[v]) destination_o[1] |= front[v][DestinationWidth-1:0];
      if (grant_i[v]) granted_flit_o |= front[v];
    end
  end

  `BRAID_REQUIRE(VcExists, !valid_i || int'(vc_i) < Vcs)
  `BRAID_ASSERT(OneLateHead, $onehot0(late))
  `BRAID_ASSERT(GrantOnlyReady, (grant_i & ~ready_o) == '0)
endmodule
