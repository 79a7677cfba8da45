// SPDX-License-Identifier: Apache-2.0
// One router of the mesh as a library of its own (Verilator's --lib-create), so that a mesh of many takes no longer to
// compile than one router. Such a library has no enums at its pins.
module mesh_router
  import router_pkg::*;
#(
    parameter int unsigned Vcs = 2,
    parameter int unsigned Depth = 4,
    parameter int unsigned CircuitDepth = 5,
    parameter int unsigned CircuitLanes = 2,
    parameter int unsigned FlitWidth = 64,
    localparam int unsigned Ports = 5,
    localparam int unsigned Lanes = Vcs + CircuitLanes,
    localparam int unsigned CircuitWidth = index_width(CircuitLanes),
    localparam int unsigned PortWidth = index_width(Ports),
    localparam int unsigned LaneWidth = index_width(Lanes)
) (
    input  logic                                   clk_i,
    input  logic                                   rst_ni,
    input  logic [CoordWidth-1:0]                  x_i,
    input  logic [CoordWidth-1:0]                  y_i,
    input  logic [CoordWidth-1:0]                  last_x_i,
    input  logic [CoordWidth-1:0]                  last_y_i,
    input  logic [Ports-1:0]                       network_ports_i,
    input  logic [Ports-1:0]                       local_ports_i,
    input  logic [Ports-1:0]                       port_class_i,
    input  logic [Ports-1:0]                       avoid_ports_i,
    input  logic                                   share_reserved_i,
    input  logic [Ports-1:0]                       link_valid_i,
    input  logic [Ports-1:0]                       link_head_i,
    input  logic [Ports-1:0]                       link_tail_i,
    input  logic [Ports-1:0][LaneWidth-1:0]        link_lane_i,
    input  logic [Ports-1:0][FlitWidth-1:0]        link_data_i,
    output logic [Ports-1:0][Lanes-1:0]            credit_o,
    output logic [Ports-1:0]                       link_valid_o,
    output logic [Ports-1:0]                       link_head_o,
    output logic [Ports-1:0]                       link_tail_o,
    output logic [Ports-1:0][LaneWidth-1:0]        link_lane_o,
    output logic [Ports-1:0][FlitWidth-1:0]        link_data_o,
    input  logic [Ports-1:0][Lanes-1:0]            credit_i,
    input  logic [Ports-1:0]                       control_valid_i,
    input  logic [Ports-1:0][1:0]                  control_kind_i,
    input  logic [Ports-1:0][SearchWidth-1:0]      control_search_i,
    input  logic [Ports-1:0][DestinationWidth-1:0] control_destination_i,
    output logic [Ports-1:0]                       control_valid_o,
    output logic [1:0]                             control_kind_o,
    output logic [SearchWidth-1:0]                 control_search_o,
    output logic [DestinationWidth-1:0]            control_destination_o,
    input  logic                                   request_valid_i,
    output logic                                   request_ready_o,
    input  logic [PortWidth-1:0]                   request_port_i,
    input  logic [CircuitWidth-1:0]                request_lane_i,
    input  logic [1:0]                             request_kind_i,
    input  logic [SearchWidth-1:0]                 request_search_i,
    input  logic [DestinationWidth-1:0]            request_destination_i,
    output logic                                   outcome_valid_o,
    output logic                                   outcome_success_o
);
  control_kind_e [Ports-1:0] kinds_in;
  control_kind_e kind_out;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_kind
    assign kinds_in[p] = control_kind_e'(control_kind_i[p]);
  end
  assign control_kind_o = kind_out;

  hybrid_router #(
      .Ports       (Ports),
      .Vcs         (Vcs),
      .Depth       (Depth),
      .CircuitDepth(CircuitDepth),
      .CircuitLanes(CircuitLanes),
      .FlitWidth   (FlitWidth)
  ) u_router (
      .table_write_i ('0),
      .table_set_i   ('0),
      .table_node_i  ('0),
      .table_ports_i ('0),
      .control_kind_i(kinds_in),
      .control_kind_o(kind_out),
      .request_kind_i(control_kind_e'(request_kind_i)),
      .*
  );
endmodule
