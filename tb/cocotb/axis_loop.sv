// SPDX-License-Identifier: Apache-2.0
// A network interface with its AXI4-Stream face, whose injection link is its ejection link: what is sent comes back. For
// the tests of tb/cocotb.
module axis_loop #(
    parameter int unsigned Vcs = 3,
    parameter int unsigned FlitWidth = 32,
    localparam int unsigned VcWidth = router_pkg::index_width(Vcs)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 s_axis_tvalid_i,
    output logic                 s_axis_tready_o,
    input  logic [FlitWidth-1:0] s_axis_tdata_i,
    input  logic                 s_axis_tlast_i,
    input  logic [15:0]          s_axis_tdest_i,
    input  logic [FlitWidth-17:0] s_axis_tuser_i,
    output logic                 m_axis_tvalid_o,
    input  logic                 m_axis_tready_i,
    output logic [FlitWidth-1:0] m_axis_tdata_o,
    output logic                 m_axis_tkeep_o,
    output logic                 m_axis_tlast_o,
    output logic [VcWidth-1:0]   m_axis_tid_o,
    output logic [FlitWidth-17:0] m_axis_tuser_o
);
  logic send_valid, send_ready, send_head, send_tail, receive_valid, receive_ready, receive_head, receive_tail;
  logic [FlitWidth-1:0] send_data, receive_data, data;
  logic [VcWidth-1:0] receive_vc, lane;
  logic valid, head, tail;
  logic [Vcs-1:0] credit;

  axis_face #(.Vcs(Vcs), .FlitWidth(FlitWidth)) u_face (
      .clk_i, .rst_ni, .s_axis_tvalid_i, .s_axis_tready_o, .s_axis_tdata_i, .s_axis_tlast_i, .s_axis_tdest_i,
      .s_axis_tuser_i, .m_axis_tvalid_o, .m_axis_tready_i, .m_axis_tdata_o, .m_axis_tkeep_o, .m_axis_tlast_o,
      .m_axis_tid_o, .m_axis_tuser_o, .send_valid_o(send_valid), .send_ready_i(send_ready), .send_head_o(send_head),
      .send_tail_o(send_tail), .send_data_o(send_data), .receive_valid_i(receive_valid), .receive_ready_o(receive_ready),
      .receive_head_i(receive_head), .receive_tail_i(receive_tail), .receive_vc_i(receive_vc),
      .receive_data_i(receive_data));

  network_interface #(.Vcs(Vcs), .Depth(2), .Circuits(1'b0), .FlitWidth(FlitWidth)) u_interface (
      .clk_i, .rst_ni, .send_valid_i(send_valid), .send_ready_o(send_ready), .send_head_i(send_head),
      .send_tail_i(send_tail), .send_data_i(send_data), .circuit_open_i('0), .circuit_valid_i('0), .circuit_ready_o(),
      .circuit_head_i('0), .circuit_tail_i('0), .circuit_data_i('0), .circuit_idle_o(), .link_valid_o(valid),
      .link_head_o(head), .link_tail_o(tail), .link_lane_o(lane), .link_data_o(data), .credit_i(credit),
      .link_valid_i(valid), .link_head_i(head), .link_tail_i(tail), .link_lane_i(lane), .link_data_i(data),
      .credit_o(credit), .receive_valid_o(receive_valid), .receive_ready_i(receive_ready), .receive_head_o(receive_head),
      .receive_tail_o(receive_tail), .receive_vc_o(receive_vc), .receive_data_o(receive_data), .admit_i('0),
      .take_valid_o(), .take_head_o(), .take_tail_o(), .take_lane_o(), .take_data_o());
endmodule
