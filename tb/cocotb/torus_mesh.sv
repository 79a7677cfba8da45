// SPDX-License-Identifier: Apache-2.0
// A torus that is not square, packets only: for the tests of tb/cocotb, whose command line has no enums.
module torus_mesh #(
    localparam int unsigned Columns = 3,
    localparam int unsigned Rows = 4,
    localparam int unsigned FlitWidth = 16,
    localparam int unsigned Nodes = Columns * Rows
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [Nodes-1:0]                send_valid_i,
    output logic [Nodes-1:0]                send_ready_o,
    input  logic [FlitWidth-1:0]            send_data_i,  // of all nodes
    output logic [Nodes-1:0]                receive_valid_o,
    output logic [Nodes-1:0][FlitWidth-1:0] receive_data_o
);
  mesh #(
      .Columns(Columns), .Rows(Rows), .Vcs(2), .Depth(1), .Circuits(1'b0), .FlitWidth(FlitWidth), .Streams(1),
      .Routing(router_pkg::RoutingTorusXFirst)
  ) u_mesh (
      .clk_i, .rst_ni, .share_reserved_i(1'b1), .stream_write_i(1'b0), .stream_index_i('0), .stream_source_i('0),
      .stream_destination_i('0), .start_i(1'b0), .streams_i('0), .state_o(), .success_o(), .lane_o(),
      .send_valid_i, .send_ready_o, .send_head_i('1), .send_tail_i('1), .send_data_i({Nodes{send_data_i}}),
      .circuit_valid_i('0), .circuit_ready_o(), .circuit_head_i('0), .circuit_tail_i('0), .circuit_data_i('0),
      .circuit_idle_o(), .receive_valid_o, .receive_ready_i('1), .receive_head_o(), .receive_tail_o(), .receive_vc_o(),
      .receive_data_o, .admit_i('0), .take_valid_o(), .take_head_o(), .take_tail_o(), .take_lane_o(), .take_data_o());
endmodule
