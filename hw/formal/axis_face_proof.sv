// SPDX-License-Identifier: Apache-2.0
// AXI4-Stream at the interface: what is offered stands unchanged until it is taken, on both sides, if those who offer to
// the face keep that rule, too. Towards the network a packet is a head and then the frame's beats, the last one its tail,
// none lost, none twice; the head has what came with the frame. Towards the node a frame's beats have the TUSER of its
// own head, whatever comes on other VCs between them; no head becomes a beat; and TLAST ends it.
`include "proof.svh"

module axis_face_proof #(
    parameter int unsigned Vcs = 2,
    localparam int unsigned FlitWidth = 20,
    localparam int unsigned UserWidth = FlitWidth - router_pkg::DestinationWidth,
    localparam int unsigned VcWidth = router_pkg::index_width(Vcs)
) (
    input logic                                  clk_i,
    input logic                                  s_valid_i,
    input logic [FlitWidth-1:0]                  s_data_i,
    input logic                                  s_last_i,
    input logic [router_pkg::DestinationWidth-1:0] s_dest_i,
    input logic [UserWidth-1:0]                  s_user_i,
    input logic                                  m_ready_i,
    input logic                                  send_ready_i,
    input logic                                  receive_valid_i,
    input logic                                  receive_head_i,
    input logic                                  receive_tail_i,
    input logic [VcWidth-1:0]                    receive_vc_i,
    input logic [FlitWidth-1:0]                  receive_data_i
);
  `PROOF_RESET

  logic s_ready, m_valid, m_keep, m_last, send_valid, send_head, send_tail, receive_ready;
  logic [FlitWidth-1:0] m_data, send_data;
  logic [VcWidth-1:0] m_id;
  logic [UserWidth-1:0] m_user;

  axis_face #(
      .Vcs      (Vcs),
      .FlitWidth(FlitWidth)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .s_axis_tvalid_i(s_valid_i),
      .s_axis_tready_o(s_ready),
      .s_axis_tdata_i (s_data_i),
      .s_axis_tlast_i (s_last_i),
      .s_axis_tdest_i (s_dest_i),
      .s_axis_tuser_i (s_user_i),
      .m_axis_tvalid_o(m_valid),
      .m_axis_tready_i(m_ready_i),
      .m_axis_tdata_o (m_data),
      .m_axis_tkeep_o (m_keep),
      .m_axis_tlast_o (m_last),
      .m_axis_tid_o   (m_id),
      .m_axis_tuser_o (m_user),
      .send_valid_o   (send_valid),
      .send_ready_i,
      .send_head_o    (send_head),
      .send_tail_o    (send_tail),
      .send_data_o    (send_data),
      .receive_valid_i,
      .receive_ready_o(receive_ready),
      .receive_head_i,
      .receive_tail_i,
      .receive_vc_i,
      .receive_data_i
  );

  // The last cycle's offers that were not taken.
  logic s_waits_q, m_waits_q, send_waits_q, receive_waits_q;
  logic [UserWidth+router_pkg::DestinationWidth+FlitWidth:0] s_q, s_now;
  logic [UserWidth+VcWidth+FlitWidth+1:0] m_q, m_now;
  logic [FlitWidth+1:0] send_q, send_now;
  logic [VcWidth+FlitWidth+1:0] receive_q, receive_now;
  assign s_now = {s_user_i, s_dest_i, s_data_i, s_last_i};
  assign m_now = {m_user, m_id, m_data, m_keep, m_last};
  assign send_now = {send_data, send_head, send_tail};
  assign receive_now = {receive_vc_i, receive_data_i, receive_head_i, receive_tail_i};

  logic in_packet_q;                // towards the network
  logic [Vcs-1:0] open_q;           // towards the node: the VC's packet has begun
  logic [VcWidth-1:0] vc_q;         // any VC
  logic [UserWidth-1:0] its_user_q;  // of its packet's head
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {s_waits_q, m_waits_q, send_waits_q, receive_waits_q} <= '0;
      s_q <= '0;
      m_q <= '0;
      send_q <= '0;
      receive_q <= '0;
      in_packet_q <= 1'b0;
      open_q <= '0;
      its_user_q <= '0;
    end else begin
      s_waits_q <= s_valid_i && !s_ready;
      m_waits_q <= m_valid && !m_ready_i;
      send_waits_q <= send_valid && !send_ready_i;
      receive_waits_q <= receive_valid_i && !receive_ready;
      s_q <= s_now;
      m_q <= m_now;
      send_q <= send_now;
      receive_q <= receive_now;
      if (send_valid && send_ready_i) in_packet_q <= !send_tail;
      if (receive_valid_i && receive_ready) begin
        open_q[receive_vc_i] <= !receive_tail_i;
        if (receive_head_i && receive_vc_i == vc_q) its_user_q <= receive_data_i[FlitWidth-1-:UserWidth];
      end
    end
  end
  always_ff @(posedge clk_i) if (!rst_ni) vc_q <= receive_vc_i;

  `ASSUME(SenderStands, !s_waits_q || (s_valid_i && s_now == s_q))
  `ASSUME(InterfaceStands, !receive_waits_q || (receive_valid_i && receive_now == receive_q))
  `ASSUME(VcExists, int'(receive_vc_i) < Vcs)
  `ASSUME(PacketsAreWhole, !receive_valid_i || receive_head_i == !open_q[receive_vc_i])

  `PROVE(OfferToNodeStands, !m_waits_q || (m_valid && m_now == m_q))
  `PROVE(OfferToNetworkStands, !send_waits_q || (send_valid && send_now == send_q))
  `PROVE(HeadFirst, !send_valid || send_head == !in_packet_q)
  `PROVE(HeadHasWhatCameWithTheFrame, !(send_valid && send_head) || (send_data == {s_user_i, s_dest_i} && !send_tail))
  `PROVE(BeatIsFlit, (s_valid_i && s_ready) == (send_valid && send_ready_i && !send_head))
  `PROVE(BeatIsWhole, !(s_valid_i && s_ready) || (send_data == s_data_i && send_tail == s_last_i))
  `PROVE(FlitIsBeatOrHead, (m_valid && m_ready_i) == (receive_valid_i && receive_ready && !(receive_head_i && !receive_tail_i)))
  `PROVE(FlitIsWhole, !m_valid || (m_data == receive_data_i && m_last == receive_tail_i && m_id == receive_vc_i))
  `PROVE(NullBeatOnlyOfHeads, !m_valid || m_keep == !receive_head_i)
  `PROVE(UserOfItsHead, !(m_valid && m_keep && m_id == vc_q) || m_user == its_user_q)
endmodule
