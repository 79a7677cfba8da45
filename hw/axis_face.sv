// SPDX-License-Identifier: Apache-2.0
// AXI4-Stream face of a network interface: frames for packets. It stands between network_interface's send and receive pins
// and a node that speaks AXI4-Stream.
//
// A frame becomes a packet of one flit more: the head has the destination (TDEST) in its lowest bits and TUSER above, the
// beats follow, TLAST is the tail. A packet becomes a frame again: TID is the VC, TUSER the head's. Beats of several VCs
// may come between each other, as TID allows; those of one VC are a frame after the other. A packet of a head alone, which
// no such face sends, is a frame of one null beat (TKEEP is 0).
//
// Nothing is buffered: TREADY of the sender is the queue's room, and a head takes a cycle in which no beat is taken.
`include "assert.svh"

module axis_face #(
    parameter int unsigned Vcs = 4,
    parameter int unsigned FlitWidth = 64,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth,
    localparam int unsigned UserWidth = FlitWidth - DestinationWidth,
    localparam int unsigned VcWidth = router_pkg::index_width(Vcs)
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    // From the node.
    input  logic                        s_axis_tvalid_i,
    output logic                        s_axis_tready_o,
    input  logic [FlitWidth-1:0]        s_axis_tdata_i,
    input  logic                        s_axis_tlast_i,
    input  logic [DestinationWidth-1:0] s_axis_tdest_i,  // of the frame, with its first beat
    input  logic [UserWidth-1:0]        s_axis_tuser_i,  // the same
    // To the node.
    output logic                        m_axis_tvalid_o,
    input  logic                        m_axis_tready_i,
    output logic [FlitWidth-1:0]        m_axis_tdata_o,
    output logic                        m_axis_tkeep_o,  // of all bytes
    output logic                        m_axis_tlast_o,
    output logic [VcWidth-1:0]          m_axis_tid_o,
    output logic [UserWidth-1:0]        m_axis_tuser_o,
    // The interface's pins.
    output logic                        send_valid_o,
    input  logic                        send_ready_i,
    output logic                        send_head_o,
    output logic                        send_tail_o,
    output logic [FlitWidth-1:0]        send_data_o,
    input  logic                        receive_valid_i,
    output logic                        receive_ready_o,
    input  logic                        receive_head_i,
    input  logic                        receive_tail_i,
    input  logic [VcWidth-1:0]          receive_vc_i,
    input  logic [FlitWidth-1:0]        receive_data_i
);
  if (FlitWidth <= DestinationWidth) begin : gen_refused_width
    $error("FlitWidth: more than DestinationWidth bits are expected, TUSER takes the others");
  end

  logic in_frame_q;  // its head has gone
  logic head_alone, strip;
  logic [Vcs-1:0][UserWidth-1:0] user_q;

  assign send_valid_o = s_axis_tvalid_i;
  assign send_head_o = !in_frame_q;
  assign send_tail_o = in_frame_q && s_axis_tlast_i;
  assign send_data_o = in_frame_q ? s_axis_tdata_i : {s_axis_tuser_i, s_axis_tdest_i};
  assign s_axis_tready_o = in_frame_q && send_ready_i;

  assign head_alone = receive_head_i && receive_tail_i;
  assign strip = receive_head_i && !receive_tail_i;
  assign receive_ready_o = strip || m_axis_tready_i;
  assign m_axis_tvalid_o = receive_valid_i && !strip;
  assign m_axis_tdata_o = receive_data_i;
  assign m_axis_tkeep_o = !head_alone;
  assign m_axis_tlast_o = receive_tail_i;
  assign m_axis_tid_o = receive_vc_i;
  assign m_axis_tuser_o = head_alone ? receive_data_i[FlitWidth-1:DestinationWidth] : user_q[receive_vc_i];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_frame_q <= 1'b0;
      user_q     <= '0;
    end else begin
      if (send_valid_o && send_ready_i) in_frame_q <= !send_tail_o;
      if (receive_valid_i && strip) user_q[receive_vc_i] <= receive_data_i[FlitWidth-1:DestinationWidth];
    end
  end

  `BRAID_REQUIRE(VcExists, !receive_valid_i || int'(receive_vc_i) < Vcs)
  `BRAID_ASSERT_KNOWN(valids_known, {s_axis_tready_o, m_axis_tvalid_o})
endmodule
